package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/plan"
	"github.com/norn-data/norn/internal/warehouse"
)

// newShowCommand draws the first rows of a node that was built.
func newShowCommand(out *invocation) *cobra.Command {
	var flags projectFlags
	rows := 20
	cmd := &cobra.Command{
		Use:     "show NAME",
		Short:   "Show the first rows of a model, seed or source",
		Example: "  norn show churn\n  norn show churn --rows 5 --json",
		Args:    argumentCount("the name of a model, seed or source"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if rows < 0 {
				return mistake(cmd, "--rows must not be negative")
			}
			return show(cmd.Context(), out, flags, args[0], rows)
		},
	}
	flags.register(cmd)
	cmd.Flags().IntVarP(&rows, "rows", "n", rows, "how many rows to show")
	return cmd
}

// The document of norn show --json: docs/formats/show-json.md.
type showJSON struct {
	Name    string         `json:"name"`
	Kind    string         `json:"kind"`
	Rows    int64          `json:"rows"` // of the whole relation
	Columns []showColumn   `json:"columns"`
	Data    [][]jsonScalar `json:"data"` // the first rows, cells in the order of columns
}

type showColumn struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

func show(ctx context.Context, out *invocation, flags projectFlags, node string, rows int) error {
	w, err := openWorkspace(ctx, flags)
	if err != nil {
		return err
	}
	if w.project == nil || w.project.Target == nil {
		return diag.Problems(w.problems)
	}
	at, kind, err := w.standing(node)
	if err != nil {
		return err
	}
	db, err := w.open(ctx, true)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := w.mustExist(ctx, db, at, node, kind); err != nil {
		return err
	}
	first, err := db.Query(ctx, fmt.Sprintf("SELECT * FROM %s LIMIT %d", at, rows))
	if err != nil {
		return fmt.Errorf("reading %s: %w", node, err)
	}
	counted, err := db.Query(ctx, "SELECT count(*) AS n FROM "+at.String())
	if err != nil {
		return fmt.Errorf("counting the rows of %s: %w", node, err)
	}
	total := counted.Columns[0].Ints[0]
	if out.json {
		return out.JSON(showDocument(node, kind, total, first))
	}
	out.Table(first, int(total))
	return nil
}

// standing finds where a node's rows lie.
func (w *workspace) standing(node string) (at plan.Standing, kind string, err error) {
	for _, s := range w.project.Seeds {
		if sameName(s.Name, node) {
			return plan.Stands(s, w.schema()), "seed", nil
		}
	}
	for _, s := range w.project.Sources {
		if sameName(s.Name, node) {
			return plan.Stands(s, w.schema()), "source", nil
		}
	}
	if m := w.project.Model(node); m != nil {
		kind := m.Materialized.String()
		if m.Predict != nil {
			kind = "prediction"
		}
		return plan.Stands(m, w.schema()), kind, nil
	}
	names := w.project.Names()
	m := &usageMistake{message: fmt.Sprintf("the project has nothing called %s", node), hint: "it has " + diag.Listing(names)}
	if near := diag.Nearest(node, names); near != "" {
		m.hint = "did you mean norn show " + near + "?"
	}
	return plan.Standing{}, "", m
}

// mustExist tells a node that was never built from a query that fails. What is no relation of this database, an expression or a
// relation of another one, is left to the query.
func (w *workspace) mustExist(ctx context.Context, db warehouse.Warehouse, at plan.Standing, node, kind string) error {
	if at.Expression != "" || at.Database != "" {
		return nil
	}
	relations, err := db.Relations(ctx, at.Schema)
	if err != nil {
		return fmt.Errorf("listing the relations of %s: %w", at.Schema, err)
	}
	for _, r := range relations {
		if sameName(r.Name.Relation, at.Relation) {
			return nil
		}
	}
	err = fmt.Errorf("%s is not in %s", node, w.database())
	if kind == "source" {
		return diag.WithHint(err, "a source is made by somebody else; check its schema and table")
	}
	return diag.WithHint(fmt.Errorf("%w: it was not built yet", err), "norn build")
}

func showDocument(node, kind string, total int64, first *frame.Frame) showJSON {
	doc := showJSON{Name: node, Kind: kind, Rows: total, Columns: []showColumn{}, Data: [][]jsonScalar{}}
	for _, c := range first.Columns {
		doc.Columns = append(doc.Columns, showColumn{Name: c.Name, Type: c.Type})
	}
	for i := range first.Rows() {
		row := make([]jsonScalar, len(first.Columns))
		for j, c := range first.Columns {
			row[j] = scalar(c, i)
		}
		doc.Data = append(doc.Data, row)
	}
	return doc
}

// A jsonScalar is a cell as JSON has it: null, a boolean, a number or a string.
type jsonScalar any

// scalar gives a cell of a column. Numbers keep every digit; JSON has no NaN and no infinity, so those become strings.
func scalar(c *frame.Column, i int) jsonScalar {
	if c.IsMissing(i) {
		return nil
	}
	switch c.Kind {
	case frame.Bool:
		return c.Bools[i]
	case frame.Int:
		return c.Ints[i]
	case frame.Float:
		if v := c.Floats[i]; !math.IsNaN(v) && !math.IsInf(v, 0) {
			return v
		}
		return fmt.Sprint(c.Floats[i])
	case frame.Decimal:
		return json.Number(c.Texts[i])
	}
	return c.Text(i)
}
