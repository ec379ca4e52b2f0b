package sql

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/diag"
)

// TestRoom holds trees that are made in used memory to trees of their own: nothing of an earlier text may shine through, whatever that
// was, mistakes included.
func TestRoom(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "*.sql"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	var blocks []block
	for _, path := range paths {
		blocks = append(blocks, readBlocks(t, path)...)
	}
	// The other way round, what follows a text is another one.
	backwards := slices.Clone(blocks)
	slices.Reverse(backwards)
	var room Room
	for _, b := range slices.Concat(blocks, backwards) {
		file := diag.NewFile("q.sql", b.text)
		want, wantProblems := Parse(file, 0, DuckDB())
		got, problems := room.Parse(file, 0, DuckDB())
		if diff := cmp.Diff(wantProblems, problems, cmp.AllowUnexported(diag.Problem{}), cmp.Comparer(func(x, y *diag.File) bool { return x == y })); diff != "" {
			t.Fatalf("problems of %s in a room: -alone +room:\n%s", b.text, diff)
		}
		if diff := cmp.Diff(want, got, cmp.Comparer(func(x, y *diag.File) bool { return x == y })); diff != "" {
			t.Fatalf("the tree of %s in a room: -alone +room:\n%s", b.text, diff)
		}
	}
}
