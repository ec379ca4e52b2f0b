package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// wideProject is large enough for a check of it to be interrupted: models in layers, each reading two of the layer before.
func wideProject(t *testing.T, layers, width int) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "models"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "norn.toml"), "name = \"wide\"\n[targets.dev]\nadapter = \"duckdb\"\npath = \"wide.duckdb\"\n")
	var items strings.Builder
	for i := range 30 {
		fmt.Fprintf(&items, ", coalesce(a.c%d, b.c%d) + 1 AS c%d", i, i, i)
	}
	for l := range layers {
		for w := range width {
			text := "SELECT 1 AS k"
			for i := range 30 {
				text += fmt.Sprintf(", %d AS c%d", i, i)
			}
			if l > 0 {
				text = fmt.Sprintf("SELECT a.k%s FROM m_%d_%d AS a JOIN m_%d_%d AS b ON a.k = b.k", &items, l-1, w, l-1, (w+1)%width)
			}
			write(t, filepath.Join(dir, "models", fmt.Sprintf("m_%d_%d.sql", l, w)), text+"\n")
		}
	}
	return dir
}

// Ctrl-C ends a check at whatever point it is: exit code 130, one line that says what was and was not done, no file.
func TestInterruptedCheck(t *testing.T) {
	dir := wideProject(t, 40, 60)
	interrupted := 0
	var slowest time.Duration
	for _, after := range []int{15, 30, 60, 100, 150, 200, 300, 400} {
		p := start(t, dir, "check", "--no-cache")
		time.Sleep(time.Duration(after) * time.Millisecond)
		if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
			_ = p.cmd.Wait()
			continue // it was done before
		}
		asked := time.Now()
		code := p.wait(t)
		if code == 0 || code == -1 {
			continue // it was done before, or the process had not begun to listen
		}
		if code != 130 {
			t.Fatalf("interrupted after %d ms: exit code %d\n%s", after, code, p.stderr)
		}
		interrupted++
		slowest = max(slowest, time.Since(asked))
		if n := strings.Count(p.stderr.String(), "interrupted: nothing was said about the project, and nothing was written; stopped while "); n != 1 {
			t.Errorf("interrupted after %d ms, and stderr says so %d times:\n%s", after, n, p.stderr)
		}
		if p.stdout.Len() > 0 {
			t.Errorf("interrupted after %d ms, and stdout holds %s", after, &p.stdout)
		}
		if _, err := os.Stat(filepath.Join(dir, ".norn")); err == nil {
			t.Error("an interrupted check wrote into the project")
		}
	}
	if interrupted == 0 {
		t.Error("no check was interrupted: the project is too small")
	}
	// Measured, not judged: a busy machine is no bug.
	t.Logf("%d checks interrupted, the slowest ended after %v", interrupted, slowest.Round(time.Millisecond))
}

// A check that was interrupted leaves the next one as it is, and what that one said is said again without reading anything.
func TestCheckAgain(t *testing.T) {
	dir := wideProject(t, 10, 20)
	p := start(t, dir, "check")
	time.Sleep(30 * time.Millisecond)
	_ = p.cmd.Process.Signal(os.Interrupt)
	_ = p.wait(t)
	plain, _ := run(t, dir, 0, "check", "--no-cache")
	first, _ := run(t, dir, 0, "check")
	again, timings := run(t, dir, 0, "check", "--timings")
	if first != plain || again != plain {
		t.Errorf("with the cache %q, then %q, without %q", first, again, plain)
	}
	if !strings.Contains(timings, "said again from .norn/cache") {
		t.Errorf("the second check was computed:\n%s", timings)
	}
}
