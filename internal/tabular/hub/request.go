package hub

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/norn-data/norn/internal/diag"
)

// A world is what a pull needs of the machine and cannot have for the asking in a test: time, chance, a disk that is
// full, a file system without links.
type world struct {
	now     func() time.Time
	sleep   func(context.Context, time.Duration) error
	chance  func() float64                    // in [0, 1)
	free    func(folder string) (int64, bool) // bytes that this user may still write; false where nobody can tell
	symlink func(target, path string) error   // as os.Symlink
	link    func(existing, path string) error // as os.Link
	rename  func(from, to string) error       // as os.Rename
	stall   time.Duration                     // how long a connection may be silent before it counts as dropped
}

// here is the real world.
func here() world {
	return world{
		now: time.Now, sleep: sleep, chance: rand.Float64, free: freeSpace,
		symlink: os.Symlink, link: os.Link, rename: os.Rename,
		// The Python client gives up on a silent connection after 10 s, which slow links have been reported to exceed.
		stall: 30 * time.Second,
	}
}

// sleep waits for a while or for the end of the context, whichever comes first.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// A client is the settings of one call with what was made of them.
type client struct {
	Settings
	world
	endpoint *url.URL
	http     http.Client
	close    func()
}

// newClient checks the settings. Its close ends the connections that were kept for the next request; those of a client
// that the caller brought are the caller's.
func newClient(s Settings, w world) (*client, error) {
	if s.Cache == "" {
		return nil, diag.WithHint(errors.New("there is no folder for downloaded models"), "set HF_HOME to a folder that you can write")
	}
	s.Endpoint = strings.TrimRight(cmp.Or(s.Endpoint, defaultEndpoint), "/")
	endpoint, err := url.Parse(s.Endpoint)
	if err != nil || endpoint.Scheme != "http" && endpoint.Scheme != "https" || endpoint.Host == "" || endpoint.RawQuery != "" {
		return nil, diag.New("E1805", diag.Span{}, "%q is not the address of a hub", s.Endpoint).
			WithHelp("set HF_ENDPOINT to an address such as %s, or unset it", defaultEndpoint)
	}
	c := &client{Settings: s, world: w, endpoint: endpoint, close: func() {}}
	if s.Client != nil {
		c.http = *s.Client
	} else {
		// There is no timeout for a whole request: how long a file takes is not ours to know. Silence is what ends one.
		transport := &http.Transport{
			Proxy:                 s.Proxy,
			DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
			TLSHandshakeTimeout:   10 * time.Second,
			ForceAttemptHTTP2:     true,
			MaxIdleConnsPerHost:   1,
			ExpectContinueTimeout: time.Second,
		}
		c.http.Transport = transport
		c.close = transport.CloseIdleConnections
	}
	// The standard client would send the token on to subdomains of the endpoint, and hides the answers on the way, which
	// carry the file's etag. So it follows nothing.
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c, nil
}

// address is where the hub keeps a file. A revision may have slashes, which are part of one element of the path.
func (c *client) address(f File, revision string) string {
	elements := strings.Split(f.Name, "/")
	for i, e := range elements {
		elements[i] = url.PathEscape(e)
	}
	return c.Endpoint + "/" + f.Repo + "/resolve/" + url.PathEscape(revision) + "/" + strings.Join(elements, "/")
}

// home reports whether an address belongs to the endpoint: scheme, host and port. Only such addresses see the token.
func (c *client) home(u *url.URL) bool {
	port := func(u *url.URL) string {
		return cmp.Or(u.Port(), map[string]string{"https": "443", "http": "80"}[u.Scheme])
	}
	return u.Scheme == c.endpoint.Scheme && strings.EqualFold(u.Hostname(), c.endpoint.Hostname()) && port(u) == port(c.endpoint)
}

// ask makes one request and follows nothing. Trouble on the way comes back as passing where another try may help.
func (c *client) ask(ctx context.Context, method string, u *url.URL, header http.Header) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, u.String(), http.NoBody)
	if err != nil {
		return nil, err
	}
	r.Header = header.Clone()
	// A compressed answer has neither the size nor the bytes that were asked for.
	r.Header.Set("Accept-Encoding", "identity")
	r.Header.Set("User-Agent", "norn")
	if c.home(u) && c.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.Token)
	} else {
		r.Header.Del("If-Range") // names the endpoint's etag; a store behind it has its own
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, c.dropped(ctx, u, err)
	}
	return answer, nil
}

