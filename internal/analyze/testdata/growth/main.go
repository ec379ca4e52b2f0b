// Command growth reads and analyses the project in a folder and says nothing. TestGrowth builds it with counters of coverage, which
// a test cannot read of itself.
package main

import (
	"context"
	"os"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/project"
)

func main() {
	ctx := context.Background()
	p, problems, err := project.Load(ctx, os.DirFS(os.Args[1]), project.Options{Workers: 1})
	if err != nil || len(problems) > 0 {
		os.Exit(1)
	}
	if r, err := analyze.Analyze(ctx, p, analyze.Options{Workers: 1}); err != nil || len(r.Problems) > 0 {
		os.Exit(1)
	}
}
