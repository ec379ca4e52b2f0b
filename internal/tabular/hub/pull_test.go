package hub

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/diag"
)

// What a network, a server or a mirror may do to a download, and what comes of it.
func TestPullThroughTrouble(t *testing.T) {
	const size, half = 300_000, 150_000
	other := weights(2, size)
	six := func(r reply) []reply { return []reply{r, r, r, r, r, r} }
	cases := []struct {
		name      string
		store     bool // the bytes come from a second host
		head, get []reply
		known     bool   // the caller knows the digest
		etag      string // instead of the digest
		partial   []byte // lies there from an earlier process
		gets      []string
		waits     []time.Duration
		err, hint string // parts of them; no err means that the file must be there, whole
		kept      int64  // bytes of the partial file after an error
	}{
		{name: "nothing goes wrong", gets: []string{""}},
		{name: "from a second host", store: true, gets: []string{""}},
		{name: "dropped in the middle", get: []reply{drop(half)}, gets: []string{"", "150000-"}, waits: ms(500)},
		{name: "dropped in the middle by a second host", store: true, get: []reply{drop(half)}, gets: []string{"", "150000-"}, waits: ms(500)},
		{name: "dropped twice", get: []reply{drop(half), drop(half / 2)}, gets: []string{"", "150000-", "225000-"}, waits: ms(500, 1000)},
		{name: "ends early without a size", get: []reply{short(half)}, gets: []string{"", "150000-"}, waits: ms(500)},
		{name: "the server ignores the range", get: []reply{drop(half), whole(right)}, gets: []string{"", "150000-"}, waits: ms(500)},
		{name: "the server answers another range", get: []reply{drop(half), status(206, "Content-Range: bytes 10-299999/300000")},
			gets: []string{"", "150000-", ""}, waits: ms(500, 1000)},
		{name: "the server answers a range of a file of another size", get: []reply{drop(half), status(206, "Content-Range: bytes 150000-299999/300001")},
			gets: []string{"", "150000-", ""}, waits: ms(500, 1000)},
		{name: "the range is refused", get: []reply{drop(half), status(416)}, gets: []string{"", "150000-", ""}, waits: ms(500, 1000)},
		{name: "goes on where an earlier process stopped", partial: weights(1, size)[:half], gets: []string{"150000-"}},
		{name: "an earlier process had all", partial: weights(1, size), gets: nil},
		{name: "an earlier process had too much", partial: weights(2, size+1), gets: []string{""}},
		{name: "an earlier process had other bytes", partial: other[:half], gets: []string{"150000-", ""}},
		{name: "goes on at a second host", store: true, partial: weights(1, size)[:half], gets: []string{"150000-"}},
		{name: "a page instead of the file", get: []reply{whole(func(*fakeHub) []byte { return []byte("<html>log in</html>") })},
			partial: weights(1, size)[:half], gets: []string{"150000-", "150000-"}, waits: ms(500)},
		{name: "500, then fine", head: []reply{status(500)}, get: []reply{status(500), status(503)}, gets: []string{"", "", ""}, waits: ms(500, 500, 1000)},
		{name: "502 and 504", get: []reply{status(502), status(504)}, gets: []string{"", "", ""}, waits: ms(500, 1000)},
		{name: "429 asks for seconds", head: []reply{status(429, "Retry-After: 7")}, gets: []string{""}, waits: ms(7000)},
		{name: "503 asks for a date", get: []reply{status(503, "Retry-After: Thu, 12 Feb 2026 12:01:00 GMT")}, gets: []string{"", ""}, waits: ms(60_000)},
		{name: "a weak etag", head: []reply{status(200, "X-Repo-Commit: "+commitA, `ETag: W/"`+sum(weights(1, size))+`"`, "Content-Length: 300000")}, gets: []string{""}},
		{name: "an etag that is no digest", etag: "abc-5", known: true, gets: []string{""}},
		{name: "an etag that is no digest and no digest", etag: "abc-5", gets: []string{""}},

		{name: "429 without end", head: six(status(429)), waits: ms(500, 1000, 2000, 4000, 8000), err: "after 6 tries: ", hint: "HF_TOKEN"},
		{name: "429 asks for an hour", head: []reply{status(429, "Retry-After: 3600")}, err: "429 Too Many Requests", hint: "wait for 1h0m0s"},
		{name: "500 without end", get: six(status(500)), gets: []string{"", "", "", "", "", ""}, waits: ms(500, 1000, 2000, 4000, 8000),
			err: "500 Internal Server Error", hint: "try again later"},
		{name: "dropped without end", get: six(drop(1000)), gets: []string{"", "1000-", "2000-", "3000-", "4000-", "5000-"},
			waits: ms(500, 1000, 2000, 4000, 8000), err: "after 6 tries: ", hint: "goes on where it stopped", kept: 6000},
		{name: "401", head: []reply{status(401)}, err: "401 Unauthorized: owner/name is private, gated or does not exist", hint: "set HF_TOKEN"},
		{name: "403", head: []reply{status(403, "X-Error-Code: GatedRepo")}, err: "owner/name is gated", hint: "agree to its terms"},
		{name: "403 for the bytes", store: true, get: []reply{status(403)}, gets: []string{""}, err: "403 Forbidden", hint: "agree to its terms"},
		{name: "no repository", head: []reply{status(404, "X-Error-Code: RepoNotFound")}, err: "there is no repository owner/name", hint: "HF_TOKEN"},
		{name: "no revision", head: []reply{status(404, "X-Error-Code: RevisionNotFound")}, err: `owner/name has no revision "main"`, hint: "/owner/name/refs"},
		{name: "no file", head: []reply{status(404, "X-Error-Code: EntryNotFound")}, err: `owner/name has no file "model.ckpt" at revision "main"`, hint: "/tree/main"},
		{name: "404 of some mirror", head: []reply{status(404)}, err: `has no model.ckpt in owner/name at revision "main"`, hint: "check the names"},
		{name: "407", head: []reply{status(407)}, err: "407", hint: "HTTPS_PROXY"},
		{name: "not a hub", head: []reply{status(200, "Content-Length: 5")}, err: "names no commit", hint: "HF_ENDPOINT"},
		{name: "no etag", head: []reply{status(200, "X-Repo-Commit: "+commitA, "Content-Length: 5")}, err: "no usable etag", hint: "HF_ENDPOINT"},
		{name: "an etag that climbs", head: []reply{status(200, "X-Repo-Commit: "+commitA, `ETag: "../../../../evil"`, "Content-Length: 5")}, err: "no usable etag"},
		{name: "a commit that climbs", head: []reply{status(200, "X-Repo-Commit: ../../evil", `ETag: "a"`, "Content-Length: 5")}, err: "names no commit"},
		{name: "no size", head: []reply{status(302, "X-Repo-Commit: "+commitA, `ETag: "a"`, "Location: http://127.0.0.1:1/")}, err: "does not tell the size"},
		{name: "wrong bytes", get: []reply{whole(func(*fakeHub) []byte { return other })}, gets: []string{""},
			err: "SHA-256 " + sum(other) + ", but the digest the hub promised is " + sum(weights(1, size)), hint: "pull again"},
		{name: "wrong bytes, known digest", etag: "abc", get: []reply{whole(func(*fakeHub) []byte { return other })}, known: true, gets: []string{""},
			err: "SHA-256 " + sum(other) + ", but the digest it is known by is " + sum(weights(1, size))},
		{name: "redirects in a circle", head: []reply{circle, circle, circle, circle, circle, circle, circle, circle, circle, circle}, err: "redirects more than 10 times"},
		{name: "a redirect to a file", head: []reply{status(302, "Location: file:///etc/passwd")}, err: "redirects from http to file"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := newHub(t, weights(1, size))
			if c.store {
				h.withStore(t)
			}
			h.head, h.get, h.etag = c.head, c.get, c.etag
			w := h.watch(t)
			at := placeOf(w.settings.Cache, model.Repo)
			if c.partial != nil {
				if err := os.MkdirAll(at.in("blobs"), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(at.partial(h.tag()), c.partial, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			f := model
			if c.known {
				f.SHA256 = sum(h.content)
			}
			path, err := w.pull(t.Context(), f)
			if diff := cmp.Diff(c.gets, h.gets); diff != "" {
				t.Errorf("requested ranges (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.waits, w.waits); diff != "" {
				t.Errorf("waits (-want +got):\n%s", diff)
			}
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) || !strings.Contains(diag.Hint(err), c.hint) || diag.Hint(err) == "" {
					t.Errorf("error %v\nhint %q\nwant %q with %q", err, diag.Hint(err), c.err, c.hint)
				}
				if found, ok := Find(w.settings, model); ok {
					t.Errorf("after the error the cache has %s", found)
				}
				if info, err := os.Stat(at.partial(h.tag())); err == nil && info.Size() != c.kept || err != nil && c.kept > 0 {
					t.Errorf("the partial file: %v, %v; want %d bytes", info, err, c.kept)
				}
				return
			}
			if err != nil {
				t.Fatalf("%v (%s)", err, diag.Hint(err))
			}
			holds(t, path, h.content)
			checkLayout(t, w.settings.Cache, path, h.tag())
		})
	}
}

func ms(values ...int) []time.Duration {
	var waits []time.Duration
	for _, v := range values {
		waits = append(waits, time.Duration(v)*time.Millisecond)
	}
	return waits
}

func circle(_ *fakeHub, w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
}

// checkLayout holds the cache to the layout of the Python client, and to having nothing else in it.
func checkLayout(t *testing.T, cache, path, etag string) {
	t.Helper()
	var got []string
	err := filepath.WalkDir(cache, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			name, _ := filepath.Rel(cache, path)
			if target, err := os.Readlink(path); err == nil {
				name += " -> " + target
			}
			got = append(got, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		".locks/models--owner--name/" + etag + ".lock",
		"models--owner--name/blobs/" + etag,
		"models--owner--name/refs/main",
		"models--owner--name/snapshots/" + commitA + "/model.ckpt -> ../../blobs/" + etag,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the cache (-want +got):\n%s", diff)
	}
	if want := filepath.Join(cache, "models--owner--name", "snapshots", commitA, "model.ckpt"); path != want {
		t.Errorf("the path is %s, want %s", path, want)
	}
	if ref, err := os.ReadFile(filepath.Join(cache, "models--owner--name", "refs", "main")); err != nil || string(ref) != commitA {
		t.Errorf("refs/main is %q (%v)", ref, err)
	}
}

// The token reaches the endpoint with every request and no other host, and appears in no message.
func TestTokenStaysAtHome(t *testing.T) {
	const token = "hf_secret"
	h := newHub(t, weights(1, 1000)).withStore(t)
	h.get = []reply{status(500), drop(10), status(403)}
	w := h.watch(t)
	w.settings.Token = token
	_, err := w.pull(t.Context(), model)
	if err == nil || strings.Contains(err.Error()+diag.Hint(err), token) || strings.Contains(err.Error(), "key=secret") {
		t.Errorf("error %v (%s)", err, diag.Hint(err))
	}
	if !strings.Contains(fmt.Sprint(err), "the token does not give access to owner/name") {
		t.Errorf("error %v", err)
	}
	if _, err := w.pull(t.Context(), model); err != nil {
		t.Fatal(err)
	}
	for i, got := range h.tokens {
		if got != "Bearer "+token {
			t.Errorf("request %d to the endpoint has the authorization %q", i, got)
		}
	}
	if len(h.storeOf.tokens) != 4 {
		t.Errorf("the store was asked %d times, want 4", len(h.storeOf.tokens))
	}
	for i, got := range h.storeOf.tokens {
		if got != "" {
			t.Errorf("request %d to the store has the authorization %q", i, got)
		}
	}
	h.head = append(make([]reply, h.heads), status(401))
	w.settings.Cache = t.TempDir()
	if _, err := w.pull(t.Context(), model); err == nil || !strings.Contains(err.Error(), "does not accept the token") || !strings.Contains(diag.Hint(err), "new token") {
		t.Errorf("error %v (%s)", err, diag.Hint(err))
	}
}

// A client's address decides who sees the token: scheme, host and port, with the ports that are usual.
func TestHome(t *testing.T) {
	for address, want := range map[string]bool{
		"https://hub.example/x": true, "https://HUB.example:443/x": true, "http://hub.example/x": false,
		"https://cdn.hub.example/x": false, "https://hub.example.evil/x": false, "https://hub.example:8443/x": false,
		"https://hub.example@evil.example/": false,
	} {
		c, err := newClient(Settings{Endpoint: "https://hub.example", Cache: t.TempDir()}, here())
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.NewRequest(http.MethodGet, address, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.home(r.URL); got != want {
			t.Errorf("%s is home: %v, want %v", address, got, want)
		}
	}
}

// The file changes between the tries: what is there of the old one is not joined with the new one.
func TestChangedWhileDownloading(t *testing.T) {
	for _, store := range []bool{false, true} {
		t.Run(fmt.Sprintf("store %v", store), func(t *testing.T) {
			h := newHub(t, weights(1, 300_000))
			if store {
				h.withStore(t)
			}
			old := h.tag()
			h.get = []reply{func(h *fakeHub, w http.ResponseWriter, r *http.Request) {
				defer func() {
					h.mu.Lock()
					h.content, h.commit = weights(2, 300_000), commitB
					h.mu.Unlock()
				}()
				drop(150_000)(h, w, r)
			}}
			w := h.watch(t)
			path, err := w.pull(t.Context(), model)
			if err != nil {
				t.Fatal(err)
			}
			holds(t, path, h.content)
			if !strings.Contains(path, commitB) {
				t.Errorf("the path is %s, want the new commit in it", path)
			}
			at := placeOf(w.settings.Cache, model.Repo)
			if _, err := os.Stat(at.partial(old)); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the partial file of the old version: %v", err)
			}
		})
	}
}

// The store behind the endpoint has another file under the same address: only its own etag shows it.
func TestChangedAtTheStore(t *testing.T) {
	h := newHub(t, weights(1, 300_000)).withStore(t)
	h.etag = "no-digest"
	h.get = []reply{func(h *fakeHub, w http.ResponseWriter, r *http.Request) {
		defer func() {
			h.mu.Lock()
			h.content, h.storeOf.etag = weights(2, 300_000), "store-2"
			h.mu.Unlock()
		}()
		drop(150_000)(h, w, r)
	}}
	w := h.watch(t)
	path, err := w.pull(t.Context(), model)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, path, weights(2, 300_000))
	if diff := cmp.Diff([]string{"", "150000-", ""}, h.gets); diff != "" {
		t.Errorf("requested ranges (-want +got):\n%s", diff)
	}
}

// A file that changes with each try is not gone after for ever.
func TestChangesWithoutEnd(t *testing.T) {
	h := newHub(t, weights(1, 1000))
	version := uint64(1)
	for range 20 {
		h.get = append(h.get, func(h *fakeHub, w http.ResponseWriter, r *http.Request) {
			h.mu.Lock()
			version++
			h.content = weights(version, 1000)
			h.mu.Unlock()
			whole(right)(h, w, r)
		})
	}
	w := h.watch(t)
	if _, err := w.pull(t.Context(), model); !errors.Is(err, errChanged) || diag.Hint(err) == "" {
		t.Errorf("error %v (%s)", err, diag.Hint(err))
	}
	if h.heads != mostChanges {
		t.Errorf("asked %d times, want %d", h.heads, mostChanges)
	}
}

// A context that ends ends the pull at once, in whatever it is doing, and what is there stays.
func TestCancel(t *testing.T) {
	for _, stage := range []Stage{Resolved, Downloading, Retrying, Checking} {
		t.Run(stage.String(), func(t *testing.T) {
			h := newHub(t, weights(1, 300_000))
			switch stage {
			case Downloading:
				h.get = []reply{silent(1000)}
			case Retrying:
				h.get = []reply{drop(1000)}
			}
			w := h.watch(t)
			ctx, cancel := context.WithCancel(t.Context())
			w.on = func(p Progress) {
				if p.Stage == stage && (p.Have > 0 || stage == Resolved) {
					cancel()
				}
			}
			_, err := w.pull(ctx, model)
			if !diag.Interrupted(err) {
				t.Fatalf("error %v", err)
			}
			w.on = nil
			path, err := w.pull(t.Context(), model)
			if err != nil {
				t.Fatal(err)
			}
			holds(t, path, h.content)
		})
	}
}

// A connection on which nothing comes counts as dropped, and the next try goes on.
func TestSilentConnection(t *testing.T) {
	h := newHub(t, weights(1, 300_000))
	h.get = []reply{silent(1000)}
	w := h.watch(t)
	w.stall = 50 * time.Millisecond
	path, err := w.pull(t.Context(), model)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, path, h.content)
	if len(h.gets) < 2 || h.gets[1] != "1000-" {
		t.Errorf("requested ranges %q", h.gets)
	}
}

