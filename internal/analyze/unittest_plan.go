package analyze

import (
	"cmp"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// A TestRole is what a CTE of a unit test is for.
type TestRole uint8

// The roles of CTEs. They are told apart by their names; see [PlanTest].
const (
	TestHelper TestRole = iota
	TestMock
	TestExpected
	TestAssert
	TestMacroActual
	TestMacroExpected
)

// A TestCTE is a CTE of a unit test.
type TestCTE struct {
	CTE        *sql.CTE
	Role       TestRole
	Name       string              // behind the prefix; the CTE's own name for helpers
	Node       project.Node        // what a mock stands for, or the model whose rows are expected
	References []project.Reference // nodes that it reads
	Late       bool                // it reads a model, so it runs after the models
	// Empty says that its query is SELECT * FROM __empty_fixture(): all columns of its node, and no rows.
	Empty  bool
	Actual *TestCTE // of __macro_expected__x: __macro_actual__x

	unclear bool // it calls __empty_fixture() where that means nothing, which was said
}

// A TestPlan is what a unit test needs: its CTEs, and the models that run with their own SQL, producers first.
type TestPlan struct {
	Test     *project.Test
	CTEs     []*TestCTE
	Mocks    map[project.Node]*TestCTE
	Models   []*project.Model
	Targets  []*project.Model
	Problems []*diag.Problem // of code E1903: it cannot be run

	visited []project.Node // everything that Models follow from, each once
}

// testPrefixes are the beginnings of names that mean something, and what they stand for.
var testPrefixes = []struct {
	prefix string
	role   TestRole
	kind   project.Kind
}{
	{"__source__", TestMock, project.KindSource},
	{"__seed__", TestMock, project.KindSeed},
	{"__ref__", TestMock, project.KindModel},
	{"__expected__", TestExpected, project.KindModel},
	{"__assert__", TestAssert, 0},
	{"__macro_actual__", TestMacroActual, 0},
	{"__macro_expected__", TestMacroExpected, 0},
}

// notInTests are beginnings of names that other tools know, and why norn has no use for them.
var notInTests = map[string]string{
	"__macro__":    "macros are written out before a test runs, so nothing can stand in for one: compare __macro_actual__x with __macro_expected__x",
	"__table_fn__": "norn has no table functions of the project's own",
	"__udf__":      "norn has no functions of the project's own",
}

// PlanTest finds out what a test is about. The CTEs of a test give the rows of what models read and say what must come out:
// __source__x, __seed__x and __ref__x stand in for the node x; __expected__m lists rows that the model m must give; __assert__n is
// a query that must give no rows; __macro_actual__n and __macro_expected__n must give the same rows; every other CTE helps those.
// Models between the stand-ins and what is checked run with their own SQL. The test has a query; what is wrong with it is in the
// plan's problems.
func PlanTest(p *project.Project, test *project.Test) *TestPlan {
	tp := &TestPlan{Test: test, Mocks: make(map[project.Node]*TestCTE)}
	q := test.Query.Query
	if q.With == nil {
		tp.refuse(sql.Range{Start: test.Query.Start, End: test.Query.Start}, "the test %s has no CTEs", test.Name).
			WithHelp("write WITH __ref__input AS (…), __expected__model AS (…)")
		return tp
	}
	for _, c := range q.With.CTEs {
		tp.add(p, c)
	}
	tp.pair()
	tp.empties()
	tp.reads()
	tp.choose()
	if len(tp.Problems) == 0 {
		tp.close()
	}
	return tp
}

func (tp *TestPlan) refuse(at sql.Range, format string, args ...any) *diag.Problem {
	problem := diag.New("E1903", at.Span(tp.Test.Query.File), format, args...)
	tp.Problems = append(tp.Problems, problem)
	return problem
}

// add sorts a CTE in by its name.
func (tp *TestPlan) add(p *project.Project, c *sql.CTE) {
	t := &TestCTE{CTE: c, Name: c.Name.Text}
	tp.CTEs = append(tp.CTEs, t)
	for _, known := range testPrefixes {
		if len(c.Name.Text) <= len(known.prefix) || !strings.EqualFold(c.Name.Text[:len(known.prefix)], known.prefix) {
			continue
		}
		t.Role, t.Name = known.role, c.Name.Text[len(known.prefix):]
		if t.Role == TestAssert || t.Role == TestMacroActual || t.Role == TestMacroExpected {
			return
		}
		t.Node = p.Node(t.Name)
		if t.Node == nil || t.Node.NodeKind() != known.kind {
			tp.unknown(p, t, known.prefix, known.kind)
			return
		}
		if t.Role == TestMock {
			if first := tp.Mocks[t.Node]; first != nil {
				tp.refuse(c.Name.Range, "%s stands in for %s a second time", c.Name.Text, t.Name).WithNote(first.CTE.Name.Span(tp.Test.Query.File), "the first time")
				return
			}
			tp.Mocks[t.Node] = t
		}
		return
	}
	for prefix, why := range notInTests {
		if strings.HasPrefix(strings.ToLower(c.Name.Text), prefix) {
			tp.refuse(c.Name.Range, "%s means nothing in a test of norn", c.Name.Text).WithHelp("%s", why)
			return
		}
	}
	if strings.HasPrefix(c.Name.Text, "__") {
		tp.refuse(c.Name.Range, "%s means nothing in a test", c.Name.Text).
			WithHelp("names of CTEs begin with __source__, __seed__, __ref__, __expected__, __assert__, __macro_actual__ or __macro_expected__; helpers do not begin with two underscores")
	}
}

// unknown says that a CTE is named after nothing.
func (tp *TestPlan) unknown(p *project.Project, t *TestCTE, prefix string, kind project.Kind) {
	if t.Node != nil {
		right := map[project.Kind]string{project.KindSource: "__source__", project.KindSeed: "__seed__", project.KindModel: "__ref__"}[t.Node.NodeKind()]
		problem := tp.refuse(t.CTE.Name.Range, "%s is a %s, not a %s", t.Name, t.Node.NodeKind(), kind)
		if t.Role == TestMock {
			problem.WithHelp("name it %s%s", right, t.Name).WithFix(t.CTE.Name.Span(tp.Test.Query.File), right+t.Name)
		}
		t.Node = nil
		return
	}
	var names []string
	for _, n := range p.Names() {
		if p.Node(n).NodeKind() == kind {
			names = append(names, n)
		}
	}
	problem := tp.refuse(t.CTE.Name.Range, "there is no %s %s", kind, t.Name)
	if near := diag.Nearest(t.Name, names); near != "" {
		problem.WithHelp("did you mean %s%s?", prefix, near).WithFix(t.CTE.Name.Span(tp.Test.Query.File), prefix+near)
	} else {
		problem.WithHelp("name the CTE after a %s of the project", kind)
	}
}

// pair finds the two sides of the tests of macros.
func (tp *TestPlan) pair() {
	sides := map[TestRole]map[string]*TestCTE{TestMacroActual: {}, TestMacroExpected: {}}
	for _, t := range tp.CTEs {
		if side := sides[t.Role]; side != nil {
			side[strings.ToLower(t.Name)] = t
		}
	}
	for _, t := range tp.CTEs {
		switch t.Role {
		case TestMacroExpected:
			if t.Actual = sides[TestMacroActual][strings.ToLower(t.Name)]; t.Actual == nil {
				tp.refuse(t.CTE.Name.Range, "there is no __macro_actual__%s to compare with", t.Name).
					WithHelp("add __macro_actual__%s AS (SELECT … the call of the macro …)", t.Name)
			}
		case TestMacroActual:
			if sides[TestMacroExpected][strings.ToLower(t.Name)] == nil {
				tp.refuse(t.CTE.Name.Range, "nothing says what %s must give", t.CTE.Name.Text).
					WithHelp("add __macro_expected__%s AS (SELECT … the rows that must come out …)", t.Name)
			}
		}
	}
}

// reads gives every CTE the nodes that it reads, and finds the CTEs that read a model, themselves or through another CTE:
// those run after the models, all others before.
func (tp *TestPlan) reads() {
	for _, ref := range tp.Test.References {
		for _, t := range tp.CTEs {
			if ref.To != nil && ref.Span.Start >= int(t.CTE.Start) && ref.Span.End <= int(t.CTE.End) {
				t.References = append(t.References, ref)
				t.Late = true
			}
		}
	}
	late := make(map[string]bool)
	for range tp.CTEs {
		before := len(late)
		for _, t := range tp.CTEs {
			sql.Inspect(t.CTE.Query, func(n sql.Node) bool {
				if name, ok := n.(*sql.TableName); ok && len(name.Parts) == 1 && late[strings.ToLower(name.Parts[0].Text)] {
					t.Late = true
				}
				return true
			})
			if t.Late {
				late[strings.ToLower(t.CTE.Name.Text)] = true
			}
		}
		if len(late) == before {
			break
		}
	}
	for _, t := range tp.CTEs {
		if t.Role == TestMock && t.Late {
			tp.refuse(t.CTE.Name.Range, "%s reads a node of the project", t.CTE.Name.Text).
				WithHelp("a stand-in is made of rows that the test writes down")
		}
	}
}

// choose finds the models that the test checks: those whose rows are expected and those that assertions read.
func (tp *TestPlan) choose() {
	add := func(n project.Node) {
		if m, ok := n.(*project.Model); ok && !slices.Contains(tp.Targets, m) {
			tp.Targets = append(tp.Targets, m)
		}
	}
	checks := 0
	for _, t := range tp.CTEs {
		if t.Role == TestExpected || t.Role == TestAssert || t.Role == TestMacroExpected {
			checks++
		}
		if t.Role == TestExpected && t.Node != nil {
			add(t.Node)
			if mock := tp.Mocks[t.Node]; mock != nil {
				tp.refuse(mock.CTE.Name.Range, "%s is checked and stood in for in one test", t.Name).
					WithHelp("remove %s, so that the model itself runs", mock.CTE.Name.Text)
			}
		}
		for _, ref := range t.References {
			if tp.Mocks[ref.To] == nil {
				add(ref.To)
			}
		}
	}
	if checks == 0 && len(tp.Problems) == 0 {
		tp.refuse(sql.Range{Start: tp.Test.Query.Start, End: tp.Test.Query.Start}, "the test %s checks nothing", tp.Test.Name).
			WithHelp("add __expected__model AS (…) with the rows a model must give, or __assert__name AS (…) with a query that must give none")
	}
}

// close finds the models between the stand-ins and the targets, producers first. What they read and what nothing stands
// in for is a problem: a test must not depend on rows that it does not write down.
func (tp *TestPlan) close() {
	needed := make(map[project.Node]bool)
	var need func(n project.Node, reader string, at diag.Span)
	need = func(n project.Node, reader string, at diag.Span) {
		if n == nil || needed[n] || tp.Mocks[n] != nil {
			return
		}
		needed[n] = true
		tp.visited = append(tp.visited, n)
		m, ok := n.(*project.Model)
		prefix := map[project.Kind]string{project.KindSource: "__source__", project.KindSeed: "__seed__", project.KindModel: "__ref__"}[n.NodeKind()]
		switch {
		case !ok:
			tp.missing(at, reader, n, prefix, "nothing stands in for the "+n.NodeKind().String())
			return
		case m.Predict != nil:
			tp.missing(at, reader, n, prefix, "a test cannot run the prediction")
			return
		case !m.Enabled:
			tp.missing(at, reader, n, prefix, "nothing is built of the disabled model")
			return
		}
		for _, ref := range m.References {
			if !ref.Header {
				need(ref.To, m.Name, at)
			}
		}
	}
	for _, t := range tp.CTEs {
		at := t.CTE.Name.Span(tp.Test.Query.File)
		if t.Role == TestExpected {
			need(t.Node, t.CTE.Name.Text, at)
		}
		for _, ref := range t.References {
			need(ref.To, t.CTE.Name.Text, ref.Span)
		}
	}
	for _, n := range tp.visited {
		if m, ok := n.(*project.Model); ok && m.Enabled {
			tp.Models = append(tp.Models, m)
		}
	}
	slices.SortFunc(tp.Models, func(a, b *project.Model) int { return cmp.Compare(a.Rank(), b.Rank()) })
}

func (tp *TestPlan) missing(at diag.Span, reader string, n project.Node, prefix, why string) {
	tp.Problems = append(tp.Problems, diag.New("E1903", at, "%s %s, which %s reads", why, n.NodeName(), reader).
		WithHelp("add %s%s AS (SELECT …) with a few rows", prefix, n.NodeName()))
}

// emptyFixture is the call that stands for all columns of a node and no rows.
const emptyFixture = "__empty_fixture"

// empties finds the CTEs that are SELECT * FROM __empty_fixture(), and refuses the call everywhere else: it has no columns of its
// own.
func (tp *TestPlan) empties() {
	for _, t := range tp.CTEs {
		t.Empty = (t.Role == TestMock || t.Role == TestExpected) && isEmptyFixture(t.CTE)
		if t.Empty {
			t.Late = t.Role == TestExpected
			continue
		}
		sql.Inspect(t.CTE.Query, func(n sql.Node) bool {
			if c, ok := n.(*sql.Call); ok && callsEmptyFixture(c) {
				t.unclear = true
				tp.refuse(c.Range, "%s() stands for the columns of a node, and this is not the whole query of one", emptyFixture).
					WithHelp("write __ref__x AS (SELECT * FROM %s()), or __expected__x for a model that must give no rows", emptyFixture)
			}
			return true
		})
	}
}

func callsEmptyFixture(c *sql.Call) bool {
	return len(c.Name) == 1 && strings.EqualFold(c.Name[0].Text, emptyFixture)
}

// isEmptyFixture reports whether the query of a CTE is SELECT * FROM __empty_fixture() and nothing else.
func isEmptyFixture(cte *sql.CTE) bool {
	q := cte.Query
	s, ok := q.Body.(*sql.Select)
	if !ok || q.With != nil || q.OrderBy != nil || q.Limit != nil || len(cte.Columns) > 0 || len(s.Items) != 1 ||
		s.Where != nil || s.GroupBy != nil || s.Distinct != nil {
		return false
	}
	star, ok := s.Items[0].Expr.(*sql.Star)
	if !ok || len(star.Exclude)+len(star.Replace)+len(star.Rename) > 0 {
		return false
	}
	from, ok := s.From.(*sql.TableFunc)
	if !ok {
		return false
	}
	call, ok := from.Call.(*sql.Call)
	return ok && callsEmptyFixture(call) && len(call.Args) == 0
}
