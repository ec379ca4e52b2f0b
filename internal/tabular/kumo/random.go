package kumo

import (
	"fmt"
	"math"
	"strings"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tabular/weights"
)

// Released are the sizes of a published network.
func Released(size Size, task forward.Kind) (Config, error) {
	c, ok := size.released()
	switch {
	case !ok:
		return c, fmt.Errorf("size %q is not known; use small, medium or large", size)
	case task == forward.Classification:
		c.Classes = 10
	case task == forward.Regression:
		c.Quantiles = 999
	default:
		return c, fmt.Errorf("task %q is not known; use %s or %s", task, forward.Classification, forward.Regression)
	}
	return c, nil
}

// RandomFile makes weights of a configuration out of small random numbers: the same work as a
// trained network of that size, without its answers. Benchmarks and tests use it where no
// weights are at hand. The file states the number of query heads, as a converted one does.
func RandomFile(c Config, seed uint64) (*weights.File, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("making random weights: %w", err)
	}
	norm := func(name string) bool {
		return strings.Contains(name, "norm") || strings.HasSuffix(name, "mlp.0.weight")
	}
	tensors, err := forward.RandomTensors(c.Shapes(), seed, norm)
	if err != nil {
		return nil, err
	}
	for name, t := range tensors {
		if frequencies(name) {
			values := make([]float32, t.Elements())
			for i := range values {
				values[i] = float32(math.Pow(ropeBase, -float64(i)/float64(len(values))))
			}
			if tensors[name], err = weights.NewFloat32(values, t.Shape...); err != nil {
				return nil, fmt.Errorf("making random weights: %s: %w", name, err)
			}
		}
	}
	config := map[string]any{"num_icl_key_value_heads_for_query": int64(c.QueryHeads)}
	return &weights.File{Config: config, Tensors: tensors}, nil
}

// ropeBase is the base of rotary frequencies in networks made here; published ones carry
// theirs.
const ropeBase = 100_000

// Work is the useful arithmetic of one member, a multiply-add counted as two operations:
// products and attention, without norms, activations and what a fit computes again to stay in
// its budget.
func (n *Network) Work(rows, query, features int) (fit, predict float64) {
	c := n.config
	e, d := float64(c.Cell), float64(c.Context)
	columns, tokens := float64(features), float64(features+c.Readouts)
	block := func(width, queries, keysRows, keys float64) float64 {
		return queries*(2*(2+2*forwardFactor)*width*width+4*width*keys) + keysRows*4*width*width
	}
	row := func(rows float64) float64 {
		cell := columns * 2 * e * float64(4*c.Waves+3*c.Group)
		layers := 0.0
		for i := range c.Layers {
			asking := tokens
			if i == c.Layers-1 {
				asking = float64(c.Readouts)
			}
			layers += columns*block(e, 1, 0, float64(c.Inducing)) + block(e, asking, tokens, tokens)
		}
		project := 0.0
		if c.projected() {
			project = 2 * float64(c.row()) * d
		}
		return rows * (cell + layers + project)
	}
	r, q := float64(rows), float64(query)
	gather := float64(c.Layers) * columns * (block(e, float64(c.Inducing), r, r) + float64(c.Inducing)*4*e*e)
	context := func(queries, projected, blocks float64) float64 {
		return blocks * block(d, queries, projected, r)
	}
	blocks := float64(c.Blocks)
	fit = row(r) + gather + context(r, r, blocks-1) + r*4*d*d
	predict = row(q) + context(q, 0, blocks) + q*2*d*(forwardFactor*d+forwardFactor*float64(c.outputs()))
	return fit, predict
}
