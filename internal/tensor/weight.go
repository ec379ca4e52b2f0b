package tensor

import (
	"fmt"
	"sync"

	"github.com/norn-data/norn/internal/tensor/kernel"
)

// Weight is the weight [out, in] and bias [out] of a linear layer, packed once for one
// instruction set. It is immutable and shared by all runs.
type Weight struct {
	packed *kernel.Packed
	bias   []float32 // nil for none

	once sync.Once // half is made by the first run that asks for it
	bf16 *kernel.PackedBF16
}

// NewWeight packs w [out, in], row-major. The bias is kept, not copied; nil means none.
func NewWeight(level kernel.Level, w []float32, out, in int, bias []float32) *Weight {
	if len(w) != out*in || bias != nil && len(bias) != out {
		panic(fmt.Sprintf("tensor: NewWeight: %d weights and %d biases for [%d, %d]", len(w), len(bias), out, in))
	}
	return &Weight{packed: kernel.Pack(level, w, out, in), bias: bias}
}

// half is the weight rounded to bfloat16, made once and kept.
func (w *Weight) half() *kernel.PackedBF16 {
	w.once.Do(func() { w.bf16 = kernel.RoundPacked(w.packed) })
	return w.bf16
}

// In is the number of input channels.
func (w *Weight) In() int { return w.packed.K() }

// Out is the number of output channels.
func (w *Weight) Out() int { return w.packed.N() }

// Bytes is the memory the weight takes.
func (w *Weight) Bytes() int { return w.packed.Bytes() + 4*len(w.bias) }

// Norm holds the parameters of a LayerNorm; a nil Beta is the form without bias. With RMS
// set it is an RMSNorm (Zhang and Sennrich 2019, arXiv:1910.07467), which has no bias: rows
// are divided by the root of their mean square plus Eps.
type Norm struct {
	Gamma, Beta []float32 // [width]
	Eps         float32
	RMS         bool
}

// rows normalises rows of the norm's width that follow each other.
func (n *Norm) rows(level kernel.Level, dst, x []float32, rows int) {
	if n.RMS {
		kernel.RMSNorm(level, dst, x, rows, len(n.Gamma), n.Gamma, n.Eps)
		return
	}
	kernel.LayerNorm(level, dst, x, rows, len(n.Gamma), n.Gamma, n.Beta, n.Eps)
}

// Table is a set of rows to look up by number, [n, width].
type Table struct {
	data  []float32
	n     int
	width int
}

// NewTable keeps data [n, width], row-major.
func NewTable(data []float32, n, width int) *Table {
	if len(data) != n*width {
		panic(fmt.Sprintf("tensor: NewTable: %d values for [%d, %d]", len(data), n, width))
	}
	return &Table{data, n, width}
}
