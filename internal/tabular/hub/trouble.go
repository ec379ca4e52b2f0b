package hub

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/norn-data/norn/internal/diag"
)

// A passing trouble is one that another try may not meet.
type passing struct {
	err         error
	status      int           // of HTTP; 0 where there was no answer
	after       time.Duration // as long as the server asks to wait
	unreachable bool          // no connection came about at all
}

func (p *passing) Error() string { return p.err.Error() }
func (p *passing) Unwrap() error { return p.err }

// isUnreachable reports whether an error is about reaching a machine, not about what it did.
func isUnreachable(err error) bool {
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return true
	}
	op, ok := errors.AsType[*net.OpError](err)
	return ok && (op.Op == "dial" || op.Op == "proxyconnect")
}

// refused turns an answer of 400 and more into an error. The hub says in X-Error-Code which of the three names is wrong.
func (c *client) refused(f File, answer *http.Response) error {
	host, status := answer.Request.URL.Host, answer.StatusCode
	code := answer.Header.Get("X-Error-Code")
	err := fmt.Errorf("%s answers %d %s", host, status, http.StatusText(status))
	switch {
	// 501 says that the server does not know the method, and it will not learn it.
	case status == http.StatusRequestTimeout, status == http.StatusTooManyRequests, status >= 500 && status != http.StatusNotImplemented:
		return &passing{err: err, status: status, after: retryAfter(answer.Header, c.now())}
	case status == http.StatusProxyAuthRequired:
		return diag.WithHint(err, "put the name and password of the proxy into HTTPS_PROXY: http://name:password@host:port")
	case status == http.StatusUnauthorized && c.Token == "":
		// The hub does not say whether a repository that one may not see exists.
		return diag.WithHint(fmt.Errorf("%w: %s is private, gated or does not exist", err, f.Repo),
			"check the name at %[1]s/%[2]s and agree to its terms there; then set HF_TOKEN to a token from %[1]s/settings/tokens", c.Endpoint, f.Repo)
	case status == http.StatusUnauthorized:
		return diag.WithHint(fmt.Errorf("%w: it does not accept the token, or %s does not exist", err, f.Repo),
			"make a new token at %s/settings/tokens and set HF_TOKEN to it; for a public file, unset HF_TOKEN", c.Endpoint)
	// 403 is said of a repository whose terms one has not agreed to, which is a person's step and not a program's.
	case status == http.StatusForbidden && c.Token == "":
		return diag.WithHint(fmt.Errorf("%w: %s is gated", err, f.Repo),
			"agree to its terms at %[1]s/%[2]s, then set HF_TOKEN to a token from %[1]s/settings/tokens", c.Endpoint, f.Repo)
	case status == http.StatusForbidden:
		return diag.WithHint(fmt.Errorf("%w: the token does not give access to %s", err, f.Repo),
			"agree to its terms at %[1]s/%[2]s with the account of the token, and let the token read gated repositories (%[1]s/settings/tokens)", c.Endpoint, f.Repo)
	case status == http.StatusNotFound && code == "RepoNotFound":
		return diag.WithHint(fmt.Errorf("there is no repository %s on %s", f.Repo, host), "check the name; a private one needs HF_TOKEN")
	case status == http.StatusNotFound && code == "RevisionNotFound":
		return diag.WithHint(fmt.Errorf("%s has no revision %q", f.Repo, f.revision()), "its branches and tags are listed at %s/%s/refs", c.Endpoint, f.Repo)
	case status == http.StatusNotFound && code == "EntryNotFound":
		return diag.WithHint(fmt.Errorf("%s has no file %q at revision %q", f.Repo, f.Name, f.revision()),
			"its files are listed at %s/%s/tree/%s", c.Endpoint, f.Repo, f.revision())
	// A mirror without X-Error-Code leaves open which of the three it is.
	case status == http.StatusNotFound:
		return diag.WithHint(fmt.Errorf("%s has no %s in %s at revision %q", host, f.Name, f.Repo, f.revision()),
			"check the names of repository, revision and file at %s/%s", c.Endpoint, f.Repo)
	}
	return diag.WithHint(err, "check HF_ENDPOINT and the proxy settings")
}

