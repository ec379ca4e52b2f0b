package hub

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// metadata is what the hub says about a file before it sends it.
type metadata struct {
	commit string // 40 hex digits: what the revision stands for now
	etag   string // safe as a file name; the blob's name in the cache
	digest string // the etag where it is a SHA-256, lower case; else ""
	size   int64  // bytes
	own    bool   // the etag is the endpoint's own and strong, so that If-Range may name it
}

// resolve asks what a revision stands for. It follows redirects inside the endpoint (a repository that was renamed) but
// not to the store that has the bytes: the store knows neither the commit nor the digest.
func (c *client) resolve(ctx context.Context, f File) (m metadata, err error) {
	err = c.persist(ctx, Progress{File: f}, func(*Progress) (bool, error) {
		ctx, _, stop := c.listen(ctx)
		defer stop()
		answer, err := c.follow(ctx, http.MethodHead, c.address(f, f.revision()), http.Header{},
			func(_ *http.Response, to *url.URL) (bool, error) { return c.home(to), nil })
		if err != nil {
			return false, err
		}
		_ = answer.Body.Close()
		if answer.StatusCode >= 400 {
			return false, c.refused(f, answer)
		}
		m, err = parseMetadata(answer.Header, answer.StatusCode >= 300)
		return false, diag.WithHint(err, "%s does not answer like a hub: check HF_ENDPOINT and the proxy settings", c.Endpoint)
	})
	return m, err
}

// parseMetadata reads the headers of an answer for a file. The linked ones describe the file behind a redirect, where
// Content-Length is that of the redirect.
func parseMetadata(h http.Header, redirect bool) (metadata, error) {
	// The commit and the etag become names in the cache, so they are held to patterns here and trusted afterwards.
	m := metadata{commit: strings.ToLower(h.Get("X-Repo-Commit"))}
	if !isCommit(m.commit) {
		return metadata{}, fmt.Errorf("the answer names no commit (X-Repo-Commit is %q)", h.Get("X-Repo-Commit"))
	}
	m.etag = etagOf(h)
	if !etagPattern().MatchString(m.etag) {
		return metadata{}, fmt.Errorf("the answer has no usable etag (it is %q)", cmp.Or(h.Get("X-Linked-Etag"), h.Get("ETag")))
	}
	if digestPattern().MatchString(m.etag) {
		m.digest = strings.ToLower(m.etag)
	}
	// RFC 9110 section 13.1.5 lets If-Range name strong etags only.
	m.own = h.Get("X-Linked-Etag") == "" && strings.HasPrefix(h.Get("ETag"), `"`)
	size := h.Get("X-Linked-Size")
	if size == "" && !redirect {
		size = h.Get("Content-Length")
	}
	var err error
	if m.size, err = strconv.ParseInt(size, 10, 64); err != nil || m.size < 0 {
		return metadata{}, fmt.Errorf("the answer does not tell the size of the file (it is %q)", size)
	}
	return m, nil
}

// etagOf is the bare etag: weak ones name the same bytes here, because the hub does not compress weights.
func etagOf(h http.Header) string {
	return strings.Trim(strings.TrimPrefix(cmp.Or(h.Get("X-Linked-Etag"), h.Get("ETag")), "W/"), `"`)
}
