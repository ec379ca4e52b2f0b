package cli

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/run"
	"github.com/norn-data/norn/internal/sql"
)

// A database stops at the first column of a unit test that does not exist. testShapes finds all of them, from the names that a
// test writes and what the analysis knows of its nodes. It says nothing on its own: what it adds belongs to a test that could not
// be run, so that a column which only the database can see is never called wrong.
type testShapes struct {
	analysis *analyze.Result
	found    map[*project.Test][]*diag.Problem // cases of one test share their problems
}

// complete adds to the problems of a test that could not be run the other columns that do not exist. Where the database named
// one of them, the problem with its exact place takes the place of the one at the name of the CTE.
func (s *testShapes) complete(result *run.UnitTest) {
	if result.Status != run.TestBroken {
		return
	}
	more, known := s.found[result.Test]
	if !known {
		more = s.unknownColumns(result.Test)
		s.found[result.Test] = more
	}
	kept := slices.DeleteFunc(slices.Clone(result.Problems), func(p *diag.Problem) bool {
		return p.Code == "E1904" && slices.ContainsFunc(more, func(o *diag.Problem) bool { return o.Message == p.Message })
	})
	result.Problems = append(kept, more...)
}

// shapedCTEs are the beginnings of the names of CTEs whose columns are those of the node they are named after.
var shapedCTEs = []string{"__source__", "__seed__", "__ref__", "__expected__"}

func (s *testShapes) unknownColumns(t *project.Test) []*diag.Problem {
	with := t.Query.Query.With
	if with == nil { // nothing is written down at all, which is another problem
		return nil
	}
	var problems []*diag.Problem
	for _, c := range with.CTEs {
		i := slices.IndexFunc(shapedCTEs, func(prefix string) bool {
			return len(c.Name.Text) > len(prefix) && strings.EqualFold(c.Name.Text[:len(prefix)], prefix)
		})
		if i < 0 {
			continue
		}
		node, ok := s.analysis.Model(c.Name.Text[len(shapedCTEs[i]):])
		if !ok || node.Open || len(node.Columns) == 0 {
			continue
		}
		names := make([]string, len(node.Columns))
		for i, column := range node.Columns {
			names[i] = column.Name
		}
		for _, written := range cteColumns(c) {
			if _, ok := node.Column(written.Text); ok {
				continue
			}
			at := written.Span(t.Query.File)
			p := diag.New("E1904", at, "%s has no column %s", node.Name, written.Text)
			if near := diag.Nearest(written.Text, names); near != "" {
				p.WithHelp("did you mean %s?", near).WithFix(at, near)
			} else {
				p.WithHelp("its columns are %s", diag.Listing(names))
			}
			problems = append(problems, p)
		}
	}
	return problems
}

// cteColumns are the names of the columns of a CTE that stand in its text: those of its list, or the aliases and plain columns of
// its first SELECT. A star and an expression without a name give none.
func cteColumns(c *sql.CTE) []sql.Name {
	if len(c.Columns) > 0 {
		return c.Columns
	}
	body := c.Query.Body
	for {
		op, ok := body.(*sql.SetOp)
		if !ok {
			break
		}
		body = op.Left
	}
	first, ok := body.(*sql.Select)
	if !ok {
		return nil
	}
	var names []sql.Name
	for _, item := range first.Items {
		if item.Alias.Given() {
			names = append(names, item.Alias)
		} else if ref, ok := item.Expr.(*sql.ColumnRef); ok {
			names = append(names, ref.Parts[len(ref.Parts)-1])
		}
	}
	return names
}
