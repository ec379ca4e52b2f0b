package referee_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

var answersFolders = flag.String("answers", "", "project folders with planted mistakes and their answers.json, separated by commas")

// planted is a mistake that was put into a project on purpose. Line and column count from one.
type planted struct {
	Kind   string `json:"kind"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Needle string `json:"needle"`
}

// mistakeKinds are the seven kinds of mistakes, each put into a model by a change of its text: what it says becomes what it
// should not, and needle is where the mistake must be reported.
var mistakeKinds = []struct{ kind, old, wrong, needle string }{
	{"unknown_column", "f.amount AS amount", "f.amuont AS amount", "amuont"},
	{"unknown_table", "FROM base AS f", "FROM basis AS f", "basis"},
	{"type_mismatch", "f.amount * 2 AS twice", "f.label * 2 AS twice", "f.label"},
	{"ambiguous_column", "g.units AS other_units", "units AS other_units", "units"},
	{"duplicate_column", "f.id AS id,", "f.label AS amount,\n  f.id AS id,", "amount"},
	{"syntax_error", "WHERE f.units > 0", "WHERE f.units > 0)", ")"},
	{"cycle", "", "", ""},
}

// layered makes a project of n models in layers, each a join of two models before it, and plants mistakes in some.
func layered(r *rand.Rand, n, mistakes int) (files map[string]string, answers []planted) {
	files = map[string]string{"sources/raw.yml": source("raw", [][2]string{{"id", "BIGINT"}, {"amount", "DECIMAL(12,2)"}, {"label", "VARCHAR"}, {"units", "INTEGER"}})}
	reads := func(i int) string {
		// The models that get a mistake read a source: behind a table that nobody knows no type can be known.
		if i%3 == 0 || i < 3 {
			return "raw"
		}
		return fmt.Sprintf("m_%d", i-1-r.IntN(min(i-1, 5)))
	}
	text := make([]string, n)
	for i := range text {
		text[i] = fmt.Sprintf(`WITH base AS (
  SELECT * FROM %s
),
side AS (
  SELECT id, max(units) AS units FROM %s GROUP BY id
)
SELECT
  f.id AS id,
  f.amount AS amount,
  f.label AS label,
  f.units AS units,
  f.amount * 2 AS twice,
  g.units AS other_units,
  row_number() OVER (PARTITION BY f.label ORDER BY f.id) AS place
FROM base AS f
LEFT JOIN side AS g ON g.id = f.id
WHERE f.units > 0
`, reads(i), reads(i))
	}
	// The two models after a mistake are left alone, so that a cycle has a model to go through.
	for k, i := range r.Perm(n/3 - 2)[:mistakes] {
		i = 3 * (i + 1)
		m := mistakeKinds[k%len(mistakeKinds)]
		path := fmt.Sprintf("models/m_%d.sql", i)
		if m.kind == "cycle" {
			// It reads itself by way of the model behind it.
			text[i] = strings.Replace(text[i], "SELECT * FROM ", fmt.Sprintf("SELECT * FROM m_%d --", i+1), 1)
			text[i+1] = strings.Replace(text[i+1], "SELECT * FROM ", fmt.Sprintf("SELECT * FROM m_%d --", i), 1)
			m.needle = fmt.Sprintf("m_%d --", i+1)
		} else {
			text[i] = strings.Replace(text[i], m.old, m.wrong, 1)
		}
		start := strings.Index(text[i], m.wrong)
		at := max(start, 0) + strings.Index(text[i][max(start, 0):], m.needle)
		if m.kind == "syntax_error" {
			at = start + len(m.wrong) - 1
		}
		line := 1 + strings.Count(text[i][:at], "\n")
		answers = append(answers, planted{m.kind, path, line, at - strings.LastIndexByte(text[i][:at], '\n'), m.needle})
	}
	for i, t := range text {
		files[fmt.Sprintf("models/m_%d.sql", i)] = t
	}
	return files, answers
}

// missed compares problems with what was planted: mistakes that were not found at their place, and problems that nobody planted.
func missed(problems []*diag.Problem, answers []planted) (lost []planted, invented []*diag.Problem) {
	found := make([]bool, len(answers))
	for _, p := range problems {
		if p.Severity != diag.Error {
			continue
		}
		at, hit := p.Span.Begin(), false
		for i, a := range answers {
			same := p.Span.File != nil && p.Span.File.Path == a.File && at.Line == a.Line && (at.Column == a.Column || a.Kind == "syntax_error" || within(p, a))
			if same {
				found[i], hit = true, true
			}
		}
		// A cycle has several members, and may be reported at any of them.
		if !hit && strings.Contains(p.Message, "cycle") {
			for i, a := range answers {
				if a.Kind == "cycle" && !found[i] && strings.Contains(p.Error()+fmt.Sprint(p.Notes), strings.TrimSuffix(filepath.Base(a.File), ".sql")) {
					found[i], hit = true, true
					break
				}
			}
		}
		if !hit {
			invented = append(invented, p)
		}
	}
	for i, ok := range found {
		if !ok {
			lost = append(lost, answers[i])
		}
	}
	return lost, invented
}

// within reports that a problem on the line covers the needle, or lies in it: a.b may be reported at b.
func within(p *diag.Problem, a planted) bool {
	begin, end := p.Span.Begin().Column, p.Span.Finish().Column
	return begin <= a.Column && a.Column < end || a.Column <= begin && end <= a.Column+len([]rune(a.Needle))
}

// TestMistakes plants mistakes of all seven kinds and wants all of them in one run, each at its place, and no other.
func TestMistakes(t *testing.T) {
	for seed := range uint64(12) {
		n := 60 * (1 + int(seed%3))
		files, answers := layered(rand.New(rand.NewPCG(seed, 3)), n, 14)
		_, problems, r := analysed(t, files)
		lost, invented := missed(append(problems, r.Problems...), answers)
		for _, a := range lost {
			t.Errorf("seed %d: not found: %+v", seed, a)
		}
		for _, p := range invented {
			t.Errorf("seed %d: nobody planted %v", seed, p)
		}
	}
}

// chained makes a line of models with one mistake in every one of them, each a select item of its own: all that a mistake may
// hide is behind many others. The mistakes of a cycle read a model further on, so that cycles overlap.
func chained(r *rand.Rand, n int) (files map[string]string, answers []planted) {
	files = map[string]string{"sources/raw.yml": source("raw", [][2]string{{"id", "BIGINT"}, {"amount", "DECIMAL(12,2)"}, {"label", "VARCHAR"}, {"units", "INTEGER"}})}
	kinds := r.Perm(len(mistakeKinds))
	for i := range n {
		from := "raw"
		if i > 0 {
			from = fmt.Sprintf("m_%02d", i-1)
		}
		kind := mistakeKinds[kinds[i%len(kinds)]].kind
		if kind == "cycle" && i+1 == n {
			kind = "unknown_column"
		}
		item, needle := "", ""
		switch kind {
		case "unknown_column":
			item, needle = "f.missing AS planted", "missing"
		case "unknown_table":
			item, needle = fmt.Sprintf("(SELECT count(*) FROM nowhere_%d) AS planted", i), fmt.Sprintf("nowhere_%d", i)
		case "type_mismatch":
			item, needle = "f.label + 1 AS planted", "f.label"
		case "ambiguous_column":
			item, needle = fmt.Sprintf("(SELECT max(units) FROM %s AS p CROSS JOIN %s AS q) AS planted", from, from), "units"
		case "duplicate_column":
			item, needle = "f.label AS amount", "amount"
		case "syntax_error":
			item, needle = []string{"1 + ) AS planted", "1 + AS planted", "concat(f.id, ) AS planted"}[r.IntN(3)], ")"
			if !strings.Contains(item, needle) {
				needle = "AS"
			}
		case "cycle":
			needle = fmt.Sprintf("m_%02d", min(n-1, i+1+r.IntN(4)))
			item = fmt.Sprintf("(SELECT count(*) FROM %s) AS planted", needle)
		}
		line := "  " + item + ","
		list := []string{"SELECT", line, "  f.id AS id,", "  f.amount AS amount,", "  f.label AS label,", "  f.units AS units", "FROM base AS f"}
		path := fmt.Sprintf("models/m_%02d.sql", i)
		files[path] = fmt.Sprintf("WITH base AS (SELECT %s FROM %s)\n", []string{"*", "id, amount, label, units"}[r.IntN(2)], from) + strings.Join(list, "\n") + "\n"
		answers = append(answers, planted{kind, path, 3, 1 + strings.LastIndex(line, needle), needle})
	}
	return files, answers
}

// TestMistakesBehindMistakes wants every mistake of a project that has nothing else.
func TestMistakesBehindMistakes(t *testing.T) {
	for seed := range uint64(60) {
		files, answers := chained(rand.New(rand.NewPCG(seed, 11)), 2+int(seed%30))
		_, problems, r := analysed(t, files)
		lost, invented := missed(append(problems, r.Problems...), answers)
		for _, a := range lost {
			t.Errorf("seed %d: not found: %+v", seed, a)
		}
		for _, p := range invented {
			t.Errorf("seed %d: nobody planted %v", seed, p)
		}
	}
}

// TestAnswers does the same for projects on disk with an answers.json, as the benchmark's generator writes.
func TestAnswers(t *testing.T) {
	if *answersFolders == "" {
		t.Skip("no -answers")
	}
	for folder := range strings.SplitSeq(*answersFolders, ",") {
		text, err := os.ReadFile(filepath.Join(folder, "answers.json"))
		if err != nil {
			t.Fatal(err)
		}
		var answers []planted
		if err := json.Unmarshal(text, &answers); err != nil {
			t.Fatal(err)
		}
		ctx := context.Background()
		p, problems, err := project.Load(ctx, os.DirFS(folder), project.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := analyze.Analyze(ctx, p, analyze.Options{})
		if err != nil {
			t.Fatal(err)
		}
		lost, invented := missed(append(problems, r.Problems...), answers)
		t.Logf("%s: %d planted, %d found, %d invented", folder, len(answers), len(answers)-len(lost), len(invented))
		for _, a := range lost {
			t.Errorf("%s: not found: %+v", folder, a)
		}
		for _, p := range invented {
			t.Errorf("%s: nobody planted %v", folder, p)
		}
	}
}
