package kernel

// The kernels that scale and turn queries before they are multiplied with keys.

// Modulate computes q·base·(1 + tanh(gate)), element by element. dst may be any operand.
func Modulate(level Level, dst, q, base, gate []float32) {
	mustRun(level)
	mustSame("Modulate q", len(dst), len(q))
	mustSame("Modulate base", len(dst), len(base))
	mustSame("Modulate gate", len(dst), len(gate))
	if len(dst) == 0 {
		return
	}
	if level == Twin {
		for i, v := range q {
			dst[i] = float32(v*base[i]) * (1 + twinTanh(gate[i]))
		}
		return
	}
	nativeMap(level, mapModulate, dst, q, base, gate)
}

// A Rotation is Groups × Rows rows of Width channels each. Row r of group g begins g·step[0] + r·step[1] floats into each operand;
// a step of 0 repeats what lies there.
type Rotation struct {
	Groups, Rows, Width int
	Dst, X, Angles      [2]int
	Interleaved         bool // pairs are neighbours (2i, 2i+1), else (i, i + Width/2)
}

// Rotate turns pairs of channels of x by angles, whose rows hold Width/2 cosines, then as many sines. dst must not
// overlap x or angles. Every level gives the same bits: the two products of a sum are rounded before they are added.
func Rotate(level Level, dst, x, angles []float32, r Rotation) {
	mustRun(level)
	if r.Width%2 != 0 {
		panic("kernel: Rotate: an odd number of channels has no pairs")
	}
	mustGroups("Rotate dst", len(dst), r, r.Dst)
	mustGroups("Rotate x", len(x), r, r.X)
	mustGroups("Rotate angles", len(angles), r, r.Angles)
	if r.Groups == 0 || r.Rows == 0 || r.Width == 0 {
		return
	}
	if level != Twin {
		nativeRotate(level, dst, x, angles, r)
		return
	}
	half := r.Width / 2
	for g := range r.Groups {
		for i := range r.Rows {
			out, in := dst[g*r.Dst[0]+i*r.Dst[1]:][:r.Width], x[g*r.X[0]+i*r.X[1]:][:r.Width]
			turn := angles[g*r.Angles[0]+i*r.Angles[1]:][:r.Width]
			for p, cos := range turn[:half] {
				first, second := p, half+p
				if r.Interleaved {
					first, second = 2*p, 2*p+1
				}
				a, b, sin := in[first], in[second], turn[half+p]
				out[first], out[second] = float32(a*cos)-float32(b*sin), float32(b*cos)+float32(a*sin)
			}
		}
	}
}
