package analyze_test

import (
	"context"
	"os"
	"testing"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/project"
)

// BenchmarkProject analyses the project in the folder that NORN_BENCH_PROJECT names, already read. Use one that
// gen_project.py of the benchmarks wrote.
func BenchmarkProject(b *testing.B) {
	dir := os.Getenv("NORN_BENCH_PROJECT")
	if dir == "" {
		b.Skip("NORN_BENCH_PROJECT is not set")
	}
	p, _, err := project.Load(context.Background(), os.DirFS(dir), project.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		r, err := analyze.Analyze(context.Background(), p, analyze.Options{Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(r.Models)), "models")
	}
}