// retryAfter is how long a server asks to wait: seconds or a date (RFC 9110, section 10.2.3). What cannot be read asks
// for nothing.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(text); err == nil {
		return max(0, date.Sub(now))
	}
	return 0
}

// givenUp is the error after the last try. The next step depends on who could mend it: the user's network, the hub, or
// only time.
func (c *client) givenUp(f File, p *passing, tries int) error {
	err := p.err
	if tries > 1 {
		err = fmt.Errorf("after %d tries: %w", tries, err)
	}
	switch {
	case p.unreachable:
		return diag.WithHint(err, "check the network, HTTPS_PROXY and HF_ENDPOINT; %s", c.byHand(f))
	case p.status == http.StatusTooManyRequests && p.after > longestWait:
		return diag.WithHint(err, "it asks to wait for %s: try again then; with HF_TOKEN set the limit is higher", p.after.Round(time.Second))
	case p.status == http.StatusTooManyRequests:
		return diag.WithHint(err, "wait a while and try again; with HF_TOKEN set the limit is higher")
	case p.status != 0:
		return diag.WithHint(err, "the trouble is on its side: try again later; what was downloaded is kept")
	}
	return diag.WithHint(err, "try again: the download goes on where it stopped")
}

// notHere is the error of a call that may not ask the hub.
func (c *client) notHere(f File) error {
	return diag.WithHint(fmt.Errorf("it is not in the cache (%s), and HF_HUB_OFFLINE forbids to ask the hub", c.Cache),
		"unset HF_HUB_OFFLINE, or %s", c.byHand(f))
}

// byHand says which file to put where on a machine without a way to the hub. The folder is one that [Find] looks into
// for this revision. A copy that is there already is the shorter way.
func (c *client) byHand(f File) string {
	at := placeOf(c.Cache, f.Repo)
	if path, ok := at.find(f); ok && !c.Offline {
		return "the copy of an earlier pull is at " + path + ": with HF_HUB_OFFLINE=1 it is used as it is"
	}
	folder := at.commits(f)
	if len(folder) == 0 { // a revision with slashes names no folder
		return "name the revision by its commit"
	}
	return fmt.Sprintf("download %s on another machine and put it at %s", c.address(f, f.revision()), at.pointer(folder[0], f.Name))
}

// otherBytes says that bytes are not those that were promised, with both digests in full so that they can be looked up.
func (c *client) otherBytes(what, got, want, promise, next string) error {
	return diag.WithHint(fmt.Errorf("%s has SHA-256 %s, but %s is %s", what, got, promise, want), "%s", next)
}

// unwritable adds the next step to an error of writing into the cache.
func (c *client) unwritable(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return diag.WithHint(err, "make room on the disk of %s, or set HF_HUB_CACHE to a folder on another one; what was downloaded is kept", c.Cache)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return diag.WithHint(err, "the cache cannot be written: set HF_HUB_CACHE to a folder that you can write")
	case errors.Is(err, syscall.ENOTDIR):
		return diag.WithHint(err, "a file lies where a folder of the cache should be: remove it, or set HF_HUB_CACHE to another folder")
	}
	return err
}

// noRoom is the error before a download that the disk could not hold.
func (c *client) noRoom(need, free int64) error {
	return diag.WithHint(fmt.Errorf("the download needs %s, and %s has %s free", bytesText(need), filepath.Clean(c.Cache), bytesText(free)),
		"make room there, or set HF_HUB_CACHE to a folder on another disk")
}

// bytesText writes a number of bytes as people read it, in powers of 1000 as download pages do.
func bytesText(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	value, unit := float64(n), 0
	for value >= 999.95 && unit < 4 {
		value, unit = value/1000, unit+1
	}
	return fmt.Sprintf("%.1f %cB", value, " kMGT"[unit])
}
