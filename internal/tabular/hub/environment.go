package hub

import (
	"cmp"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// defaultEndpoint is the hub that everybody means.
const defaultEndpoint = "https://huggingface.co"

// FromEnvironment reads the settings of the Python client: HF_HOME (else XDG_CACHE_HOME/huggingface, else
// ~/.cache/huggingface), HF_HUB_CACHE (else HF_HOME/hub), HF_TOKEN (else the file HF_TOKEN_PATH, else HF_HOME/token),
// HF_ENDPOINT, HF_HUB_OFFLINE, HF_HUB_DISABLE_IMPLICIT_TOKEN, and HTTP_PROXY, HTTPS_PROXY, NO_PROXY in either case. home
// is the user's own folder, for which "~" stands. An empty variable counts as one that is not set. A token file that
// cannot be read counts as none: a public file needs no token, and for others the hub's refusal names the next step.
func FromEnvironment(getenv func(string) string, home string) Settings {
	expanded := func(name string) string { return expand(getenv(name), getenv, home) }
	hf := expanded("HF_HOME")
	if hf == "" {
		hf = filepath.Join(cmp.Or(expanded("XDG_CACHE_HOME"), filepath.Join(home, ".cache")), "huggingface")
	}
	s := Settings{
		Endpoint: strings.TrimRight(cmp.Or(getenv("HF_ENDPOINT"), defaultEndpoint), "/"),
		// HUGGINGFACE_HUB_CACHE is the older name of the same thing.
		Cache:   cmp.Or(expanded("HF_HUB_CACHE"), expanded("HUGGINGFACE_HUB_CACHE"), filepath.Join(hf, "hub")),
		Offline: isTrue(getenv("HF_HUB_OFFLINE")),
		Proxy:   proxies(getenv),
	}
	if !isTrue(getenv("HF_HUB_DISABLE_IMPLICIT_TOKEN")) {
		s.Token = strings.TrimSpace(cmp.Or(getenv("HF_TOKEN"), getenv("HUGGING_FACE_HUB_TOKEN")))
		if s.Token == "" {
			if text, err := os.ReadFile(cmp.Or(expanded("HF_TOKEN_PATH"), filepath.Join(hf, "token"))); err == nil {
				s.Token = strings.TrimSpace(string(text))
			}
		}
	}
	return s
}

// isTrue reads a switch by the words that the Python client takes for yes. All others, misspelt ones too, are no.
func isTrue(value string) bool {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "1", "true", "yes", "on":
		return true
	}
	return false
}

// expand puts in the home folder for "~" and the values of variables, as the Python client does for its folders. A
// variable that is not set stays as it was written, so that a message shows it.
func expand(value string, getenv func(string) string, home string) string {
	if value == "~" || strings.HasPrefix(value, "~/") || strings.HasPrefix(value, `~\`) {
		value = home + value[1:]
	}
	return os.Expand(value, func(name string) string { return cmp.Or(getenv(name), "$"+name) })
}

// proxies chooses as [http.ProxyFromEnvironment] does, from the variables given and not from the process's own: it never
// takes HTTP_PROXY where a web server may have put a request's header there (REQUEST_METHOD is set), and never sends what
// is for this machine to a proxy. It returns nil where no proxy is set.
func proxies(getenv func(string) string) func(*http.Request) (*url.URL, error) {
	either := func(name string) string { return cmp.Or(getenv(name), getenv(strings.ToLower(name))) }
	// Upper case goes first, as in the standard library.
	byScheme := map[string]string{"https": either("HTTPS_PROXY"), "http": either("HTTP_PROXY")}
	if getenv("REQUEST_METHOD") != "" {
		byScheme["http"] = getenv("http_proxy")
	}
	if byScheme["https"] == "" && byScheme["http"] == "" {
		return nil
	}
	direct := strings.Split(either("NO_PROXY"), ",")
	return func(r *http.Request) (*url.URL, error) {
		proxy := byScheme[r.URL.Scheme]
		if proxy == "" || isDirect(r.URL, direct) {
			return nil, nil
		}
		if !strings.Contains(proxy, "://") {
			proxy = "http://" + proxy
		}
		return url.Parse(proxy)
	}
}

// isDirect reports whether NO_PROXY exempts a host. An entry is "*", an address, a network such as 10.0.0.0/8, or a
// domain, which also stands for all below it unless it begins with a dot, then only for those; each but "*" and a network
// may carry a port.
func isDirect(u *url.URL, entries []string) bool {
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	port := cmp.Or(u.Port(), map[string]string{"https": "443", "http": "80"}[u.Scheme])
	ip, err := netip.ParseAddr(host)
	if host == "localhost" || err == nil && ip.IsLoopback() {
		return true
	}
	isIP := err == nil
	for _, entry := range entries {
		entry = strings.ToLower(strings.TrimSpace(entry))
		if entry == "*" {
			return true
		}
		if network, err := netip.ParsePrefix(entry); err == nil {
			if isIP && network.Contains(ip.Unmap()) {
				return true
			}
			continue
		}
		if address, err := netip.ParseAddr(strings.Trim(entry, "[]")); err == nil {
			if isIP && address.Unmap() == ip.Unmap() {
				return true
			}
			continue
		}
		if name, p, ok := strings.Cut(entry, ":"); ok {
			if p != port {
				continue
			}
			entry = name
		}
		entry = strings.TrimPrefix(entry, "*")
		switch {
		case entry == "":
		case host == entry, !isIP && strings.HasSuffix(host, "."+strings.TrimPrefix(entry, ".")):
			return true
		}
	}
	return false
}
