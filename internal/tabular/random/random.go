// Package random draws the same numbers as the generators that the reference implementations of
// norn's tabular models draw from, bit for bit.
//
// A member of an ensemble is a permutation of columns and classes, a noise column and a subsample; all
// of them come from a seed. norn's answers equal the reference's answers only if the very same
// permutations come out, so this package follows four foreign streams and no fashion:
//
//   - [Python]: the standard library's random.Random (ensemble plans of TabICL);
//   - [Legacy]: NumPy's RandomState (subsample of the quantile map);
//   - [PCG]: NumPy's default_rng (noise of the RTDL quantile map);
//   - [Torch]: a CPU torch.Generator (every draw of the Kumo models).
//
// Three of the four are a Mersenne Twister, MT19937, differently seeded and differently cut into
// numbers. Each type is one stream: a draw moves it on, and equal seeds with equal calls give equal
// draws for ever. Invariants: a generator belongs to one goroutine at a time (none of them locks);
// nothing here reads the clock or the system's entropy; none of this is fit for secrets.
package random

// Sizes and constants of MT19937 (Matsumoto and Nishimura, 1998).
const (
	twisterWords = 624
	twisterShift = 397
	twisterUpper = 0x80000000
	twisterLower = 0x7fffffff
	twisterXOR   = 0x9908b0df
)

// twister is the bare Mersenne Twister: 624 words of state, of which next is the index of the first
// one not handed out. The zero value is not seeded.
type twister struct {
	state [twisterWords]uint32
	next  int
}

// seedWord fills the state from one 32-bit word, Knuth's multiplier as in the 2002 reference code.
// NumPy's RandomState and torch seed this way.
func (t *twister) seedWord(seed uint32) {
	t.state[0] = seed
	for i := 1; i < twisterWords; i++ {
		prev := t.state[i-1]
		t.state[i] = 1812433253*(prev^prev>>30) + uint32(i)
	}
	t.next = twisterWords
}

// seedKey fills the state from a key of any length above zero. CPython seeds this way.
func (t *twister) seedKey(key []uint32) {
	t.seedWord(19650218)
	i, j := 1, 0
	for range max(twisterWords, len(key)) {
		prev := t.state[i-1]
		t.state[i] = (t.state[i] ^ (prev^prev>>30)*1664525) + key[j] + uint32(j)
		if i++; i == twisterWords {
			t.state[0] = t.state[twisterWords-1]
			i = 1
		}
		if j++; j == len(key) {
			j = 0
		}
	}
	for range twisterWords - 1 {
		prev := t.state[i-1]
		t.state[i] = (t.state[i] ^ (prev^prev>>30)*1566083941) - uint32(i)
		if i++; i == twisterWords {
			t.state[0] = t.state[twisterWords-1]
			i = 1
		}
	}
	// The first word must not be zero throughout, whatever the key says.
	t.state[0] = 0x80000000
	t.next = twisterWords
}

// word returns the next 32 bits.
func (t *twister) word() uint32 {
	if t.next >= twisterWords {
		t.refill()
	}
	w := t.state[t.next]
	t.next++
	w ^= w >> 11
	w ^= w << 7 & 0x9d2c5680
	w ^= w << 15 & 0xefc60000
	return w ^ w>>18
}

// refill moves all 624 words one step on.
func (t *twister) refill() {
	for i := range twisterWords {
		w := t.state[i]&twisterUpper | t.state[(i+1)%twisterWords]&twisterLower
		next := t.state[(i+twisterShift)%twisterWords] ^ w>>1
		if w&1 != 0 {
			next ^= twisterXOR
		}
		t.state[i] = next
	}
	t.next = 0
}
