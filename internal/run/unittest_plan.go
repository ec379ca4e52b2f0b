package run

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// testRole is what a CTE of a test is for.
type testRole uint8

const (
	testHelper testRole = iota
	testMock
	testExpected
	testAssert
	testMacroActual
	testMacroExpected
)

// A testCTE is a CTE of a test.
type testCTE struct {
	cte  *sql.CTE
	role testRole
	name string              // behind the prefix; the CTE's own name for helpers
	node project.Node        // what a mock stands for, or the model whose rows are expected
	refs []project.Reference // nodes that it reads
	late bool                // it reads a model, so it runs after the models
	// empty says that its query is SELECT * FROM __empty_fixture(): all columns of its node, and no rows.
	empty  bool
	actual *testCTE // of __macro_expected__x: __macro_actual__x
}

// A testPlan is what a test needs: its CTEs, and the models that run with their own SQL, producers first.
type testPlan struct {
	TestCase
	constants []sql.Edit // what stands in the places of the parameters
	ctes      []*testCTE
	mocks     map[project.Node]*testCTE
	models    []*project.Model
	targets   []*project.Model
	problems  []*diag.Problem // of code E1903: it cannot be run
}

// testPrefixes are the beginnings of names that mean something, and what they stand for.
var testPrefixes = []struct {
	prefix string
	role   testRole
	kind   project.Kind
}{
	{"__source__", testMock, project.KindSource},
	{"__seed__", testMock, project.KindSeed},
	{"__ref__", testMock, project.KindModel},
	{"__expected__", testExpected, project.KindModel},
	{"__assert__", testAssert, 0},
	{"__macro_actual__", testMacroActual, 0},
	{"__macro_expected__", testMacroExpected, 0},
}

// notInTests are beginnings of names that other tools know, and why norn has no use for them.
var notInTests = map[string]string{
	"__macro__":    "macros are written out before a test runs, so nothing can stand in for one: compare __macro_actual__x with __macro_expected__x",
	"__table_fn__": "norn has no table functions of the project's own",
	"__udf__":      "norn has no functions of the project's own",
}

// planTest reads a test. What is wrong with it is in the plan's problems.
func planTest(p *project.Project, test *project.Test) *testPlan {
	tp := &testPlan{TestCase: TestCase{Test: test}, mocks: make(map[project.Node]*testCTE)}
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
	if len(tp.problems) == 0 {
		tp.close(p)
	}
	return tp
}

func (tp *testPlan) refuse(at sql.Range, format string, args ...any) *diag.Problem {
	problem := diag.New("E1903", at.Span(tp.Test.Query.File), format, args...)
	tp.problems = append(tp.problems, problem)
	return problem
}

