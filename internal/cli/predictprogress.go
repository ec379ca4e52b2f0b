package cli

import (
	"fmt"
	"sync"
	"time"

	"github.com/norn-data/norn/internal/fitted"
)

// When progress is told: not at all for what is quick, then rarely enough that a log of an hour stays readable. What will
// take longer than longAnswer is said as soon as it is known.
const (
	firstWord  = 2 * time.Second
	nextWord   = 5 * time.Second
	slowWord   = 30 * time.Second
	longAnswer = 60 * time.Second
)

// A progressTeller writes lines about a prediction while it runs. It writes whole lines only, so a log and a terminal show
// the same.
type progressTeller struct {
	out   *invocation
	start time.Time
	end   chan struct{}
	over  chan struct{}
	once  sync.Once

	mu     sync.Mutex
	now    fitted.Progress
	told   time.Time
	warned bool
}

// tellProgress starts a teller; stop ends it. Time passes without any piece of work being done, so it looks at the clock
// itself.
func tellProgress(out *invocation) *progressTeller {
	now := time.Now()
	t := &progressTeller{out: out, start: now, told: now, end: make(chan struct{}), over: make(chan struct{})}
	go func() {
		defer close(t.over)
		clock := time.NewTicker(firstWord / 4)
		defer clock.Stop()
		for {
			select {
			case <-t.end:
				return
			case now := <-clock.C:
				t.look(now)
			}
		}
	}()
	return t
}

// stop returns when no line follows any more.
func (t *progressTeller) stop() {
	t.once.Do(func() { close(t.end) })
	<-t.over
}

func (t *progressTeller) update(p fitted.Progress) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now = p
}

// look writes a line if it is time for one.
func (t *progressTeller) look(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	elapsed, since := now.Sub(t.start), now.Sub(t.told)
	left, known := remaining(t.now.Done, elapsed)
	var text string
	switch {
	case t.now.Part == "" || elapsed < firstWord:
		return
	case known && !t.warned && elapsed+left > longAnswer && (t.now.Done > 0.05 || elapsed > nextWord):
		t.warned = true
		text = fmt.Sprintf("about %s in all; --max-rows or fewer --members would be faster", duration((elapsed + left).Round(time.Second)))
	case t.told.After(t.start) && since < nextWord, elapsed > longAnswer && since < slowWord:
		return
	case known && left == 0:
		text = "nearly done"
	case known:
		text = fmt.Sprintf("%.0f %%, about %s left", 100*t.now.Done, duration(left))
	default:
		text = "started"
	}
	t.told = now
	t.out.Line(line{Label: t.now.Part, Cells: []string{text}, Took: elapsed})
}

// remaining is how long the rest takes if it goes on as it went.
func remaining(done float64, elapsed time.Duration) (left time.Duration, known bool) {
	if done <= 0 {
		return 0, false
	}
	return time.Duration(float64(elapsed) * (1 - done) / done).Round(time.Second), true
}
