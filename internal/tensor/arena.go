package tensor

import "math/bits"

// arena hands out float memory in sizes of 2^c and takes it back, without ever asking the
// garbage collector in between. One executor owns it, so nothing locks. Memory is not
// cleared: every operation writes all of its result.
type arena struct {
	free [48][]*slab
	held int64 // floats ever asked from Go
}

// slab is one piece of memory. An Array that lies in it names it, which is how a scope
// knows what its result needs.
type slab struct {
	data  []float32
	class int
}

// get returns a slab of at least n floats, the one given back last if there is one: it is
// the most likely to be in the cache still.
func (a *arena) get(n int) *slab {
	class := bits.Len(uint(max(n, 64) - 1))
	if l := len(a.free[class]); l > 0 {
		s := a.free[class][l-1]
		a.free[class] = a.free[class][:l-1]
		return s
	}
	a.held += 1 << class
	return &slab{make([]float32, 1<<class), class}
}

func (a *arena) put(s *slab) { a.free[s.class] = append(a.free[s.class], s) }
