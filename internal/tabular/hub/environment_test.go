package hub

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFromEnvironment(t *testing.T) {
	home := t.TempDir()
	token := func(path, text string) {
		path = filepath.Join(home, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	token(".cache/huggingface/token", "hf_of_home\n")
	token("elsewhere/token", " hf_of_elsewhere ")
	token("a-file", "hf_of_a_file")
	in := func(parts ...string) string { return filepath.Join(append([]string{home}, parts...)...) }
	cases := []struct {
		name string
		env  map[string]string
		want Settings
	}{
		{"nothing set", nil, Settings{Cache: in(".cache", "huggingface", "hub"), Token: "hf_of_home"}},
		{"HF_HOME", map[string]string{"HF_HOME": in("elsewhere")}, Settings{Cache: in("elsewhere", "hub"), Token: "hf_of_elsewhere"}},
		{"HF_HOME with a tilde", map[string]string{"HF_HOME": "~/elsewhere"}, Settings{Cache: in("elsewhere", "hub"), Token: "hf_of_elsewhere"}},
		{"HF_HOME with a variable", map[string]string{"HF_HOME": "$BASE/elsewhere", "BASE": home}, Settings{Cache: in("elsewhere", "hub"), Token: "hf_of_elsewhere"}},
		{"a variable that is not set", map[string]string{"HF_HOME": "/$NOBODY/x"}, Settings{Cache: filepath.FromSlash("/$NOBODY/x/hub")}},
		{"XDG_CACHE_HOME", map[string]string{"XDG_CACHE_HOME": in("xdg")}, Settings{Cache: in("xdg", "huggingface", "hub")}},
		{"HF_HOME before XDG_CACHE_HOME", map[string]string{"HF_HOME": in("elsewhere"), "XDG_CACHE_HOME": in("xdg")},
			Settings{Cache: in("elsewhere", "hub"), Token: "hf_of_elsewhere"}},
		{"HF_HUB_CACHE", map[string]string{"HF_HOME": in("elsewhere"), "HF_HUB_CACHE": "~/weights"}, Settings{Cache: in("weights"), Token: "hf_of_elsewhere"}},
		{"the older name", map[string]string{"HUGGINGFACE_HUB_CACHE": "~/weights"}, Settings{Cache: in("weights"), Token: "hf_of_home"}},
		{"HF_TOKEN", map[string]string{"HF_TOKEN": "hf_given\n"}, Settings{Cache: in(".cache", "huggingface", "hub"), Token: "hf_given"}},
		{"HF_TOKEN_PATH", map[string]string{"HF_TOKEN_PATH": "~/a-file"}, Settings{Cache: in(".cache", "huggingface", "hub"), Token: "hf_of_a_file"}},
		{"HF_TOKEN before HF_TOKEN_PATH", map[string]string{"HF_TOKEN": "hf_given", "HF_TOKEN_PATH": "~/a-file"}, Settings{Cache: in(".cache", "huggingface", "hub"), Token: "hf_given"}},
		{"no implicit token", map[string]string{"HF_HUB_DISABLE_IMPLICIT_TOKEN": "1", "HF_TOKEN": "hf_given"}, Settings{Cache: in(".cache", "huggingface", "hub")}},
		{"HF_ENDPOINT", map[string]string{"HF_ENDPOINT": "https://hub.example.com/", "XDG_CACHE_HOME": "~/x"},
			Settings{Endpoint: "https://hub.example.com", Cache: in("x", "huggingface", "hub")}},
		{"offline", map[string]string{"HF_HUB_OFFLINE": "YES", "XDG_CACHE_HOME": "~/x"}, Settings{Cache: in("x", "huggingface", "hub"), Offline: true}},
		{"not offline", map[string]string{"HF_HUB_OFFLINE": "0", "XDG_CACHE_HOME": "~/x"}, Settings{Cache: in("x", "huggingface", "hub")}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.want.Endpoint == "" {
				c.want.Endpoint = "https://huggingface.co"
			}
			got := FromEnvironment(func(name string) string { return c.env[name] }, home)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("settings (-want +got):\n%s", diff)
			}
		})
	}
	for value, want := range map[string]bool{"1": true, "true": true, "True": true, "on": true, "yes": true, "": false, "0": false, "off": false, "no": false, "2": false} {
		if got := FromEnvironment(func(name string) string {
			return map[string]string{"HF_HUB_OFFLINE": value}[name]
		}, home).Offline; got != want {
			t.Errorf("HF_HUB_OFFLINE=%q is offline: %v, want %v", value, got, want)
		}
	}
}

