package duckdb

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/warehouse"
)

// Some tests need a second process. They start the test binary again with childTask set, and TestMain runs the task
// instead of the tests.
const childTask = "NORN_DUCKDB_CHILD"

func child(t *testing.T, task string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(os.Environ(), childTask+"="+task)
	return cmd
}

// hold opens a database, says so, and keeps it until its input ends.
func hold(path string) int {
	db, err := Open(context.Background(), path, Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, "failed:", err)
		return 1
	}
	fmt.Fprintln(os.Stderr, "holding")
	bufio.NewScanner(os.Stdin).Scan()
	if err := db.Close(); err != nil {
		return 1
	}
	return 0
}

func TestOneProcessAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop.duckdb")
	cmd := child(t, "hold", path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "holding\n" {
		t.Fatalf("the other process said %q, %v", line, err)
	}
	_, err = Open(t.Context(), path, Options{})
	var inUse *warehouse.InUseError
	if !errors.As(err, &inUse) {
		t.Fatalf("a file in use opens with %v", err)
	}
	if inUse.Where != path || inUse.PID != cmd.Process.Pid || inUse.Owner != filepath.Base(cmd.Path) {
		t.Errorf("in use by %q, process %d; want %q, process %d", inUse.Owner, inUse.PID, filepath.Base(cmd.Path), cmd.Process.Pid)
	}
	want := fmt.Sprintf("%s is in use by %s (process %d)", path, inUse.Owner, inUse.PID)
	if err.Error() != want || diag.Hint(err) == "" {
		t.Errorf("the message is %q with hint %q, want %q and a next step", err, diag.Hint(err), want)
	}
	if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
		t.Fatal(err)
	}
	open(t, path)
}

