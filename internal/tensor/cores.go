package tensor

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// longestSleep bounds what a mistake in the ledger could cost, such as a piece that splits its run instead of calling
// [Eager.Pieces]: work goes on, slowly.
const longestSleep = 100 * time.Millisecond

// pool shares the cores of this process among all runs. It is a ledger, not a set of threads: a run's goroutines announce
// themselves when they begin to work and look at the ledger between kernel calls, every few milliseconds. While more of them
// are at work than there are cores, those of a run that has more than its share lie down, on a channel: nobody ever spins. A
// run's last goroutine never lies down, so a run always goes on, whatever locks its goroutines hold; and a small run starts
// at once instead of queueing behind the pieces of a large one.
type pool struct {
	atWork atomic.Int64 // goroutines of all runs; written under mu

	mu     sync.Mutex
	runs   int        // that have goroutines, at work or lying down
	asleep []*sleeper // in the order in which they lay down
}

// sleeper is a goroutine that left its core to another run.
type sleeper struct {
	run  *Run
	wake chan struct{}
}

// cores is the one resource that runs share. It holds no settings: how many cores a run may use stands in the run.
var cores pool

// share of the pool that belongs to a run, under mu.
type share struct{ atWork, asleep int }

// begin counts a goroutine that starts to work for the run.
func (p *pool) begin(r *Run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.share.atWork+r.share.asleep == 0 {
		p.runs++
	}
	r.share.atWork++
	p.atWork.Add(1)
}

// end counts one that has finished, or waits for others of its run, and wakes who may work instead.
func (p *pool) end(r *Run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.share.atWork--
	p.atWork.Add(-1)
	switch {
	case r.share.atWork+r.share.asleep == 0:
		p.runs--
	case r.share.atWork == 0:
		p.rouse(slices.IndexFunc(p.asleep, func(s *sleeper) bool { return s.run == r }))
	}
	for len(p.asleep) > 0 && p.atWork.Load() < limit() {
		// The run that has the fewest cores comes first, then who has waited longest.
		best := 0
		for i, s := range p.asleep {
			if s.run.share.atWork < p.asleep[best].run.share.atWork {
				best = i
			}
		}
		p.rouse(best)
	}
}

// rouse counts sleeper i as working again.
func (p *pool) rouse(i int) {
	s := p.asleep[i]
	p.asleep = slices.Delete(p.asleep, i, i+1)
	s.run.share.asleep--
	s.run.share.atWork++
	p.atWork.Add(1)
	close(s.wake)
}

// yield is called between two kernel calls. It returns at once unless others need the core more; a context that ends wakes
// the sleeper.
func (p *pool) yield(r *Run) {
	if p.atWork.Load() <= limit() {
		return
	}
	p.mu.Lock()
	most := (int(limit()) + p.runs - 1) / p.runs
	if p.atWork.Load() <= limit() || r.share.atWork <= max(1, most) {
		p.mu.Unlock()
		return
	}
	s := &sleeper{r, make(chan struct{})}
	p.asleep = append(p.asleep, s)
	r.share.atWork--
	r.share.asleep++
	p.atWork.Add(-1)
	p.mu.Unlock()
	again := time.NewTimer(longestSleep)
	defer again.Stop()
	select {
	case <-s.wake:
		return
	case <-again.C:
	case <-r.ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.asleep, s); i >= 0 { // else it was woken in the same moment
		p.rouse(i)
	}
}

// limit is the number of goroutines that can work at the same time.
func limit() int64 { return int64(runtime.GOMAXPROCS(0)) }
