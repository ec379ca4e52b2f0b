package project

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLinks reads a folder with symbolic links: one to a file, one that leads nowhere, one to a folder around it.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("norn.toml", "name = \"x\"\ndefault_target = \"dev\"\n[targets.dev]\nadapter = \"duckdb\"\npath = \"x.duckdb\"\nschema = \"main\"\n")
	write("models/orders.sql", "SELECT 1 AS id")
	write("shared/linked.sql", "SELECT id FROM orders")
	for name, to := range map[string]string{"linked.sql": "../shared/linked.sql", "gone.sql": "../nowhere.sql", "loop": ".", "again": "../shared"} {
		if err := os.Symlink(to, filepath.Join(dir, "models", name)); err != nil {
			t.Skip(err)
		}
	}
	p, problems, err := Load(context.Background(), os.DirFS(dir), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, problem := range problems {
		said = append(said, problem.Code+" "+problem.Message)
	}
	want := []string{
		"E0017 models/again is a link to a folder, which is not read",
		"E0017 models/gone.sql is a link that leads nowhere",
		"E0017 models/loop is a link to a folder, which is not read",
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if len(p.Models) != 2 {
		t.Errorf("read %d models", len(p.Models))
	}
	// Find takes the configuration file for its folder.
	if root, err := Find(filepath.Join(dir, "norn.toml")); err != nil || root != dir {
		t.Errorf("Find gave %q, %v", root, err)
	}
}
