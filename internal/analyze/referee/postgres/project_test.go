package postgres_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// TestProject reads and analyses a whole project for PostgreSQL: declared types, seeds, contracts, predictions, and what is
// said about queries that somebody wrote for DuckDB.
func TestProject(t *testing.T) {
	p, problems, err := project.Load(context.Background(), os.DirFS("testdata/project"), project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := analyze.Analyze(context.Background(), p, analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, m := range r.Models {
		fmt.Fprintf(&b, "%s %s\n", m.Kind, m.Name)
		for _, c := range m.Columns {
			null := " not null"
			if c.Nullable {
				null = ""
			}
			fmt.Fprintf(&b, "  %s %s%s\n", c.Name, c.Type, null)
		}
		if m.Unanalysed > 0 || m.Open {
			fmt.Fprintf(&b, "  open %v, %d not analysed\n", m.Open, m.Unanalysed)
		}
	}
	all := slices.Concat(problems, r.Problems)
	diag.Sort(all)
	for _, pr := range all {
		fmt.Fprintf(&b, "%v\n", pr)
	}
	const golden = "testdata/project.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}
