// Package rules holds the built-in rules: what SQL allows, means something, and is hardly ever what its author meant.
//
// A rule looks at the tree of one query and at what the analysis found out about it ([Facts]), and reports warnings: nothing
// here stops a build. Most rules need the tree only; those about joins need to know which relation a column belongs to, and
// the one about rankings which columns tell rows apart (unique.go).
//
// Invariants:
//
//   - A rule that cannot tell keeps quiet: where a relation's columns are not all known, no rule claims that a column is not
//     its own.
//   - What is on by default ("core") is wrong or useless wherever it stands. Matters of taste are off until a project selects
//     them.
//   - A suppression names one rule and a reason, and one that nothing needs is reported itself (suppress.go).
package rules

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// A Rule is what a project can select.
type Rule struct {
	Code string // R and three digits
	Name string // what the rule finds, in a few words
	Core bool   // on unless a project says otherwise
}

// rules is the list of all rules, by code. R000 is about suppressions and cannot be turned off.
var rules = []Rule{
	{"R001", "comparison with NULL", true},
	{"R002", "join without a condition", true},
	{"R003", "LIMIT without ORDER BY", true},
	{"R004", "unused CTE", true},
	{"R005", "star in a set operation", true},
	{"R006", "bare UNION", false},
	{"R007", "NULL in NOT IN", true},
	{"R008", "ranking that ties can change", false},
	{"R009", "WHERE on the optional side of a LEFT JOIN", true},
	{"R010", "constant condition", true},
	{"R011", "two relations of one name", true},
	{"R012", "unused LEFT JOIN", false},
	{"R013", "CASE that is a condition", false},
}

// All lists the rules by code.
func All() []Rule { return slices.Clone(rules) }

// A Selection says which rules are on. The zero Selection has none.
type Selection struct{ on map[string]bool }

// Select is a selection by words: codes, "core" and "all". No words in include mean core; exclude wins. Words that mean nothing
// are returned.
func Select(include, exclude []string) (s Selection, unknown []string) {
	s.on = map[string]bool{}
	if len(include) == 0 {
		include = []string{"core"}
	}
	set := func(words []string, on bool) {
		for _, w := range words {
			found := false
			for _, r := range rules {
				if strings.EqualFold(w, r.Code) || strings.EqualFold(w, "all") || strings.EqualFold(w, "core") && r.Core {
					s.on[r.Code] = on
					found = true
				}
			}
			if !found {
				unknown = append(unknown, w)
			}
		}
	}
	set(include, true)
	set(exclude, false)
	return s, unknown
}

// Words are what a selection can be made of, for suggestions.
func Words() []string {
	words := []string{"all", "core"}
	for _, r := range rules {
		words = append(words, r.Code)
	}
	return words
}

// Any reports whether any rule is on.
func (s Selection) Any() bool {
	for _, on := range s.on {
		if on {
			return true
		}
	}
	return false
}

// Facts are a query and what the analysis knows about it.
type Facts struct {
	File      *diag.File
	Statement *sql.Statement
	// Columns are the folded names of a relation's columns. Known is false where there may be others, or where the relation
	// was never bound.
	Columns func(t sql.TableExpr) (names []string, known bool)
	// Unique are sets of folded columns of a relation of the project, each of which tells its rows apart.
	Unique func(t sql.TableExpr) [][]string
}

// Check applies the selected rules to a query.
func Check(f Facts, s Selection) []*diag.Problem {
	if f.Statement == nil || f.Statement.Query == nil {
		return nil
	}
	c := &checker{Facts: f, on: s.on}
	sql.Inspect(f.Statement.Query, c.visit)
	c.ctes()
	return c.suppress()
}

// checker is one query while it is checked.
type checker struct {
	Facts
	on    map[string]bool
	found []*diag.Problem

	queries []*sql.Query // those with CTEs
	reads   []read       // names in FROM that may be CTEs
	exists  map[*sql.Query]bool
	orders  map[*sql.Select][]sql.OrderItem // ORDER BY of the query around a SELECT
}

// report adds a warning.
func (c *checker) report(code string, at sql.Range, format string, args ...any) *diag.Problem {
	p := diag.New(code, at.Span(c.File), format, args...)
	p.Severity = diag.Warning
	c.found = append(c.found, p)
	return p
}

// visit hands a node to the rules that look at its kind.
func (c *checker) visit(n sql.Node) bool {
	switch n := n.(type) {
	case *sql.Query:
		c.query(n)
	case *sql.Select:
		c.selectBlock(n)
	case *sql.SetOp:
		c.setOp(n)
	case *sql.TableName:
		c.tableName(n)
	case *sql.Binary:
		c.binary(n)
	case *sql.In:
		c.in(n)
	case *sql.Case:
		c.caseExpr(n)
	case *sql.Subquery:
		if n.Kind == sql.ExistsSubquery {
			if c.exists == nil {
				c.exists = map[*sql.Query]bool{}
			}
			c.exists[n.Query] = true
		}
	}
	return true
}

// fold is the form in which names are compared.
func fold(name string) string { return strings.ToLower(name) }

// conjuncts takes a condition apart at its top-level ANDs.
func conjuncts(x sql.Expr) []sql.Expr {
	if l, ok := x.(*sql.Logical); ok && !l.Or {
		var out []sql.Expr
		for _, a := range l.Args {
			out = append(out, conjuncts(a)...)
		}
		return out
	}
	if x == nil {
		return nil
	}
	return []sql.Expr{x}
}

// columns lists the column references of an expression, those of subqueries in it included.
func columns(x sql.Node) []*sql.ColumnRef {
	var out []*sql.ColumnRef
	sql.Inspect(x, func(n sql.Node) bool {
		if ref, ok := n.(*sql.ColumnRef); ok {
			out = append(out, ref)
		}
		return true
	})
	return out
}

// literal reports whether an expression is a literal of that kind.
func literal(x sql.Expr, kind sql.LiteralKind) bool {
	l, ok := x.(*sql.Literal)
	return ok && l.Kind == kind
}
