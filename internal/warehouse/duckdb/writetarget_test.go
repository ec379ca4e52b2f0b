//go:build unix

package duckdb

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/norn-data/norn/internal/diag"
)

func TestWriteTargets(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	table := mustQuery(t, "SELECT 1 AS a")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Mkdir(at("elsewhere"), 0o755))
	must(os.Mkdir(at("d.csv"), 0o755))
	must(os.WriteFile(at("elsewhere/real.csv"), []byte("old"), 0o600))
	must(os.Symlink("elsewhere/real.csv", at("link.csv")))
	must(os.Symlink(at("link.csv"), at("second.csv")))
	must(os.Symlink("elsewhere/new.csv", at("dangling.csv")))
	must(os.Symlink("round.csv", at("circle.csv")))
	must(os.Symlink("circle.csv", at("round.csv")))
	must(syscall.Mkfifo(at("pipe.csv"), 0o644))
	must(os.WriteFile(at("file"), nil, 0o644))

	must(CheckWritable(at("second.csv")))
	must(WriteFile(t.Context(), table, at("second.csv")))
	must(WriteFile(t.Context(), table, at("dangling.csv")))
	must(WriteFile(t.Context(), table, at(strings.Repeat("n", 250)+".csv")))
	for _, link := range []string{"link.csv", "second.csv", "dangling.csv"} {
		if info, err := os.Lstat(at(link)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v, %v", link, info, err)
		}
		if text, err := os.ReadFile(at(link)); err != nil || string(text) != "a\n1\n" {
			t.Errorf("%s holds %q, %v", link, text, err)
		}
	}
	if info, err := os.Stat(at("elsewhere/real.csv")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the rights are %v, %v", info.Mode(), err)
	}
	for path, want := range map[string]string{
		at("d.csv"):                           "it is a folder",
		at("pipe.csv"):                        "it is a pipe or a device",
		at("circle.csv"):                      "its links lead in a circle",
		at("file/t.csv"):                      "not a directory",
		at("nowhere/t.csv"):                   "no such file",
		at(strings.Repeat("n", 300) + ".csv"): "name too long",
	} {
		refusesWith(t, CheckWritable(path), want)
		refusesWith(t, WriteFile(t.Context(), table, path), want)
	}
	if os.Geteuid() != 0 {
		must(os.WriteFile(at("kept.csv"), []byte("kept"), 0o444))
		refusesWith(t, WriteFile(t.Context(), table, at("kept.csv")), "permission denied")
	}
}

func TestReadRefusesPipes(t *testing.T) {
	folder := t.TempDir()
	pipe, link := filepath.Join(folder, "pipe.csv"), filepath.Join(folder, "link.csv")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o644), os.Symlink(pipe, link)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, link} {
		_, err := ReadFile(t.Context(), path)
		p, ok := errors.AsType[*diag.Problem](err)
		if !ok || p.Code != "E1501" || !strings.Contains(p.Message, "is a pipe: norn reads files more than once") || p.Help == "" {
			t.Errorf("got %v", err)
		}
	}
}

func TestSameFile(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	err := errors.Join(os.WriteFile(at("a.csv"), nil, 0o644), os.WriteFile(at("b.csv"), nil, 0o644),
		os.Symlink("a.csv", at("link.csv")), os.Symlink("new.csv", at("dangling.csv")))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"a.csv", "a.csv", true}, {"a.csv", "./x/../a.csv", true}, {"a.csv", "link.csv", true}, {"a.csv", "b.csv", false},
		{"a.csv", "new.csv", false}, {"new.csv", "new.csv", true}, {"dangling.csv", "new.csv", true}, {"new.csv", "newer.csv", false},
	} {
		if got := SameFile(at(c.a), folder+"/"+strings.ReplaceAll(c.b, "x/../", "../"+filepath.Base(folder)+"/")); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}

// A disk without room is said of the file, not of the database in memory that writes it.
func TestWriteTroubleOfTheEngine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scored.csv")
	for message, want := range map[string]string{
		`Could not write all bytes to file "/x/.scored.csv.draft": No space left on device`: "there is no room left on the disk",
		`Could not write file: Disk quota exceeded`:                                         "the disk quota is exceeded",
	} {
		engine := diag.WithHint(fmt.Errorf("writing to the database in memory: %w", &engineError{message: message}), "the tables are as they were before")
		err := writeTrouble(path, engine)
		if err.Error() != "writing "+path+": "+want || diag.Hint(err) != "free space on the disk; nothing was changed" {
			t.Errorf("got %v with the hint %q", err, diag.Hint(err))
		}
	}
}
