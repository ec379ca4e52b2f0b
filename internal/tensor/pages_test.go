package tensor

import "testing"

// TestLargePages moves slices of all alignments and finds their values where they were.
func TestLargePages(t *testing.T) {
	data := make([]float32, 3<<20)
	for i := range data {
		data[i] = float32(i)
	}
	for _, part := range [][]float32{nil, data[:1], data[:1<<19-1], data[1:], data[7 : 2<<20], data} {
		NewRun(t.Context(), Settings{}).LargePages(part)
	}
	for i, v := range data {
		if v != float32(i) {
			t.Fatalf("value %d became %g", i, v)
		}
	}
}
