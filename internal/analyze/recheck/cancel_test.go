package recheck

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/analyze/generate"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// TestCancelled: a run that is cancelled, at whatever model, file or moment, says so or says everything; it leaves no goroutine
// and no half file, and what it leaves in the cache does not change what the next run says.
func TestCancelled(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	dir := t.TempDir()
	p := generate.New(r, 40)
	put(t, dir, nil, p, r)
	leaks := goleak.IgnoreCurrent()
	cancelled := 0
	for n := range 60 {
		before := generate.Project{}
		maps.Copy(before, p)
		p.Edit(r)
		put(t, dir, before, p, r)
		ctx, cancel := context.WithCancel(context.Background())
		o := Options{Identity: "test", NoCache: n%4 == 0}
		if n%2 == 0 {
			// At a model: the hook is called for each that is bound.
			left := r.IntN(30)
			o.Extra = func(context.Context, fs.FS, *project.Project) (Hook, error) {
				return Hook{Key: "k", Model: func(context.Context, *project.Model, *analyze.Model) ([]*diag.Problem, error) {
					if left--; left == 0 {
						cancel()
					}
					return nil, nil
				}}, nil
			}
			o.workers = 1
		} else {
			time.AfterFunc(time.Duration(r.IntN(6000))*time.Microsecond, cancel)
		}
		out, err := Run(ctx, dir, o)
		cancel()
		switch {
		case errors.Is(err, context.Canceled) && out == nil:
			cancelled++
		case err != nil || out == nil:
			t.Fatalf("%v, %v", out, err)
		}
		if err := goleak.Find(leaks); err != nil {
			t.Fatal(err)
		}
		if half, _ := filepath.Glob(filepath.Join(dir, ".norn", "cache", "*.tmp")); len(half) > 0 {
			t.Fatalf("left %v", half)
		}
		check(t, dir, Options{Identity: "test"})
	}
	if cancelled < 10 {
		t.Errorf("only %d runs were cancelled: nothing was tested", cancelled)
	}
}

// TestUnknownProgram: a norn that cannot tell which it is replays nothing and stores nothing.
func TestUnknownProgram(t *testing.T) {
	dir, r := t.TempDir(), rand.New(rand.NewPCG(1, 1))
	put(t, dir, nil, generate.New(r, 3), r)
	for range 2 {
		out, err := Run(context.Background(), dir, Options{identify: func() string { return "" }})
		if err != nil || out.Replayed {
			t.Fatalf("%+v, %v", out, err)
		}
	}
	if found, _ := filepath.Glob(filepath.Join(dir, ".norn", "cache", "*")); len(found) > 0 {
		t.Errorf("stored %v", found)
	}
	// Who is handed the storing decides about it.
	var save func()
	o := Options{Identity: "test", Store: func(s func()) { save = s }}
	if _, err := Run(context.Background(), dir, o); err != nil {
		t.Fatal(err)
	}
	if found, _ := filepath.Glob(filepath.Join(dir, ".norn", "cache", "*")); len(found) > 0 {
		t.Errorf("stored %v unasked", found)
	}
	save()
	if !check(t, dir, Options{Identity: "test"}).Replayed {
		t.Error("what was stored on demand was not replayed")
	}
}
