package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/norn-data/norn/internal/diag"
)

// A project that was interrupted while it was written is not there, and neither is its draft.
func TestInterruptedProjectLeavesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	parent := t.TempDir()
	err := writeProject(ctx, filepath.Join(parent, "shop"), []projectFile{{Path: "norn.toml", Text: []byte("name = \"shop\"\n")}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v, want the end of the context", err)
	}
	mustBeEmpty(t, parent)
}

// The same holds when a file cannot be written: here its folder would have to be a file.
func TestFailedProjectLeavesNothing(t *testing.T) {
	parent := t.TempDir()
	err := writeProject(context.Background(), filepath.Join(parent, "shop"), []projectFile{{Path: "models"}, {Path: "models/orders.sql"}})
	if err == nil || diag.Interrupted(err) {
		t.Errorf("the error is %v", err)
	}
	mustBeEmpty(t, parent)
}

func mustBeEmpty(t *testing.T, folder string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		t.Errorf("%s was left behind", e.Name())
	}
}