func TestOpenTrouble(t *testing.T) {
	folder := t.TempDir()
	write := func(name string, content []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	damaged := filepath.Join(folder, "damaged.duckdb")
	db := open(t, damaged)
	if err := errors.Join(db.Exec(t.Context(), "CREATE TABLE t AS SELECT * FROM range(100000)"), db.Close()); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(damaged)
	if err != nil {
		t.Fatal(err)
	}
	for i := 8192; i < len(content); i++ {
		content[i] ^= 0x55
	}
	write("damaged.duckdb", content)
	for _, c := range []struct{ path, reason, hint string }{
		{write("text.duckdb", []byte(strings.Repeat("This is not a database. ", 1000))), "is not a DuckDB database", "another path"},
		{write("empty.duckdb", nil), "is not a DuckDB database", "another path"},
		{folder, "is a folder", "name a file in it"},
		{filepath.Join(folder, "nowhere", "x.duckdb"), "there is no folder", "mkdir -p"},
		{filepath.Join(folder, "what?.duckdb"), "cannot open a path", "rename"},
		{filepath.Join(folder, "50%zz.duckdb"), "cannot open a path", "rename"},
		{damaged, "damaged", "copy"},
	} {
		db, err := Open(t.Context(), c.path, Options{})
		if err == nil {
			_ = db.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.reason) || !strings.Contains(diag.Hint(err), c.hint) {
			t.Errorf("%s: got %v with hint %q, want %s with %s", filepath.Base(c.path), err, diag.Hint(err), c.reason, c.hint)
		}
	}
	if _, err := Open(ended(), "", Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context gave %v", err)
	}
}

func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// TestOddPaths opens files whose names mean something in a URL, which is how the driver reads them, and a file whose stem,
// which is DuckDB's name for the database, is also the name of the main schema.
func TestOddPaths(t *testing.T) {
	for _, name := range []string{"a b.duckdb", "ünï.duckdb", "a#b.duckdb", "a&b=c.duckdb", "a:b.duckdb", "a'b.duckdb", "main.duckdb", "no ending"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			db := open(t, path)
			if err := db.Exec(t.Context(), "CREATE SCHEMA dev"); err != nil {
				t.Fatal(err)
			}
			for _, schema := range []string{"main", "dev"} {
				if _, err := db.CreateTableAs(t.Context(), warehouse.Name{Schema: schema, Relation: "t"}, "SELECT 1 AS x"); err != nil {
					t.Error(err)
				}
			}
			f, err := db.Query(t.Context(), "SELECT value FROM duckdb_settings() WHERE name = 'autoload_known_extensions'")
			if err != nil || f.Columns[0].Texts[0] != "false" {
				t.Errorf("extensions may load by themselves: %v", err)
			}
			if _, err := os.Stat(path); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestFileNamedAsSchema pins down a limit of DuckDB: for any schema but main, the file may not have its name. The error has
// to say so.
func TestFileNamedAsSchema(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "dev.duckdb"))
	if err := db.Exec(t.Context(), "CREATE SCHEMA dev"); err != nil {
		t.Fatal(err)
	}
	_, err := db.CreateTableAs(t.Context(), warehouse.Name{Schema: "dev", Relation: "t"}, "SELECT 1 AS x")
	var statement *warehouse.StatementError
	if !errors.As(err, &statement) || !strings.Contains(diag.Hint(err), "rename the file") {
		t.Errorf("got %v with hint %q", err, diag.Hint(err))
	}
}

func TestSettings(t *testing.T) {
	db, err := Open(t.Context(), "", Options{Threads: 1, MemoryLimit: 512 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for name, want := range map[string]string{
		"threads": "1", "memory_limit": "512.0 MiB", "TimeZone": "UTC", "preserve_insertion_order": "true",
		"autoinstall_known_extensions": "false", "autoload_known_extensions": "false",
	} {
		f, err := db.Query(t.Context(), "SELECT value FROM duckdb_settings() WHERE name = "+warehouse.Literal(name))
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Columns[0].Text(0); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	// What an extension would do is refused in a moment, and no network is asked.
	if _, err := db.Query(t.Context(), "SELECT * FROM read_csv('https://example.invalid/x.csv')"); err == nil || !strings.Contains(err.Error(), "httpfs") {
		t.Errorf("a file on the network gave %v", err)
	}
}

func TestCancelStopsDuckDB(t *testing.T) {
	db := open(t, "")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := db.Query(ctx, "SELECT count(*) FROM range(10000000000) a, range(100) b"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	// The connection is as good as new.
	if _, err := db.Query(t.Context(), "SELECT 1 AS x"); err != nil {
		t.Error(err)
	}
}

// TestOwnTransactionStatements holds that statements which end the transaction under norn's hands are noticed, and leave
// no transaction open on a connection that the next call gets.
func TestOwnTransactionStatements(t *testing.T) {
	db := open(t, "")
	for _, statement := range []string{"COMMIT", "ROLLBACK"} {
		err := db.Atomically(t.Context(), func(ctx context.Context, s warehouse.Session) error { return s.Exec(ctx, statement) })
		if err == nil {
			t.Errorf("%s inside a transaction went unnoticed", statement)
		}
		if err := db.Drop(t.Context(), warehouse.Name{Relation: "t"}); err != nil {
			t.Error(err)
		}
		if _, err := db.CreateTableAs(t.Context(), warehouse.Name{Relation: "t"}, "SELECT 1 AS x"); err != nil {
			t.Error(err)
		}
	}
}

// TestReopen holds that what was committed is there for the next process, and what was not is gone.
func TestReopen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.duckdb")
	db := open(t, path)
	if _, err := db.CreateTableAs(t.Context(), warehouse.Name{Schema: "main", Relation: "t"}, "SELECT 1 AS x"); err != nil {
		t.Fatal(err)
	}
	_ = db.Atomically(t.Context(), func(ctx context.Context, s warehouse.Session) error {
		if _, err := s.CreateTableAs(ctx, warehouse.Name{Schema: "main", Relation: "t"}, "SELECT 2 AS x"); err != nil {
			t.Error(err)
		}
		return errors.New("no")
	})
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = open(t, path)
	f, err := db.Query(t.Context(), "SELECT x FROM t")
	if err != nil || f.Columns[0].Kind != frame.Int || f.Columns[0].Ints[0] != 1 {
		t.Errorf("after opening again: %v, %v", f, err)
	}
}

// A database in memory spills into a folder of its own, which goes with it.
func TestSpillFolder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var found [2][]string
	for i := range found {
		db, err := Open(t.Context(), "", Options{})
		if err != nil {
			t.Fatal(err)
		}
		found[i], _ = filepath.Glob(filepath.Join(os.TempDir(), "norn-*.tmp"))
		if len(found[i]) != 1 {
			t.Errorf("open: %v", found[i])
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "norn-*.tmp")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
	if found[0][0] == found[1][0] {
		t.Errorf("the name can be foreseen: %v", found)
	}
}
