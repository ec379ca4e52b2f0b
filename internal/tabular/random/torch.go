package random

// Torch follows a CPU torch.Generator (PyTorch 2.x). PyTorch has a second path for Bernoulli draws on
// some vendors' processors; the plain one is followed here.
type Torch struct {
	mt twister
}

// NewTorch returns the stream of torch.Generator().manual_seed(seed). Only the low 32 bits count.
func NewTorch(seed uint64) *Torch {
	t := new(Torch)
	t.mt.seedWord(uint32(seed))
	return t
}

// Uint64 returns the next 64 random bits; the first word drawn is the upper one.
func (t *Torch) Uint64() uint64 {
	hi := uint64(t.mt.word())
	return hi<<32 | uint64(t.mt.word())
}

// Perm returns the numbers 0..n-1 in random order (randperm). The last place draws nothing.
func (t *Torch) Perm(n int) []int {
	x := ascending(n)
	for i := range n - 1 {
		j := i + int(t.mt.word()%uint32(n-i))
		x[i], x[j] = x[j], x[i]
	}
	return x
}

// Float32 returns a number in [0, 1) with 24 random bits (rand in float32).
func (t *Torch) Float32() float32 { return float32(t.mt.word()&(1<<24-1)) / (1 << 24) }

// Bernoulli is true with probability p (bernoulli_); it uses 53 bits of two words for every type
// of tensor.
func (t *Torch) Bernoulli(p float64) bool {
	return float64(t.Uint64()&(1<<53-1))/(1<<53) < p
}
