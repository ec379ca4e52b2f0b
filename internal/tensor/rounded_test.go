package tensor

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/norn-data/norn/internal/tensor/kernel"
)

// Attention over keys that were rounded ahead gives the bits of attention that rounds them itself; in float32 nothing is
// rounded.
func TestAttendRounded(t *testing.T) {
	const heads, rows, query, hd = 2, 300, 7, 32
	g := rand.New(rand.NewPCG(4, 4))
	random := func(dims ...Dim) *Array {
		n := 1
		for _, d := range dims {
			n *= d.Size
		}
		data := make([]float32, n)
		for i := range data {
			data[i] = float32(g.NormFloat64())
		}
		return NewArray(data, dims...)
	}
	k := random(Dim{Heads, heads}, Dim{Rows, rows}, Dim{Channels, hd})
	v := random(Dim{Heads, heads}, Dim{Rows, rows}, Dim{Channels, hd})
	q := random(Dim{Query, query}, Dim{Heads, heads}, Dim{Channels, hd})
	for _, p := range []Precision{FP32, BF16} {
		run := NewRun(context.Background(), Settings{Threads: 2, Precision: p, Level: kernel.Best()})
		var kept Rounded
		done, err := run.Round(&kept, k, v, Heads, Rows)
		if err != nil || done && p == FP32 {
			t.Fatalf("%s: rounded %v, %v", p, done, err)
		}
		if !done {
			continue
		}
		err = run.Once(func(o *Eager) error {
			got, want := o.AttendRounded(q, &kept, Query), o.Attend(q, k, v, Query, Rows).(*Array)
			if !slices.Equal(got.Data(), want.Data()) {
				t.Error("rounded ahead, keys give other bits")
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
