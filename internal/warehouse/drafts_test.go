package warehouse

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Only what a killed writer of the same file has left is removed: not what somebody is writing, has just made, or named so.
func TestSweepDrafts(t *testing.T) {
	if !draftsLock {
		t.Skip("locks keep everybody out of a file here")
	}
	dir := t.TempDir()
	old := time.Now().Add(-2 * draftRest)
	for name, age := range map[string]time.Time{
		".out.csv.0123abcd.tmp": old, ".out.csv.9999abcd.tmp": old, ".out.csv.4444abcd.tmp": time.Now(),
		".out.csv.mine.tmp": old, ".other.csv.0123abcd.tmp": old, "out.csv": old, ".out.csv.backup": old,
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, age, age); err != nil {
			t.Fatal(err)
		}
	}
	release := holdDraft(filepath.Join(dir, ".out.csv.9999abcd.tmp"))
	left := func() (names []string) {
		sweepDrafts(dir, "out.csv")
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	if names := left(); len(names) != 6 || names[1] != ".out.csv.4444abcd.tmp" || names[2] != ".out.csv.9999abcd.tmp" {
		t.Errorf("%v are left", names)
	}
	release()
	if names := left(); len(names) != 5 || names[1] != ".out.csv.4444abcd.tmp" {
		t.Errorf("after its writer %v are left", names)
	}
}
