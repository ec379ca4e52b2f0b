package duckdb

import (
	"os"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/warehouse"
)

// CheckWritable reports whether [WriteFile] could write a file: its ending names a format, nothing but a file that
// you may write stands under its name, and its folder takes new files. It is asked before long work, so that nobody waits for an answer that cannot be kept.
func CheckWritable(path string) error {
	if _, p := copyOptions(path); p != nil {
		return p
	}
	place, err := findTarget(path)
	if err != nil {
		return err
	}
	temporary, release, err := warehouse.NewDraft(place.path)
	if err != nil {
		return writeTrouble(path, err)
	}
	defer release()
	return diag.WithHint(os.Remove(temporary), "choose another folder with --out")
}
