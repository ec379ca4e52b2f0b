package analyze

import (
	"context"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// binder gives meaning to the query of one model. It reads the published shapes of other models and writes only to itself,
// so any number of binders run side by side.
type binder struct {
	ctx       context.Context
	file      *diag.File
	starred   int                                  // columns that stars have stood for
	wide      *diag.Problem                        // they are too many
	functions func(name string) *project.Function  // of the project
	whole     func(*diag.File) (*diag.File, error) // completes a file, see [project.Project.Complete]
	cursor    string                               // the type of an incremental model's cursor: timestamp, integer or ""
	reads     func(name string) *base              // the relation of the project with that name
	bases     []*base                              // what the model reads, in order of first use; edges count by it
	nodes     map[sql.TableExpr]project.Node
	pg        bool                        // expressions follow PostgreSQL's rules, see postgres_expr.go
	bound     map[sql.TableExpr]*relation // every relation of the query, for the rules; nil when none is on

	problems  []*diag.Problem
	reported  map[mistake]*diag.Problem
	follows   map[*diag.Problem]int
	meant     map[*diag.Problem][]string // by an unknown column: the names it can have meant, see misnamed.go
	uses      []use
	gated     bool                   // presence is wanted: a prediction is made of this model
	traced    bool                   // lineage is wanted
	gates     []gate                 // what decides about the rows of the query being bound
	view      bool                   // the query becomes a view
	pinned    map[*sql.ColumnRef]pin // references that COLUMNS made, by what they stand for
	skipped   map[sql.Range]skipped  // what was not understood, see skip.go
	wishes    []Wish                 // columns that the query names of open relations, through queries of its own
	depth     int
	unnamed   int // subqueries without an alias in the FROM clause being bound
	spare     *spare
	orders    map[*relation]joinOrder // of joins, by their first relation; PostgreSQL only
	asked     int                     // expressions bound so far, see stopped
	halted    bool                    // the context has ended
	looked    map[*relation]bool      // relations that something to their right in FROM reads, see lateral.go
	misjoined []misjoin               // see from.go
	advice    int                     // unknown names that were given advice, see advised
	// steps is set to record the columns of CTEs and subqueries as if each were a relation of its own, so that a path can
	// be told step by step.
	steps bool
}

// pin is the column that a star stood for. Behind the name of a relation a star means its own columns, also where USING makes one
// of two.
type pin struct {
	place
	own bool
}

// value is the value of the column.
func (p pin) value() value {
	if p.own {
		return p.rel.value(p.col)
	}
	return p.rel.plain(p.col)
}

// base is a relation of the project as one model reads it.
type base struct {
	name   string
	fold   string
	alt    string // the table's name where it differs
	shape  *shape
	trails []trail  // one a column, of one edge; nil where nobody wants lineage
	table  bool     // no view, as far as is known
	given  bool     // a source: somebody else named its columns
	step   bool     // no relation of the project, but a CTE of this query
	extra  []string // columns of an open relation that are not listed, as the query names them; edges count on from its columns
}

// column is the name of the column an edge points to.
func (r *base) column(i int32) string {
	if n := int32(len(r.shape.cols)); i >= n {
		return r.extra[i-n]
	}
	return r.shape.cols[i].name
}

// openColumn is the value of a column that an open relation may have. Nothing is known about it but where it comes from.
func (b *binder) openColumn(r *relation, name string) value {
	b.follow(r.shape.poison)
	v := value{null: true, poison: r.shape.poison}
	if r.base == nil && v.poison == nil {
		b.wish(r.shape.openBy, name)
	}
	if r.base == nil || v.poison != nil {
		return v
	}
	i := slices.IndexFunc(r.base.extra, func(s string) bool { return strings.EqualFold(s, name) })
	if i < 0 {
		i = len(r.base.extra)
		r.base.extra = append(r.base.extra, name)
	}
	if b.traced {
		v.reach = reached([]edge{{rel: r.number, col: int32(len(r.base.shape.cols) + i)}}, r.guards)
	}
	return v
}

// mistake identifies a problem; an expression may be bound twice (by its alias), but is reported once.
type mistake struct {
	code       string
	start, end int
}

// maxDepth bounds the nesting of queries and expressions. The parser has a limit of its own; this one keeps the binder's
// stack bounded if that one grows.
const maxDepth = 2000

// stopped reports whether the context has ended. Asking it takes a lock, so that it is asked once in a while only; a model is
// left within a moment all the same, because all long work is made of many expressions.
func (b *binder) stopped() bool {
	if b.asked++; b.asked%64 == 0 && !b.halted {
		b.halted = b.ctx.Err() != nil
	}
	return b.halted
}

// advised is for how many unknown names of one model norn says what there is instead. To find the nearest of all names for
// each of ten thousand mistakes takes the square of the time, and nobody reads it.
const advised = 200

// problem reports a mistake at a place and returns it. A place that was reported before gives the first report.
func (b *binder) problem(code string, at sql.Range, format string, args ...any) *diag.Problem {
	key := mistake{code, int(at.Start), int(at.End)}
	if p, ok := b.reported[key]; ok {
		return p
	}
	p := diag.New(code, at.Span(b.file), format, args...)
	if b.reported == nil {
		b.reported = map[mistake]*diag.Problem{}
	}
	b.reported[key] = p
	b.problems = append(b.problems, p)
	return p
}

// follow counts something that could not be checked because of an earlier mistake.
func (b *binder) follow(p *diag.Problem) {
	if p == nil {
		return
	}
	if b.follows == nil {
		b.follows = map[*diag.Problem]int{}
	}
	b.follows[p]++
}

// use records that the query uses what a value is made of, other than for output.
func (b *binder) use(v value, kind UseKind) {
	b.touch(v, kind)
	b.gate(v, kind)
}

// touch is use for what decides how many rows there are without choosing any of them, such as DISTINCT: nothing leaks
// through it.
func (b *binder) touch(v value, kind UseKind) {
	for _, e := range v.reach.edges() {
		b.uses = append(b.uses, use{e.rel, e.col, kind})
	}
}

// base returns the number of a relation of the project in this model, reading it on first use; -1 when there is none.
func (b *binder) base(name string) int {
	f := fold(name)
	for i, r := range b.bases {
		if r.fold == f && !r.step {
			return i
		}
	}
	r := b.reads(f)
	if r == nil {
		return -1
	}
	return b.addBase(r)
}

// addBase gives a relation the next number and one direct edge for each column. Columns of scopes share the trails of these
// edges, so that naming a column allocates nothing. Where nobody wants lineage there are no edges, and nothing that is made of
// columns is made of any.
func (b *binder) addBase(r *base) int {
	if b.traced {
		edges := make([]edge, len(r.shape.cols))
		r.trails = make([]trail, len(edges))
		for i := range edges {
			edges[i] = edge{rel: int32(len(b.bases)), col: int32(i)}
			r.trails[i].edges = edges[i : i+1 : i+1]
		}
	}
	b.bases = append(b.bases, r)
	return len(b.bases) - 1
}

// stepped replaces the reach of a derived relation's columns by one edge each, when steps are recorded.
func (b *binder) stepped(name string, s *shape) *shape {
	if !b.steps || s.open && len(s.cols) == 0 {
		return s
	}
	r := &base{name: name, shape: s, step: true}
	b.addBase(r)
	out := *s
	out.cols = append([]column(nil), s.cols...)
	for i := range out.cols {
		out.cols[i].reach = reach{from: &r.trails[i]}
	}
	return &out
}

// env is where an expression stands.
type env struct {
	scope  *scope
	clause clause
	sel    *selection // the SELECT block, for aliases and groups; nil where there are none
	ctes   *ctes
	lambda *lambdaScope
	inAgg  bool // inside the arguments of an aggregate
	inWin  bool // inside a window function
	bare   *[]bareColumn
	item   int32  // the item of the select list, -1 in other clauses
	cage   string // what is around the expression and takes no unnest
	typed  bool   // only the type of the expression is asked for
	plain  bool   // columns have no methods here: an argument of a function in FROM
}

// clause is the part of a query an expression stands in.
type clause uint8

const (
	inSelect clause = iota
	inWhere
	inJoin
	inGroup
	inHaving
	inQualify
	inOrder
	inOther // LIMIT, VALUES, arguments of table functions
)

var clauseNames = [...]string{"the select list", "WHERE", "a join condition", "GROUP BY", "HAVING", "QUALIFY", "ORDER BY", "this place"}

func (c clause) String() string { return clauseNames[c] }

// allowsAggregates reports whether an aggregate may stand in the clause.
func (c clause) allowsAggregates() bool {
	return c == inSelect || c == inHaving || c == inQualify || c == inOrder
}

// allowsWindows reports whether a window function may stand in the clause. HAVING is computed before windows are.
func (c clause) allowsWindows() bool { return c == inSelect || c == inQualify || c == inOrder }

// bareColumn is a column used outside of aggregates and groups: fine unless the block turns out to aggregate.
type bareColumn struct {
	at     place
	span   sql.Range
	item   int32
	having bool // in HAVING
	// correlated is set on a column that a query in the expression names.
	correlated bool
}

// lambdaScope holds the parameters of a lambda.
type lambdaScope struct {
	names []string // folded
	types []value
	outer *lambdaScope
}

// find looks a folded name up among the parameters, the innermost lambda first: they hide columns of the same name.
func (l *lambdaScope) find(name string) (value, bool) {
	for ; l != nil; l = l.outer {
		for i, n := range l.names {
			if n == name {
				return l.types[i], true
			}
		}
	}
	return value{}, false
}
