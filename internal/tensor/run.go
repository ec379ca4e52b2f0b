package tensor

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Run holds what one call may use: cores, kernels, memory. It needs no closing: threads
// live only inside Split, and memory is given up with the Run. All methods may be called at
// the same time.
type Run struct {
	ctx      context.Context
	settings Settings
	// spare counts cores that no piece is running on. The caller of Split always works
	// itself, so nested Splits cannot starve each other.
	spare atomic.Int64
	share share // what the process's pool of cores knows of this run

	mu   sync.Mutex
	idle []*Eager // executors, with their arenas, between two pieces
}

// NewRun starts a run that ends with the context. What s leaves open is taken from the
// context's settings, then from the defaults.
func NewRun(ctx context.Context, s Settings) *Run {
	s = s.or(SettingsOf(ctx)).or(defaults)
	if s.Threads <= 0 {
		s.Threads = runtime.GOMAXPROCS(0)
	}
	r := &Run{ctx: ctx, settings: s}
	r.spare.Store(int64(s.Threads - 1))
	return r
}

// Threads is the number of cores the run may use.
func (r *Run) Threads() int { return r.settings.Threads }

// Fault is a panic inside a run: a bug of ours, with the stack that shows it.
type Fault struct {
	Value any
	Stack []byte
}

func (f *Fault) Error() string {
	return fmt.Sprintf("tensor: panic inside a run: %v\n%s", f.Value, f.Stack)
}

// stop unwinds a model whose run has ended.
type stop struct{ err error }

// Split cuts 0…n-1 into pieces of at most the given size and calls f for each, on as many
// cores as are free. Each call has an executor of its own; what it made is forgotten when f
// returns, so f stores its results. The first error (of f, of the context, or a panic) ends
// the Split once the pieces in flight are done. Pieces may call Split.
//
// The sizes of pieces are a matter of speed only: equal pieces, and a number of them that
// keeps all cores busy. Code inside a piece calls [Eager.Pieces] instead.
func (r *Run) Split(n, most int, f func(o *Eager, lo, hi int) error) error {
	cores.begin(r)
	defer cores.end(r)
	return r.split(n, most, f)
}

// Pieces is [Run.Split] from inside a piece: the piece's own goroutine is at work already and is not counted again.
func (o *Eager) Pieces(n, most int, f func(o *Eager, lo, hi int) error) error {
	return o.run.split(n, most, f)
}

func (r *Run) split(n, most int, f func(o *Eager, lo, hi int) error) error {
	if n <= 0 {
		return r.ctx.Err()
	}
	// A multiple of the number of cores lets them finish together, as pieces cost about the
	// same.
	pieces := (n + most - 1) / most
	if t := r.settings.Threads; n >= t {
		pieces = (pieces + t - 1) / t * t
	}
	var (
		next    atomic.Int64
		failed  atomic.Bool
		once    sync.Once
		failure error
		group   sync.WaitGroup
	)
	work := func() {
		for !failed.Load() {
			i := int(next.Add(1) - 1)
			if i >= pieces {
				return
			}
			cores.yield(r)
			// Cut points by proportion: sizes differ by one at most.
			if err := r.piece(n*i/pieces, n*(i+1)/pieces, f); err != nil {
				once.Do(func() { failure = err })
				failed.Store(true)
			}
		}
	}
	helpers := 0
	for range min(pieces, r.settings.Threads) - 1 {
		if r.spare.Add(-1) < 0 {
			r.spare.Add(1)
			break
		}
		group.Go(func() {
			defer r.spare.Add(1)
			cores.begin(r)
			defer cores.end(r)
			work()
		})
		helpers++
	}
	work()
	if helpers > 0 {
		// Waiting is not work: another may have the core.
		cores.end(r)
		group.Wait()
		cores.begin(r)
	}
	return failure
}

// Once runs f as a single piece.
func (r *Run) Once(f func(o *Eager) error) error {
	cores.begin(r)
	defer cores.end(r)
	return r.piece(0, 1, func(o *Eager, _, _ int) error { return f(o) })
}

// piece runs f with a borrowed executor. It is the boundary of the package: a panic of a
// model, of a kernel's assertion or of a driver ends here.
func (r *Run) piece(lo, hi int, f func(o *Eager, lo, hi int) error) (err error) {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if lo == hi {
		return nil
	}
	o := r.borrow()
	defer func() {
		if p := recover(); p != nil {
			err = fault(p)
		}
		o.reset()
		r.giveBack(o)
	}()
	return f(o, lo, hi)
}

// fault tells apart what unwinds a model: the end of the run, operands that do not fit, and
// bugs.
func fault(p any) error {
	switch p := p.(type) {
	case stop:
		return p.err
	case *AxisError:
		return p
	}
	return &Fault{p, debug.Stack()}
}

// borrow returns an executor that no piece is using. There are never more of them than
// threads times the depth of nested Splits, and their arenas stay warm from piece to piece.
func (r *Run) borrow() *Eager {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.idle); n > 0 {
		o := r.idle[n-1]
		r.idle = r.idle[:n-1]
		return o
	}
	return &Eager{run: r, level: r.settings.Level}
}

func (r *Run) giveBack(o *Eager) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle = append(r.idle, o)
}
