package run

import (
	"context"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/plan"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/warehouse"
)

// MissingSources reports the sources that a build is about to read and that are not in the warehouse, before anything is
// built. Sources of another database, and those that are expressions, are left to the warehouse.
func MissingSources(ctx context.Context, pl *plan.Plan, w warehouse.Session, schema string) ([]*diag.Problem, error) {
	listed := make(map[string]map[string]bool)
	asked := make(map[*project.Source]bool)
	var problems []*diag.Problem
	for _, step := range pl.Steps {
		if !step.Build || step.Model == nil {
			continue
		}
		for _, ref := range step.Model.References {
			source, ok := ref.To.(*project.Source)
			if !ok || asked[source] || source.Expression.Given() || source.Database.Given() {
				continue
			}
			asked[source] = true
			in := plan.Stands(source, schema).Schema
			if listed[in] == nil {
				names, err := relationNames(ctx, w, in)
				if err != nil {
					return nil, err
				}
				listed[in] = names
			}
			if !listed[in][strings.ToLower(source.Relation())] {
				problems = append(problems, missingSource(source, in, listed[in], ref))
			}
		}
	}
	diag.Sort(problems)
	return problems, nil
}

func missingSource(source *project.Source, schema string, there map[string]bool, ref project.Reference) *diag.Problem {
	p := diag.New("E1707", source.Span, "the source %s is %s.%s, which is not in the database", source.Name, schema, source.Relation()).
		WithNote(ref.Span, "read here")
	var names []string
	for name := range there {
		names = append(names, name)
	}
	if near := diag.Nearest(source.Relation(), names); near != "" {
		return p.WithHelp("did you mean the table %s?", near)
	}
	if len(names) == 0 {
		return p.WithHelp("the schema %s is empty or does not exist; load the table first, or name another schema", schema)
	}
	return p.WithHelp("load the table first, or name another one")
}
