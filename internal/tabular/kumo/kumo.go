// Package kumo is Kumo Tabular, a transformer that predicts a column of a table from rows that
// have it and rows that do not, without training (NVIDIA 2026; weights nvidia/Kumo-Tabular,
// sizes small, medium and large, classifier and regressor). It stands beside package tabicl
// and answers the same question with another network.
//
// The numbers take this way. A table of rows × features enters as float32; a missing cell is
// NaN and stays one, a column may hold category codes. The cell embedding looks at each cell
// and two neighbours through learned waves and makes vectors of D channels. Layers follow in
// which columns and rows take turns: every column looks at its own labelled rows through a
// few learned vectors, then every row mixes its cells and four readout tokens. What the
// readout tokens have gathered is the row's vector. The in-context stage lets every row look
// at the labelled rows and answers with ten logits or 999 quantiles.
//
// Nothing flows from an unlabelled row to any other row. So the work splits in two:
// [Network.Fit] runs the labelled rows once and keeps what others will look at, a [Context];
// [Context.Predict] runs only the rows that ask. Because columns and rows take turns, a
// labelled row needs what all columns have become before it goes on. A fit keeps the cells of
// all labelled rows between layers where the budget has room for them; otherwise it makes
// them again from the table, a piece of rows at a time, for each layer and each group of
// columns whose keys the budget holds. Either way gives the same bits.
//
// More than ten classes are answered through codes: tasks that tell nine classes apart and
// call all others the rest ([Labels].Codes). Each task is a context of its own, because
// labels enter at the first layer.
//
// Invariants: a Network and a Context are immutable and may be used by any number of
// goroutines; sizes come from the tensors and from nowhere else, but for the number of heads
// that no tensor tells ([Options]); a row's answer does not depend on the rows that are asked
// with it, on threads or on the memory budget, to the last bit.
package kumo

import (
	"fmt"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tabular/weights"
	"github.com/norn-data/norn/internal/tensor"
	"github.com/norn-data/norn/internal/tensor/kernel"
)

// Network is a loaded model: weights packed for this machine's kernels, ready for any number
// of fits.
type Network struct {
	config     Config
	level      kernel.Level
	parameters int64

	embedding embedding
	incontext incontext
	programs  programs
}

// Config returns the sizes.
func (n *Network) Config() Config { return n.config }

// Parameters is the count of learned numbers in the file. The rotary frequencies, which every
// row block repeats, are not learned and not counted.
func (n *Network) Parameters() int64 { return n.parameters }

// Task says what the network predicts.
func (n *Network) Task() forward.Task {
	if n.config.Classes == 0 {
		return forward.Task{Kind: forward.Regression, Quantiles: n.config.Quantiles}
	}
	return forward.Task{Kind: forward.Classification, MaxClasses: n.config.Classes}
}

// Options say what a weights file does not.
type Options struct {
	// Size is the published size of the weights. It tells the number of key and value heads
	// that query rows use, which no tensor does. Empty, it is taken from the file's
	// configuration if there is one, or told by the sizes of the published networks.
	Size Size
	// Level is the instruction set to pack for; nil means the best of this machine.
	Level *kernel.Level
}

// Recognises reports whether the file looks like a Kumo Tabular network.
func Recognises(f *weights.File) bool {
	_, ok := f.Tensors[readoutToken]
	return ok
}

// LoadWith checks that the file is a Kumo Tabular network of one of the published sizes, or one
// that carries its configuration, and packs it for the best kernels of this machine. A
// tensor, a shape or a number that does not belong is an error that names it. Options say what
// the file does not.
func LoadWith(f *weights.File, o Options) (*Network, error) {
	n, err := load(f, o)
	if err != nil {
		return nil, fmt.Errorf("loading Kumo Tabular: %w", err)
	}
	return n, nil
}

func load(f *weights.File, o Options) (*Network, error) {
	config, err := inspect(f, o.Size)
	if err != nil {
		return nil, err
	}
	n := &Network{config: config, level: kernel.Best()}
	if o.Level != nil {
		n.level = *o.Level
	}
	learned := func(name string) bool { return !frequencies(name) }
	if n.parameters, err = forward.Check(f, "Kumo Tabular network", config.Shapes(), learned); err != nil {
		return nil, err
	}
	l := loader{forward.NewLoader(f, n.level)}
	n.embedding = l.embedding(config)
	n.incontext = l.incontext(config)
	if err := l.Err(); err != nil {
		return nil, err
	}
	n.compile()
	return n, nil
}

// Compiled says how many graphs the network has and what they cost. It grows with kinds of
// calls, never with sizes.
func (n *Network) Compiled() tensor.Stats { return n.programs.compiler.Stats() }
