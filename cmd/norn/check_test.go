package main_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
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

// interrupts is how many checks the randomised test interrupts; hundreds belong into a long run.
var interrupts = flag.Int("interrupts", 20, "checks that are interrupted at random moments")

// Ctrl-C ends a check at whatever point it is: exit code 130, one line that says what was and was not done, no half file. What
// is left in the cache is whole: the next check, with it, says what one without it says.
func TestInterruptedCheck(t *testing.T) {
	dir := wideProject(t, 40, 60)
	began := time.Now()
	plain, _ := run(t, dir, 0, "check", "--no-cache")
	whole := min(time.Since(began), 700*time.Millisecond) // on a busy machine the later moments are left out
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 1))
	t.Logf("seed %d, interrupts within %v", seed, whole.Round(time.Millisecond))
	interrupted := 0
	var slowest time.Duration
	for n := range *interrupts {
		// With the cache, after an edit now and then, so that every way through a check is met: cold, some models, replay.
		args := []string{"check"}
		switch n % 3 {
		case 0:
			args = append(args, "--no-cache")
		case 1:
			write(t, filepath.Join(dir, "models", "m_0_0.sql"), "SELECT 1 AS k"+columnsOfWide(n)+"\n")
		}
		after := time.Duration(r.Int64N(int64(whole + whole/5)))
		p := start(t, dir, args...)
		time.Sleep(after)
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
			t.Fatalf("%v interrupted after %v: exit code %d\n%s", args, after, code, p.stderr)
		}
		interrupted++
		slowest = max(slowest, time.Since(asked))
		said := strings.TrimSuffix(p.stderr.String(), "\n")
		if strings.Contains(said, "\n") || said != "interrupted: nothing was begun" && // the runtime was not there yet
			!strings.HasPrefix(said, "interrupted: nothing was said about the project, and nothing was written; stopped while ") &&
			!strings.HasPrefix(said, "interrupted: the project was checked, and nothing was said about it yet") {
			t.Errorf("%v interrupted after %v, and stderr is not the one line:\n%s", args, after, p.stderr)
		}
		if p.stdout.Len() > 0 {
			t.Errorf("interrupted after %v, and stdout holds %s", after, &p.stdout)
		}
		if half, _ := filepath.Glob(filepath.Join(dir, ".norn", "cache", "*.tmp")); len(half) > 0 {
			t.Errorf("an interrupted check left %v", half)
		}
	}
	if interrupted == 0 {
		t.Error("no check was interrupted: the project is too small")
	}
	if again, _ := run(t, dir, 0, "check"); again != plain {
		t.Errorf("after all interrupts %q, before %q", again, plain)
	}
	// Measured, not judged: a busy machine is no bug.
	t.Logf("%d checks interrupted, the slowest ended after %v", interrupted, slowest.Round(time.Millisecond))
}

// columnsOfWide are the columns of the first layer of wideProject, with a number that changes from edit to edit.
func columnsOfWide(n int) string {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, ", %d AS c%d", i+n, i)
	}
	return b.String()
}

// A second Ctrl-C does not wait for a check either.
func TestSecondInterruptOfCheck(t *testing.T) {
	dir := wideProject(t, 40, 60)
	p := start(t, dir, "check", "--no-cache")
	time.Sleep(60 * time.Millisecond)
	for range 3 {
		if err := p.cmd.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
	}
	if code := p.wait(t); code != 130 && code != 0 {
		t.Fatalf("exit code %d, want 130\n%s", code, p.stderr)
	}
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