// add sorts a CTE in by its name.
func (tp *testPlan) add(p *project.Project, c *sql.CTE) {
	t := &testCTE{cte: c, name: c.Name.Text}
	tp.ctes = append(tp.ctes, t)
	for _, known := range testPrefixes {
		if len(c.Name.Text) <= len(known.prefix) || !strings.EqualFold(c.Name.Text[:len(known.prefix)], known.prefix) {
			continue
		}
		t.role, t.name = known.role, c.Name.Text[len(known.prefix):]
		if t.role == testAssert || t.role == testMacroActual || t.role == testMacroExpected {
			return
		}
		t.node = p.Node(t.name)
		if t.node == nil || t.node.NodeKind() != known.kind {
			tp.unknown(p, t, known.prefix, known.kind)
			return
		}
		if t.role == testMock {
			if first := tp.mocks[t.node]; first != nil {
				tp.refuse(c.Name.Range, "%s stands in for %s a second time", c.Name.Text, t.name).WithNote(first.cte.Name.Span(tp.Test.Query.File), "the first time")
				return
			}
			tp.mocks[t.node] = t
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
func (tp *testPlan) unknown(p *project.Project, t *testCTE, prefix string, kind project.Kind) {
	if t.node != nil {
		right := map[project.Kind]string{project.KindSource: "__source__", project.KindSeed: "__seed__", project.KindModel: "__ref__"}[t.node.NodeKind()]
		problem := tp.refuse(t.cte.Name.Range, "%s is a %s, not a %s", t.name, t.node.NodeKind(), kind)
		if t.role == testMock {
			problem.WithHelp("name it %s%s", right, t.name).WithFix(t.cte.Name.Span(tp.Test.Query.File), right+t.name)
		}
		t.node = nil
		return
	}
	var names []string
	for _, n := range p.Names() {
		if p.Node(n).NodeKind() == kind {
			names = append(names, n)
		}
	}
	problem := tp.refuse(t.cte.Name.Range, "there is no %s %s", kind, t.name)
	if near := diag.Nearest(t.name, names); near != "" {
		problem.WithHelp("did you mean %s%s?", prefix, near).WithFix(t.cte.Name.Span(tp.Test.Query.File), prefix+near)
	} else {
		problem.WithHelp("name the CTE after a %s of the project", kind)
	}
}

// pair finds the two sides of the tests of macros.
func (tp *testPlan) pair() {
	sides := map[testRole]map[string]*testCTE{testMacroActual: {}, testMacroExpected: {}}
	for _, t := range tp.ctes {
		if side := sides[t.role]; side != nil {
			side[strings.ToLower(t.name)] = t
		}
	}
	for _, t := range tp.ctes {
		switch t.role {
		case testMacroExpected:
			if t.actual = sides[testMacroActual][strings.ToLower(t.name)]; t.actual == nil {
				tp.refuse(t.cte.Name.Range, "there is no __macro_actual__%s to compare with", t.name).
					WithHelp("add __macro_actual__%s AS (SELECT … the call of the macro …)", t.name)
			}
		case testMacroActual:
			if sides[testMacroExpected][strings.ToLower(t.name)] == nil {
				tp.refuse(t.cte.Name.Range, "nothing says what %s must give", t.cte.Name.Text).
					WithHelp("add __macro_expected__%s AS (SELECT … the rows that must come out …)", t.name)
			}
		}
	}
}

// reads gives every CTE the nodes that it reads, and finds the CTEs that read a model, themselves or through another CTE:
// those run after the models, all others before.
func (tp *testPlan) reads() {
	for _, ref := range tp.Test.References {
		for _, t := range tp.ctes {
			if ref.To != nil && ref.Span.Start >= int(t.cte.Start) && ref.Span.End <= int(t.cte.End) {
				t.refs = append(t.refs, ref)
				t.late = true
			}
		}
	}
	late := make(map[string]bool)
	for range tp.ctes {
		before := len(late)
		for _, t := range tp.ctes {
			sql.Inspect(t.cte.Query, func(n sql.Node) bool {
				if name, ok := n.(*sql.TableName); ok && len(name.Parts) == 1 && late[strings.ToLower(name.Parts[0].Text)] {
					t.late = true
				}
				return true
			})
			if t.late {
				late[strings.ToLower(t.cte.Name.Text)] = true
			}
		}
		if len(late) == before {
			break
		}
	}
	for _, t := range tp.ctes {
		if t.role == testMock && t.late {
			tp.refuse(t.cte.Name.Range, "%s reads a node of the project", t.cte.Name.Text).
				WithHelp("a stand-in is made of rows that the test writes down")
		}
	}
}

// choose finds the models that the test checks: those whose rows are expected and those that assertions read.
func (tp *testPlan) choose() {
	add := func(n project.Node) {
		if m, ok := n.(*project.Model); ok && !slices.Contains(tp.targets, m) {
			tp.targets = append(tp.targets, m)
		}
	}
	checks := 0
	for _, t := range tp.ctes {
		if t.role == testExpected || t.role == testAssert || t.role == testMacroExpected {
			checks++
		}
		if t.role == testExpected && t.node != nil {
			add(t.node)
			if mock := tp.mocks[t.node]; mock != nil {
				tp.refuse(mock.cte.Name.Range, "%s is checked and stood in for in one test", t.name).
					WithHelp("remove %s, so that the model itself runs", mock.cte.Name.Text)
			}
		}
		for _, ref := range t.refs {
			if tp.mocks[ref.To] == nil {
				add(ref.To)
			}
		}
	}
	if checks == 0 && len(tp.problems) == 0 {
		tp.refuse(sql.Range{Start: tp.Test.Query.Start, End: tp.Test.Query.Start}, "the test %s checks nothing", tp.Test.Name).
			WithHelp("add __expected__model AS (…) with the rows a model must give, or __assert__name AS (…) with a query that must give none")
	}
}

// close finds the models between the stand-ins and the targets, producers first. What they read and what nothing stands
// in for is a problem: a test must not depend on rows that it does not write down.
func (tp *testPlan) close(p *project.Project) {
	needed := make(map[project.Node]bool)
	var need func(n project.Node, reader string, at diag.Span)
	need = func(n project.Node, reader string, at diag.Span) {
		if n == nil || needed[n] || tp.mocks[n] != nil {
			return
		}
		needed[n] = true
		m, ok := n.(*project.Model)
		prefix := map[project.Kind]string{project.KindSource: "__source__", project.KindSeed: "__seed__", project.KindModel: "__ref__"}[n.NodeKind()]
		switch {
		case !ok:
			tp.missing(at, reader, n, prefix, "nothing stands in for the "+n.NodeKind().String())
			return
		case m.Predict != nil:
			tp.missing(at, reader, n, prefix, "a test cannot run the prediction")
			return
		case m.Query == nil || m.Query.Query == nil || m.Cyclic():
			tp.missing(at, reader, n, prefix, "there is no query to run for")
			return
		}
		for _, ref := range m.References {
			if ref.Table != nil {
				need(ref.To, m.Name, at)
			}
		}
	}
	for _, t := range tp.ctes {
		at := t.cte.Name.Span(tp.Test.Query.File)
		if t.role == testExpected {
			need(t.node, t.cte.Name.Text, at)
		}
		for _, ref := range t.refs {
			need(ref.To, t.cte.Name.Text, ref.Span)
		}
	}
	for _, m := range p.Order {
		if needed[project.Node(m)] {
			tp.models = append(tp.models, m)
		}
	}
}

func (tp *testPlan) missing(at diag.Span, reader string, n project.Node, prefix, why string) {
	tp.problems = append(tp.problems, diag.New("E1903", at, "%s %s, which %s reads", why, n.NodeName(), reader).
		WithHelp("add %s%s AS (SELECT …) with a few rows", prefix, n.NodeName()))
}
