package kumo

import "github.com/norn-data/norn/internal/tabular/weights"

// ShapedLike tells which published network a file has the tensors of, whatever it is called; false where it is none of them.
func ShapedLike(f *weights.File) (Size, bool) {
	for _, s := range Sizes() {
		want, _ := s.released()
		got, err := inspect(f, s)
		if err != nil {
			continue // its configuration says something else
		}
		if want.Classes, want.Quantiles = got.Classes, got.Quantiles; got == want {
			return s, true
		}
	}
	return "", false
}
