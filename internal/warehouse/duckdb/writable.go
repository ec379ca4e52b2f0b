package duckdb

import (
	"os"

	"github.com/norn-data/norn/internal/diag"
)

// CheckWritable reports whether [WriteFile] could write a file: its ending names a format, and its folder takes new
// files. It is asked before long work, so that nobody waits for an answer that cannot be kept.
func CheckWritable(path string) error {
	if _, p := copyOptions(path); p != nil {
		return p
	}
	temporary, err := besides(path)
	if err != nil {
		return writeTrouble(path, err)
	}
	return diag.WithHint(os.Remove(temporary), "choose another folder with --out")
}
