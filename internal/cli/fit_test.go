package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// A fit that is stopped while it writes leaves the file that was there, or none; nothing half, and nothing beside it.
func TestStoppedFitLeavesNothing(t *testing.T) {
	models, err := tabular.Find(t.Context(), "", tabular.Places{})
	if err != nil {
		t.Fatal(err)
	}
	x := &frame.Column{Field: frame.Field{Name: "x", Kind: frame.Float, Type: "DOUBLE"}, Floats: []float64{1, 2, 3, 4}}
	y := &frame.Column{Field: frame.Field{Name: "y", Kind: frame.Bool, Type: "BOOLEAN"}, Bools: []bool{true, false, true, false}}
	table, err := frame.New(4, x, y)
	if err != nil {
		t.Fatal(err)
	}
	o := tabular.DefaultOptions()
	o.Members = 1
	draft, err := fitted.Prepare(t.Context(), models, fitted.Spec{Target: "y", Options: o}, table)
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := draft.Teach(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	folder := t.TempDir()
	path := filepath.Join(folder, "y.context")
	for _, before := range []string{"", "as it was"} {
		if before != "" {
			if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := writeContext(stopped, c, path); !errors.Is(err, context.Canceled) {
			t.Fatalf("a stopped fit gave %v", err)
		}
		entries, err := os.ReadDir(folder)
		if err != nil || len(entries) > 1 || (before == "") != (len(entries) == 0) {
			t.Errorf("the folder holds %v (%v)", entries, err)
		}
		if text, _ := os.ReadFile(path); string(text) != before {
			t.Errorf("the file holds %d bytes now", len(text))
		}
	}
	size, err := writeContext(t.Context(), c, path)
	if info, statErr := os.Stat(path); err != nil || statErr != nil || info.Size() != size || !fitted.IsContextFile(path) {
		t.Errorf("a fit that was not stopped wrote %d bytes (%v, %v)", size, err, statErr)
	}
}
