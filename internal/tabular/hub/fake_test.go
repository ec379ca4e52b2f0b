package hub

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	commitA = "0123456789abcdef0123456789abcdef01234567"
	commitB = "89abcdef0123456789abcdef0123456789abcdef"
)

// weights makes bytes that are no two the same anywhere near, so that a wrong splice cannot hide.
func weights(seed uint64, n int) []byte {
	var key [32]byte
	key[0] = byte(seed)
	data := make([]byte, n)
	_, _ = rand.NewChaCha8(key).Read(data)
	return data
}

func sum(data []byte) string {
	digest := sha256.Sum256(data)
	return hex.EncodeToString(digest[:])
}

// A reply answers one request in place of the hub.
type reply func(h *fakeHub, w http.ResponseWriter, r *http.Request)

// A fakeHub is a hub with one repository, owner/name, of one file, model.ckpt. It answers as the real one does, except
// that the n-th HEAD or GET may have a reply of its own.
type fakeHub struct {
	mu      sync.Mutex
	content []byte
	commit  string
	etag    string // the digest of the content unless set
	head    []reply
	get     []reply
	heads   int
	gets    []string // the Range of each, "" for none
	tokens  []string // Authorization of each request
	store   *httptest.Server
	server  *httptest.Server
	storeOf struct {
		etag   string
		tokens []string
	}
}

func newHub(t testing.TB, content []byte) *fakeHub {
	t.Helper()
	h := &fakeHub{content: content, commit: commitA}
	h.server = httptest.NewServer(http.HandlerFunc(h.serve))
	t.Cleanup(h.server.Close)
	return h
}

// withStore makes the hub send readers to a second host for the bytes, as the real one does for large files.
func (h *fakeHub) withStore(t testing.TB) *fakeHub {
	t.Helper()
	h.storeOf.etag = "store-1"
	h.store = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		h.storeOf.tokens = append(h.storeOf.tokens, r.Header.Get("Authorization"))
		own := h.next(h.get, r)
		etag := h.storeOf.etag
		h.mu.Unlock()
		w.Header().Set("ETag", `"`+etag+`"`)
		if own != nil {
			own(h, w, r)
			return
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(h.content))
	}))
	t.Cleanup(h.store.Close)
	return h
}

// next takes the reply of a GET; the lock is held.
func (h *fakeHub) next(replies []reply, r *http.Request) reply {
	n := len(h.gets)
	h.gets = append(h.gets, strings.TrimPrefix(r.Header.Get("Range"), "bytes="))
	if n < len(replies) {
		return replies[n]
	}
	return nil
}

// ranges are the downloads so far. Requests of other processes are ordered with the test by this lock alone.
func (h *fakeHub) ranges() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.gets)
}

func (h *fakeHub) tag() string {
	if h.etag != "" {
		return h.etag
	}
	return sum(h.content)
}

func (h *fakeHub) serve(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.tokens = append(h.tokens, r.Header.Get("Authorization"))
	var own reply
	switch {
	case r.Method == http.MethodHead:
		if h.heads < len(h.head) {
			own = h.head[h.heads]
		}
		h.heads++
	case h.store == nil:
		own = h.next(h.get, r)
	}
	h.mu.Unlock()
	if own != nil {
		own(h, w, r)
		return
	}
	h.answer(w, r)
}

