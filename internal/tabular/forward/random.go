package forward

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/norn-data/norn/internal/tabular/weights"
)

// RandomTensors makes tensors of the given shapes out of small random numbers: the same work as a trained network of that
// size, without its answers. Sums of so many inputs as the last axis has keep the size of one; tensors that norm names
// stay near the identity.
func RandomTensors(shapes map[string][]int, seed uint64, norm func(name string) bool) (map[string]*weights.Tensor, error) {
	g := rand.New(rand.NewPCG(seed, 2))
	tensors := make(map[string]*weights.Tensor, len(shapes))
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		shape, n := shapes[name], 1
		for _, s := range shape {
			n *= s
		}
		scale, shift := float32(1/math.Sqrt(float64(shape[len(shape)-1]))), float32(0)
		if norm(name) {
			scale, shift = scale/8, 1
		}
		values := make([]float32, n)
		for i := range values {
			values[i] = shift + scale*float32(g.NormFloat64())
		}
		var err error
		if tensors[name], err = weights.NewFloat32(values, shape...); err != nil {
			return nil, fmt.Errorf("making random weights: %s: %w", name, err)
		}
	}
	return tensors, nil
}