// dropped sorts an error of the transport: the context's end is its own error, a certificate that does not hold will not
// hold on the next try, and all else may pass.
func (c *client) dropped(ctx context.Context, u *url.URL, err error) error {
	if errors.Is(context.Cause(ctx), errSilent) {
		err = errSilent
	} else if ctx.Err() != nil {
		return ctx.Err()
	}
	// What the transport says holds the whole address, and that of a store is signed: whoever reads it may download.
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err
	}
	_, badCertificate := errors.AsType[*tls.CertificateVerificationError](err)
	// Where plain HTTP answers, the address or a proxy setting is wrong.
	noTLS := errors.Is(err, http.ErrSchemeMismatch)
	err = fmt.Errorf("talking to %s: %w", u.Host, err)
	if badCertificate || noTLS {
		return diag.WithHint(err, "a proxy that opens encrypted connections needs its certificate in the system's store (or in the file SSL_CERT_FILE); else check HF_ENDPOINT and HTTPS_PROXY")
	}
	return &passing{err: err, unreachable: isUnreachable(err)}
}

// mostRedirects is the same bound that browsers and the standard client have, rounded.
const mostRedirects = 10

// follow asks for an address and goes where it is sent, as long as wanted says so; the answer to the last request comes
// back, with its address. wanted sees each redirect before it is followed, as from and to.
func (c *client) follow(ctx context.Context, method, address string, header http.Header, wanted func(*http.Response, *url.URL) (bool, error)) (*http.Response, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	for range mostRedirects {
		answer, err := c.ask(ctx, method, u, header)
		if err != nil {
			return nil, err
		}
		// 304 and a redirect without an address are answers; what they mean is for the caller to say.
		where := answer.Header.Get("Location")
		if answer.StatusCode < 300 || answer.StatusCode > 399 || answer.StatusCode == http.StatusNotModified || where == "" {
			return answer, nil
		}
		next, err := u.Parse(where)
		switch {
		case err != nil:
			err = fmt.Errorf("%s redirects to an address that cannot be read", u.Host)
		case next.Scheme != "https" && (u.Scheme == "https" || next.Scheme != "http"):
			err = diag.WithHint(fmt.Errorf("%s redirects from %s to %s, which anybody on the way can read and change", u.Host, u.Scheme, next.Scheme),
				"check HF_ENDPOINT and the proxy settings")
		}
		var more bool
		if err == nil {
			more, err = wanted(answer, next)
		}
		if err == nil && !more {
			return answer, nil
		}
		_ = answer.Body.Close()
		if err != nil {
			return nil, err
		}
		u = next
	}
	return nil, diag.WithHint(fmt.Errorf("%s redirects more than %d times", u.Host, mostRedirects), "check HF_ENDPOINT and the proxy settings")
}

// errSilent ends a connection on which nothing arrives any more but which nobody closes.
var errSilent = errors.New("the connection is silent")

// listen returns a context that ends when heard has not been called for a while.
func (c *client) listen(ctx context.Context) (_ context.Context, heard, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(c.stall, func() { cancel(errSilent) })
	return ctx, func() { timer.Reset(c.stall) }, func() { timer.Stop(); cancel(nil) }
}

const (
	// mostTries bounds the tries in a row that bring nothing: about 15 s of waiting in all, long enough for a router to
	// come back and short enough for somebody who watches.
	mostTries = 6
	firstWait = 500 * time.Millisecond
	// longestWait is how long a server may ask us to wait. One that asks for more is not going to answer today's user.
	longestWait = 2 * time.Minute
)

// persist repeats try while what stops it may pass. It waits twice as long each time, between half of that and all of it
// by chance, so that many clients that were dropped together do not come back together; or as long as the server asks. A
// try that brought something starts the count anew. try may say in the progress how far it came.
func (c *client) persist(ctx context.Context, p Progress, try func(*Progress) (brought bool, err error)) error {
	for failed := 0; ; {
		brought, err := try(&p)
		again, ok := errors.AsType[*passing](err)
		if !ok { // done, or beyond mending by patience
			return err
		}
		// A context that ended while a connection broke is the reason that counts.
		if err := ctx.Err(); err != nil {
			return err
		}
		if brought {
			failed = 0
		}
		failed++
		wait := time.Duration((0.5 + 0.5*c.chance()) * float64(firstWait<<(failed-1)))
		wait = max(wait, again.after)
		if failed >= mostTries || wait > longestWait {
			return c.givenUp(p.File, again, failed)
		}
		p.Stage, p.Err, p.Wait = Retrying, err, wait
		c.tell(p)
		if err := c.sleep(ctx, wait); err != nil {
			return err
		}
	}
}
