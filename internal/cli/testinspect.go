package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/run"
)

// inspectTests says what tests cut out of the project: what they stand in for, which models run, what is checked. No database is
// opened.
func inspectTests(cmd *cobra.Command, out *invocation, flags projectFlags, names, cases []string) error {
	w, err := openWorkspace(cmd.Context(), flags)
	if err != nil {
		return err
	}
	if err := w.refuseBesideTests(); err != nil {
		return err
	}
	tests := run.NewTests(w.project, w.analysis, nil)
	chosen, err := chooseTests(cmd, tests, w.project, names, cases)
	if err != nil {
		return err
	}
	doc := inspectJSON{Project: w.project.Name, Tests: []inspectedJSON{}, Problems: []*diag.Problem{}}
	for i, c := range chosen {
		b := tests.Boundary(c)
		doc.Problems = appendNew(doc.Problems, b.Problems)
		doc.Tests = append(doc.Tests, inspected(c, b))
		if !out.json {
			out.boundary(c, b, i > 0)
		}
	}
	if out.json {
		if err := out.JSON(doc); err != nil {
			return err
		}
	} else if len(chosen) == 0 {
		out.Answer("done", "the project has no unit tests")
	}
	if len(doc.Problems) > 0 {
		return diag.Problems(doc.Problems)
	}
	return nil
}

// boundary draws what one test cuts out.
func (out *invocation) boundary(c run.TestCase, b run.Boundary, apart bool) {
	if apart {
		fmt.Fprintln(out.stdout)
	}
	out.Answer("test", "%s   %s", c.Name(), c.Test.File.Path)
	if c.Case != nil {
		var values []string
		for i, p := range c.Test.Parameters {
			values = append(values, p.Name.Text+" = "+c.Case.Constants[i])
		}
		out.Answer("case", "%s", strings.Join(values, ", "))
	}
	for _, g := range b.Given {
		out.Answer("given", "%s %s: %s", g.Kind, g.Node, rowsText(g))
		if len(g.Filled) > 0 {
			out.Answer("", "left out, so NULL: %s", strings.Join(g.Filled, ", "))
		}
	}
	if len(b.Runs) > 0 {
		out.Answer("runs", "%s", strings.Join(b.Runs, ", "))
	}
	for _, e := range b.Expects {
		out.Answer("expects", "%s: %s", e.Node, rowsText(e))
	}
	if len(b.Asserts) > 0 {
		out.Answer("asserts", "%s", strings.Join(b.Asserts, ", "))
	}
}

func rowsText(rows run.BoundaryRows) string {
	if rows.Empty {
		return "all columns, no rows"
	}
	return strings.Join(rows.Columns, ", ")
}

// The document of norn test --inspect --json: docs/formats/test-json.md.
type inspectJSON struct {
	Project  string          `json:"project"`
	Tests    []inspectedJSON `json:"tests"`
	Problems []*diag.Problem `json:"problems"`
}

type inspectedJSON struct {
	Name    string         `json:"name"`
	Case    string         `json:"case"`
	File    string         `json:"file"`
	Models  []string       `json:"models"`
	Given   []boundaryJSON `json:"given"`
	Runs    []string       `json:"runs"`
	Expects []boundaryJSON `json:"expects"`
	Asserts []string       `json:"asserts"`
}

type boundaryJSON struct {
	Kind    string   `json:"kind"`
	Node    string   `json:"node"`
	Columns []string `json:"columns"`
	Empty   bool     `json:"empty"`
	Filled  []string `json:"filled"`
}

func inspected(c run.TestCase, b run.Boundary) inspectedJSON {
	doc := inspectedJSON{Name: c.Test.Name, File: c.Test.File.Path, Models: orEmpty(b.Targets), Given: []boundaryJSON{}, Runs: orEmpty(b.Runs),
		Expects: []boundaryJSON{}, Asserts: orEmpty(b.Asserts)}
	if c.Case != nil {
		doc.Case = c.Case.Name.Text
	}
	for _, g := range b.Given {
		doc.Given = append(doc.Given, boundaryJSON{g.Kind, g.Node, orEmpty(g.Columns), g.Empty, orEmpty(g.Filled)})
	}
	for _, e := range b.Expects {
		doc.Expects = append(doc.Expects, boundaryJSON{e.Kind, e.Node, orEmpty(e.Columns), e.Empty, []string{}})
	}
	return doc
}

// orEmpty keeps a list from being null in a document.
func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
