package hub

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/diag"
)

// What the user wrote wrongly has a code, a page and a next step, and reaches neither the disk nor the hub.
func TestProblems(t *testing.T) {
	h := newHub(t, nil)
	file := func(change func(*File)) File {
		f := model
		change(&f)
		return f
	}
	cases := []struct {
		code string
		file File
	}{
		{"E1801", file(func(f *File) { f.Repo = "" })},
		{"E1801", file(func(f *File) { f.Repo = "https://huggingface.co/owner/name" })},
		{"E1801", file(func(f *File) { f.Repo = "owner/name/more" })},
		{"E1801", file(func(f *File) { f.Repo = "../name" })},
		{"E1801", file(func(f *File) { f.Repo = "owner/.." })},
		{"E1801", file(func(f *File) { f.Repo = "owner--name" })},
		{"E1802", file(func(f *File) { f.Name = "" })},
		{"E1802", file(func(f *File) { f.Name = "/etc/passwd" })},
		{"E1802", file(func(f *File) { f.Name = "a/../../b" })},
		{"E1802", file(func(f *File) { f.Name = `a\b` })},
		{"E1802", file(func(f *File) { f.Name = "c:x" })},
		{"E1802", file(func(f *File) { f.Name = "a\nb" })},
		{"E1803", file(func(f *File) { f.Revision = "../main" })},
		{"E1803", file(func(f *File) { f.Revision = "a//b" })},
		{"E1804", file(func(f *File) { f.SHA256 = "abc" })},
	}
	for _, c := range cases {
		w := h.watch(t)
		_, err := w.pull(t.Context(), c.file)
		problem, ok := errors.AsType[*diag.Problem](err)
		if !ok || problem.Code != c.code || problem.Help == "" {
			t.Errorf("%+v: %v, want %s", c.file, err, c.code)
			continue
		}
		if _, ok := diag.Explain(c.code); !ok {
			t.Errorf("%s has no page", c.code)
		}
	}
	for _, endpoint := range []string{"hub.example.com", "ftp://hub.example.com", "https://", "https://hub?x=1", "::"} {
		_, err := Pull(t.Context(), Settings{Endpoint: endpoint, Cache: t.TempDir()}, model)
		if problem, ok := errors.AsType[*diag.Problem](err); !ok || problem.Code != "E1805" {
			t.Errorf("endpoint %q: %v", endpoint, err)
		}
	}
	if _, err := Pull(t.Context(), Settings{}, model); err == nil || !strings.Contains(diag.Hint(err), "HF_HOME") {
		t.Errorf("no cache: %v", err)
	}
	if h.heads > 0 {
		t.Errorf("the hub was asked %d times", h.heads)
	}
}

// Names become addresses with their odd characters escaped; a revision's slash is not one of the path.
func TestAddress(t *testing.T) {
	c := &client{Settings: Settings{Endpoint: "https://hub"}}
	got := c.address(File{Repo: "o/n", Name: "a b/ü?#%.ckpt"}, "refs/pr/1")
	if want := "https://hub/o/n/resolve/refs%2Fpr%2F1/a%20b/%C3%BC%3F%23%25.ckpt"; got != want {
		t.Errorf("address %s, want %s", got, want)
	}
}

func TestBytesText(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 999_949: "999.9 kB", 999_951: "1.0 MB", 110_209_032: "110.2 MB", 5e15: "5000.0 TB"} {
		if got := bytesText(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

// An encrypted connection that does not come about will not on the next try either: it is told at once.
func TestCertificate(t *testing.T) {
	h := newHub(t, weights(1, 10))
	unknown := httptest.NewUnstartedServer(http.HandlerFunc(h.serve))
	unknown.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // it would complain about us
	unknown.StartTLS()
	defer unknown.Close()
	for name, endpoint := range map[string]string{
		"an unknown authority": unknown.URL,
		"no encryption":        strings.Replace(h.server.URL, "http://", "https://", 1),
	} {
		w := h.watch(t)
		w.settings.Endpoint, w.settings.Token = endpoint, "hf_secret"
		_, err := w.pull(t.Context(), model)
		if err == nil || len(w.waits) > 0 || !strings.Contains(diag.Hint(err), "HF_ENDPOINT") {
			t.Errorf("%s: error %v (%s) after waits %v", name, err, diag.Hint(err), w.waits)
		}
	}
	if len(h.tokens) > 0 {
		t.Errorf("the token was sent: %q", h.tokens)
	}
}

// A redirect never goes from an encrypted connection to one that is not.
func TestNoDowngrade(t *testing.T) {
	c, err := newClient(Settings{Endpoint: "https://hub.example", Cache: t.TempDir(), Client: &http.Client{Transport: answers(func(r *http.Request) *http.Response {
		return &http.Response{StatusCode: http.StatusFound, Header: http.Header{"Location": {"http://hub.example/x"}}, Body: http.NoBody, Request: r}
	})}}, here())
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.pull(context.Background(), model)
	if err == nil || !strings.Contains(err.Error(), "redirects from https to http") {
		t.Errorf("error %v", err)
	}
}

type answers func(*http.Request) *http.Response

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) { return a(r), nil }

// Whatever a server writes into its headers, no name leaves its folder, and no number is negative.
func FuzzMetadata(f *testing.F) {
	f.Add(commitA, `"abc"`, "", "12", "", false)
	f.Add(commitA, `W/"abc"`, `"../../x"`, "", "-1", true)
	f.Add("../..", `".."`, `"."`, "9223372036854775808", "1e3", true)
	f.Fuzz(func(t *testing.T, commit, etag, linked, size, linkedSize string, redirect bool) {
		h := http.Header{}
		for name, value := range map[string]string{"X-Repo-Commit": commit, "Etag": etag, "X-Linked-Etag": linked, "Content-Length": size, "X-Linked-Size": linkedSize} {
			if value != "" {
				h.Set(name, value)
			}
		}
		m, err := parseMetadata(h, redirect)
		if err != nil {
			return
		}
		at := placeOf("cache", "o/n")
		blobs := at.in("blobs")
		if filepath.Dir(at.blob(m.etag)) != blobs || filepath.Dir(at.partial(m.etag)) != blobs || filepath.Dir(filepath.Dir(at.pointer(m.commit, "x"))) != at.in("snapshots") {
			t.Errorf("commit %q or etag %q leaves its folder", m.commit, m.etag)
		}
		if m.size < 0 {
			t.Errorf("size %d", m.size)
		}
	})
}

// A Content-Range that is accepted lies inside the file it names.
func FuzzContentRange(f *testing.F) {
	for _, text := range []string{"bytes 0-0/1", "bytes 10-299/300", "bytes 10-299/*", "bytes */300", "bytes 5-4/10", "bytes -5-4/10", "bytes 0-10/10", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		begin, size, ok := parseContentRange(text)
		if ok && (begin < 0 || size != -1 && begin >= size) || !ok && (begin != 0 || size != 0) {
			t.Errorf("%q: from %d of %d, %v", text, begin, size, ok)
		}
	})
}
