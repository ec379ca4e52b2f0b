//go:build linux

package duckdb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/warehouse"
)

// tinyDisk mounts a file system of one or two megabytes. That takes rights that not every machine gives; the tests that
// need them are skipped with the reason, and TestFileSizeLimit covers the same errors without.
func tinyDisk(t *testing.T, megabytes int) string {
	t.Helper()
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, fmt.Sprintf("size=%dm", megabytes)); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Errorf("unmounting: %v", err)
		}
	})
	return folder
}

const bigQuery = "SELECT i, hash(i) AS h, 'row ' || hash(i) AS s FROM range(1000000) t(i)"

func TestFullDisk(t *testing.T) {
	path := filepath.Join(tinyDisk(t, 4), "w.duckdb")
	db := open(t, path)
	name := warehouse.Name{Schema: "main", Relation: "t"}
	if _, err := db.CreateTableAs(t.Context(), name, "SELECT 1 AS x"); err != nil {
		t.Fatal(err)
	}
	_, err := db.CreateTableAs(t.Context(), name, bigQuery)
	checkNoSpace(t, err)
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	db = open(t, path)
	f, err := db.Query(t.Context(), "SELECT * FROM t")
	if err != nil || f.Names()[0] != "x" || f.Rows() != 1 {
		t.Errorf("the old table is not intact: %v", err)
	}
}

func checkNoSpace(t *testing.T, err error) {
	t.Helper()
	var statement *warehouse.StatementError
	if err == nil || errors.As(err, &statement) || !strings.Contains(diag.Hint(err), "free space") {
		t.Errorf("a full disk gave %v with hint %q", err, diag.Hint(err))
	}
}

func TestWriteFileOnFullDisk(t *testing.T) {
	folder := tinyDisk(t, 1)
	for _, name := range []string{"out.parquet", "out.csv", "out.json"} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
		err := WriteFile(t.Context(), manyRows(t), path)
		checkNoSpace(t, err)
		content, readErr := os.ReadFile(path)
		entries, dirErr := os.ReadDir(folder)
		if readErr != nil || dirErr != nil || string(content) != "old" || len(entries) != 1 {
			t.Errorf("%s: the old file became %q, the folder %v", name, content, entries)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

func manyRows(t *testing.T) *frame.Frame {
	t.Helper()
	f, err := open(t, "").Query(t.Context(), "SELECT i, hash(i) AS h FROM range(200000) t(i)")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// fill runs in a process whose files may not grow beyond two megabytes, and reports what a build meets there.
func fill(path string) int {
	// The limit sends a signal, which ends a program that does not ignore it; Go programs that embed norn may.
	signal.Ignore(syscall.SIGXFSZ)
	ctx := context.Background()
	db, err := Open(ctx, path, Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, "open:", err)
		return 1
	}
	name := warehouse.Name{Schema: "main", Relation: "t"}
	if _, err := db.CreateTableAs(ctx, name, "SELECT 1 AS x"); err != nil {
		fmt.Fprintln(os.Stderr, "first table:", err)
		return 1
	}
	limit := syscall.Rlimit{Cur: 2 << 20, Max: 2 << 20}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		fmt.Fprintln(os.Stderr, "limit:", err)
		return 1
	}
	_, err = db.CreateTableAs(ctx, name, bigQuery)
	fmt.Fprintf(os.Stderr, "error: %v\nhint: %s\n", err, diag.Hint(err))
	return 0
}

func TestFileSizeLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.duckdb")
	out, err := child(t, "fill", path).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "hint: free space") {
		t.Fatalf("the process said %s, %v", out, err)
	}
	f, err := open(t, path).Query(t.Context(), "SELECT * FROM t")
	if err != nil || f.Names()[0] != "x" {
		t.Errorf("the old table is not intact: %v", err)
	}
}

// readOnly returns a folder that cannot be written, whoever asks: as root a mode of 0555 is no obstacle, a read-only mount is.
func readOnly(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if os.Geteuid() != 0 {
		if err := os.Chmod(folder, 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(folder, 0o755) })
		return folder
	}
	if err := syscall.Mount("tmpfs", folder, "tmpfs", syscall.MS_RDONLY, "size=1m"); err != nil {
		t.Skipf("root can write everywhere, and a read-only disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(folder, syscall.MNT_DETACH) })
	return folder
}

func TestReadOnlyFolder(t *testing.T) {
	folder := readOnly(t)
	_, err := Open(t.Context(), filepath.Join(folder, "w.duckdb"), Options{})
	if err == nil || !strings.Contains(err.Error(), "you may not write there") || !strings.Contains(diag.Hint(err), "writable") {
		t.Errorf("opening gave %v with hint %q", err, diag.Hint(err))
	}
	err = WriteFile(t.Context(), manyRows(t), filepath.Join(folder, "out.csv"))
	if err == nil || !strings.Contains(err.Error(), "writing "+filepath.Join(folder, "out.csv")) || !strings.Contains(diag.Hint(err), "writable") {
		t.Errorf("writing gave %v with hint %q", err, diag.Hint(err))
	}
}
