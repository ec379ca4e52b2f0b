package kernel

import "fmt"

// The assertions of this file guard memory: C trusts what they let through.

func mustRun(l Level) {
	if !l.Runs() {
		panic(fmt.Sprintf("kernel: level %s cannot run on this machine or in this build", l))
	}
}

// mustMatrix asserts that rows of width floats at the given stride lie within length floats. The last row needs only
// its width, so that a window of a wider matrix may end where the matrix does.
func mustMatrix(what string, length, rows, width, stride int) {
	if rows < 0 || width < 0 {
		panic(fmt.Sprintf("kernel: %s: negative size [%d,%d]", what, rows, width))
	}
	if rows == 0 || width == 0 {
		return
	}
	if stride < width {
		panic(fmt.Sprintf("kernel: %s: stride %d is less than the width %d", what, stride, width))
	}
	// Written as a division so that no product of a wild size can wrap around.
	if width > length || (rows-1) > (length-width)/stride {
		panic(fmt.Sprintf("kernel: %s: [%d,%d] with stride %d does not fit in %d floats", what, rows, width, stride, length))
	}
}

// mustGroups asserts that the last row of the last group ends within length floats. Steps come from views of arrays whose
// extents fit in memory, so their products do not wrap around.
func mustGroups(what string, length int, r Rotation, step [2]int) {
	if r.Groups < 0 || r.Rows < 0 || r.Width < 0 || step[0] < 0 || step[1] < 0 {
		panic(fmt.Sprintf("kernel: %s: negative size in %+v", what, r))
	}
	if r.Groups == 0 || r.Rows == 0 || r.Width == 0 {
		return
	}
	if end := (r.Groups-1)*step[0] + (r.Rows-1)*step[1] + r.Width; end > length {
		panic(fmt.Sprintf("kernel: %s: %d groups of %d rows with steps %v end at %d of %d floats", what, r.Groups, r.Rows, step, end, length))
	}
}

func mustVector(what string, length, n int) {
	if length < n {
		panic(fmt.Sprintf("kernel: %s: %d floats, want %d", what, length, n))
	}
}

func mustSame(what string, dst, src int) {
	if dst != src {
		panic(fmt.Sprintf("kernel: %s: dst holds %d floats, source %d", what, dst, src))
	}
}

func mustEpilogue(m, n int, e Epilogue) {
	if e.Act > GELUExact {
		panic(fmt.Sprintf("kernel: Linear: unknown activation %d", e.Act))
	}
	if m == 0 || n == 0 {
		return
	}
	if e.Bias != nil {
		mustVector("Linear bias", len(e.Bias), n)
	}
	if e.Residual != nil {
		mustMatrix("Linear residual", len(e.Residual), m, n, e.ResidualStride)
	}
}
