//go:build unix

package project

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPipes reads a folder with named pipes, which nobody writes to: to open one is to wait for ever.
func TestPipes(t *testing.T) {
	dir := t.TempDir()
	pipe := func(name string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skip(err)
		}
	}
	config := filepath.Join(dir, "norn.toml")
	if err := os.WriteFile(config, []byte("name = \"x\"\ndefault_target = \"dev\"\n[targets.dev]\nadapter = \"duckdb\"\npath = \"x.duckdb\"\nschema = \"main\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"models/f.sql", "models/notes.txt", "seeds/s.csv", "sources/s.yml", "tests/t.sql", "pipe"} {
		pipe(name)
	}
	if err := os.Symlink("../pipe", filepath.Join(dir, "models", "linked.sql")); err != nil {
		t.Fatal(err)
	}
	load := func() []string {
		_, problems, err := Load(context.Background(), Dir(dir), Options{})
		if err != nil {
			return []string{err.Error()}
		}
		var said []string
		for _, problem := range problems {
			said = append(said, problem.Code+" "+problem.Message)
		}
		return said
	}
	want := []string{
		"E0017 models/f.sql is a pipe, and only plain files are read",
		"E0017 models/linked.sql is a pipe, and only plain files are read",
		"E0017 seeds/s.csv is a pipe, and only plain files are read",
		"E0017 sources/s.yml is a pipe, and only plain files are read",
		"E0017 tests/t.sql is a pipe, and only plain files are read",
	}
	if diff := cmp.Diff(want, load()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if text, err := Dir(dir).(textReader).readText("models/f.sql"); text != "" || err != nil {
		t.Errorf("a pipe reads as %q, %v", text, err)
	}
	if err := os.Remove(config); err != nil {
		t.Fatal(err)
	}
	pipe("norn.toml")
	if diff := cmp.Diff([]string{"norn.toml:1:1: E0017 norn.toml is a pipe, and only plain files are read (put a file in its place, or remove it)"}, load()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
