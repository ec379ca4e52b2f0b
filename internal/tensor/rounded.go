package tensor

import (
	"math"

	"github.com/norn-data/norn/internal/tensor/kernel"
)

// Rounded are keys and values of attention in the form in which 16-bit arithmetic takes them. Where many pieces look at the
// same keys they are rounded once for all, not by each. It holds memory that is used again by the next [Run.Round].
type Rounded struct {
	axis  Axis // of the heads
	heads []kernel.HalfKeys
}

// Round makes into hold k and v [axis, keys, hd], dense, and reports whether it did: with float32 arithmetic, or where the
// machine's 16-bit attention rounds nothing, there is nothing to do ahead and [Eager.Attend] is as fast. Attention over it
// gives the bits that Attend gives.
func (r *Run) Round(into *Rounded, k, v *Array, axis, keys Axis) (bool, error) {
	nk, hd := k.Size(keys), k.width()
	if r.settings.Precision != BF16 || !kernel.RoundsKeys(r.settings.Level, nk, hd) {
		return false, nil
	}
	into.axis = axis
	if n := k.Size(axis); len(into.heads) != n {
		into.heads = make([]kernel.HalfKeys, n)
	}
	return true, r.Split(len(into.heads), 1, func(_ *Eager, head, _ int) error {
		one, other := k.Window(axis, head, head+1), v.Window(axis, head, head+1)
		into.heads[head].Round(one.data, max(one.stride(keys), hd), other.data, max(other.stride(keys), hd), nk, hd)
		return nil
	})
}

// AttendRounded is [Eager.Attend] over rounded keys for queries q [queries, heads, hd], where heads is their axis.
func (o *Eager) AttendRounded(q *Array, kv *Rounded, queries Axis) *Array {
	hd, mq := q.width(), q.Size(queries)
	if len(q.dims) != 3 || q.Size(kv.axis) != len(kv.heads) || mq == 0 {
		o.fail("AttendRounded", "queries %s do not go with %d positions of %s", q.sizes(), len(kv.heads), kv.axis)
	}
	y := o.like(q, hd)
	qs, ys := q.stride(queries), y.stride(queries)
	chunk := max(8, o.workUnit()/max(2*kv.heads[0].Keys()*hd, 1))
	for head := range kv.heads {
		h := &kv.heads[head]
		from, to := q.data[head*q.stride(kv.axis):], y.data[head*y.stride(kv.axis):]
		for lo := 0; lo < mq; lo += chunk {
			m := min(chunk, mq-lo)
			o.spend(2 * m * h.Keys() * hd)
			kernel.AttentionRounded(to[lo*ys:], max(ys, hd), from[lo*qs:], max(qs, hd), m, h, float32(1/math.Sqrt(float64(hd))))
		}
	}
	return y
}
