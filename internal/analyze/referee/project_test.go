package referee_test

import (
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

var (
	projectFolder = flag.String("project", "", "a project on disk to hold against DuckDB")
	generator     = flag.String("generator", "", "a script that writes a project of a given shape, as the benchmarks use: SCRIPT --shape wide FOLDER")
)

// projectVerdicts describes every model of a project with DuckDB, over empty tables that have the columns norn says.
func projectVerdicts(t *testing.T, p *project.Project, problems []*diag.Problem, r *analyze.Result) []verdict {
	t.Helper()
	refused := map[string]*diag.Problem{}
	for _, pr := range append(problems, r.Problems...) {
		if pr.Severity == diag.Error && pr.Span.File != nil && refused[pr.Span.File.Path] == nil {
			refused[pr.Span.File.Path] = pr
		}
	}
	d := openDuck(t)
	var verdicts []verdict
	for _, m := range r.Models {
		if pm := p.Model(m.Name); pm != nil && pm.Query != nil {
			asQuery := *m
			if m.Prediction != nil {
				asQuery.Columns = m.Prediction.Query
			}
			verdicts = append(verdicts, d.verdict(plainSQL(pm), &asQuery, refused[m.File]))
		}
		d.table(m.Name, m.Columns)
	}
	return verdicts
}

// diskVerdicts is projectVerdicts of a folder.
func diskVerdicts(t *testing.T, folder string) []verdict {
	t.Helper()
	ctx := context.Background()
	p, problems, err := project.Load(ctx, os.DirFS(folder), project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := analyze.Analyze(ctx, p, analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return projectVerdicts(t, p, problems, r)
}

// projectTallies are the rows of the report for whole projects: made up here, given on disk, and written by the script.
func projectTallies(t *testing.T) []*tally {
	t.Helper()
	made := newTally("made-up projects")
	for seed := range uint64(4) {
		files, _ := layered(rand.New(rand.NewPCG(*firstSeed, seed)), 60, 0)
		p, problems, r := analysed(t, files)
		made.add(projectVerdicts(t, p, problems, r)...)
	}
	rows := []*tally{made}
	if *projectFolder != "" {
		one := newTally(filepath.Base(*projectFolder))
		one.add(diskVerdicts(t, *projectFolder)...)
		rows = append(rows, one)
	}
	if *generator != "" {
		for _, shape := range []string{"wide", "dense", "sparse", "chain"} {
			folder := filepath.Join(t.TempDir(), shape)
			if out, err := exec.Command("python3", *generator, "--shape", shape, folder).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v: %s", *generator, err, out)
			}
			one := newTally("project " + shape)
			one.add(diskVerdicts(t, folder)...)
			rows = append(rows, one)
		}
	}
	return rows
}

// pageTally is the row for the examples of the pages on problem codes, over the tables they are about.
func pageTally(t *testing.T) *tally {
	t.Helper()
	example := regexp.MustCompile("(?s)Right:\n\n```sql\n(.*?)```")
	relations := map[string][][2]string{
		"customers": {{"customer_id", "BIGINT"}, {"name", "VARCHAR"}, {"country", "VARCHAR"}, {"joined", "DATE"}},
		"orders":    {{"order_id", "BIGINT"}, {"customer_id", "BIGINT"}, {"amount", "DECIMAL(12,2)"}, {"status", "VARCHAR"}, {"placed", "TIMESTAMP"}},
	}
	plain := regexp.MustCompile(`(?s)^\s*(SELECT|WITH|FROM)\b.*$`)
	var queries []string
	for _, c := range diag.Codes() {
		page, ok := diag.Explain(c)
		if !ok {
			continue
		}
		for _, m := range example.FindAllStringSubmatch(page.Text, -1) {
			if plain.MatchString(m[1]) {
				queries = append(queries, m[1])
			}
		}
	}
	d := openDuck(t)
	d.create(relations)
	pages := newTally("pages on problems")
	for _, v := range judge(t, d, relations, queries) {
		// Some pages are about tables of their own, which both do not know.
		if v.class != bothRefuse {
			pages.add(v)
		}
	}
	return pages
}
