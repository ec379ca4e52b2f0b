package sql

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/norn-data/norn/internal/diag"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// block is one statement of a corpus file, with what stands after its "==>" lines.
type block struct {
	text string // the statement
	want string // the expectation, "" when there is none yet
	line int
}

// readBlocks reads a corpus: statements separated by lines of ----, each followed by expectations on
// lines that begin with "==> ".
func readBlocks(t testing.TB, path string) []block {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []block
	line := 1
	for part := range strings.SplitSeq(string(data), "\n----\n") {
		b := block{line: line}
		line += strings.Count(part, "\n") + 2
		var text, want []string
		for l := range strings.SplitSeq(strings.TrimSuffix(part, "\n"), "\n") {
			if w, ok := strings.CutPrefix(l, "==> "); ok {
				want = append(want, w)
			} else {
				text = append(text, l)
			}
		}
		b.text, b.want = strings.Join(text, "\n"), strings.Join(want, "\n")
		blocks = append(blocks, b)
	}
	return blocks
}

func writeBlocks(t testing.TB, path string, blocks []block) {
	t.Helper()
	var out []string
	for _, b := range blocks {
		part := b.text
		if b.want != "" {
			part += "\n==> " + strings.ReplaceAll(b.want, "\n", "\n==> ")
		}
		out = append(out, part)
	}
	if err := os.WriteFile(path, []byte(strings.Join(out, "\n----\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

func parseText(text string) (*Statement, []*diag.Problem) {
	return Parse(diag.NewFile("q.sql", text), 0, DuckDB())
}

// ignoreRanges compares trees by structure.
var ignoreRanges = cmp.Options{cmpopts.IgnoreTypes(Range{}), cmpopts.EquateEmpty()}

// TestAccept parses every statement of testdata/accept*.sql, compares the canonical print, and
// checks that the print parses to the same tree and that ranges nest.
func TestAccept(t *testing.T) {
	files, err := filepath.Glob("testdata/accept*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	for _, path := range files {
		blocks := readBlocks(t, path)
		for i, b := range blocks {
			name := fmt.Sprintf("%s:%d", path, b.line)
			stmt, problems := parseText(b.text)
			if len(problems) > 0 {
				t.Errorf("%s: %v\n%s", name, problems[0], b.text)
				continue
			}
			printed := Text(stmt)
			if *update {
				blocks[i].want = printed
			} else if printed != b.want {
				t.Errorf("%s: prints differently (-want +got):\n%s", name, cmp.Diff(b.want, printed))
			}
			checkRoundTrip(t, name, stmt, printed)
			checkRanges(t, name, stmt)
		}
		if *update {
			writeBlocks(t, path, blocks)
		}
	}
}

func checkRoundTrip(t testing.TB, name string, stmt *Statement, printed string) {
	t.Helper()
	again, problems := parseText(printed)
	if len(problems) > 0 {
		t.Errorf("%s: the print does not parse: %v\n%s", name, problems[0], printed)
		return
	}
	if d := cmp.Diff(stmt.Query, again.Query, ignoreRanges); d != "" {
		t.Errorf("%s: the print parses to another tree (-first +second):\n%s\n%s", name, printed, d)
	}
}

// checkRanges checks that every node's range lies inside its parent's and inside the text.
func checkRanges(t testing.TB, name string, stmt *Statement) {
	t.Helper()
	var walk func(parent Node)
	walk = func(parent Node) {
		outer := parent.Bounds()
		children(parent, func(n Node) {
			r := n.Bounds()
			if r.Start > r.End || r.Start < outer.Start || r.End > outer.End {
				t.Errorf("%s: %T %v is not inside %T %v", name, n, r, parent, outer)
			}
			walk(n)
		})
	}
	walk(stmt)
	if r := stmt.Range; int(r.End) > len(stmt.File.Text) {
		t.Errorf("%s: the statement's range %v is outside of the text", name, r)
	}
}

// TestReject checks the problems of every statement of testdata/reject*.sql, all of them, in order.
func TestReject(t *testing.T) {
	files, err := filepath.Glob("testdata/reject*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	for _, path := range files {
		blocks := readBlocks(t, path)
		for i, b := range blocks {
			stmt, problems := parseText(b.text)
			if len(problems) == 0 {
				t.Errorf("%s:%d: accepted:\n%s", path, b.line, b.text)
				continue
			}
			if stmt == nil {
				t.Fatalf("%s:%d: nil statement", path, b.line)
			}
			got := describeProblems(problems)
			if *update {
				blocks[i].want = got
			} else if got != b.want {
				t.Errorf("%s:%d: %s\n(-want +got):\n%s", path, b.line, b.text, cmp.Diff(b.want, got))
			}
			Inspect(stmt, func(Node) bool { return true }) // a broken tree must be walkable
		}
		if *update {
			writeBlocks(t, path, blocks)
		}
	}
}

// describeProblems renders problems one a line: ERROR line:col-line:col code message; help.
func describeProblems(problems []*diag.Problem) string {
	var lines []string
	for _, p := range problems {
		a, z := p.Span.Begin(), p.Span.Finish()
		s := fmt.Sprintf("ERROR %d:%d-%d:%d %s %s", a.Line, a.Column, z.Line, z.Column, p.Code, p.Message)
		if p.Help != "" {
			s += " | help: " + p.Help
		}
		if p.Fix != nil {
			s += fmt.Sprintf(" | fix: %s -> %s", p.Fix.Span.Text(), p.Fix.Text)
		}
		lines = append(lines, s)
	}
	return strings.Join(lines, "\n")
}
