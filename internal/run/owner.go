package run

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/plan"
	"github.com/norn-data/norn/internal/warehouse"
)

// manyNames is how many names a suggested command lists before it says all of them with one pattern.
const manyNames = 8

// Foreign reports the relations that a build would replace and that the project did not make: somebody's table of that name, or
// another project's. replace are names of nodes, or patterns of [path.Match] over them, whose relations may be replaced.
//
// A table that was made by norn, dropped, and made again by hand under the same name is not told from norn's own.
func Foreign(ctx context.Context, pl *plan.Plan, h *plan.History, w warehouse.Session, project string, replace []string) ([]*diag.Problem, error) {
	type found struct {
		step  *plan.Step
		maker plan.Maker
		known bool
	}
	var foreign []found
	there := make(map[string]map[string]bool)
	for _, step := range pl.Steps {
		at := step.Relation.Fold()
		maker, known := h.Makers[at]
		// Rows without a project are from before the ledger named projects.
		if !step.Build || known && (maker.Project == "" || maker.Project == project) || slices.ContainsFunc(replace, func(pattern string) bool { return Named(step.Node, pattern) }) {
			continue
		}
		if there[at.Schema] == nil {
			names, err := relationNames(ctx, w, step.Relation.Schema)
			if err != nil {
				return nil, err
			}
			there[at.Schema] = names
		}
		if there[at.Schema][at.Relation] {
			foreign = append(foreign, found{step, maker, known})
		}
	}
	var names []string
	for _, f := range foreign {
		names = append(names, f.step.Node)
	}
	list := strings.Join(names, ",")
	if len(names) > manyNames {
		list = "'*'"
	}
	var problems []*diag.Problem
	for _, f := range foreign {
		why := "which norn did not make"
		if f.known {
			why = "which the project " + f.maker.Project + " made"
		}
		p := diag.New("E1708", ownPlace(f.step), "%s would replace %s, %s", f.step.Node, f.step.Relation, why)
		problems = append(problems, p.WithHelp("give it another name or schema; to replace what is there: norn build --replace %s", list))
	}
	diag.Sort(problems)
	return problems, nil
}

// Named reports whether a node is named by a pattern, without regard to case. A pattern that is none names nothing.
func Named(node, pattern string) bool {
	ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(node))
	return ok && err == nil
}

// ownPlace is where a step's relation gets its name.
func ownPlace(step *plan.Step) diag.Span {
	if step.Model != nil && step.Model.Alias.Given() {
		return step.Model.Alias.Span
	}
	return place(step)
}
