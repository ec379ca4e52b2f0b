package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// norn is the real program: signals, exit codes and locks belong to processes, so these tests start some.
var norn string

func TestMain(m *testing.M) {
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "norn-main-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	// Another user must be able to start it, see TestReadOnlyFolder.
	if err := os.Chmod(dir, 0o755); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	norn = filepath.Join(dir, "norn")
	if out, err := exec.Command("go", "build", "-o", norn, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building norn: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// A process is a running norn whose stderr can be read while it runs.
type process struct {
	cmd    *exec.Cmd
	stderr *watched
	stdout bytes.Buffer
}

type watched struct {
	mu   sync.Mutex
	text strings.Builder
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

func start(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(norn, args...), stderr: &watched{}}
	p.cmd.Dir, p.cmd.Stderr, p.cmd.Stdout = dir, p.stderr, &p.stdout
	p.cmd.Env = append(os.Environ(), "NO_COLOR=1")
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	return p
}

// wait returns the exit code.
func (p *process) wait(t *testing.T) int {
	t.Helper()
	err := p.cmd.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0
}

// says waits until the process has written text to stderr.
func (p *process) says(t *testing.T, text string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if strings.Contains(p.stderr.String(), text) {
			return
		}
	}
	t.Fatalf("norn did not say %q in time; it said:\n%s", text, p.stderr)
}

// run runs norn to its end and demands its exit code.
func run(t *testing.T, dir string, code int, args ...string) (stdout, stderr string) {
	t.Helper()
	p := start(t, dir, args...)
	if got := p.wait(t); got != code {
		t.Fatalf("norn %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), got, code, &p.stdout, p.stderr)
	}
	return p.stdout.String(), p.stderr.String()
}

// slowShop is a built project whose next build takes seconds: its one prediction got many more rows.
func slowShop(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	run(t, dir, 0, "new", "shop")
	shop := filepath.Join(dir, "shop")
	run(t, shop, 0, "build")
	draw := rand.New(rand.NewPCG(1, 2))
	var rows strings.Builder
	rows.WriteString("customer_id,a,b,c,d,e,f,g,h,i,j,churned\n")
	for i := range 4000 {
		fmt.Fprint(&rows, i)
		for range 10 {
			fmt.Fprintf(&rows, ",%.4f", draw.NormFloat64())
		}
		fmt.Fprintf(&rows, ",%v\n", draw.IntN(2) == 1)
	}
	write(t, filepath.Join(shop, "seeds", "many.csv"), rows.String())
	write(t, filepath.Join(shop, "models", "churn.sql"),
		"MODEL (materialized table, predict (target churned, key customer_id));\nSELECT * FROM many\n")
	return shop
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The first Ctrl-C ends a build within moments, says what was done, and leaves the old tables; the next build goes on.
func TestInterruptedBuild(t *testing.T) {
	shop := slowShop(t)
	before, _ := run(t, shop, 0, "show", "churn", "--json", "--rows", "200")
	p := start(t, shop, "build")
	p.says(t, "many") // the seed is built, the prediction is being made
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	asked := time.Now()
	if code := p.wait(t); code != 130 {
		t.Fatalf("exit code %d, want 130\n%s", code, p.stderr)
	}
	t.Logf("ended %v after the signal", time.Since(asked).Round(time.Millisecond))
	for _, want := range []string{"interrupted: 1 of 2 nodes were built, 1 were not", "norn build goes on from here"} {
		if !strings.Contains(p.stderr.String(), want) {
			t.Errorf("stderr lacks %q:\n%s", want, p.stderr)
		}
	}
	if after, _ := run(t, shop, 0, "show", "churn", "--json", "--rows", "200"); after != before {
		t.Error("the old table of the interrupted prediction is not as it was")
	}
	if out, _ := run(t, shop, 0, "show", "many", "--rows", "0"); !strings.Contains(out, "4000 rows") {
		t.Errorf("what was built before the interrupt is gone: %s", out)
	}
	leftovers(t, shop)
}

// A second signal does not wait for anything.
func TestSecondInterrupt(t *testing.T) {
	shop := slowShop(t)
	p := start(t, shop, "build")
	p.says(t, "many")
	for range 2 {
		if err := p.cmd.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
	}
	if code := p.wait(t); code != 130 {
		t.Fatalf("exit code %d, want 130\n%s", code, p.stderr)
	}
}

// Whenever a process is killed, the database opens again, tables are the old or the new ones, and a build ends well.
func TestKilledBuild(t *testing.T) {
	shop := slowShop(t)
	for _, after := range []time.Duration{0, 20 * time.Millisecond, 60 * time.Millisecond, 120 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond} {
		p := start(t, shop, "build", "--full-refresh")
		time.Sleep(after)
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
		if out, _ := run(t, shop, 0, "show", "orders", "--rows", "0"); !strings.Contains(out, "406 rows") {
			t.Errorf("killed after %v: orders has %s", after, out)
		}
	}
	write(t, filepath.Join(shop, "models", "churn.sql"),
		"MODEL (materialized table, predict (target churned, key customer_id));\nSELECT * FROM many WHERE customer_id < 60\n")
	run(t, shop, 0, "build")
	leftovers(t, shop)
}

// leftovers fails when a folder holds anything that is not the project's, apart from the database's log.
func leftovers(t *testing.T, shop string) {
	t.Helper()
	entries, err := os.ReadDir(shop)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		switch e.Name() {
		case "models", "seeds", "norn.toml", "README.md", ".gitignore", "shop.duckdb", "shop.duckdb.wal", "target":
		default:
			t.Errorf("%s was left behind", e.Name())
		}
	}
}

func TestInUse(t *testing.T) {
	shop := slowShop(t)
	p := start(t, shop, "build")
	p.says(t, "many")
	_, stderr := run(t, shop, 3, "build", "--full-refresh")
	if want := fmt.Sprintf("process %d", p.cmd.Process.Pid); !strings.Contains(stderr, "is in use by") || !strings.Contains(stderr, want) {
		t.Errorf("stderr does not say who has the database (%s):\n%s", want, stderr)
	}
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// A folder that the user may not write to is told by name. The superuser may write anywhere, so another user is asked to.
func TestReadOnlyFolder(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, 0, "new", "shop")
	shop := filepath.Join(dir, "shop")
	for _, d := range []string{shop, filepath.Join(shop, "models"), filepath.Join(shop, "seeds")} {
		if err := os.Chmod(d, 0o555); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(shop, 0o755) })
	for d := dir; d != filepath.Dir(d) && strings.HasPrefix(d, os.TempDir()+"/"); d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p := &process{cmd: exec.Command(norn, "build"), stderr: &watched{}}
	p.cmd.Dir, p.cmd.Stderr, p.cmd.Env = shop, p.stderr, append(os.Environ(), "NO_COLOR=1", "HOME=/nonexistent")
	if os.Geteuid() == 0 {
		p.cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	if err := p.cmd.Start(); err != nil {
		t.Skipf("cannot start a process of another user here: %v", err)
	}
	if code := p.wait(t); code != 3 {
		t.Fatalf("exit code %d, want 3\n%s", code, p.stderr)
	}
	for _, want := range []string{"you may not write there", "help: "} {
		if !strings.Contains(p.stderr.String(), want) {
			t.Errorf("stderr lacks %q:\n%s", want, p.stderr)
		}
	}
}

// A disk that fills up during a build leaves the tables of before, and says so.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	disk := filepath.Join(dir, "disk")
	if err := os.Mkdir(disk, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=8m"); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	run(t, disk, 0, "new", "shop")
	shop := filepath.Join(disk, "shop")
	run(t, shop, 0, "build")
	before, _ := run(t, shop, 0, "show", "churn", "--json", "--rows", "200")
	write(t, filepath.Join(shop, "models", "big.sql"), "MODEL (materialized table);\nSELECT i, md5(CAST(i AS VARCHAR)) AS text FROM range(2000000) AS t(i)\n")
	p := start(t, shop, "build")
	code := p.wait(t)
	if code != 3 && code != 2 && code != 1 {
		t.Fatalf("exit code %d\n%s", code, p.stderr)
	}
	if text := strings.ToLower(p.stderr.String()); !strings.Contains(text, "space") && !strings.Contains(text, "full") || !strings.Contains(text, "help: ") {
		t.Errorf("stderr does not say that the disk is full and what to do:\n%s", p.stderr)
	}
	if err := os.Remove(filepath.Join(shop, "models", "big.sql")); err != nil {
		t.Fatal(err)
	}
	if after, _ := run(t, shop, 0, "show", "churn", "--json", "--rows", "200"); after != before {
		t.Error("a table changed")
	}
	run(t, shop, 0, "build")
}
