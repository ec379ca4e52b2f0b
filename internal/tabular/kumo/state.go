package kumo

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tensor"
)

// A ContextState is the outline of a context as plain data. Its numbers are arrays of float32
// by name, handed out by [Context.State] and asked for by [Network.Restore]:
//
//	means                              [features]                      what fills missing cells
//	<task>.columns.<layer>.key, .value [features, heads, inducing, hd] what cells look at
//	<task>.context.<block>.key, .value [query heads, rows, hd]         what rows look at: cache full
//	<task>.context.rows                [rows, D]                       vectors to make keys from again: cache compact
//
// Tasks are those of the codes, and 0 where there are none.
type ContextState struct {
	Rows        int     `json:"rows"` // that taught
	Features    int     `json:"features"`
	Classes     int     `json:"classes"` // 0 for regression
	Categorical []bool  `json:"categorical"`
	Codes       [][]int `json:"codes,omitempty"`
	Compact     bool    `json:"compact,omitempty"` // vectors are kept instead of keys
}

// axes are those of an array in a state, outermost first.
var (
	columnAxes = []tensor.Axis{tensor.Features, tensor.Heads, inducing, tensor.Channels}
	keyAxes    = []tensor.Axis{tensor.Heads, tensor.Rows, tensor.Channels}
	vectorAxes = []tensor.Axis{tensor.Query, tensor.Channels}
)

// arrays names all memory of the part, with the order of its axes.
func (p *part) arrays(f func(name string, a *tensor.Array, axes []tensor.Axis)) {
	for i, kv := range p.columns {
		f(fmt.Sprintf("columns.%d.key", i), kv.k, columnAxes)
		f(fmt.Sprintf("columns.%d.value", i), kv.v, columnAxes)
	}
	for i, kv := range p.keys {
		f(fmt.Sprintf("context.%d.key", i), kv.k, keyAxes)
		f(fmt.Sprintf("context.%d.value", i), kv.v, keyAxes)
	}
	if p.vectors != nil {
		f("context.rows", p.vectors, vectorAxes)
	}
}

// State gives the context's outline, after put has seen all its arrays, which must not be
// changed.
func (c *Context) State(put func(name string, data []float32, shape ...int)) ContextState {
	put("means", c.means, len(c.means))
	for t, p := range c.parts {
		p.arrays(func(name string, a *tensor.Array, axes []tensor.Axis) {
			shape := make([]int, len(axes))
			for i, axis := range axes {
				shape[i] = a.Size(axis)
			}
			put(fmt.Sprintf("%d.%s", t, name), a.Data(), shape...)
		})
	}
	return ContextState{Rows: c.rows, Features: c.features, Classes: c.classes, Categorical: slices.Clone(c.categorical), Codes: c.codes,
		Compact: c.parts[0].vectors != nil}
}

// Restore makes a context from its outline and the arrays that get gives by name and shape. It
// keeps the arrays and only reads them, so they may be mapped from a file. The outline may come
// from anywhere: one that no fit makes is refused.
func (n *Network) Restore(s ContextState, settings forward.Settings, get func(name string, shape ...int) ([]float32, error)) (*Context, error) {
	settings, err := settings.Check()
	if err == nil {
		err = n.checkState(s)
	}
	if err != nil {
		return nil, fmt.Errorf("restoring Kumo Tabular: %w", err)
	}
	c := &Context{network: n, settings: settings, rows: s.Rows, features: s.Features, classes: s.Classes, codes: s.Codes,
		categorical: slices.Clone(s.Categorical), masks: masks(s.Categorical, n.config.Group)}
	if c.means, err = get("means", s.Features); err != nil {
		return nil, fmt.Errorf("restoring Kumo Tabular: %w", err)
	}
	for t := range max(1, len(s.Codes)) {
		p, err := n.restorePart(s, func(name string, dims ...tensor.Dim) (*tensor.Array, error) {
			shape := make([]int, len(dims))
			for i, d := range dims {
				shape[i] = d.Size
			}
			data, err := get(fmt.Sprintf("%d.%s", t, name), shape...)
			if err != nil {
				return nil, err
			}
			return tensor.NewArray(data, dims...), nil
		})
		if err != nil {
			return nil, fmt.Errorf("restoring Kumo Tabular: task %d: %w", t, err)
		}
		c.parts = append(c.parts, p)
	}
	return c, nil
}

// checkState refuses outlines that no fit of this network makes.
func (n *Network) checkState(s ContextState) error {
	most := n.config.Classes
	switch {
	case s.Rows < 1 || s.Features < 1 || s.Rows > math.MaxInt32 || s.Features > math.MaxInt32:
		return fmt.Errorf("%d rows and %d features cannot be", s.Rows, s.Features)
	case len(s.Categorical) != s.Features:
		return fmt.Errorf("%d features and %d kinds of columns", s.Features, len(s.Categorical))
	case s.Classes < 0 || (s.Classes == 0) != (most == 0):
		return fmt.Errorf("%d classes are not this network's", s.Classes)
	case s.Classes > most:
		return checkCodes(s.Codes, s.Classes, most)
	case s.Codes != nil:
		return errors.New("codes for classes that need none")
	}
	return nil
}

func (n *Network) restorePart(s ContextState, array func(name string, dims ...tensor.Dim) (*tensor.Array, error)) (*part, error) {
	c, p := n.config, &part{}
	pair := func(name string, dims ...tensor.Dim) (kv keysValues, err error) {
		if kv.k, err = array(name+".key", dims...); err != nil {
			return kv, err
		}
		kv.v, err = array(name+".value", dims...)
		return kv, err
	}
	for i := range c.Layers {
		kv, err := pair(fmt.Sprintf("columns.%d", i), dim(tensor.Features, s.Features), dim(tensor.Heads, c.Heads), dim(inducing, c.Inducing), dim(tensor.Channels, c.Cell/c.Heads))
		if err != nil {
			return nil, err
		}
		p.columns = append(p.columns, kv)
	}
	if s.Compact {
		var err error
		p.vectors, err = array("context.rows", dim(tensor.Query, s.Rows), dim(tensor.Channels, c.Context))
		return p, err
	}
	for i := range c.Blocks {
		kv, err := pair(fmt.Sprintf("context.%d", i), dim(tensor.Heads, c.QueryHeads), dim(tensor.Rows, s.Rows), dim(tensor.Channels, c.Context/c.BlockHeads))
		if err != nil {
			return nil, err
		}
		p.keys = append(p.keys, kv)
	}
	return p, nil
}

// WithThreads is the same context, answering with another number of threads.
func (c *Context) WithThreads(threads int) *Context {
	other := *c
	if other.settings.Threads = threads; threads < 1 {
		other.settings.Threads = runtime.GOMAXPROCS(0)
	}
	return &other
}
