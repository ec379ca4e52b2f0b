package random

import (
	"math"
	"math/bits"
)

// PCG follows numpy.random.default_rng: the generator PCG64 (O'Neill's XSL-RR 128/64, 2014), seeded
// through NumPy's SeedSequence.
type PCG struct {
	state, step uint128
}

// uint128 is an unsigned number of 128 bits; sums and products are modulo 2^128.
type uint128 struct{ hi, lo uint64 }

func (a uint128) add(b uint128) uint128 {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	hi, _ := bits.Add64(a.hi, b.hi, carry)
	return uint128{hi, lo}
}

// mul leaves the product of both upper halves out: it lies beyond 128 bits.
func (a uint128) mul(b uint128) uint128 {
	hi, lo := bits.Mul64(a.lo, b.lo)
	return uint128{hi + a.hi*b.lo + a.lo*b.hi, lo}
}

// pcgMultiplier is the multiplier of the 128-bit congruential generator under PCG64.
var pcgMultiplier = uint128{0x2360ed051fc65da4, 0x4385df649fccf645}

// NewPCG returns the stream of numpy.random.default_rng(seed).
func NewPCG(seed uint64) *PCG {
	s := seedSequence(seed)
	start, stream := uint128{s[0], s[1]}, uint128{s[2], s[3]}
	// The increment must be odd: the stream number moves up one bit.
	p := &PCG{step: uint128{stream.hi<<1 | stream.lo>>63, stream.lo<<1 | 1}}
	p.advance()
	p.state = p.state.add(start)
	p.advance()
	return p
}

func (p *PCG) advance() { p.state = p.state.mul(pcgMultiplier).add(p.step) }

// Uint64 returns the next 64 random bits.
func (p *PCG) Uint64() uint64 {
	p.advance()
	return bits.RotateLeft64(p.state.hi^p.state.lo, -int(p.state.hi>>58))
}

// Float64 returns a number in [0, 1) with 53 random bits (Generator.random).
func (p *PCG) Float64() float64 { return float64(p.Uint64()>>11) / (1 << 53) }

// Normal returns a standard normal number (Generator.standard_normal) by the ziggurat method: one
// draw picks layer, sign and place; about one draw in a hundred needs a second look.
func (p *PCG) Normal() float64 {
	for {
		// Bits 0-7 pick the layer, bit 8 the sign, bits 9-60 the place in it.
		w := p.Uint64()
		layer := int(w & 0xff)
		negative := w>>8&1 != 0
		place := w >> 9 & (1<<52 - 1)
		x := float64(place) * normalWidth[layer]
		if negative {
			x = -x
		}
		if place < normalAccept[layer] {
			return x // under the curve at any height of the layer
		}
		if layer == 0 {
			return p.normalTail(place)
		}
		// The conversion keeps the compiler from fusing product and sum, which would round otherwise.
		rise := float64((normalHeight[layer-1]-normalHeight[layer])*p.Float64()) + normalHeight[layer]
		if rise < math.Exp(-0.5*x*x) {
			return x
		}
	}
}

// normalTail draws from beyond the base layer. The sign comes from bit 8 of the place already
// drawn, an oddity of NumPy's that the stream depends on.
func (p *PCG) normalTail(place uint64) float64 {
	for {
		x := -normalEdgeInverse * math.Log1p(-p.Float64())
		y := -math.Log1p(-p.Float64())
		if y+y > x*x {
			if place>>8&1 != 0 {
				return -(normalEdge + x)
			}
			return normalEdge + x
		}
	}
}

// Constants of NumPy's SeedSequence (a variant of O'Neill's seed_seq_fe).
const (
	seedPool   = 4
	seedInitA  = 0x43b0d7e5
	seedMultA  = 0x931e8875
	seedInitB  = 0x8b51f9dd
	seedMultB  = 0x58f38ded
	seedMixL   = 0xca01f9dd
	seedMixR   = 0x4973f715
	seedXShift = 16
)

// seedSequence spreads a seed over four words of 64 bits (SeedSequence(seed).generate_state(4)).
func seedSequence(seed uint64) [4]uint64 {
	entropy := []uint32{uint32(seed)}
	if seed>>32 != 0 {
		entropy = append(entropy, uint32(seed>>32))
	}
	hash := uint32(seedInitA)
	scramble := func(v uint32) uint32 {
		v ^= hash
		hash *= seedMultA
		v *= hash
		return v ^ v>>seedXShift
	}
	mix := func(x, y uint32) uint32 {
		v := seedMixL*x - seedMixR*y
		return v ^ v>>seedXShift
	}
	var pool [seedPool]uint32
	for i := range pool {
		var v uint32
		if i < len(entropy) {
			v = entropy[i]
		}
		pool[i] = scramble(v)
	}
	// Every word of the pool reaches every other one.
	for from := range pool {
		for to := range pool {
			if from != to {
				pool[to] = mix(pool[to], scramble(pool[from]))
			}
		}
	}
	hash = seedInitB
	var out [4]uint64
	// 64-bit words are pairs of 32-bit ones, the lower one first.
	for i := range 2 * len(out) {
		v := pool[i%seedPool] ^ hash
		hash *= seedMultB
		v *= hash
		v ^= v >> seedXShift
		out[i/2] |= uint64(v) << (32 * (i % 2))
	}
	return out
}
