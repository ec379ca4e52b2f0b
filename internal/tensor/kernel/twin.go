package kernel

import "math"

// The twins: what each kernel computes, in Go. Products are converted to float32 before they are added, which forbids
// the compiler to fuse them on architectures where it otherwise would: the twin gives the same bits on every machine.

// twinPanel is how many outputs the twin computes at once: four sums share one pass over a row.
const twinPanel = 4

func panelWidth(l Level) int {
	if l == Twin {
		return twinPanel
	}
	return nativePanel(l)
}

func twinLinear(dst []float32, dstStride int, x []float32, xStride, m int, w *Packed, e Epilogue) {
	k := w.k
	for i := range m {
		var row []float32
		if k > 0 {
			row = x[i*xStride:][:k]
		}
		out := dst[i*dstStride:][:w.n]
		for j := 0; j < w.n; j += twinPanel {
			var acc [twinPanel]float32
			panel := w.data[j*k:][:k*twinPanel]
			for c, v := range row {
				p := panel[c*twinPanel : c*twinPanel+twinPanel : c*twinPanel+twinPanel]
				acc[0] += float32(v * p[0])
				acc[1] += float32(v * p[1])
				acc[2] += float32(v * p[2])
				acc[3] += float32(v * p[3])
			}
			for l := range min(twinPanel, w.n-j) {
				y := acc[l]
				if e.Bias != nil {
					y += e.Bias[j+l]
				}
				if e.Act == GELUExact {
					y = twinGELU(y)
				}
				if e.Residual != nil {
					y += e.Residual[i*e.ResidualStride+j+l]
				}
				out[j+l] = y
			}
		}
	}
}

// twinGELU uses the complementary error function, which keeps its relative precision in the negative tail.
func twinGELU(x float32) float32 {
	v := float64(x)
	if math.IsInf(v, -1) {
		return 0 // the limit; the formula would give -Inf·0
	}
	return float32(0.5 * v * math.Erfc(-v/math.Sqrt2))
}

func twinTanh(x float32) float32 { return float32(math.Tanh(float64(x))) }

func twinLayerNorm(dst, x []float32, rows, width int, gamma, beta []float32, eps float32) {
	for r := range rows {
		in, out := x[r*width:][:width], dst[r*width:][:width]
		var sum float64
		for _, v := range in {
			sum += float64(v)
		}
		mean := sum / float64(width)
		var sq float64
		for _, v := range in {
			d := float64(v) - mean
			sq += float64(d * d)
		}
		inv := 1 / math.Sqrt(sq/float64(width)+float64(eps))
		for i, v := range in {
			y := float32(float32((float64(v)-mean)*inv) * gamma[i])
			if beta != nil {
				y += beta[i]
			}
			out[i] = y
		}
	}
}

func twinRMSNorm(dst, x []float32, rows, width int, gamma []float32, eps float32) {
	for r := range rows {
		in, out := x[r*width:][:width], dst[r*width:][:width]
		var sq float64
		for _, v := range in {
			sq += float64(float64(v) * float64(v))
		}
		inv := 1 / math.Sqrt(sq/float64(width)+float64(eps))
		for i, v := range in {
			out[i] = float32(float64(v)*inv) * gamma[i]
		}
	}
}

// twinKeys is how many keys the twin scores at once; the sums of one key do not wait for those of another.
const twinKeys = 4

// twinAttention keeps one running maximum, one running sum and one output row per query, and rescales the last two
// whenever a group of keys raises the maximum.
func twinAttention(dst []float32, dstStride int, q []float32, qStride, mq int,
	k []float32, kStride int, v []float32, vStride, nk, hd int, scale float32) {
	query := make([]float32, hd)
	for i := range mq {
		copy(query, q[i*qStride:][:hd]) // dst may be q
		out := dst[i*dstStride:][:hd]
		clear(out)
		top, sum := float32(math.Inf(-1)), float32(0)
		for j := 0; j < nk; j += twinKeys {
			keys := min(twinKeys, nk-j)
			s := twinScores(query, k, kStride, j, keys)
			high := top
			for l := range keys {
				s[l] *= scale
				if s[l] > high {
					high = s[l]
				}
			}
			if high > top {
				shrink := twinExp(top - high)
				sum *= shrink
				for d := range out {
					out[d] *= shrink
				}
				top = high
			}
			for l := range keys {
				p := twinWeight(s[l], top)
				sum += p
				for d, vv := range v[(j+l)*vStride:][:hd] {
					out[d] += float32(p * vv)
				}
			}
		}
		for d := range out {
			out[d] /= sum
		}
	}
}

// twinScores is the products of one query with keys j … j+n-1. A short group repeats its last key, whose extra scores are
// not looked at.
func twinScores(query, k []float32, stride, j, n int) (s [twinKeys]float32) {
	hd := len(query)
	row := func(l int) []float32 { return k[(j+min(l, n-1))*stride:][:hd] }
	k0, k1, k2, k3 := row(0), row(1), row(2), row(3)
	for d, qv := range query {
		s[0] += float32(qv * k0[d])
		s[1] += float32(qv * k1[d])
		s[2] += float32(qv * k2[d])
		s[3] += float32(qv * k3[d])
	}
	return s
}

// twinWeight is exp(s - top). While every score so far is -Inf the weight is 0, not exp(-Inf + Inf): a later finite
// score then decides alone, as in the softmax over the whole row.
func twinWeight(s, top float32) float32 {
	if math.IsInf(float64(s), -1) {
		return 0
	}
	return twinExp(s - top)
}

// twinExp is e^x for x <= 0 in float32, 1.5 ulp; results below 2^-126 become 0. The same plan as exp_neg of vmath.h: math.Exp is
// exact to the last bit and several times slower, which attention notices.
func twinExp(x float32) float32 {
	if x < -87.3 {
		return 0
	}
	const magic = 0x1.8p23 // leaves no bits for a fraction
	n := float32(float32(x*math.Log2E)+magic) - magic
	r := x - float32(n*0x1.62e4p-1)
	r -= float32(n * 0x1.7f7d1cp-20)
	p := float32(0x1.6a244cp-10)
	p = float32(p*r) + 0x1.1239d4p-7
	p = float32(p*r) + 0x1.5558f2p-5
	p = float32(p*r) + 0x1.555492p-3
	p = float32(p*r) + 0x1.fffffcp-2
	p = float32(p*float32(r*r)) + r + 1
	if n != n {
		return n
	}
	return p * math.Float32frombits(uint32(int32(n)+127)<<23)
}
