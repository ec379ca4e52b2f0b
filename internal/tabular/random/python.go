package random

import (
	"math"
	"math/big"
	"math/bits"
)

// Python follows CPython's random.Random: getrandbits, randrange, choice, shuffle and sample
// as of Python 3.11 (unchanged since 3.2 for the parts used here).
type Python struct {
	mt twister
}

// NewPython returns the stream of random.Random(seed).
func NewPython(seed uint64) *Python {
	return NewPythonBig(new(big.Int).SetUint64(seed))
}

// NewPythonBig returns the stream of random.Random(seed) for an integer of any size. The sign does
// not count: CPython seeds with the absolute value.
func NewPythonBig(seed *big.Int) *Python {
	rest := new(big.Int).Abs(seed)
	word, mask := new(big.Int), big.NewInt(math.MaxUint32)
	var key []uint32
	for {
		key = append(key, uint32(word.And(rest, mask).Uint64()))
		if rest.Rsh(rest, 32).Sign() == 0 {
			break
		}
	}
	p := new(Python)
	p.mt.seedKey(key)
	return p
}

// Bits returns k random bits, 0 <= k <= 64 (getrandbits). It panics for other k.
func (p *Python) Bits(k int) uint64 {
	switch {
	case k == 0:
		return 0
	case k > 0 && k <= 32:
		return uint64(p.mt.word() >> (32 - k))
	case k > 32 && k <= 64:
		low := uint64(p.mt.word())
		return low | uint64(p.mt.word()>>(64-k))<<32
	}
	panic("random: Bits wants between 0 and 64 bits")
}

// Below returns a number in 0..n-1 (randrange(n), choice). It draws as many bits as n has and
// throws away what is too large, so that n = 1 may draw as well. It panics for n < 1.
func (p *Python) Below(n int) int {
	if n < 1 {
		panic("random: Below wants at least one choice")
	}
	k := bits.Len64(uint64(n))
	v := p.Bits(k)
	for v >= uint64(n) {
		v = p.Bits(k)
	}
	return int(v)
}

// Shuffle permutes n things by calls of swap (random.shuffle).
func (p *Python) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, p.Below(i+1))
	}
}

// Perm returns the numbers 0..n-1, shuffled.
func (p *Python) Perm(n int) []int {
	x := ascending(n)
	p.Shuffle(n, func(i, j int) { x[i], x[j] = x[j], x[i] })
	return x
}

// Sample returns k different numbers of 0..n-1 in drawn order (random.sample(range(n), k)).
// It panics unless 0 <= k <= n.
//
// CPython picks one of two methods by a guess at memory, and they consume the stream differently:
// a pool of all n numbers if that is no larger than a hash set of the k chosen ones would be,
// otherwise rejection of what was chosen before.
func (p *Python) Sample(n, k int) []int {
	if k < 0 || k > n {
		panic("random: Sample wants no more than there is")
	}
	setSize := 21
	if k > 5 {
		setSize += 1 << (2 * int(math.Ceil(math.Log(float64(3*k))/math.Log(4))))
	}
	out := make([]int, k)
	if n <= setSize {
		pool := ascending(n)
		for i := range out {
			j := p.Below(n - i)
			out[i] = pool[j]
			pool[j] = pool[n-i-1]
		}
		return out
	}
	taken := make(map[int]bool, k)
	for i := range out {
		j := p.Below(n)
		for taken[j] {
			j = p.Below(n)
		}
		taken[j] = true
		out[i] = j
	}
	return out
}

// ascending returns 0, 1, ... n-1.
func ascending(n int) []int {
	x := make([]int, n)
	for i := range x {
		x[i] = i
	}
	return x
}
