package sql

import (
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/diag"
)

// TestOneMistake removes, doubles or garbles each token of a realistic model in turn: one mistake of
// the user is told in one problem, and not far before the place where it was made.
func TestOneMistake(t *testing.T) {
	toks, _ := lexAll(t, model)
	for _, tok := range toks {
		for _, edited := range []string{
			model[:tok.Start] + model[tok.End:],
			model[:tok.End] + " " + model[tok.Start:],
			model[:tok.Start] + "?? " + model[tok.End:],
		} {
			_, problems := Parse(diag.NewFile("m.sql", edited), 0, DuckDB())
			if len(problems) > 1 {
				at := int(tok.Start)
				t.Errorf("%d problems for one mistake at %q:\n%s", len(problems),
					edited[max(0, at-30):min(len(edited), at+40)], describeProblems(problems))
			}
			for _, p := range problems {
				// A JOIN or SELECT that lacks something is named where it stands.
				line := strings.Count(model[:tok.Start], "\n") + 1
				if got := p.Span.Begin().Line; got < line-3 {
					t.Errorf("the problem %v is far before the mistake on line %d", p, line)
				}
			}
		}
	}
}
