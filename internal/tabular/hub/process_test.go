package hub

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// What a child process is told, and how it dies.
const (
	childEndpoint = "NORN_TEST_HUB_ENDPOINT"
	childCache    = "NORN_TEST_HUB_CACHE"
	childDeath    = "NORN_TEST_HUB_DEATH"
)

// deaths are instants of a pull, in the order in which they come.
var deaths = []string{
	"with some bytes", "with all bytes", "while checking",
	"before rename 1", "after rename 1", // of the blob
	"before link", "after link",
	"before rename 2", "after rename 2", // of the ref
}

// child pulls the file in a process of its own and kills that process where it is told to.
func child() int {
	death := os.Getenv(childDeath)
	die := func(where string) {
		if where == death {
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Kill()
			}
			if err == nil {
				select {} // the kill is on its way
			}
		}
	}
	w := here()
	renames := 0
	w.rename = func(from, to string) error {
		renames++
		n := renames
		die(fmt.Sprintf("before rename %d", n))
		err := os.Rename(from, to)
		die(fmt.Sprintf("after rename %d", n))
		return err
	}
	w.symlink = func(target, path string) error {
		die("before link")
		err := os.Symlink(target, path)
		die("after link")
		return err
	}
	s := Settings{Endpoint: os.Getenv(childEndpoint), Cache: os.Getenv(childCache), Progress: func(p Progress) {
		switch {
		case p.Stage == Checking:
			die("while checking")
		case p.Stage == Downloading && p.Have == p.Size:
			die("with all bytes")
		case p.Stage == Downloading && p.Have > p.Size/3:
			die("with some bytes")
		}
	}}
	if _, err := pull(context.Background(), s, w, model); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func (h *fakeHub) command(t *testing.T, cache, death string) *exec.Cmd {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), binary)
	command.Env = append(os.Environ(), childEndpoint+"="+h.server.URL, childCache+"="+cache, childDeath+"="+death)
	return command
}

// Killed at any instant, a pull leaves nothing to be seen or the whole file, and the next one completes it.
func TestKilled(t *testing.T) {
	for _, death := range deaths {
		t.Run(death, func(t *testing.T) {
			h := newHub(t, weights(1, 3<<20))
			w := h.watch(t)
			output, err := h.command(t, w.settings.Cache, death).CombinedOutput()
			if err == nil || len(output) > 0 {
				t.Fatalf("the child was to be killed; it ended with %v and said %s", err, output)
			}
			if path, ok := Find(w.settings, model); ok {
				holds(t, path, h.content)
			}
			at := placeOf(w.settings.Cache, model.Repo)
			if _, err := os.Stat(at.blob(h.tag())); err == nil {
				holds(t, at.blob(h.tag()), h.content)
			}
			if ref, err := os.ReadFile(at.ref("main")); err == nil && string(ref) != commitA {
				t.Errorf("refs/main is %q", ref)
			}
			before := len(h.ranges())
			path, err := w.pull(t.Context(), model)
			if err != nil {
				t.Fatal(err)
			}
			holds(t, path, h.content)
			for _, span := range h.ranges()[before:] {
				if span == "" {
					t.Error("the next pull began anew")
				}
			}
			if death != "with some bytes" && len(h.ranges()) > before {
				t.Errorf("the next pull downloaded %q, though all bytes were there", h.ranges()[before:])
			}
			if ref, err := os.ReadFile(at.ref("main")); err != nil || string(ref) != commitA {
				t.Errorf("refs/main is %q (%v)", ref, err)
			}
		})
	}
}

// Killed from outside again and again at some moment of the download, it comes to an end all the same.
func TestKilledAgainAndAgain(t *testing.T) {
	h := newHub(t, weights(1, 4<<20))
	flushed := make(chan struct{})
	h.mu.Lock()
	for range 4 {
		h.get = append(h.get, func(h *fakeHub, w http.ResponseWriter, r *http.Request) {
			h.begin(w, r, 1<<19, true)
			flushed <- struct{}{}
			<-r.Context().Done()
		})
	}
	h.mu.Unlock()
	w := h.watch(t)
	for range 4 {
		command := h.command(t, w.settings.Cache, "")
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		<-flushed
		if err := command.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := command.Wait(); err == nil {
			t.Fatal("the child was to be killed, but ended well")
		}
		if path, ok := Find(w.settings, model); ok {
			t.Fatalf("an unfinished file is at %s", path)
		}
	}
	path, err := w.pull(t.Context(), model)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, path, h.content)
}

// together delays the first download until n pulls have asked for the file, so that all of them want it at once.
func (h *fakeHub) together(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make(chan struct{})
	for i := range n {
		h.head = append(h.head, func(h *fakeHub, w http.ResponseWriter, r *http.Request) {
			if i == n-1 {
				close(all)
			}
			h.answer(w, r)
		})
	}
	h.get = []reply{func(h *fakeHub, w http.ResponseWriter, r *http.Request) {
		select {
		case <-all:
		case <-r.Context().Done():
		}
		whole(right)(h, w, r)
	}}
}

func TestTwoProcessesDownloadOnce(t *testing.T) {
	h := newHub(t, weights(1, 3<<20))
	h.together(2)
	w := h.watch(t)
	var processes sync.WaitGroup
	for range 2 {
		processes.Go(func() {
			if output, err := h.command(t, w.settings.Cache, "").CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, output)
			}
		})
	}
	processes.Wait()
	path, ok := Find(w.settings, model)
	if !ok {
		t.Fatal("the file is not there")
	}
	holds(t, path, h.content)
	if gets := h.ranges(); len(gets) != 1 {
		t.Errorf("%d downloads %q for two pulls, want 1", len(gets), gets)
	}
}

func TestGoroutinesDownloadOnce(t *testing.T) {
	h := newHub(t, weights(1, 3<<20))
	h.together(4)
	pulls := make([]*watched, 4)
	var group sync.WaitGroup
	for i := range pulls {
		pulls[i] = h.watch(t)
		pulls[i].settings.Cache = pulls[0].settings.Cache
		group.Go(func() {
			path, err := pulls[i].pull(t.Context(), model)
			if err != nil {
				t.Error(err)
				return
			}
			if text, err := os.Open(path); err != nil {
				t.Error(err)
			} else if n, err := io.Copy(io.Discard, text); n != 3<<20 || err != nil {
				t.Errorf("%d bytes, %v", n, err)
			}
		})
	}
	group.Wait()
	if gets := h.ranges(); len(gets) != 1 {
		t.Errorf("%d downloads %q for four pulls, want 1", len(gets), gets)
	}
	// Three pulls came while the fourth held the lock, because that one waited for all to have asked. How far they had
	// come when it let go is chance; those that had to wait said so, once.
	for _, p := range pulls {
		if n := strings.Count(p.stages(), "waiting"); n > 1 {
			t.Errorf("waiting was told %d times: %s", n, p.stages())
		}
	}
}
