package hub

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/norn-data/norn/internal/diag"
)

// write puts files into a cache: names below the repository's folder with their text, "-> target" for a link. Each is a
// minute newer than the one before.
func write(t *testing.T, cache string, files ...[2]string) {
	t.Helper()
	when := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, file := range files {
		path := filepath.Join(cache, "models--owner--name", filepath.FromSlash(file[0]))
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if target, ok := strings.CutPrefix(file[1], "-> "); ok {
			err = errors.Join(err, os.Symlink(target, path))
		} else {
			err = errors.Join(err, os.WriteFile(path, []byte(file[1]), 0o644))
			err = errors.Join(err, os.Chtimes(path, when, when))
			when = when.Add(time.Minute)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Which of the files in a cache stands for what was asked for.
func TestFind(t *testing.T) {
	digest := sum([]byte("x"))
	inA, inB := "snapshots/"+commitA+"/model.ckpt", "snapshots/"+commitB+"/model.ckpt"
	at := func(revision string) File { return File{Repo: "owner/name", Name: "model.ckpt", Revision: revision} }
	cases := []struct {
		name  string
		files [][2]string
		file  File
		want  string // below the repository's folder; "" for not found
	}{
		{"an empty cache", nil, at(""), ""},
		{"the ref decides", [][2]string{{"refs/main", commitA}, {inA, "a"}, {inB, "b"}}, at(""), inA},
		{"a ref with a line end", [][2]string{{"refs/main", commitA + "\n"}, {inA, "a"}, {inB, "b"}}, at("main"), inA},
		{"the newest without a ref", [][2]string{{inB, "b"}, {inA, "a"}}, at(""), inA},
		{"the newest, the other way round", [][2]string{{inA, "a"}, {inB, "b"}}, at(""), inB},
		{"the newest that has the file", [][2]string{{"refs/main", commitA}, {"snapshots/" + commitA + "/other", "a"}, {inB, "b"}}, at(""), inB},
		{"a named revision is not guessed", [][2]string{{"refs/main", commitA}, {inA, "a"}}, at("v2"), ""},
		{"main is named", [][2]string{{inA, "a"}}, at("main"), ""},
		{"another branch", [][2]string{{"refs/v2", commitB}, {inA, "a"}, {inB, "b"}}, at("v2"), inB},
		{"a branch with a slash", [][2]string{{"refs/pr/1", commitB}, {inB, "b"}}, at("pr/1"), inB},
		{"a commit", [][2]string{{"refs/main", commitA}, {inA, "a"}, {inB, "b"}}, at(commitB), inB},
		{"a commit that is not there", [][2]string{{"refs/main", commitA}, {inA, "a"}}, at(commitB), ""},
		{"put there by hand", [][2]string{{"snapshots/main/model.ckpt", "a"}}, at("main"), "snapshots/main/model.ckpt"},
		{"a link to nowhere", [][2]string{{"refs/main", commitA}, {inA, "-> ../../blobs/x"}}, at(""), ""},
		{"a folder of that name", [][2]string{{inA + "/x", "a"}}, at(""), ""},
		{"a ref that climbs", [][2]string{{"refs/main", "../../../x"}, {inA, "a"}}, at("main"), ""},
		{"a blob of another digest", [][2]string{{"blobs/" + sum([]byte("y")), "y"}, {inB, "-> ../../blobs/" + sum([]byte("y"))}, {inA, "x"}},
			File{Repo: "owner/name", Name: "model.ckpt", SHA256: digest}, inA},
		{"a blob of the digest", [][2]string{{"blobs/" + digest, "x"}, {inB, "-> ../../blobs/" + digest}},
			File{Repo: "owner/name", Name: "model.ckpt", SHA256: strings.ToUpper(digest)}, inB},
		{"a name that climbs", [][2]string{{inA, "a"}}, File{Repo: "owner/name", Name: "../" + commitA + "/model.ckpt"}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			cache := t.TempDir()
			write(t, cache, c.files...)
			path, ok := Find(Settings{Cache: cache}, c.file)
			got := ""
			if ok {
				got, _ = filepath.Rel(filepath.Join(cache, "models--owner--name"), path)
			}
			if filepath.ToSlash(got) != c.want {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

// What is in the cache already is not downloaded again; what is damaged is.
func TestPullFromCache(t *testing.T) {
	content := weights(1, 1000)
	digest := sum(content)
	damaged := append([]byte{content[0] ^ 1}, content[1:]...)
	blob := [2]string{"blobs/" + digest, string(content)}
	link := [2]string{"snapshots/" + commitA + "/model.ckpt", "-> ../../blobs/" + digest}
	main := [2]string{"refs/main", commitA}
	cases := []struct {
		name        string
		files       [][2]string
		file        File
		offline     bool
		heads, gets int
	}{
		{"all is there", [][2]string{blob, link, main}, model, false, 1, 0},
		{"a commit needs no request", [][2]string{blob, link}, File{Repo: "owner/name", Name: "model.ckpt", Revision: commitA}, false, 0, 0},
		{"a known digest needs no request", [][2]string{blob, link}, File{Repo: "owner/name", Name: "model.ckpt", SHA256: digest}, false, 0, 0},
		{"offline needs no request", [][2]string{blob, link, main}, model, true, 0, 0},
		{"the ref is missing", [][2]string{blob, link}, model, false, 1, 0},
		{"the ref is old", [][2]string{blob, link, {"refs/main", commitB}}, model, false, 1, 0},
		{"the link is missing", [][2]string{blob}, model, false, 1, 0},
		{"the link leads nowhere", [][2]string{link, main}, model, false, 1, 1},
		{"a copy instead of a link", [][2]string{{link[0], string(content)}, main}, model, false, 1, 0},
		{"a blob of another size", [][2]string{{blob[0], "short"}, link, main}, model, false, 1, 1},
		{"a damaged blob and a known digest", [][2]string{{blob[0], string(damaged)}, link, main},
			File{Repo: "owner/name", Name: "model.ckpt", SHA256: digest}, false, 1, 1},
		{"put there by hand", [][2]string{{"snapshots/main/model.ckpt", string(content)}},
			File{Repo: "owner/name", Name: "model.ckpt", SHA256: digest}, false, 0, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := newHub(t, content)
			w := h.watch(t)
			write(t, w.settings.Cache, c.files...)
			w.settings.Offline = c.offline
			path, err := w.pull(t.Context(), c.file)
			if err != nil {
				t.Fatalf("%v (%s)", err, diag.Hint(err))
			}
			holds(t, path, content)
			if h.heads != c.heads || len(h.gets) != c.gets {
				t.Errorf("%d HEAD and %d GET, want %d and %d", h.heads, len(h.gets), c.heads, c.gets)
			}
			if h.heads > 0 {
				checkRef(t, w.settings.Cache)
			}
			if found, ok := Find(w.settings, c.file); !ok || found != path {
				t.Errorf("Find: %s, %v; Pull: %s", found, ok, path)
			}
		})
	}
}

func checkRef(t *testing.T, cache string) {
	t.Helper()
	ref, err := os.ReadFile(placeOf(cache, "owner/name").ref("main"))
	if err != nil || string(ref) != commitA {
		t.Errorf("refs/main is %q (%v)", ref, err)
	}
}

// Without symbolic links the file has a hard link, without both a copy; Find and a second pull take them as they are.
func TestWithoutLinks(t *testing.T) {
	for _, hard := range []bool{true, false} {
		t.Run(fmt.Sprintf("hard links %v", hard), func(t *testing.T) {
			h := newHub(t, weights(1, 300_000))
			w := h.watch(t)
			w.symlink = func(string, string) error { return errors.New("a privilege is needed") }
			if !hard {
				w.link = func(string, string) error { return errors.New("not on this file system") }
			}
			for range 2 {
				path, err := w.pull(t.Context(), model)
				if err != nil {
					t.Fatal(err)
				}
				holds(t, path, h.content)
				info, err := os.Lstat(path)
				if err != nil || !info.Mode().IsRegular() {
					t.Fatalf("%v, %v", info, err)
				}
				blob, err := os.Stat(placeOf(w.settings.Cache, model.Repo).blob(h.tag()))
				if err != nil || os.SameFile(info, blob) != hard {
					t.Errorf("one file: %v (%v), want %v", os.SameFile(info, blob), err, hard)
				}
			}
			if len(h.gets) != 1 {
				t.Errorf("%d downloads, want 1", len(h.gets))
			}
		})
	}
}

// Whoever finds the file locked says so and waits; here until the other one has brought it.
func TestWaitsForTheLock(t *testing.T) {
	h := newHub(t, weights(1, 1000))
	w := h.watch(t)
	path := placeOf(w.settings.Cache, model.Repo).lock(h.tag())
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	other := flock.New(path)
	if ok, err := other.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	w.on = func(p Progress) {
		if p.Stage == Waiting {
			write(t, w.settings.Cache, [2]string{"blobs/" + h.tag(), string(h.content)},
				[2]string{"snapshots/" + commitA + "/model.ckpt", "-> ../../blobs/" + h.tag()})
			if err := other.Unlock(); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := w.pull(t.Context(), model); err != nil {
		t.Fatal(err)
	}
	if got, want := w.stages(), "resolved waiting done"; got != want || len(h.gets) != 0 {
		t.Errorf("stages %q, %d downloads; want %q and none", got, len(h.gets), want)
	}
	checkRef(t, w.settings.Cache)
}

// Who waits for a lock can be interrupted.
func TestCancelWhileWaiting(t *testing.T) {
	h := newHub(t, weights(1, 1000))
	w := h.watch(t)
	path := placeOf(w.settings.Cache, model.Repo).lock(h.tag())
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	other := flock.New(path)
	if ok, err := other.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	defer other.Close()
	ctx, cancel := context.WithCancel(t.Context())
	w.on = func(p Progress) {
		if p.Stage == Waiting {
			cancel()
		}
	}
	if _, err := w.pull(ctx, model); !diag.Interrupted(err) {
		t.Errorf("error %v", err)
	}
}

// A lock on a file that has lost its name protects nothing, so it is not taken for one.
func TestLockFileRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.lock")
	lock := flock.New(path)
	if ok, err := lock.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	defer lock.Close()
	if !same(lock) {
		t.Error("the lock is not the file of its name")
	}
	if runtime.GOOS == "windows" {
		t.Skip("an open file keeps its name here")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if same(lock) {
		t.Error("a lock without a name passes for one")
	}
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if same(lock) {
		t.Error("a lock on another file passes for one")
	}
}

func TestOffline(t *testing.T) {
	h := newHub(t, weights(1, 1000))
	w := h.watch(t)
	w.settings.Offline = true
	byHand := fmt.Sprintf("download %s/owner/name/resolve/main/model.ckpt on another machine and put it at %s",
		h.server.URL, filepath.Join(w.settings.Cache, "models--owner--name", "snapshots", "main", "model.ckpt"))
	_, err := w.pull(t.Context(), model)
	if err == nil || !strings.Contains(err.Error(), "HF_HUB_OFFLINE") || !strings.Contains(diag.Hint(err), byHand) {
		t.Errorf("error %v\nhint %q\nwant %q", err, diag.Hint(err), byHand)
	}
	// A person follows the hint.
	write(t, w.settings.Cache, [2]string{"snapshots/main/model.ckpt", string(h.content)})
	f := model
	f.SHA256 = sum(h.content)
	if _, err := w.pull(t.Context(), f); err != nil {
		t.Error(err)
	}
	f.SHA256 = sum([]byte("x"))
	if _, err := w.pull(t.Context(), f); err == nil || !strings.Contains(err.Error(), sum(h.content)) || !strings.Contains(err.Error(), f.SHA256) {
		t.Errorf("error %v", err)
	}
	if h.heads > 0 {
		t.Error("the hub was asked")
	}
}

// Without a way to the hub the error names the file to put where, or the copy that is there.
func TestNoWayToTheHub(t *testing.T) {
	h := newHub(t, weights(1, 1000))
	w := h.watch(t)
	h.server.Close()
	_, err := w.pull(t.Context(), model)
	if err == nil || !strings.Contains(err.Error(), "after 6 tries") || !strings.Contains(diag.Hint(err), "and put it at "+w.settings.Cache) {
		t.Errorf("error %v\nhint %q", err, diag.Hint(err))
	}
	write(t, w.settings.Cache, [2]string{"snapshots/" + commitA + "/model.ckpt", "x"})
	_, err = w.pull(t.Context(), model)
	if err == nil || !strings.Contains(diag.Hint(err), "HF_HUB_OFFLINE=1") {
		t.Errorf("error %v\nhint %q", err, diag.Hint(err))
	}
}

// The author has replaced the file: nothing is downloaded, and both digests are named.
func TestReplacedByItsAuthor(t *testing.T) {
	h := newHub(t, weights(1, 1000))
	w := h.watch(t)
	f := model
	f.SHA256 = sum([]byte("the file of the paper"))
	_, err := w.pull(t.Context(), f)
	if err == nil || !strings.Contains(err.Error(), h.tag()) || !strings.Contains(err.Error(), f.SHA256) || len(h.gets) != 0 {
		t.Errorf("error %v, %d downloads", err, len(h.gets))
	}
}

func TestNoRoom(t *testing.T) {
	h := newHub(t, weights(1, 300_000))
	w := h.watch(t)
	w.free = func(string) (int64, bool) { return 99_999, true }
	_, err := w.pull(t.Context(), model)
	if err == nil || !strings.Contains(err.Error(), "needs 300.0 kB") || !strings.Contains(err.Error(), "has 100.0 kB free") || len(h.gets) != 0 {
		t.Errorf("error %v, %d downloads", err, len(h.gets))
	}
	if free, ok := freeSpace(t.TempDir()); runtime.GOOS == "linux" && (!ok || free <= 0) {
		t.Errorf("free space here: %d, %v", free, ok)
	}
}

// Each thing that a disk does has a next step of its own.
func TestUnwritable(t *testing.T) {
	c := &client{Settings: Settings{Cache: "cache"}}
	for err, want := range map[error]string{
		syscall.ENOSPC: "make room", syscall.EDQUOT: "make room", syscall.EROFS: "HF_HUB_CACHE", syscall.EACCES: "a folder that you can write",
		fs.ErrPermission: "a folder that you can write", syscall.ENOTDIR: "a file lies where a folder", syscall.EIO: "",
	} {
		got := diag.Hint(c.unwritable(&os.PathError{Op: "write", Path: "x", Err: err}))
		if !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%v: hint %q, want %q", err, got, want)
		}
	}
	if c.unwritable(nil) != nil {
		t.Error("no error became one")
	}
}

// A file where the cache should be, and a folder that takes no files from anybody.
func TestCacheCannotBeWritten(t *testing.T) {
	h := newHub(t, weights(1, 1000))
	w := h.watch(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	w.settings.Cache = filepath.Join(file, "hub")
	if _, err := w.pull(t.Context(), model); err == nil || !strings.Contains(diag.Hint(err), "a file lies where a folder") {
		t.Errorf("error %v (%s)", err, diag.Hint(err))
	}
	if runtime.GOOS != "linux" {
		t.Skip("needs a folder that even root cannot write")
	}
	w.settings.Cache = "/sys/kernel/norn"
	if _, err := w.pull(t.Context(), model); err == nil || !strings.Contains(diag.Hint(err), "HF_HUB_CACHE") {
		t.Errorf("error %v (%s)", err, diag.Hint(err))
	}
	if len(h.gets) != 0 {
		t.Errorf("%d downloads into nowhere", len(h.gets))
	}
	// It is found out before anybody waits for a hub that does not answer.
	w.settings.Endpoint = "http://127.0.0.1:1"
	events := len(w.events)
	if _, err := w.pull(t.Context(), model); err == nil || !strings.Contains(diag.Hint(err), "HF_HUB_CACHE") || len(w.events) != events {
		t.Errorf("error %v (%s) after %v", err, diag.Hint(err), w.events[events:])
	}
}

// A disk that is full in the middle of a download says what to do, keeps what is there, and the next pull goes on.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("needs a disk that is always full")
	}
	h := newHub(t, weights(1, 1000))
	w := h.watch(t)
	blobs := filepath.Join(w.settings.Cache, placeOf(w.settings.Cache, model.Repo).folder, "blobs")
	if err := os.MkdirAll(blobs, 0o777); err != nil {
		t.Fatal(err)
	}
	partial := filepath.Join(blobs, h.tag()+".incomplete")
	if err := os.Symlink("/dev/full", partial); err != nil {
		t.Fatal(err)
	}
	if _, err := w.pull(t.Context(), model); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(diag.Hint(err), "make room") || !strings.Contains(diag.Hint(err), "what was downloaded is kept") {
		t.Fatalf("error %v (%s)", err, diag.Hint(err))
	}
	if err := os.Remove(partial); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(partial, h.content[:400], 0o666); err != nil {
		t.Fatal(err)
	}
	path, err := w.pull(t.Context(), model)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, path, h.content)
}

// A cache that can only be read serves what it has, even where a newer note of the branch cannot be written.
func TestReadOnlyCacheServes(t *testing.T) {
	h := newHub(t, weights(1, 1000))
	w := h.watch(t)
	write(t, w.settings.Cache, [2]string{"blobs/" + h.tag(), string(h.content)},
		[2]string{"snapshots/" + commitA + "/model.ckpt", "-> ../../blobs/" + h.tag()}, [2]string{"refs/main", commitB})
	// A file in the place of the lock folder stops writers of any privilege.
	if err := os.WriteFile(filepath.Join(w.settings.Cache, ".locks"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	path, err := w.pull(t.Context(), model)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, path, h.content)
}

// A caller's own client is used, and its policy of redirects is not.
func TestOwnClient(t *testing.T) {
	h := newHub(t, weights(1, 1000)).withStore(t)
	w := h.watch(t)
	dials := 0
	transport := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		dials++
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}}
	defer transport.CloseIdleConnections()
	w.settings.Client = &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return errors.New("no") }}
	if _, err := w.pull(t.Context(), model); err != nil {
		t.Fatal(err)
	}
	if dials == 0 {
		t.Error("the client was not used")
	}
}
