package fitted_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// BenchmarkCached is a context of 1,000 rows of 20 columns, 8 members: predicting one row from each cache, and reading the
// file back. NORN_WEIGHTS names a classifier of the released size, which is not in the repository.
func BenchmarkCached(b *testing.B) {
	path := os.Getenv("NORN_WEIGHTS")
	if path == "" {
		b.Skip("NORN_WEIGHTS names no weights file")
	}
	models, err := tabular.Find(b.Context(), path, tabular.Places{})
	if err != nil {
		b.Fatal(err)
	}
	const rows, columns = 1000, 20
	draw := rand.New(rand.NewPCG(1, 2))
	labels := &frame.Column{Field: frame.Field{Name: "y", Kind: frame.Text, Type: "VARCHAR"}}
	all := []*frame.Column{labels}
	for j := range columns {
		c := &frame.Column{Field: frame.Field{Name: fmt.Sprint("x", j), Kind: frame.Float, Type: "DOUBLE"}}
		for range rows {
			c.Floats = append(c.Floats, draw.NormFloat64())
		}
		all = append(all, c)
	}
	for i := range rows {
		labels.Texts = append(labels.Texts, []string{"a", "b", "c"}[i%3])
	}
	table, err := frame.New(rows, all...)
	if err != nil {
		b.Fatal(err)
	}
	one := table.Take([]int{7})
	for _, cache := range []tabular.Cache{tabular.CacheFull, tabular.CacheCompact} {
		o := tabular.DefaultOptions()
		o.Cache = cache
		c, err := fitted.Fit(b.Context(), models, fitted.Spec{Target: "y", Options: o}, table)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint("one row, ", cache), func(b *testing.B) {
			for b.Loop() {
				if _, err := c.Predict(b.Context(), one); err != nil {
					b.Fatal(err)
				}
			}
		})
		var file bytes.Buffer
		if err := c.Write(b.Context(), &file); err != nil {
			b.Fatal(err)
		}
		path := b.TempDir() + "/c.context"
		if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint("read back, ", cache), func(b *testing.B) {
			b.SetBytes(int64(file.Len()))
			for b.Loop() {
				stored, err := fitted.Open(b.Context(), path)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := stored.Restore(b.Context(), models, tabular.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
