package tabicl

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tensor"
	"github.com/norn-data/norn/internal/tensor/kernel"
)

// A BlockCall is what one call of [RunBlock] saw.
type BlockCall struct {
	Batch       int     `json:"batch"`
	Graphs      int     `json:"graphs"`        // after the call
	MaxAbsError float64 `json:"max_abs_error"` // against eager code
}

// RunBlock takes batches of sequences through one transformer block, compiled and eagerly,
// and says after each how many graphs there are: the experiment that a compiler which
// bakes sizes in fails. The block has random weights.
func RunBlock(ctx context.Context, batches []int, tokens, channels, heads int) ([]BlockCall, error) {
	level := kernel.Best()
	g := rand.New(rand.NewPCG(1, 2))
	random := func(n int, scale float64) []float32 {
		out := make([]float32, n)
		for i := range out {
			out[i] = float32(g.NormFloat64() * scale)
		}
		return out
	}
	weight := func(out, in int) *tensor.Weight {
		return tensor.NewWeight(level, random(out*in, 1/math.Sqrt(float64(in))), out, in, random(out, 0.1))
	}
	norm := func() *tensor.Norm {
		return &tensor.Norm{Gamma: random(channels, 1), Beta: random(channels, 0.1), Eps: normEpsilon}
	}
	b := &block{
		heads: heads, normFirst: true, norm1: norm(), norm2: norm(),
		query: weight(channels, channels), kv: weight(2*channels, channels), out: weight(channels, channels),
		up: weight(2*channels, channels), down: weight(channels, 2*channels),
	}
	f := tensor.NewCompiler("block").Func("block", tensor.Query, forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value {
		x := in[0]
		return b.forward(o, b.attended(o, x, func() (q, k, v tensor.Value) {
			normed := b.normed(o, x)
			k, v = b.keys(o, normed)
			return b.queries(o, normed), k, v
		}, tensor.Tokens, tensor.Tokens))
	}))
	var calls []BlockCall
	for _, batch := range batches {
		x := tensor.NewArray(random(batch*tokens*channels, 1), dim(tensor.Query, batch), dim(tensor.Tokens, tokens), dim(tensor.Channels, channels))
		var answers [2][]float32
		for i, interpret := range []bool{false, true} {
			err := tensor.NewRun(ctx, tensor.Settings{Level: level, Interpret: interpret}).Once(func(o *tensor.Eager) error {
				answers[i] = append(answers[i], forward.Call(o, f, x).Data()...)
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
		worst := 0.0
		for i, v := range answers[0] {
			worst = max(worst, math.Abs(float64(v)-float64(answers[1][i])))
		}
		calls = append(calls, BlockCall{batch, f.Graphs(), worst})
	}
	return calls, nil
}
