package tabicl

import (
	"fmt"
	"strings"

	"github.com/norn-data/norn/internal/tabular/forward"
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
	norm := func(name string) bool { return strings.Contains(name, "norm") || strings.Contains(name, "ln") }
	tensors, err := forward.RandomTensors(config.Shapes(), seed, norm)
	if err != nil {
		return nil, err
	}
	return &weights.File{Config: raw, Tensors: tensors}, nil
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
