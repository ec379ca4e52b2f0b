package analyze

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/project/pack"
	"github.com/norn-data/norn/internal/sql"
)

// A unit test is checked after the models are bound: its CTEs are bound like those of a query, and what it writes down for a node
// is held to the columns of that node. A test is never wrong because of something that only its run can show.

// checkTests finds what is wrong with the unit tests of the project, and with its audits, each on its own, on as many goroutines as
// models are bound on.
func (a *analysis) checkTests(ctx context.Context) error {
	tests := len(a.p.Tests)
	var next atomic.Int64
	errs := make([]error, max(1, min(a.workers, tests+len(a.audited))))
	var group sync.WaitGroup
	for w := range errs {
		group.Go(func() {
			var room *sql.Room
			if a.discard {
				room = new(sql.Room)
			}
			for errs[w] == nil {
				switch i := int(next.Add(1)) - 1; {
				case i < tests:
					errs[w] = a.checkTest(ctx, a.p.Tests[i], room, &a.tests[i])
				case i < tests+len(a.audited):
					errs[w] = a.checkAudit(ctx, a.p.Audits[i-tests], &a.audited[i-tests])
				default:
					return
				}
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// A testResult is what is known of a unit test or of an audit.
type testResult struct {
	problems []*diag.Problem
	record   *Record // nil when the test is checked each time
	aside    *Aside
	recalled bool
}

// checkTest checks one test. Scenarios and disabled tests are never run, and a test whose file has a problem has said so.
// With a room its tree is gone with the next test.
func (a *analysis) checkTest(ctx context.Context, t *project.Test, room *sql.Room, out *testResult) (err error) {
	defer func() {
		if err != nil {
			err = diag.WithHint(err, "the test is %s", t.Name)
		}
	}()
	defer diag.Recover(&err)
	if t.Scenario || t.Disabled || t.Broken || ctx.Err() != nil {
		return ctx.Err()
	}
	if a.recallTest(checkedTest(t), out) {
		return nil
	}
	if err := t.Reparse(room); err != nil {
		return err
	}
	if t.Query == nil || t.Query.Query == nil {
		return nil
	}
	c := &testCheck{analysis: a, plan: PlanTest(a.p, t), shapes: map[*node]*shape{}}
	c.binder = c.newBinder(ctx, c.plan.Test.Query.File, c.plan.Test.References)
	c.check()
	if err := ctx.Err(); err != nil {
		return err
	}
	out.aside = c.binder.aside(t.Name, t.File.Path, t)
	problems := slices.Concat(c.plan.Problems, c.binder.problems)
	a.keepTest(t, c, len(problems) == 0 && len(c.binder.follows) == 0, out)
	out.problems = t.Locate(problems)
	if a.discard {
		t.Query = nil
	}
	return nil
}

// A testCheck is one unit test while it is checked.
type testCheck struct {
	*analysis
	plan   *TestPlan
	binder *binder
	asked  []string // folded names of the nodes that it was told of
	shapes map[*node]*shape
}

// shape is that of a bound node. It may have been let go of meanwhile, and is unpacked then, without whose mistakes are in it.
func (c *testCheck) shape(n *node) *shape {
	if n.out.shape != nil {
		return n.out.shape
	}
	s := c.shapes[n]
	if s == nil {
		s = &shape{}
		r := pack.Read(n.out.record.Shape)
		packShape(r, s, sightings{})
		diag.Assert(r.Done(), "the shape of %s cannot be unpacked", n.name)
		c.shapes[n] = s.seal()
	}
	return s
}

// node is a node of the project by folded name, which is noted as asked for.
func (c *testCheck) node(name string) *node {
	if !slices.Contains(c.asked, name) {
		c.asked = append(c.asked, name)
	}
	return c.nodes[name]
}

// newBinder binds SQL of a file outside the models, a test or a function, in sight of what its references name.
func (c *testCheck) newBinder(ctx context.Context, file *diag.File, references []project.Reference) *binder {
	b := &binder{ctx: ctx, file: file, nodes: map[sql.TableExpr]project.Node{}, pg: c.p.Dialect() == sql.Postgres(), functions: c.p.Function, whole: c.p.Complete}
	for _, ref := range references {
		if ref.Table != nil {
			b.nodes[ref.Table] = ref.To
		}
	}
	b.reads = func(name string) *base {
		from := c.node(name)
		if from == nil {
			return nil
		}
		return &base{name: from.name, fold: name, alt: from.alt, table: from.table(), given: from.given(), shape: c.shape(from)}
	}
	return b
}

// check binds the CTEs in their order and holds each to its node.
func (c *testCheck) check() {
	for _, n := range c.plan.visited {
		c.node(fold(n.NodeName()))
	}
	q := c.plan.Test.Query.Query
	if q.With == nil {
		return
	}
	e := &env{}
	seen := map[string]bool{}
	for _, t := range c.plan.CTEs {
		name := fold(t.CTE.Name.Text)
		if seen[name] {
			// Stand-ins and checks of one name are reported by the plan.
			if p := c.binder.problem("E1007", t.CTE.Name.Range, "the CTE %s is defined twice", t.CTE.Name.Text); t.Role == TestHelper {
				p.WithHelp("rename or remove one of them")
			}
		}
		seen[name] = true
		s := c.cte(e, q.With, t, name)
		e.ctes = &ctes{name: name, shape: s, outer: e.ctes}
		if t.Node != nil && !t.Empty {
			c.hold(t, s)
		}
	}
	c.binder.body(e, q.Body, q.OrderBy)
}

// cte is the shape of a CTE. That of __empty_fixture() is the shape of the node.
func (c *testCheck) cte(e *env, w *sql.With, t *TestCTE, name string) *shape {
	switch {
	case t.unclear:
		return &shape{open: true}
	case t.Empty && t.Node != nil:
		n := c.node(fold(t.Node.NodeName()))
		if n == nil {
			return &shape{open: true} // a disabled model is no node of an analysis
		}
		s := c.shape(n)
		if len(s.cols) == 0 {
			c.binder.problem("E1903", t.CTE.Name.Range, "the columns of %s are not known, so there is no empty one", t.Name).
				WithHelp("write the columns that matter: SELECT 1 AS id, 'x' AS name WHERE false")
		}
		return s
	case t.Empty:
		return &shape{open: true}
	}
	var s *shape
	if w.Recursive {
		s = c.binder.recursive(e, t.CTE, name)
	} else {
		s = c.binder.query(e, t.CTE.Query)
	}
	s = c.binder.closed(c.binder.renamed(s, t.CTE.Columns))
	if len(t.CTE.Extra) > 0 {
		s = c.binder.searched(s, t.CTE)
	}
	return s
}

// hold reports columns of a stand-in, or of expected rows, that the node does not have, and values that are not of its types.
func (c *testCheck) hold(t *TestCTE, s *shape) {
	n := c.node(fold(t.Node.NodeName()))
	if n == nil {
		return
	}
	whole := c.shape(n)
	for i := range s.cols {
		col := &s.cols[i]
		at := whole.find(col.fold)
		if at < 0 {
			_, excused := c.binder.excused(whole, col.name)
			if !whole.open && !excused && len(whole.cols) > 0 && col.misnamed == nil {
				c.unknown(t, whole, i, col, n.name)
			}
			continue
		}
		want := whole.cols[at].typ
		if !want.known() || col.poison != nil || whole.cols[at].poison != nil {
			continue
		}
		if col.typ.known() && !c.binder.convertible(col.typ, want) {
			c.binder.problem("E1905", c.column(t, i, col), "column %s of %s is %s and cannot be cast to %s, its type in %s",
				col.name, t.CTE.Name.Text, col.typ.settled(), want, n.name).WithHelp("write values of type %s", want)
			continue
		}
		c.texts(t, i, whole.cols[at].name, want, n.name)
	}
}

// unknown reports a column that the node does not have, where its name is written.
func (c *testCheck) unknown(t *TestCTE, whole *shape, i int, col *column, owner string) {
	at := c.column(t, i, col)
	p := c.binder.problem("E1904", at, "%s has no column %s", owner, col.name)
	if p.Help != "" {
		return
	}
	if near := diag.Nearest(col.name, whole.names()); near != "" {
		p.WithHelp("did you mean %s?", near)
		if span := at.Span(c.binder.file); fold(span.Text()) == col.fold {
			p.WithFix(span, writeName(near))
		}
		return
	}
	p.WithHelp("its columns are %s", diag.Listing(whole.names()))
}

// column is where the name of a column of a CTE stands: in the CTE's list, behind AS, or in the expression itself.
func (c *testCheck) column(t *TestCTE, i int, col *column) sql.Range {
	if i < len(t.CTE.Columns) {
		return t.CTE.Columns[i].Range
	}
	items := itemsOf(t.CTE.Query.Body)
	if i < len(items) && plainItems(items[:i+1]) {
		if items[i].Alias.Given() {
			return items[i].Alias.Range
		}
		if ref, ok := items[i].Expr.(*sql.ColumnRef); ok {
			return ref.Parts[len(ref.Parts)-1].Range
		}
	}
	if col.span == (sql.Range{}) {
		return t.CTE.Name.Range
	}
	return col.span
}

// itemsOf are the items of the query's first SELECT, which names its columns.
func itemsOf(body sql.QueryExpr) []sql.SelectItem {
	for {
		switch q := body.(type) {
		case *sql.SetOp:
			body = q.Left
		case *sql.Query:
			body = q.Body
		case *sql.Select:
			return q.Items
		default:
			return nil
		}
	}
}

// plainItems reports whether every item is one column.
func plainItems(items []sql.SelectItem) bool {
	return !slices.ContainsFunc(items, func(item sql.SelectItem) bool {
		switch item.Expr.(type) {
		case *sql.Star, *sql.Columns:
			return true
		}
		return false
	})
}
