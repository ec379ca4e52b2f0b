package tabicl

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/tabular/weights"
)

// RandomFile makes weights of a configuration out of small random numbers: the same work as
// a trained network of that size, without its answers. Benchmarks and tests use it where no
// weights are at hand. An empty configuration is the released classifier's.
func RandomFile(raw map[string]any, seed uint64) (*weights.File, error) {
	config, err := ParseConfig(raw)
	if err != nil {
		return nil, fmt.Errorf("making random weights: %w", err)
	}
	g := rand.New(rand.NewPCG(seed, 2))
	f := &weights.File{Config: raw, Tensors: map[string]*weights.Tensor{}}
	shapes := config.Shapes()
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		n := 1
		for _, s := range shapes[name] {
			n *= s
		}
		values := make([]float32, n)
		// Sums of in inputs keep the size of one; norms stay near the identity.
		scale, shift := float32(1/math.Sqrt(float64(shapes[name][len(shapes[name])-1]))), float32(0)
		if strings.Contains(name, "norm") || strings.Contains(name, "ln") {
			scale, shift = scale/8, 1
		}
		for i := range values {
			values[i] = shift + scale*float32(g.NormFloat64())
		}
		if f.Tensors[name], err = weights.NewFloat32(values, shapes[name]...); err != nil {
			return nil, fmt.Errorf("making random weights: %s: %w", name, err)
		}
	}
	return f, nil
}

// Work is the useful arithmetic of one member, a multiply-add counted as two operations:
// products and attention of the three stages, without norms, activations and what this
// implementation computes twice. The formula is that of bench/README.md, so that figures of
// different programs can be put side by side.
func (n *Network) Work(rows, query, features int) (fit, predict float64) {
	c := n.config
	e, d := float64(c.EmbedDim), float64(c.width())
	ff, inds, cls := float64(c.FFFactor), float64(c.ColInducing), float64(c.RowCLS)
	tokens := float64(n.tokens(features))
	block := 2 * (2 + 2*ff) * e * e // query and output projections and the feed-forward pair of one row
	column := func(train, every float64) float64 {
		gather := train * (4*e*e + 4*e*inds)
		spread := every * (block + 4*e*inds)
		once := 0.0
		if train > 0 {
			once = inds * (block + 4*e*e)
		}
		return float64(c.ColNumBlocks) * tokens * (gather + spread + once)
	}
	row := func(rows float64) float64 {
		all := tokens + cls
		whole := float64(c.RowNumBlocks-1) * (block + 4*e*e + 4*e*all)
		return rows * all * (whole + 4*e*e)
	}
	context := func(queries, projected float64) float64 {
		return float64(c.ICLNumBlocks) * (queries*(2*(2+2*ff)*d*d+4*d*float64(rows)) + projected*4*d*d)
	}
	r, q := float64(rows), float64(query)
	return column(r, r) + row(r) + context(r, r), column(0, q) + row(q) + context(q, 0)
}
