package random

// Legacy follows NumPy's RandomState, which NumPy promises never to change. scikit-learn draws from
// it whenever it is given a seed.
type Legacy struct {
	mt twister
}

// NewLegacy returns the stream of numpy.random.RandomState(seed). RandomState takes 32-bit seeds only.
func NewLegacy(seed uint32) *Legacy {
	l := new(Legacy)
	l.mt.seedWord(seed)
	return l
}

// Below returns a number in 0..n-1 (randint(0, n), n up to 2^32): words cut to as many bits as n-1
// has, those above n-1 thrown away. For n = 1 nothing is drawn. It panics for n outside 1..2^32.
func (l *Legacy) Below(n int) int {
	if n < 1 || n > 1<<32 {
		panic("random: Legacy.Below wants between 1 and 2^32 choices")
	}
	last := uint32(n - 1)
	if last == 0 {
		return 0
	}
	mask := last
	for shift := 1; shift < 32; shift *= 2 {
		mask |= mask >> shift
	}
	v := l.mt.word() & mask
	for v > last {
		v = l.mt.word() & mask
	}
	return int(v)
}

// Shuffle permutes n things by calls of swap (RandomState.shuffle).
func (l *Legacy) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, l.Below(i+1))
	}
}

// Perm returns the numbers 0..n-1, shuffled (permutation(n); choice(n, k, replace=False) is its
// first k).
func (l *Legacy) Perm(n int) []int {
	x := ascending(n)
	l.Shuffle(n, func(i, j int) { x[i], x[j] = x[j], x[i] })
	return x
}
