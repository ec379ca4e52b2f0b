package run

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what the ledger's stories tell instead of comparing")

// TestLedger tells the stories of testdata/ledger. A story is an archive: its files are the project, files below NAME/ are what
// "use NAME" puts over it (an empty file takes one away), and its comment is the story: commands, each with what it says.
//
//	$ build [full] [replace=NODE,…] [interrupt=NODE]
//	$ use NAME
//	$ given STATEMENTS    somebody else makes a table, which is there in a database that norn comes to first as well
//	$ hand STATEMENTS     somebody changes what norn made
//	$ rows QUERY
//
// After each build that ran to its end, all tables are compared with those of a build from nothing.
func TestLedger(t *testing.T) {
	stories, err := filepath.Glob(filepath.Join("testdata", "ledger", "*.txtar"))
	if err != nil || len(stories) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, path := range stories {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files, over := make(map[string]string), make(map[string]map[string]string)
			for _, f := range archive.Files {
				name, rest, _ := strings.Cut(f.Name, "/")
				if slices.Contains([]string{"models", "seeds", "sources", "audits", "data", "norn.toml"}, name) {
					files[f.Name] = string(f.Data)
					continue
				}
				if over[name] == nil {
					over[name] = make(map[string]string)
				}
				over[name][rest] = string(f.Data)
			}
			w := newWorld(t, files)
			var told []string
			for line := range strings.Lines(string(archive.Comment)) {
				line = strings.TrimRight(line, "\n")
				command, ok := strings.CutPrefix(line, "$ ")
				if !ok && (line == "" || strings.HasPrefix(line, "#")) {
					told = append(told, line)
				}
				if ok {
					told = append(append(told, line), w.tell(command, over)...)
				}
			}
			text := strings.Join(told, "\n") + "\n"
			if *update {
				archive.Comment = []byte(text)
				if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if d := cmp.Diff(string(archive.Comment), text); d != "" {
				t.Error(d)
			}
		})
	}
}

// tell does what a line of a story says.
func (w *world) tell(command string, over map[string]map[string]string) []string {
	w.t.Helper()
	word, rest, _ := strings.Cut(command, " ")
	switch word {
	case "use":
		if over[rest] == nil {
			w.t.Fatalf("there is nothing to use called %s", rest)
		}
		w.write(over[rest])
	case "given", "hand":
		w.exec(rest, word == "given")
	case "rows":
		f, err := w.db.Query(context.Background(), rest)
		if err != nil {
			return []string{err.Error()}
		}
		return lines(f)
	case "build":
		var wish buildWish
		for option := range strings.FieldsSeq(rest) {
			name, value, _ := strings.Cut(option, "=")
			switch name {
			case "full":
				wish.full = true
			case "replace":
				wish.replace = strings.Split(value, ",")
			case "interrupt":
				wish.interrupt = value
			default:
				w.t.Fatalf("build has no option %s", option)
			}
		}
		pl, report, problems := w.build(w.db, wish)
		if report != nil && wish.interrupt == "" {
			w.fresh(pl, report)
		}
		return said(pl, report, problems)
	default:
		w.t.Fatalf("no command is called %s", word)
	}
	return nil
}
