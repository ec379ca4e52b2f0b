// Package kernel holds the inner loops of norn's tensor compiler: products with packed weights, one-pass attention,
// norms and the activation functions, over row-major float32.
//
// Every kernel exists several times: as a plain Go twin that says what is computed, and as C intrinsics for each
// instruction set of the ladder AVX512BF16 > AVX512 > AVX2, NEON, Portable. [Best] asks the CPU once; the caller hands
// the level to each call, so that two levels can run side by side (the tests do exactly that). Without cgo only the
// twin exists and everything still works.
//
// What holds for every kernel and every level:
//
//   - Precision. The float32 entry points multiply and add in float32, never in less. [LinearBF16] and
//     [AttentionBF16], with [AttentionRounded], are the only doors to 16 bits and have names of their own.
//   - A row's answer depends on that row only. Each output element is summed over the inner axis in one fixed order,
//     whatever tile, batch or goroutine computes it, so splitting a batch does not move a single bit. Levels differ
//     from each other in the last bits (they fuse, or do not, and sum norms in lanes).
//   - NaN in, NaN out, for the elements that depend on it.
//   - Nothing is read or written beyond a slice's end. Go asserts the extents before C is entered and panics with the
//     operand's name: a wrong extent is our own mistake, not the user's.
//   - No state, but for spare memory between two calls. All calls may run at the same time; a [Packed] is immutable.
//
// The activation of an [Epilogue] is named GELUExact because [GELU] is the function over a slice.
package kernel

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"
)

// Level is an instruction set a kernel can run with.
type Level uint8

// The ladder, slowest first. AVX512BF16 runs the float32 kernels of AVX512 and adds bfloat16 dot products.
const (
	Twin     Level = iota // pure Go, always there
	Portable              // C vector extensions of the baseline instruction set
	NEON                  // arm64
	AVX2                  // x86-64 with AVX2 and FMA
	AVX512                // x86-64 with AVX-512 F, BW, DQ, VL
	AVX512BF16
)

// String names the level as reports and fingerprints spell it.
func (l Level) String() string {
	switch l {
	case Twin:
		return "go"
	case Portable:
		return "portable"
	case NEON:
		return "neon"
	case AVX2:
		return "avx2"
	case AVX512:
		return "avx512"
	case AVX512BF16:
		return "avx512bf16"
	}
	return fmt.Sprintf("level(%d)", uint8(l))
}

// detected is computed once: it is a fact about the machine, not a setting.
var detected = sync.OnceValue(func() []Level { return append([]Level{Twin}, nativeLevels()...) })

// Best returns the highest level that this binary holds and this CPU and operating system support.
func Best() Level {
	all := detected()
	return all[len(all)-1]
}

// Runs reports whether the level can run here.
func (l Level) Runs() bool {
	return slices.Contains(detected(), l)
}

// Activation is the elementwise function of an [Epilogue].
type Activation uint8

// GELU is the exact form x·Φ(x) with the error function, not the tanh approximation.
const (
	None Activation = iota
	GELUExact
)

// Epilogue is what happens to y = x·Wᵀ before it is stored: + Bias, then Act, then + Residual. The zero value does nothing.
type Epilogue struct {
	Bias           []float32 // [n], or nil
	Act            Activation
	Residual       []float32 // [m,n] with ResidualStride, or nil; may be dst itself
	ResidualStride int
}

// Packed is a weight matrix W [n,k] (out, in) laid out for one level's tile: panels of `panel` outputs, each stored
// k-major so that one step over the inner axis reads one contiguous run. Short panels are filled with zeros.
// It is immutable and may be shared by any number of goroutines.
type Packed struct {
	level Level
	n, k  int
	panel int
	data  []float32
}

// N is the number of outputs.
func (p *Packed) N() int { return p.n }

// K is the number of inputs.
func (p *Packed) K() int { return p.k }

// Bytes is the memory the layout takes, fill included.
func (p *Packed) Bytes() int { return 4 * len(p.data) }

// Level is the instruction set the layout was made for.
func (p *Packed) Level() Level { return p.level }

// Pack copies W [n,k], row-major and dense, into the layout of the level.
func Pack(level Level, w []float32, n, k int) *Packed {
	mustRun(level)
	mustMatrix("Pack w", len(w), n, k, k)
	panel := panelWidth(level)
	p := &Packed{level: level, n: n, k: k, panel: panel}
	p.data = aligned((n + panel - 1) / panel * panel * k)
	if k == 0 {
		return p // every product is zero; there is nothing to lay out
	}
	for j := range n {
		// Element (j,c) lives in panel j/panel at [c][j%panel].
		dst := p.data[j/panel*panel*k+j%panel:]
		for c, v := range w[j*k : j*k+k] {
			dst[c*panel] = v
		}
	}
	return p
}

