package tensor

import (
	"context"
	"errors"
	"sync"
	"testing"
)

// lies waits until n goroutines of the pool lie down.
func (p *pool) lies(n int) {
	for {
		p.mu.Lock()
		is := len(p.asleep)
		p.mu.Unlock()
		if is == n {
			return
		}
	}
}

// A run with more goroutines than its share leaves a core to another run at the next kernel call, and takes it back when the
// other has finished. Nobody lies down while there are cores enough, nor a run's last goroutine.
func TestCoresAreShared(t *testing.T) {
	var p pool
	large, small := NewRun(t.Context(), Settings{}), NewRun(t.Context(), Settings{})
	most := int(limit()) + 1
	for range most - 1 {
		p.begin(large)
	}
	p.yield(large) // as many as there are cores
	p.begin(small)
	p.yield(small) // the small run has no more than its share
	if most == 2 {
		p.begin(large) // one core: two goroutines of a run are too many
	}
	before := p.atWork.Load()
	var group sync.WaitGroup
	group.Go(func() { p.yield(large) })
	p.lies(1)
	if p.atWork.Load() != before-1 {
		t.Errorf("%d goroutines at work, %d before one lay down", p.atWork.Load(), before)
	}
	p.end(small)
	if most == 2 {
		p.end(large) // its last goroutine at work: the one that lies must go on
	}
	group.Wait()
	p.yield(large)
	for p.atWork.Load() > 0 {
		p.end(large)
	}
	if p.runs != 0 || len(p.asleep) != 0 || large.share != (share{}) {
		t.Errorf("a pool after its runs: %d runs, %d asleep, %+v", p.runs, len(p.asleep), large.share)
	}
}

// A sleeper gets up when its context ends, and the ledger stays right.
func TestCancelledSleeper(t *testing.T) {
	var p pool
	ctx, cancel := context.WithCancel(t.Context())
	large, small := NewRun(ctx, Settings{}), NewRun(t.Context(), Settings{})
	for range int(limit()) + 1 {
		p.begin(large)
	}
	p.begin(small)
	var group sync.WaitGroup
	group.Go(func() { p.yield(large) })
	p.lies(1)
	cancel()
	group.Wait()
	if large.share.asleep != 0 || large.share.atWork != int(limit())+1 {
		t.Errorf("after a cancelled sleep the run has %+v", large.share)
	}
}

// Many runs at once, some of which fail, panic or are cancelled, leave the process's pool as they found it.
func TestPoolLivesOn(t *testing.T) {
	w, _, _ := weight(1, levels()[0], 32, 32)
	x := filled(2, Dim{Rows, 64}, Dim{Channels, 32})
	boom := errors.New("boom")
	var group sync.WaitGroup
	for caller := range 12 {
		group.Go(func() {
			for range 20 {
				ctx, cancel := context.WithCancel(context.Background())
				run := NewRun(ctx, Settings{Threads: 1 + caller%4})
				err := run.Split(8, 1, func(o *Eager, lo, _ int) error {
					return o.Pieces(4, 1, func(o *Eager, _, _ int) error {
						o.work = o.workUnit() // look at the pool with every operation
						o.Linear(x, w, Epilogue{})
						switch {
						case lo < 6:
							return nil
						case caller%3 == 0:
							panic("a bug")
						case caller%3 == 1:
							cancel()
							return nil
						}
						return boom
					})
				})
				cancel()
				if err == nil {
					t.Errorf("caller %d: no error", caller)
				}
			}
		})
	}
	group.Wait()
	cores.mu.Lock()
	defer cores.mu.Unlock()
	if cores.runs != 0 || cores.atWork.Load() != 0 || len(cores.asleep) != 0 {
		t.Errorf("%d runs, %d goroutines at work, %d asleep", cores.runs, cores.atWork.Load(), len(cores.asleep))
	}
}