func TestProxies(t *testing.T) {
	all := map[string]string{"HTTPS_PROXY": "http://secure:1", "http_proxy": "plain:2"}
	with := func(noProxy string) map[string]string {
		return map[string]string{"HTTPS_PROXY": "http://secure:1", "http_proxy": "plain:2", "no_proxy": noProxy}
	}
	cases := []struct {
		env           map[string]string
		address, want string // "" for a direct connection
	}{
		{all, "https://huggingface.co/x", "http://secure:1"},
		{all, "http://huggingface.co/x", "http://plain:2"},
		{map[string]string{"HTTP_PROXY": "plain:2"}, "https://huggingface.co/x", ""},
		{map[string]string{"HTTP_PROXY": "plain:2", "REQUEST_METHOD": "GET"}, "http://huggingface.co/x", ""},
		{all, "http://127.0.0.1:8080/x", ""},
		{all, "http://[::1]/x", ""},
		{all, "https://localhost/x", ""},
		{with("*"), "https://huggingface.co/x", ""},
		{with("example.com, huggingface.co"), "https://huggingface.co/x", ""},
		{with("huggingface.co"), "https://cdn.huggingface.co/x", ""},
		{with(".huggingface.co"), "https://cdn.huggingface.co/x", ""},
		{with(".huggingface.co"), "https://huggingface.co/x", "http://secure:1"},
		{with("*.huggingface.co"), "https://cdn.huggingface.co/x", ""},
		{with("face.co"), "https://huggingface.co/x", "http://secure:1"},
		{with("huggingface.co:443"), "https://huggingface.co/x", ""},
		{with("huggingface.co:444"), "https://huggingface.co/x", "http://secure:1"},
		{with("10.0.0.0/8"), "https://10.1.2.3/x", ""},
		{with("10.0.0.0/8"), "https://11.1.2.3/x", "http://secure:1"},
		{with("10.1.2.3"), "https://10.1.2.3:8443/x", ""},
		{with("2001:db8::1"), "https://[2001:db8::1]/x", ""},
		{with(","), "https://huggingface.co/x", "http://secure:1"},
	}
	for _, c := range cases {
		proxy := FromEnvironment(func(name string) string { return c.env[name] }, t.TempDir()).Proxy
		r, err := http.NewRequest(http.MethodGet, c.address, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if proxy != nil { // no variable that counts is set
			u, err := proxy(r)
			if err != nil {
				t.Fatal(err)
			}
			if u != nil {
				got = u.String()
			}
		}
		if got != c.want {
			t.Errorf("%v: %s goes through %q, want %q", c.env, c.address, got, c.want)
		}
	}
	if FromEnvironment(func(string) string { return "" }, t.TempDir()).Proxy != nil {
		t.Error("a proxy though none is set")
	}
}

// A proxy that is set sees the request.
func TestThroughProxy(t *testing.T) {
	h := newHub(t, weights(1, 1000))
	w := h.watch(t)
	w.settings.Endpoint = "http://hub.invalid"
	w.settings.Proxy = FromEnvironment(func(name string) string {
		return map[string]string{"HTTP_PROXY": h.server.URL}[name]
	}, t.TempDir()).Proxy
	path, err := w.pull(t.Context(), model)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, path, h.content)
}
