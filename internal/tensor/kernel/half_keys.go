package kernel

// HalfKeys are the keys and values of one head as half-precision attention takes them, rounded once for any number of calls.
// A number lies there twice in 32 bits, so they take the memory of the float32 numbers that they were made from.
type HalfKeys struct {
	nk, hd       int
	keys, values []float32
	scales       []float32 // a power of two for the keys and one for the values of each span
}

// Keys is the number of keys.
func (h *HalfKeys) Keys() int { return h.nk }

// RoundsKeys reports whether [AttentionBF16] rounds keys and values of these sizes on this machine; only then there is
// something to do ahead.
func RoundsKeys(level Level, nk, hd int) bool {
	return level == AVX512BF16 && nk >= leastHalfKeys && hd >= leastHalfHead && BestShort() == ShortHalf && halfAttention()
}

// Round makes h hold k and v [nk,hd], each with its row stride, and reuses the memory of what it held. [RoundsKeys] must hold.
func (h *HalfKeys) Round(k []float32, kStride int, v []float32, vStride, nk, hd int) {
	mustMatrix("Round k", len(k), nk, hd, kStride)
	mustMatrix("Round v", len(v), nk, hd, vStride)
	if len(h.keys) < nk*hd {
		h.keys, h.values = aligned(nk*hd), aligned(nk*hd)
	}
	if spans := (nk + shortSpan - 1) / shortSpan; len(h.scales) < 2*spans {
		h.scales = make([]float32, 2*spans)
	}
	h.nk, h.hd = nk, hd
	nativeRoundKeys(h.keys, h.values, h.scales, k, kStride, v, vStride, nk, hd)
}

// AttentionRounded is [AttentionBF16] with keys and values that were rounded before: the same bits.
func AttentionRounded(dst []float32, dstStride int, q []float32, qStride, mq int, h *HalfKeys, scale float32) {
	mustMatrix("AttentionRounded q", len(q), mq, h.hd, qStride)
	mustMatrix("AttentionRounded dst", len(dst), mq, h.hd, dstStride)
	if mq == 0 || h.nk == 0 {
		return
	}
	nativeAttentionFP16(dst, dstStride, q, qStride, mq, h.keys, h.hd, h.values, h.hd, h.nk, h.hd, scale, h.scales)
}
