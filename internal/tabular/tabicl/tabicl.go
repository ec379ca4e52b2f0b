// Package tabicl is TabICL, a transformer that predicts a column of a table from rows that
// have it and rows that do not, without training: versions 1 and 2, classifier and
// regressor (Qu, Holzmüller, Varoquaux, Le Morvan 2025, arXiv:2502.05564, and TabICLv2).
//
// The numbers take this way. A table of rows × features enters as float32, standardised by
// the caller. The column stage turns every cell into a vector of E channels: each column
// asks its own labelled rows, through a few learned inducing vectors, what its values mean.
// The row stage reads the cells of one row as a sentence and writes a vector of D =
// E·(number of CLS tokens). The in-context stage lets every row look at the labelled rows
// and answers with logits or quantiles.
//
// Nothing flows from an unlabelled row to any other row. So the work splits in two:
// [Network.Fit] runs the labelled rows once and keeps what others will look at, a
// [Context]; [Context.Predict] runs only the rows that ask, and [PredictTogether] those of
// several contexts in one pass. The model itself is written once over [tensor.Ops], in
// block.go, column.go, row.go and incontext.go; fit.go, predict.go and together.go drive it
// over columns first, then over pieces of rows, so that the tensor of all cells never exists
// in memory.
//
// Invariants: a Network and a Context are immutable and may be used by any number of
// goroutines; sizes come from the file's configuration and from nowhere else; a row's
// answer does not depend on the rows that are asked with it, on threads or on the memory
// budget, to the last bit.
package tabicl

import (
	"fmt"
	"slices"

	"github.com/norn-data/norn/internal/tabular/weights"
	"github.com/norn-data/norn/internal/tensor/kernel"
)

// Kind is what a network predicts.
type Kind string

// The kinds of task.
const (
	Classification Kind = "classification"
	Regression     Kind = "regression"
)

// Task says what a network predicts and in how many numbers.
type Task struct {
	Kind Kind
	// MaxClasses is the largest number of classes the network tells apart in one go; 0 for
	// regression.
	MaxClasses int
	// Quantiles is the number of quantiles of the answer; 0 for classification.
	Quantiles int
}

// Outputs is the width of the network's last layer.
func (t Task) Outputs() int {
	if t.Kind == Regression {
		return t.Quantiles
	}
	return t.MaxClasses
}

// Network is a loaded model: weights packed for this machine's kernels, ready for any
// number of fits.
type Network struct {
	config     Config
	level      kernel.Level
	parameters int64

	column    column
	row       row
	incontext incontext
	programs  programs
}

// Config returns the constructor arguments, defaults filled in.
func (n *Network) Config() Config { return n.config }

// Parameters is the count of numbers stored in the file, the fixed rotary frequencies
// included.
func (n *Network) Parameters() int64 { return n.parameters }

// Task says what the network predicts.
func (n *Network) Task() Task {
	if n.config.MaxClasses == 0 {
		return Task{Kind: Regression, Quantiles: n.config.NumQuantiles}
	}
	return Task{Kind: Classification, MaxClasses: n.config.MaxClasses}
}

// Load checks that the file is a TabICL model and packs its weights for the best kernels of
// this machine. The file's configuration decides every size; a key, a tensor, a shape or a
// number that does not belong is an error that names it.
func Load(f *weights.File) (*Network, error) { return LoadFor(f, kernel.Best()) }

// LoadFor is Load for a chosen instruction set.
func LoadFor(f *weights.File, level kernel.Level) (*Network, error) {
	config, err := ParseConfig(f.Config)
	if err != nil {
		return nil, fmt.Errorf("loading TabICL: %w", err)
	}
	l := &loader{level: level, file: f}
	shapes := config.Shapes()
	for _, name := range f.Names() {
		if _, ok := shapes[name]; !ok {
			return nil, fmt.Errorf("loading TabICL: tensor %s is not part of this architecture (config and tensors do not belong together)", name)
		}
	}
	n := &Network{config: config, level: level}
	for name, shape := range shapes {
		size, err := checkTensor(f, name, shape)
		if err != nil {
			return nil, fmt.Errorf("loading TabICL: %w", err)
		}
		n.parameters += size
	}
	n.column = l.column(config)
	n.row = l.row(config)
	n.incontext = l.incontext(config)
	if l.failed != nil {
		return nil, fmt.Errorf("loading TabICL: %w", l.failed)
	}
	n.compile()
	return n, nil
}

// checkTensor holds the shape and the type of one tensor against what is expected and
// returns its size.
func checkTensor(f *weights.File, name string, shape []int) (int64, error) {
	t, ok := f.Tensors[name]
	if !ok {
		return 0, fmt.Errorf("tensor %s is missing (want shape %v): the file is not a complete TabICL model", name, shape)
	}
	if !slices.Equal(t.Shape, shape) {
		return 0, fmt.Errorf("tensor %s has shape %v, the configuration wants %v", name, t.Shape, shape)
	}
	switch t.DType {
	case weights.F32, weights.F16, weights.BF16, weights.F64:
	default:
		return 0, fmt.Errorf("tensor %s holds %s, want floating point", name, t.DType)
	}
	return int64(t.Elements()), nil
}
