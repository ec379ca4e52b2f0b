package tensor

import (
	"context"
	"fmt"
	"slices"

	"github.com/norn-data/norn/internal/tensor/kernel"
)

// pass is one step from what a model asked for to what a Program does. The table below is
// the whole compiler: a graph goes through it from top to bottom, and a dump shows it after
// each step.
type pass struct {
	name     string
	needs    []string // promises that must hold before
	promises string   // what holds after it, and is not broken by later ones
	run      func(g *graph, t target)
}

// target is what a Program is made for.
type target struct {
	level     kernel.Level
	precision Precision
}

// The promises that passes make to each other.
const (
	folded  = "no operation has constants only"
	used    = "every value is used"
	packed  = "every weight is laid out for the target"
	tiled   = "row-wise neighbours are groups whose inner values are never whole in memory"
	planned = "every value has a place, and no two that live together share one"
)

var passes = []pass{
	{"fold", nil, folded, foldConstants},
	{"prune", []string{folded}, used, prune},
	{"pack", []string{used}, packed, packWeights},
	{"tile", []string{used}, tiled, groupTiles},
	{"place", []string{used, tiled}, planned, placeValues},
}

// optimise runs all passes. dump, if not nil, is shown the graph before the first and after
// each.
func optimise(g *graph, t target, dump func(stage, text string)) {
	if dump != nil {
		dump("trace", g.String())
	}
	var held []string
	for _, p := range passes {
		for _, need := range p.needs {
			if !slices.Contains(held, need) {
				panic(fmt.Sprintf("tensor: pass %s needs %q, which no earlier pass promises", p.name, need))
			}
		}
		p.run(g, t)
		held = append(held, p.promises)
		if dump != nil {
			dump(p.name, g.String())
		}
	}
}

// foldConstants computes what does not depend on any input, such as the norm of learned
// vectors, once.
func foldConstants(g *graph, t target) {
	kept := g.code[:0]
	for _, i := range g.code {
		all := true
		for _, v := range i.in {
			all = all && (v == none || g.values[v].constant != nil)
		}
		if !all {
			kept = append(kept, i)
			continue
		}
		run := NewRun(context.Background(), Settings{Threads: 1, Level: t.level, Precision: t.precision})
		err := run.Once(func(o *Eager) error {
			vals := make([]*Array, len(g.values))
			for _, v := range i.in {
				if v != none {
					vals[v] = g.values[v].constant
				}
			}
			o.exec(&i, vals)
			for _, v := range i.out {
				g.values[v].constant = dense(vals[v])
				g.values[v].alias = v
			}
			return nil
		})
		if err != nil {
			panic(err)
		}
	}
	g.code = kept
}

// dense copies a view into memory of its own.
func dense(a *Array) *Array {
	out := &Array{dims: restride(slices.Clone(a.dims)), data: make([]float32, a.elements())}
	sizes, strides := alongside(out, out, a)
	width := a.width()
	walk(sizes, strides, func(off []int) { copy(out.data[off[0]:off[0]+width], a.data[off[1]:off[1]+width]) })
	return out
}

// prune drops operations whose results nobody reads.
func prune(g *graph, _ target) {
	needed := make([]bool, len(g.values))
	for _, v := range g.outputs {
		needed[v] = true
	}
	kept := make([]instruction, 0, len(g.code))
	for _, i := range slices.Backward(g.code) {
		if !slices.ContainsFunc(i.out, func(v int) bool { return needed[v] }) {
			continue
		}
		for _, v := range i.in {
			if v != none {
				needed[v] = true
			}
		}
		kept = append(kept, i)
	}
	slices.Reverse(kept)
	g.code = kept
}

// packWeights makes the layouts that the target's precision needs. A layout belongs to its
// weight, so all Programs share it.
func packWeights(g *graph, t target) {
	if t.precision != BF16 {
		return // the float32 layout was made with the weight
	}
	for _, i := range g.code {
		if i.weight != nil {
			i.weight.half()
		}
	}
}
