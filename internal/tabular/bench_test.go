package tabular_test

import (
	"os"
	"testing"

	"github.com/norn-data/norn/internal/tabular"
)

// bigWeights are weights of the released size, which are not in the repository: NORN_WEIGHTS names a classifier.
func bigWeights(b *testing.B) string {
	path := os.Getenv("NORN_WEIGHTS")
	if path == "" {
		b.Skip("NORN_WEIGHTS names no weights file")
	}
	return path
}

// BenchmarkLoad is a weights file to first use: read, checked, packed for the kernels.
func BenchmarkLoad(b *testing.B) {
	path := bigWeights(b)
	for b.Loop() {
		models, err := tabular.Find(b.Context(), path, tabular.Places{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := models.For(tabular.Classification); err != nil {
			b.Fatal(err)
		}
	}
}
