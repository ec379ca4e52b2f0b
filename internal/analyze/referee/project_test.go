package referee_test

import (
	"context"
	"flag"
	"fmt"
	"testing"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/project"
)

var projectFolder = flag.String("project", "", "a project on disk to hold against DuckDB, such as one of the benchmark generator's")

// TestProject describes every model of a project on disk with DuckDB, over empty tables that have the columns norn says.
func TestProject(t *testing.T) {
	if *projectFolder == "" {
		t.Skip("no -project")
	}
	ctx := context.Background()
	p, problems, err := project.LoadDir(ctx, *projectFolder, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := analyze.Analyze(ctx, p, analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, pr := range append(problems, r.Problems...) {
		t.Log(pr)
	}
	d := openDuck(t)
	same, unknown, wrong, columns := 0, 0, 0, 0
	for _, m := range r.Models {
		if pm := p.Model(m.Name); pm != nil && pm.Query != nil {
			want, err := d.describe(plainSQL(pm))
			got := m.Columns
			if m.Prediction != nil {
				got = m.Prediction.Query
			}
			switch {
			case err != nil:
				t.Logf("DuckDB refuses %s: %s", m.Name, firstLine(err))
			case m.Open:
				unknown++
			case fmt.Sprint(want) == fmt.Sprint(fromQuery(got)):
				same++
			default:
				if wrong++; wrong < 20 {
					t.Errorf("%s:\n norn %v\n duck %v", m.Name, fromQuery(got), want)
				}
			}
		}
		columns += len(m.Columns)
		d.table(m.Name, m.Columns)
	}
	t.Logf("%d relations, %d columns: %d models the same, %d open, %d wrong", len(r.Models), columns, same, unknown, wrong)
}

// fromQuery are the columns as the query yields them, before declared types cast them.
func fromQuery(columns []analyze.Column) []described {
	out := show(columns)
	for i, c := range columns {
		if c.QueryType != "" {
			out[i].Type = c.QueryType
		}
	}
	return out
}
