package analyze

import (
	"cmp"
	"slices"

	"github.com/norn-data/norn/internal/sql"
)

// Transform says what happens to a value on its way from one column to another. A later one contains the earlier: what is
// cast and then summed is an aggregation.
type Transform uint8

// The transforms. Constant is for columns that no column reaches.
const (
	Direct Transform = iota
	Cast
	Expression
	Aggregation
	Constant
)

func (t Transform) String() string {
	return [...]string{"direct", "cast", "expression", "aggregation", "constant"}[t]
}

// UseKind says how a query uses a column other than for a value of its output.
type UseKind uint8

// The kinds of uses.
const (
	UseFilter UseKind = iota // WHERE, HAVING, QUALIFY
	UseJoin                  // ON, USING
	UseGroup                 // GROUP BY, DISTINCT ON
	UseOrder                 // ORDER BY of the query
)

func (u UseKind) String() string { return [...]string{"filter", "join", "group", "order"}[u] }

// edge is one origin inside the binder: a column of one of the relations the model reads, by number.
type edge struct {
	rel, col int32
	how      Transform
	cond     bool // only decides which of other values is taken, as the condition of CASE does
}

// use is an edge with the kind of use; how is not set.
type use struct {
	rel, col int32
	kind     UseKind
}

// reach is what values of an expression are made of; how is what happens to all of them on top, so that a cast costs nothing.
//
// Every value and every column has a reach, and without lineage nothing reaches anything: so it is small while it is empty.
type reach struct {
	from *trail // nil: nothing
	how  Transform
	cond bool
}

// trail is where values come from. It is shared and never changed.
type trail struct {
	edges []edge
	// guards are the sets of rows the values came through, for the search for leaks only; see presence.go.
	guards []guard
}

// reached is a reach along edges and through guards, of which there may be none.
func reached(edges []edge, guards []guard) reach {
	if len(edges)+len(guards) == 0 {
		return reach{}
	}
	return reach{from: &trail{edges, guards}}
}

func (r reach) edges() []edge {
	if r.from == nil {
		return nil
	}
	return r.from.edges
}

func (r reach) guards() []guard {
	if r.from == nil {
		return nil
	}
	return r.from.guards
}

// through is the reach with other guards.
func (r reach) through(guards []guard) reach {
	r.from = reached(r.edges(), guards).from
	return r
}

// then adds a step for everything in the reach.
func (r reach) then(how Transform) reach {
	r.how = max(r.how, how)
	return r
}

// condition marks everything in the reach as a condition.
func (r reach) condition() reach {
	r.cond = true
	return r
}

// apply writes the pending step into the edges.
func (r reach) apply() []edge {
	if r.how == Direct && !r.cond || len(r.edges()) == 0 {
		return r.edges()
	}
	out := make([]edge, len(r.edges()))
	for i, e := range r.edges() {
		e.how, e.cond = max(e.how, r.how), e.cond || r.cond
		out[i] = e
	}
	return out
}

// merge unites reaches. Each source column stands once, with its strongest transform; the order is by relation and column.
func merge(reaches ...reach) reach {
	var only reach
	var guards []guard
	n, sources := 0, 0
	for _, r := range reaches {
		if r.from == nil {
			continue
		}
		guards = joinGuards(guards, r.from.guards)
		if len(r.from.edges) > 0 {
			only, n, sources = r, n+len(r.from.edges), sources+1
		}
	}
	if sources == 1 && len(guards) == 0 {
		return only
	}
	if sources <= 1 {
		return only.through(guards)
	}
	out := make([]edge, 0, n)
	for _, r := range reaches {
		for _, e := range r.edges() {
			e.how, e.cond = max(e.how, r.how), e.cond || r.cond
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.rel, b.rel), cmp.Compare(a.col, b.col))
	})
	last := 0
	for _, e := range out[1:] {
		if l := &out[last]; l.rel == e.rel && l.col == e.col {
			l.how, l.cond = max(l.how, e.how), l.cond && e.cond
			continue
		}
		last++
		out[last] = e
	}
	return reached(out[:last+1], guards)
}

// queryInside binds a query that stands in an expression. What it filters, joins and groups by decides about no rows of the block
// around: it decides the value of the expression, as a condition does, and is returned as the reach of that.
func (b *binder) queryInside(e *env, q *sql.Query) (*shape, reach) {
	start := len(b.uses)
	s := b.query(e, q)
	inside := usesOf(b.uses[start:])
	b.uses = b.uses[:start]
	how := Expression
	if s.grouped {
		how = Aggregation
	}
	var edges []edge
	for _, u := range inside {
		if n := len(edges); n == 0 || edges[n-1].rel != u.rel || edges[n-1].col != u.col {
			edges = append(edges, edge{rel: u.rel, col: u.col, how: how, cond: true})
		}
	}
	return s, reached(edges, nil)
}

// reaches are those of all columns of a query.
func (s *shape) reaches() []reach {
	out := make([]reach, len(s.cols))
	for i := range s.cols {
		out[i] = s.cols[i].reach
	}
	return out
}

// usesOf sorts and thins out the uses of a model.
func usesOf(uses []use) []use {
	slices.SortFunc(uses, func(a, b use) int {
		return cmp.Or(cmp.Compare(a.rel, b.rel), cmp.Compare(a.col, b.col), cmp.Compare(a.kind, b.kind))
	})
	return slices.Compact(uses)
}