// A try that brings much starts the count of tries anew.
func TestProgressRenewsPatience(t *testing.T) {
	h := newHub(t, weights(1, 10*enough))
	for range 9 {
		h.get = append(h.get, drop(enough))
	}
	w := h.watch(t)
	path, err := w.pull(t.Context(), model)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, path, h.content)
	if diff := cmp.Diff(ms(500, 500, 500, 500, 500, 500, 500, 500, 500), w.waits); diff != "" {
		t.Errorf("waits (-want +got):\n%s", diff)
	}
}

// A caller hears the size before the first byte, and each stage in its order.
func TestProgress(t *testing.T) {
	h := newHub(t, weights(1, 300_000))
	h.get = []reply{drop(100_000)}
	w := h.watch(t)
	path, err := w.pull(t.Context(), model)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := w.stages(), "resolved downloading retrying downloading checking done"; got != want {
		t.Errorf("stages %q, want %q", got, want)
	}
	first, last := w.events[0], w.events[len(w.events)-1]
	if first.Size != 300_000 || first.Have != 0 || last.Path != path {
		t.Errorf("first event %+v, last event %+v", first, last)
	}
	have := int64(-1)
	for _, e := range w.events {
		if e.Stage == Downloading && e.Have < have {
			t.Errorf("bytes went from %d to %d", have, e.Have)
		}
		if e.Stage == Retrying && (e.Err == nil || e.Wait == 0 || e.Have != 100_000) {
			t.Errorf("retrying without a reason: %+v", e)
		}
		have = max(have, e.Have)
	}
}
