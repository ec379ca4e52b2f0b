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

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tabular/weights"
	"github.com/norn-data/norn/internal/tensor/kernel"
)

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
func (n *Network) Task() forward.Task {
	if n.config.MaxClasses == 0 {
		return forward.Task{Kind: forward.Regression, Quantiles: n.config.NumQuantiles}
	}
	return forward.Task{Kind: forward.Classification, MaxClasses: n.config.MaxClasses}
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
	n := &Network{config: config, level: level}
	every := func(string) bool { return true }
	if n.parameters, err = forward.Check(f, "TabICL model", config.Shapes(), every); err != nil {
		return nil, fmt.Errorf("loading TabICL: %w", err)
	}
	l := loader{forward.NewLoader(f, level)}
	n.column = l.column(config)
	n.row = l.row(config)
	n.incontext = l.incontext(config)
	if err := l.Err(); err != nil {
		return nil, fmt.Errorf("loading TabICL: %w", err)
	}
	n.compile()
	return n, nil
}