// answer is what the real hub would say.
func (h *fakeHub) answer(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.URL.EscapedPath(), "/owner/name/resolve/") || !strings.HasSuffix(r.URL.Path, "/model.ckpt") {
		w.Header().Set("X-Error-Code", "EntryNotFound")
		w.WriteHeader(http.StatusNotFound)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	w.Header().Set("X-Repo-Commit", h.commit)
	if h.store == nil {
		w.Header().Set("ETag", `"`+h.tag()+`"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(h.content))
		return
	}
	w.Header().Set("X-Linked-Etag", `"`+h.tag()+`"`)
	w.Header().Set("X-Linked-Size", fmt.Sprint(len(h.content)))
	w.Header().Set("ETag", `"of-the-redirect"`)
	http.Redirect(w, r, h.store.URL+"/signed?key=secret", http.StatusFound)
}

// status answers with a code and headers, given as "Name: value".
func status(code int, headers ...string) reply {
	return func(_ *fakeHub, w http.ResponseWriter, _ *http.Request) {
		for _, header := range headers {
			name, value, _ := strings.Cut(header, ": ")
			w.Header().Set(name, value)
		}
		w.WriteHeader(code)
	}
}

// begin writes the header of a right answer and n bytes of its body.
func (h *fakeHub) begin(w http.ResponseWriter, r *http.Request, n int, sized bool) {
	from := 0
	_, _ = fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from)
	if h.store == nil {
		w.Header().Set("ETag", `"`+h.tag()+`"`)
	}
	if sized {
		w.Header().Set("Content-Length", fmt.Sprint(len(h.content)-from))
	}
	if from > 0 {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(h.content)-1, len(h.content)))
		w.WriteHeader(http.StatusPartialContent)
	}
	_, _ = w.Write(h.content[from : from+n])
	_ = http.NewResponseController(w).Flush()
}

// drop breaks the connection after n bytes of the body.
func drop(n int) reply {
	return func(h *fakeHub, w http.ResponseWriter, r *http.Request) {
		h.begin(w, r, n, true)
		panic(http.ErrAbortHandler)
	}
}

// short ends the body after n bytes as if they were all.
func short(n int) reply {
	return func(h *fakeHub, w http.ResponseWriter, r *http.Request) { h.begin(w, r, n, false) }
}

// silent sends n bytes and then nothing, until the client goes away.
func silent(n int) reply {
	return func(h *fakeHub, w http.ResponseWriter, r *http.Request) {
		h.begin(w, r, n, true)
		<-r.Context().Done()
	}
}

// whole answers 200 with all of data, whatever range was asked for.
func whole(data func(*fakeHub) []byte) reply {
	return func(h *fakeHub, w http.ResponseWriter, _ *http.Request) {
		if h.store == nil {
			w.Header().Set("ETag", `"`+h.tag()+`"`)
		}
		_, _ = w.Write(data(h))
	}
}

func right(h *fakeHub) []byte { return h.content }

// watched is a pull under test: its world does not wait, and it notes what it was told.
type watched struct {
	world
	settings Settings
	mu       sync.Mutex
	waits    []time.Duration
	events   []Progress
	on       func(Progress) // called after noting
}

func (h *fakeHub) watch(t testing.TB) *watched {
	w := &watched{world: here(), settings: Settings{Endpoint: h.server.URL, Cache: filepath.Join(t.TempDir(), "hub")}}
	w.now = func() time.Time { return time.Date(2026, 2, 12, 12, 0, 0, 0, time.UTC) }
	w.chance = func() float64 { return 1 }
	w.free = func(string) (int64, bool) { return 1 << 40, true }
	w.stall = time.Minute
	w.sleep = func(ctx context.Context, d time.Duration) error {
		w.mu.Lock()
		w.waits = append(w.waits, d)
		w.mu.Unlock()
		runtime.Gosched()
		return ctx.Err()
	}
	w.settings.Progress = func(p Progress) {
		w.mu.Lock()
		w.events = append(w.events, p)
		w.mu.Unlock()
		if w.on != nil {
			w.on(p)
		}
	}
	return w
}

var model = File{Repo: "owner/name", Name: "model.ckpt"}

func (w *watched) pull(ctx context.Context, f File) (string, error) {
	return pull(ctx, w.settings, w.world, f)
}

func (s Stage) String() string {
	return [...]string{"resolved", "waiting", "downloading", "retrying", "checking", "done"}[s]
}

// stages are the stages of the events, each run of the same one once.
func (w *watched) stages() string {
	var names []string
	for _, e := range w.events {
		names = append(names, e.Stage.String())
	}
	return strings.Join(slices.Compact(names), " ")
}

func holds(t testing.TB, path string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%s has %d bytes with digest %s, want %d with %s", path, len(got), sum(got), len(want), sum(want))
	}
}
