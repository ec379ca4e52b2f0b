// Package rules holds the built-in rules: what SQL allows, means something, and is hardly ever what its author meant.
//
// A rule looks at the tree of one query and at what the analysis found out about it ([Facts]), and reports warnings: nothing
// here stops a build, unless the project says that a rule's findings do. Most rules need the tree only; those about joins need to know which relation a column belongs to, and
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
	"iter"
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
	{"R014", "comma join", false},
	{"R015", "DISTINCT behind GROUP BY", true},
	{"R016", "counted and named keys mixed", false},
	{"R017", "ELSE NULL", false},
	{"R018", "DISTINCT with parentheses", true},
	{"R019", "alias that is the column's own name", false},
	{"R020", "count of a number", false},
	{"R021", "star of unknown width", false},
	{"R022", "column without a name", false},
	{"R023", "unused alias of a relation", false},
	{"R024", "JOIN without its kind", false},
	{"R025", "directions of ORDER BY said and unsaid", false},
	{"R026", "unqualified column beside several relations", false},
	{"R027", "columns qualified here and there", false},
	{"R028", "CASE in the ELSE of CASE", false},
	{"R029", "comment that stands alone", false},
	{"R030", "query in FROM", false},
	{"R031", "last SELECT that is no plain read", false},
	{"R032", "WITH inside of a query", false},
	{"R033", "CTE that reads itself", false},
	{"R034", "CROSS JOIN", false},
	{"R035", "query in FROM without a name", false},
	{"R036", "computed join key", false},
	{"R037", "last CTE that is not called final", false},
	{"R038", "unused column of a CTE", false},
	{"R039", "ranking by many keys", false},
	{"R040", "long text in a query", false},
	{"R041", "JSON read twice", false},
	{"R042", "repeated semicolon", false},
}

// All lists the rules by code.
func All() []Rule { return slices.Clone(rules) }

// A Selection says which rules are on, and how. The zero Selection has none.
type Selection struct {
	Limits Limits

	on, severe map[string]bool
}

// Limits are the numbers that some rules hold queries to; 0 means the default.
type Limits struct {
	LiteralLength  int // R040: characters of a text
	RankingOrderBy int // R039: keys of a ranking
}

// The defaults: a text of 100 characters fills a line, and a ranking that needs a sixth key has no key.
const (
	defaultLiteralLength  = 100
	defaultRankingOrderBy = 5
)

func (l Limits) literalLength() int {
	if l.LiteralLength > 0 {
		return l.LiteralLength
	}
	return defaultLiteralLength
}

func (l Limits) rankingKeys() int {
	if l.RankingOrderBy > 0 {
		return l.RankingOrderBy
	}
	return defaultRankingOrderBy
}

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

// Columns are the columns of a relation by their folded names.
type Columns interface {
	Has(folded string) bool
	// Folded lists the names in order.
	Folded() iter.Seq[string]
}

// Facts are a query and what the analysis knows about it.
type Facts struct {
	File      *diag.File
	Statement *sql.Statement
	// Columns are those of a relation. Known is false where there may be others, or where the relation was never bound.
	Columns func(t sql.TableExpr) (columns Columns, known bool)
	// Unique are sets of folded columns of a relation of the project, each of which tells its rows apart.
	Unique func(t sql.TableExpr) [][]string
	// Dialect is the SQL that the query is written in; nil means DuckDB's.
	Dialect *sql.Dialect
	// Custom are the names of the project's own rules. They are run elsewhere; here they may be suppressed.
	Custom []string
}

// Check applies the selected rules to a query.
func Check(f Facts, s Selection) []*diag.Problem {
	if f.Statement == nil || f.Statement.Query == nil {
		return nil
	}
	c := &checker{Facts: f, on: s.on, limits: s.Limits, severe: s.severe}
	sql.Inspect(f.Statement.Query, c.visit)
	c.ctes()
	c.cteColumns()
	c.structure()
	c.relations()
	c.comments()
	c.semicolons()
	return c.suppress()
}

// checker is one query while it is checked.
type checker struct {
	Facts
	on     map[string]bool
	severe map[string]bool
	limits Limits
	found  []*diag.Problem

	queries []*sql.Query // those with CTEs
	reads   []read       // names in FROM that may be CTEs
	exists  map[*sql.Query]bool
	orders  map[*sql.Select][]sql.OrderItem // ORDER BY of the query around a SELECT
}

// report adds a warning.
func (c *checker) report(code string, at sql.Range, format string, args ...any) *diag.Problem {
	p := c.weigh(finding(code, at.Span(c.File), format, args...))
	c.found = append(c.found, p)
	return p
}

// weigh makes a finding an error where the project wants it to be one.
func (c *checker) weigh(p *diag.Problem) *diag.Problem {
	if c.severe[p.Code] {
		p.Severity = diag.Error
	}
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
		c.elseBranch(n)
	case *sql.Call:
		c.call(n)
	case *sql.Literal:
		c.literalLength(n)
	case *sql.Window:
		if len(n.OrderBy) > 1 {
			c.directions(n.OrderBy)
		}
	case *sql.Join:
		c.joinWords(n)
	case *sql.Subselect:
		c.subselect(n)
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
