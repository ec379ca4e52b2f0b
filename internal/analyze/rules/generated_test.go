package rules_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

const configuration = "name = \"generated\"\n[targets.dev]\nadapter = \"duckdb\"\npath = \"x.duckdb\"\n"

// generated is a project without mistakes, with some more models that have something to find.
func generated(t *testing.T) map[string]string {
	t.Helper()
	a, err := txtar.ParseFile("testdata/generated.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"norn.toml": configuration}
	for _, f := range a.Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

func analysed(t *testing.T, files map[string]string) (*analyze.Result, []*diag.Problem) {
	t.Helper()
	root := fstest.MapFS{}
	for name, text := range files {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	p, problems, err := project.Load(context.Background(), root, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := analyze.Analyze(context.Background(), p, analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	problems = append(problems, r.Problems...)
	diag.Sort(problems)
	return r, problems
}

// The rules that are on by default are silent about a project whose author made no mistake.
func TestSilent(t *testing.T) {
	if _, problems := analysed(t, generated(t)); len(problems) > 0 {
		t.Errorf("%d findings, the first is %v", len(problems), problems[0])
	}
}

// What a rule calls unused can be removed, and what it mends stays right: after every edit that a finding proposes, the model has
// no new problem and the same columns.
func TestEditsAreRight(t *testing.T) {
	files := generated(t)
	files["norn.toml"] = configuration + "[rules]\nselect = [\"R006\", \"R012\", \"R017\", \"R019\", \"R020\", \"R023\", \"R024\", \"R038\"]\n"
	files["models/more.sql"] = `SELECT s.seats AS seats, count(1) AS n, CASE WHEN s.seats > 1 THEN 1 ELSE NULL END AS c
FROM (SELECT 1 AS seats) AS s JOIN (SELECT 1 AS seats) AS t ON t.seats = s.seats GROUP BY ALL
UNION SELECT 1 AS seats, 2 AS n, 3 AS c`
	before, problems := analysed(t, files)
	tried := map[string]int{}
	for _, p := range problems {
		text := p.Span.File.Text
		var from, to int
		insert := ""
		switch {
		case p.Fix != nil:
			from, to, insert = p.Fix.Span.Start, p.Fix.Span.End, p.Fix.Text
		case p.Code == "R038":
			from, to = selectItem(text, p.Span)
		case p.Code == "R012":
			from, to = leftJoin(text, p.Span)
		case p.Code == "R023":
			from, to = p.Span.Start, p.Span.End
			if i := strings.LastIndex(strings.ToUpper(text[:from]), " AS "); i >= 0 && strings.TrimSpace(text[i+4:from]) == "" {
				from = i
			}
		default:
			continue
		}
		// A few of each rule: they are all of one making.
		if tried[p.Code]++; tried[p.Code] > 8 || from < 0 {
			continue
		}
		edited := map[string]string{}
		maps.Copy(edited, files)
		edited[p.Span.File.Path] = text[:from] + insert + text[to:]
		after, now := analysed(t, edited)
		if i := slices.IndexFunc(now, func(q *diag.Problem) bool { return q.Severity == diag.Error }); i >= 0 {
			t.Errorf("after the edit for %v: %v", p, now[i])
		}
		for i, m := range before.Models {
			if got := after.Models[i]; got.Name != m.Name || len(got.Columns) != len(m.Columns) {
				t.Errorf("after the edit for %v: %s has other columns", p, m.Name)
			}
		}
	}
	for _, code := range []string{"R006", "R012", "R017", "R019", "R020", "R024", "R038"} {
		if tried[code] == 0 {
			t.Errorf("nothing was found by %s", code)
		}
	}
	t.Logf("edits by rule: %v", tried)
}

// selectItem is the item of a select list that ends with a name, with one of the commas beside it.
func selectItem(text string, name diag.Span) (from, to int) {
	from, depth := name.Start, 0
	for ; from > 0; from-- {
		switch text[from-1] {
		case ')':
			depth++
		case '(':
			depth--
		case ',':
			if depth == 0 {
				return from - 1, name.End
			}
		}
		if depth < 0 {
			return -1, 0
		}
		if strings.HasSuffix(strings.ToUpper(text[:from]), "SELECT") {
			if rest := text[name.End:]; strings.HasPrefix(rest, ",") {
				return from, name.End + 1
			}
			return -1, 0
		}
	}
	return -1, 0
}

// leftJoin is the line of a LEFT JOIN; the generator writes one on each.
func leftJoin(text string, relation diag.Span) (from, to int) {
	from = strings.LastIndexByte(text[:relation.Start], '\n') + 1
	to = relation.End + strings.IndexByte(text[relation.End:], '\n')
	if !strings.Contains(text[from:to], "LEFT JOIN") || !strings.Contains(text[from:to], " ON ") {
		return -1, 0
	}
	return from, to
}
