package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/plan"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/warehouse"
)

// ColumnNames are [Options.Columns] of an analysis.
func ColumnNames(r *analyze.Result) func(node string) []string {
	return func(node string) []string {
		m, ok := r.Model(node)
		if !ok || m.Open {
			return nil
		}
		names := make([]string, len(m.Columns))
		for i, c := range m.Columns {
			names[i] = c.Name
		}
		return names
	}
}

// contract holds what a step has made to the enforced contract of its model: exactly the declared columns, with their types, and no
// NULL where the contract says that there is none. Most of that is known before anything runs; what is not, such as the columns
// behind a star over a source that nobody described, is known now. What reads the model was checked against the contract, so a
// relation that breaks it is not published.
func (b *builder) contract(ctx context.Context, s warehouse.Session, step *plan.Step) error {
	m := step.Model
	if m == nil || m.Contract != project.ContractEnforced || len(m.Columns) == 0 {
		return nil
	}
	have, err := s.Describe(ctx, "SELECT * FROM "+step.Relation.String())
	if err != nil {
		return err
	}
	problems, err := b.held(ctx, s, m, have)
	if err == nil && len(problems) == 0 {
		problems = b.inOrder(step, have)
	}
	if err == nil && len(problems) == 0 {
		problems, err = noNulls(ctx, s, step)
	}
	if err == nil && len(problems) > 0 {
		return problems
	}
	return err
}

// held compares names and types.
func (b *builder) held(ctx context.Context, s warehouse.Session, m *project.Model, have []frame.Field) (diag.Problems, error) {
	var problems diag.Problems
	names := make([]string, len(have))
	for i, f := range have {
		names[i] = f.Name
	}
	declared := make([]bool, len(have))
	for _, d := range m.Columns {
		at := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, d.Name.Text) })
		if at < 0 {
			p := diag.New("E1401", d.Name.Span, "column %s is declared, but the query does not yield it; it yields %s", d.Name.Text, diag.Listing(names))
			problems = append(problems, p.WithHelp("add it to the select list, or remove the declaration"))
			continue
		}
		declared[at] = true
		if !d.Type.Given() {
			continue
		}
		want, err := s.Describe(ctx, "SELECT CAST(NULL AS "+d.Type.Text+") AS v")
		if err != nil {
			return nil, err
		}
		if want[0].Type != have[at].Type {
			p := diag.New("E1401", d.Type.Span, "column %s is declared %s, the query yields %s", d.Name.Text, want[0].Type, have[at].Type)
			problems = append(problems, p.WithHelp("cast it in the query, CAST(… AS %s), or declare %s", want[0].Type, have[at].Type))
		}
	}
	var extra []string
	for i, name := range names {
		if !declared[i] {
			extra = append(extra, name)
		}
	}
	if len(extra) > 0 {
		what := "column "
		if len(extra) > 1 {
			what = "columns "
		}
		problems = append(problems, diag.New("E1401", contractPlace(m), "the contract does not declare %s", what+diag.Listing(extra)).
			WithHelp("declare what the query yields, or leave it out of the select list"))
	}
	return problems, nil
}

// contractPlace is where it says that the contract is enforced; the default of a whole project says so in no model.
func contractPlace(m *project.Model) diag.Span {
	if m.ContractSpan.IsZero() {
		return m.Place()
	}
	return m.ContractSpan
}

// inOrder compares the order of the columns to the one that readers were checked against.
func (b *builder) inOrder(step *plan.Step, have []frame.Field) diag.Problems {
	if b.options.Columns == nil {
		return nil
	}
	want := b.options.Columns(step.Node)
	names := make([]string, len(have))
	for i, f := range have {
		names[i] = f.Name
	}
	if len(want) == 0 || slices.EqualFunc(want, names, strings.EqualFold) {
		return nil
	}
	p := diag.New("E1401", contractPlace(step.Model), "%s yields %s, and what reads it counts on the order of the contract, %s", step.Node, diag.Listing(names), diag.Listing(want))
	return diag.Problems{p.WithHelp("name the columns in that order in place of *")}
}

// noNulls looks for NULL in columns that are declared to have none.
func noNulls(ctx context.Context, s warehouse.Session, step *plan.Step) (diag.Problems, error) {
	var columns []project.Column
	var counts []string
	for _, d := range step.Model.Columns {
		if d.Nullable == project.No {
			counts = append(counts, fmt.Sprintf("count(*) FILTER (WHERE %s IS NULL) AS n%d", warehouse.Quote(d.Name.Text), len(columns)))
			columns = append(columns, d)
		}
	}
	if len(columns) == 0 {
		return nil, nil
	}
	found, err := s.Query(ctx, "SELECT "+strings.Join(counts, ", ")+" FROM "+step.Relation.String())
	if err != nil {
		return nil, err
	}
	var problems diag.Problems
	for i, d := range columns {
		if n := found.Columns[i].Ints[0]; n > 0 {
			p := diag.New("E1401", d.NullSpan, "column %s is declared nullable false, and it is NULL in %s", d.Name.Text, count(n, "row", "rows"))
			problems = append(problems, p.WithHelp("leave those rows out, write coalesce(%s, …), or declare nullable true", d.Name.Text))
		}
	}
	return problems, nil
}
