package main_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// norn listens for Ctrl-C before any of its rooms is initialised: a signal that comes later is never the end of the process
// without a word. When exactly a signal comes cannot be tested; the order of initialisation can.
func TestListensFirst(t *testing.T) {
	cmd := exec.Command(norn, "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	listening := false
	for line := range strings.Lines(string(said)) {
		switch name, isInit := strings.CutPrefix(line, "init github.com/norn-data/norn/"); {
		case isInit && strings.HasPrefix(name, "cmd/norn/interrupt "):
			listening = true
		case isInit && !listening:
			t.Errorf("initialised before norn listens: %s", name)
		}
	}
	if !listening {
		t.Errorf("package interrupt was not initialised:\n%s", said)
	}
}

// Where the system gives a process little, a library says so on stderr before main; norn does without and says nothing.
func TestSmallAddressSpace(t *testing.T) {
	said, err := exec.Command("sh", "-c", `ulimit -v 4000000 && exec "$0" version`, norn).CombinedOutput()
	if err != nil {
		t.Skipf("no limit can be set here: %v\n%s", err, said)
	}
	if text := string(said); !strings.HasPrefix(text, "norn ") || strings.Count(text, "\n") != 1 {
		t.Errorf("norn version says %q", text)
	}
}

// catches waits until a process says what is to be done with Ctrl-C, and reports whether it is still there.
func (p *process) catches(t *testing.T) bool {
	t.Helper()
	for {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
		if err != nil {
			t.Skip("the system does not tell which signals a process catches")
		}
		_, caught, found := strings.Cut(string(status), "SigCgt:")
		if !found {
			return false
		}
		mask, err := strconv.ParseUint(strings.Fields(caught)[0], 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		if mask&2 != 0 {
			return true
		}
		if strings.Contains(string(status), "State:\tZ") {
			return false
		}
	}
}

// tree is the text of every file below a folder, without what a command is known to keep there.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), "wide.duckdb") || strings.HasPrefix(path, ".norn/cache/") && !strings.HasSuffix(path, ".tmp") || path == ".norn/.gitignore" {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, path))
		files[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// From the moment on in which a process is more than a program that the system loads, Ctrl-C ends every command with 130 and one
// line, at the beginning, in the middle and at the end, and leaves nothing half done. How long that takes is bounded only so that a
// command that hangs fails the test.
func TestInterruptedAnywhere(t *testing.T) {
	dir := wideProject(t, 10, 20)
	for w := range 3 {
		if err := os.MkdirAll(filepath.Join(dir, "tests"), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "tests", fmt.Sprintf("t%d.sql", w)), fmt.Sprintf("TEST ();\nWITH __expected__m_0_%d AS (SELECT 1 AS k)\n", w))
	}
	ugly := tree(t, dir)
	run(t, dir, 0, "fmt")
	pretty := tree(t, dir)
	if maps.Equal(ugly, pretty) {
		t.Fatal("nothing is to be formatted")
	}
	dbt := filepath.Join(t.TempDir(), "jaffle")
	if err := os.MkdirAll(filepath.Join(dbt, "models"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dbt, "dbt_project.yml"), "name: jaffle\nprofile: p\nmodel-paths: [models]\n")
	for i := range 60 {
		text := "select 1 as id"
		if i > 0 {
			text = fmt.Sprintf("select id from {{ ref('m%d') }}", i-1)
		}
		write(t, filepath.Join(dbt, "models", fmt.Sprintf("m%d.sql", i)), text)
	}
	whole := filepath.Join(dir, "..", "whole")
	run(t, dir, 0, "import", dbt, "--into", whole)
	imported := tree(t, whole)

	interrupted, early := 0, 0
	for _, command := range []string{"check --no-cache", "check", "build", "fmt", "test", "lineage m_9_3.c4", "import " + dbt + " --into made"} {
		for _, after := range []int{0, 1, 2, 5, 10, 20, 50} {
			for path, text := range ugly {
				write(t, filepath.Join(dir, path), text)
			}
			p := start(t, dir, strings.Fields(command)...)
			if !p.catches(t) {
				_ = p.wait(t)
				continue
			}
			time.Sleep(time.Duration(after) * time.Millisecond)
			_ = p.cmd.Process.Signal(os.Interrupt)
			stuck := time.AfterFunc(30*time.Second, func() { _ = p.cmd.Process.Kill() })
			code := p.wait(t)
			stuck.Stop()
			lines := strings.Split(strings.TrimSuffix(p.stderr.String(), "\n"), "\n")
			last := lines[len(lines)-1]
			says := func(line string) bool { return strings.HasPrefix(line, "interrupted: ") }
			switch {
			case code == 0: // it was done before
			case code != 130 || !says(last) || slices.ContainsFunc(lines[:len(lines)-1], says):
				t.Errorf("%s, interrupted after %d ms: exit code %d, stderr\n%s", command, after, code, p.stderr)
			case len(lines) > 1 && command != "build" && command != "test":
				t.Errorf("%s, interrupted after %d ms, says more than one line:\n%s", command, after, p.stderr)
			default:
				interrupted++
				if last == "interrupted: nothing was begun" {
					early++
				}
			}
			made := filepath.Join(dir, "made")
			if _, err := os.Stat(made); err == nil {
				if d := cmp.Diff(imported, tree(t, made)); d != "" {
					t.Errorf("%s, interrupted after %d ms, made half a project:\n%s", command, after, d)
				}
				if err := os.RemoveAll(made); err != nil {
					t.Fatal(err)
				}
			}
			for path, text := range tree(t, dir) {
				if text != ugly[path] && text != pretty[path] || ugly[path] == "" {
					t.Errorf("%s, interrupted after %d ms, left %s:\n%s", command, after, path, text)
				}
			}
		}
	}
	if interrupted == 0 {
		t.Error("nothing was interrupted")
	}
	t.Logf("%d interrupted, %d of them before there was a command", interrupted, early)
}

// A process that may have little of something does its work, or says in one sentence what it lacks and what helps, and leaves
// everything as it was. What the Go runtime or the loader cannot do without ends them in their own words, before anything is written.
func TestFewResources(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, 0, "new", "shop")
	shop := filepath.Join(dir, "shop")
	refused := 0
	for _, limit := range []string{"-n 8", "-n 10", "-n 20", "-v 1500000", "-v 3000000"} {
		for _, command := range []string{"check --no-cache", "test", "build --full-refresh", "lineage orders"} {
			cmd := exec.Command("sh", append([]string{"-c", "ulimit " + limit + ` && exec "$0" "$@"`, norn}, strings.Fields(command)...)...)
			cmd.Dir, cmd.Env = shop, append(os.Environ(), "NO_COLOR=1")
			said, err := cmd.CombinedOutput()
			code := cmd.ProcessState.ExitCode()
			text := string(said)
			switch {
			case err == nil:
			case code == 2 && (strings.Contains(text, "fatal error: ") || strings.Contains(text, "runtime/cgo: ")): // the Go runtime ended it
			case strings.Contains(text, "cannot set") || strings.Contains(text, "error while loading"):
			case code == 3 || code == 2 && strings.HasPrefix(command, "build"):
				refused++
				if strings.Count("\n"+text, "\nerror: ")+strings.Count("\n"+text, "\nE1") == 0 || !strings.Contains(text, "help: ") || strings.Contains(text, "goroutine ") {
					t.Errorf("ulimit %s, norn %s: exit code %d\n%s", limit, command, code, text)
				}
				if strings.Contains(text, "too many open files") != strings.Contains(text, "ulimit -n 1024") {
					t.Errorf("ulimit %s, norn %s: the help is another one\n%s", limit, command, text)
				}
			default:
				t.Errorf("ulimit %s, norn %s: exit code %d, %v\n%s", limit, command, code, err, text)
			}
		}
		leftovers(t, shop)
	}
	if refused == 0 {
		t.Log("no limit was low enough here")
	}
	run(t, shop, 0, "build", "--full-refresh")
	leftovers(t, shop)
}