// aligned returns n zeroed floats that start at a cache line, so that no vector load of a panel straddles two lines.
func aligned(n int) []float32 {
	if n == 0 {
		return nil
	}
	const line = 64
	buf := make([]float32, n+line/4)
	off := 0
	for uintptr(unsafe.Pointer(&buf[off]))%line != 0 {
		off++
	}
	return buf[off : off+n : off+n]
}

// Linear computes dst[m,n] = act(x[m,k]·Wᵀ + bias) + residual. xStride and dstStride are row strides in floats.
// dst may be the residual but must not overlap x, bias or the weights.
func Linear(dst []float32, dstStride int, x []float32, xStride, m int, w *Packed, e Epilogue) {
	mustMatrix("Linear x", len(x), m, w.k, xStride)
	mustMatrix("Linear dst", len(dst), m, w.n, dstStride)
	mustEpilogue(m, w.n, e)
	if m == 0 || w.n == 0 {
		return
	}
	if w.level == Twin {
		twinLinear(dst, dstStride, x, xStride, m, w, e)
		return
	}
	nativeLinear(dst, dstStride, x, xStride, m, w, e)
}

// LayerNorm normalises each of rows × width values to mean 0 and biased variance 1 (with eps added to the variance),
// then multiplies by gamma and adds beta. A nil beta is the bias-free form. dst may be x.
func LayerNorm(level Level, dst, x []float32, rows, width int, gamma, beta []float32, eps float32) {
	mustRun(level)
	mustMatrix("LayerNorm x", len(x), rows, width, width)
	mustMatrix("LayerNorm dst", len(dst), rows, width, width)
	mustVector("LayerNorm gamma", len(gamma), width)
	if beta != nil {
		mustVector("LayerNorm beta", len(beta), width)
	}
	if rows == 0 || width == 0 {
		return
	}
	if level == Twin {
		twinLayerNorm(dst, x, rows, width, gamma, beta, eps)
		return
	}
	nativeLayerNorm(level, dst, x, rows, width, gamma, beta, eps)
}

// RMSNorm divides each row by the root of its mean square plus eps and multiplies by gamma. dst may be x.
func RMSNorm(level Level, dst, x []float32, rows, width int, gamma []float32, eps float32) {
	mustRun(level)
	mustMatrix("RMSNorm x", len(x), rows, width, width)
	mustMatrix("RMSNorm dst", len(dst), rows, width, width)
	mustVector("RMSNorm gamma", len(gamma), width)
	if rows == 0 || width == 0 {
		return
	}
	if level == Twin {
		twinRMSNorm(dst, x, rows, width, gamma, eps)
		return
	}
	nativeRMSNorm(level, dst, x, rows, width, gamma, eps)
}

// Attention computes softmax(scale·q·kᵀ)·v for one head in one pass over the keys, with a running maximum and sum
// (Milakov and Gimelshein 2018, arXiv:1805.02867; Dao et al. 2022, arXiv:2205.14135), so that only one tile of scores exists.
// q and dst are [mq,hd], k and v [nk,hd], each with its own row stride in floats: a head is a window of a wider row.
// Without keys dst is zero. dst may be q (same stride), and must not overlap k or v.
func Attention(level Level, dst []float32, dstStride int, q []float32, qStride, mq int,
	k []float32, kStride int, v []float32, vStride, nk, hd int, scale float32) {
	mustRun(level)
	mustMatrix("Attention q", len(q), mq, hd, qStride)
	mustMatrix("Attention dst", len(dst), mq, hd, dstStride)
	mustMatrix("Attention k", len(k), nk, hd, kStride)
	mustMatrix("Attention v", len(v), nk, hd, vStride)
	if mq == 0 || hd == 0 {
		return
	}
	if nk == 0 {
		for i := range mq {
			clear(dst[i*dstStride : i*dstStride+hd])
		}
		return
	}
	if level == Twin {
		twinAttention(dst, dstStride, q, qStride, mq, k, kStride, v, vStride, nk, hd, scale)
		return
	}
	nativeAttention(level, dst, dstStride, q, qStride, mq, k, kStride, v, vStride, nk, hd, scale)
}

// Tanh computes the hyperbolic tangent. dst may be x.
func Tanh(level Level, dst, x []float32) {
	mustRun(level)
	mustSame("Tanh", len(dst), len(x))
	if len(x) == 0 {
		return
	}
	if level == Twin {
		for i, v := range x {
			dst[i] = twinTanh(v)
		}
		return
	}
	nativeMap(level, mapTanh, dst, x, nil, nil)
}

// Add computes a + b. dst may be a or b.
func Add(level Level, dst, a, b []float32) {
	mustRun(level)
	mustSame("Add a", len(dst), len(a))
	mustSame("Add b", len(dst), len(b))
	if len(a) == 0 {
		return
	}
	if level == Twin {
		for i, v := range a {
			dst[i] = v + b[i]
		}
		return
	}
	nativeMap(level, mapAdd, dst, a, b, nil)
}

// The elementwise kernels share one native entry.
const (
	mapGELU = iota // alone in tests only; the networks have it in the epilogue of Linear
	mapTanh
	mapAdd
	mapModulate
)
