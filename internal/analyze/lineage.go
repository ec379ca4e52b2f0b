package analyze

import (
	"cmp"
	"slices"
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

// reach is what values of an expression are made of. The edges are shared and never changed; how is what happens to all of
// them on top, so that a cast costs nothing.
type reach struct {
	edges []edge
	how   Transform
	cond  bool
	// guards are the sets of rows the values came through, for the search for leaks only; see presence.go.
	guards []guard
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
	if r.how == Direct && !r.cond || len(r.edges) == 0 {
		return r.edges
	}
	out := make([]edge, len(r.edges))
	for i, e := range r.edges {
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
		guards = joinGuards(guards, r.guards)
		if len(r.edges) > 0 {
			only, n, sources = r, n+len(r.edges), sources+1
		}
	}
	if sources <= 1 {
		only.guards = guards
		return only
	}
	out := make([]edge, 0, n)
	for _, r := range reaches {
		for _, e := range r.edges {
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
	return reach{edges: out[:last+1], guards: guards}
}

// usesOf sorts and thins out the uses of a model.
func usesOf(uses []use) []use {
	slices.SortFunc(uses, func(a, b use) int {
		return cmp.Or(cmp.Compare(a.rel, b.rel), cmp.Compare(a.col, b.col), cmp.Compare(a.kind, b.kind))
	})
	return slices.Compact(uses)
}
