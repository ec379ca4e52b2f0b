package project

import (
	"container/heap"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// The graph of enabled models: an edge goes from a reader to what it reads. Only edges between models matter for order and
// cycles; sources and seeds read nothing.

// An edge is one model reading another. ref is the first place that says so.
type edge struct {
	to  int
	ref *Reference
	// aside is set when every place that reads the model stands in an expression or in an audit, and none in a FROM clause of
	// its own: a look-up beside the main flow of rows.
	aside bool
}

type graph struct {
	models []*Model
	reads  [][]edge // by model, in order of place
	cut    map[[2]int]bool
}

// order sorts the enabled models and reports every cycle.
func (p *Project) order(r *report) {
	g := newGraph(p.Models)
	g.cycles(r)
	p.Order = g.sorted()
	for i, m := range p.Order {
		m.rank = i
	}
}

// newGraph keeps one edge per pair of models, at the first place that makes it.
func newGraph(all []*Model) *graph {
	g := &graph{cut: map[[2]int]bool{}}
	index := make(map[*Model]int, len(all))
	for _, m := range all {
		if m.Enabled {
			index[m] = len(g.models)
			g.models = append(g.models, m)
		}
	}
	g.reads = make([][]edge, len(g.models))
	g.callers(index)
	for i, m := range g.models {
		for j := range m.References {
			to, isModel := m.References[j].To.(*Model)
			audit := m.References[j].Table == nil
			if !isModel || audit && to == m {
				continue // an audit of a model runs before it is published, and can look at its own rows
			}
			k, enabled := index[to]
			if !enabled {
				continue
			}
			at := slices.IndexFunc(g.reads[i], func(e edge) bool { return e.to == k })
			if at < 0 {
				at = len(g.reads[i])
				g.reads[i] = append(g.reads[i], edge{to: k, ref: &m.References[j], aside: true})
			}
			g.reads[i][at].aside = g.reads[i][at].aside && (m.References[j].aside || audit)
		}
	}
	return g
}

// callers gives models the edges of the functions that they call, directly or through others.
func (g *graph) callers(index map[*Model]int) {
	for i, m := range g.models {
		seen := map[*Function]bool{}
		var follow func(calls []FunctionCall, at diag.Span)
		follow = func(calls []FunctionCall, at diag.Span) {
			for _, c := range calls {
				if c.To == nil || seen[c.To] {
					continue
				}
				seen[c.To] = true
				span := at
				if span.IsZero() {
					span = c.Span
				}
				for _, ref := range c.To.References {
					to, isModel := ref.To.(*Model)
					if k, enabled := index[to]; isModel && enabled && !slices.ContainsFunc(g.reads[i], func(e edge) bool { return e.to == k }) {
						g.reads[i] = append(g.reads[i], edge{to: k, ref: &Reference{Name: c.Name, Span: span, To: to, Header: true}, aside: true})
					}
				}
				follow(c.To.Calls, span)
			}
		}
		follow(m.Calls, diag.Span{})
	}
}

// readyHeap holds models whose producers are all placed, by index: models are sorted by name, so this is name order.
type readyHeap []int

// The methods of heap.Interface.
func (h readyHeap) Len() int           { return len(h) }
func (h readyHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h readyHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *readyHeap) Push(x any)        { *h = append(*h, x.(int)) }
func (h *readyHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// sorted returns the models, producers first. A reference that was reported for a cycle does not count, so that all others of
// the cycle keep their meaning: only the model with that reference stands before what it reads. Where there were more cycles than
// are reported, what is in one of them or behind it comes last in name order.
func (g *graph) sorted() []*Model {
	waiting := make([]int, len(g.models))
	readers := make([][]int, len(g.models))
	var ready readyHeap
	for i, edges := range g.reads {
		for _, e := range edges {
			if g.cut[[2]int{i, e.to}] {
				continue
			}
			waiting[i]++
			readers[e.to] = append(readers[e.to], i)
		}
		if waiting[i] == 0 {
			ready = append(ready, i)
		}
	}
	heap.Init(&ready)
	order := make([]*Model, 0, len(g.models))
	placed := make([]bool, len(g.models))
	for len(ready) > 0 {
		i := heap.Pop(&ready).(int)
		placed[i] = true
		order = append(order, g.models[i])
		for _, k := range readers[i] {
			if waiting[k]--; waiting[k] == 0 {
				heap.Push(&ready, k)
			}
		}
	}
	for i, m := range g.models {
		if !placed[i] {
			order = append(order, m)
		}
	}
	return order
}

// maxCycles bounds the cycles reported in one run; past it the list helps nobody.
const maxCycles = 100

// cycles reports cycles until cutting the reported references would leave none. Each report names the whole path and
// stands at the reference that most likely does not belong there.
func (g *graph) cycles(r *report) {
	for _, members := range g.components(nil) {
		for _, i := range members {
			g.models[i].cyclic = true
		}
		pending := [][]int{members}
		for reported := 0; len(pending) > 0 && reported < maxCycles; reported++ {
			members, pending = pending[0], pending[1:]
			cycle := g.shortest(members, members[0], members[0])
			from, e := g.wrongEdge(members, cycle)
			r.add(g.describe(members, from, e))
			g.cut[[2]int{from, e.to}] = true
			pending = append(pending, g.components(members)...)
		}
	}
}

// components returns the strongly connected components that hold a cycle, members in order, by Tarjan's algorithm (SIAM J.
// Comput. 1(2), 1972) with a stack of its own, because chains of models can be long. Within nil means all models.
func (g *graph) components(within []int) [][]int {
	n := len(g.models)
	inside := func(int) bool { return true }
	if within != nil {
		inside = func(i int) bool { _, ok := slices.BinarySearch(within, i); return ok }
	} else {
		within = make([]int, n)
		for i := range within {
			within[i] = i
		}
	}
	index, low := make(map[int]int, len(within)), make(map[int]int, len(within))
	onStack := make(map[int]bool, len(within))
	var stack []int
	var out [][]int
	type frame struct{ node, next int }
	for _, root := range within {
		if _, seen := index[root]; seen {
			continue
		}
		frames := []frame{{root, 0}}
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			if f.next == 0 {
				index[f.node], low[f.node] = len(index)+1, len(index)+1
				stack = append(stack, f.node)
				onStack[f.node] = true
			}
			descended := false
			for f.next < len(g.reads[f.node]) {
				to := g.reads[f.node][f.next].to
				f.next++
				if !inside(to) || g.cut[[2]int{f.node, to}] {
					continue
				}
				if _, seen := index[to]; !seen {
					frames = append(frames, frame{to, 0})
					descended = true
					break
				}
				if onStack[to] {
					low[f.node] = min(low[f.node], index[to])
				}
			}
			if descended {
				continue
			}
			node := f.node
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				parent := frames[len(frames)-1].node
				low[parent] = min(low[parent], low[node])
			}
			if low[node] != index[node] {
				continue
			}
			at := slices.Index(stack, node)
			members := slices.Clone(stack[at:])
			stack = stack[:at]
			for _, i := range members {
				onStack[i] = false
			}
			if len(members) > 1 || g.readsItself(node) {
				slices.Sort(members)
				out = append(out, members)
			}
		}
	}
	slices.SortFunc(out, func(a, b []int) int { return a[0] - b[0] })
	return out
}

