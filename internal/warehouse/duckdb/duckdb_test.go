package duckdb

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/norn-data/norn/internal/warehouse"
	"github.com/norn-data/norn/internal/warehouse/conformance"
)

func TestMain(m *testing.M) {
	switch os.Getenv(childTask) {
	case "hold":
		os.Exit(hold(os.Args[1]))
	case "fill":
		os.Exit(fill(os.Args[1]))
	}
	goleak.VerifyTestMain(m)
}

func open(t *testing.T, path string) *DB {
	t.Helper()
	db, err := Open(t.Context(), path, Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestConformanceInMemory(t *testing.T) {
	conformance.Run(t, func(t *testing.T) warehouse.Warehouse { return open(t, "") })
}

func TestConformanceOnFile(t *testing.T) {
	conformance.Run(t, func(t *testing.T) warehouse.Warehouse { return open(t, filepath.Join(t.TempDir(), "w.duckdb")) })
}

// Any number of processes may read a file that nobody writes, and none of them may change it.
func TestReadOnly(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "shop.duckdb")
	if _, err := Open(ctx, path, Options{ReadOnly: true}); err == nil {
		t.Fatal("a file that does not exist was opened to be read")
	}
	db, err := Open(ctx, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Exec(ctx, "CREATE TABLE t AS SELECT 1 AS x"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		reader, err := Open(ctx, path, Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
		if rows, err := reader.Query(ctx, "FROM t"); err != nil || rows.Rows() != 1 {
			t.Fatalf("reading: %v", err)
		}
		if err := reader.Exec(ctx, "CREATE TABLE u AS SELECT 1"); err == nil {
			t.Fatal("a reader changed the file")
		}
	}
}
