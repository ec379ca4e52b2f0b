package house

import (
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"
)

// files yields the files of the repository in order. Folders that .gitignore names, and the version control's own, are
// no part of it.
func files(tree fs.FS) iter.Seq2[string, error] {
	skip := map[string]bool{"/.git": true} // with a slash in front: at the top only
	if text, err := fs.ReadFile(tree, ".gitignore"); err == nil {
		for row := range strings.Lines(string(text)) {
			if folder, ok := strings.CutSuffix(strings.TrimSpace(row), "/"); ok {
				skip[folder] = true
			}
		}
	}
	return func(yield func(string, error) bool) {
		err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && (skip["/"+name] || skip[path.Base(name)]):
				return fs.SkipDir
			case name == ".git": // a file in a second working tree of the repository
				return nil
			case entry.Type().IsRegular() && !yield(name, nil):
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield("", err)
		}
	}
}

// The words are put together here so that this file does not break its own rule.
var (
	leftOpen    = regexp.MustCompile(`\b(` + strings.Join([]string{"TO" + "DO", "FIX" + "ME", "X" + "XX"}, "|") + `)\b`)
	machinePath = regexp.MustCompile(`(^|[\s"'` + "`" + `(=:,\[])(/(work|tmp|root|home|Users|mnt|private)/[\w.])`)
)

// checkWords reads every text file of the tree: nothing is left open in it, and nothing points at the machine that
// somebody wrote it on. What has to be done is an issue; a path on one machine is a build that fails on another.
func checkWords(tree fs.FS) ([]string, error) {
	var complaints []string
	for name, err := range files(tree) {
		if err != nil {
			return nil, err
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		if !utf8.Valid(text) || slices.Contains(text, 0) {
			continue
		}
		n := 0
		for row := range strings.Lines(string(text)) {
			n++
			if word := leftOpen.FindString(row); word != "" {
				complaints = append(complaints, fmt.Sprintf("%s:%d: %s is left open", name, n, word))
			}
			if m := machinePath.FindStringSubmatch(row); m != nil {
				complaints = append(complaints, fmt.Sprintf("%s:%d: %s is a path of one machine", name, n, m[2]))
			}
		}
	}
	return complaints, nil
}

func TestWords(t *testing.T) {
	complaints, err := checkWords(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, complaint := range complaints {
		t.Error(complaint)
	}
}

func TestWordsCanFail(t *testing.T) {
	tree := fstest.MapFS{
		".gitignore":      {Data: []byte("/bin/\n*.duckdb\n.norn/\n")},
		"good.md":         {Data: []byte("mktemp -d XX" + "XXXX, work/a, https://a.example/home/x, and/tmp/or, A_TO" + "DO_LIST\n")},
		"open.go":         {Data: []byte("package a\n// TO" + "DO: later\n")},
		"path.sh":         {Data: []byte("cd \"/wo" + "rk/main\"\n")},
		"start.txt":       {Data: []byte("/ho" + "me/me\n")},
		"image.bin":       {Data: []byte("\x00 TO" + "DO /tm" + "p/x")},
		"bin/x.txt":       {Data: []byte("FIX" + "ME")},
		"shop/bin/x.txt":  {Data: []byte("FIX" + "ME")},
		"shop/.norn/x.md": {Data: []byte("FIX" + "ME")},
	}
	want := []string{
		"open.go:2: TO" + "DO is left open",
		"path.sh:1: /wo" + "rk/m is a path of one machine",
		"shop/bin/x.txt:1: FIX" + "ME is left open",
		"start.txt:1: /ho" + "me/m is a path of one machine",
	}
	got, err := checkWords(tree)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("complaints %q (%v), want %q", got, err, want)
	}
}