// readsItself tells a component of one member that is a cycle from one that is none.
func (g *graph) readsItself(i int) bool {
	return slices.ContainsFunc(g.reads[i], func(e edge) bool { return e.to == i && !g.cut[[2]int{i, i}] })
}

// shortest is the shortest way along references from one model to another inside a component, as the list of models
// passed, both ends included. From a model to itself it is the shortest cycle through it.
func (g *graph) shortest(members []int, from, to int) []int {
	previous := map[int]int{}
	queue := []int{from}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, e := range g.reads[i] {
			if _, ok := slices.BinarySearch(members, e.to); !ok || g.cut[[2]int{i, e.to}] {
				continue
			}
			if _, seen := previous[e.to]; seen {
				continue
			}
			previous[e.to] = i
			if e.to == to {
				way := []int{to}
				for at := i; ; at = previous[at] {
					way = append(way, at)
					if at == from {
						break
					}
				}
				slices.Reverse(way)
				return way
			}
			queue = append(queue, e.to)
		}
	}
	diag.Assert(false, "no way from model %d to model %d inside their component", from, to)
	return nil
}

// wrongEdge chooses the reference of a cycle to report. No reference is wrong by itself, so norn asks, in this order: which
// one, taken away, leaves no cycle among the members; which one is a look-up aside from the main flow of rows; which one
// reads the model that needs the most others, compared to its reader. The first in name order wins a tie.
func (g *graph) wrongEdge(members, cycle []int) (int, edge) {
	bestFrom, bestEdge, bestScore := -1, edge{}, [3]int{}
	for k := range len(cycle) - 1 {
		from, to := cycle[k], cycle[k+1]
		e := g.reads[from][slices.IndexFunc(g.reads[from], func(e edge) bool { return e.to == to })]
		var score [3]int
		g.cut[[2]int{from, to}] = true
		if len(g.components(members)) == 0 {
			score[0] = 1
		}
		delete(g.cut, [2]int{from, to})
		if e.aside {
			score[1] = 1
		}
		score[2] = len(g.models[to].References) - len(g.models[from].References)
		if bestFrom < 0 || slices.Compare(score[:], bestScore[:]) > 0 {
			bestFrom, bestEdge, bestScore = from, e, score
		}
	}
	return bestFrom, bestEdge
}

// describe writes the problem of one cycle: the whole path in the message, every reference of it as a place.
func (g *graph) describe(members []int, from int, e edge) *diag.Problem {
	if from == e.to {
		return diag.New("E0110", e.ref.Span, "%s reads itself", g.models[from].Name).
			WithHelp("remove the reference; a CTE of the same name would hide the model")
	}
	way := g.shortest(members, e.to, from)
	names := []string{g.models[from].Name}
	for _, i := range way {
		names = append(names, g.models[i].Name)
	}
	p := diag.New("E0110", e.ref.Span, "models read each other in a cycle: %s", strings.Join(names, " → ")).
		WithHelp("remove one of these references; none of the models can be built before the others")
	if e.ref.Table == nil {
		p.WithHelp("write the audit as a query below audits/, which runs behind all models")
	}
	for k := range len(way) - 1 {
		at := slices.IndexFunc(g.reads[way[k]], func(e edge) bool { return e.to == way[k+1] })
		p.WithNote(g.reads[way[k]][at].ref.Span, "%s reads %s here", g.models[way[k]].Name, g.models[way[k+1]].Name)
	}
	return p
}
