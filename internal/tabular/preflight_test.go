package tabular_test

import (
	"context"
	"errors"
	"testing"

	"github.com/norn-data/norn/internal/tabular"
)

// The need that a refusal names is enough for every piece of work: it is tried out.
func TestCheckMemoryNamesWhatIsEnough(t *testing.T) {
	ctx := context.Background()
	train, query := numbers(t, 1, 900, 3), numbers(t, 2, 3000, 3)
	labels, model := named(sums(train), 3), realModel(t, "demo", tabular.Classification)
	work := []tabular.Work{{Rows: 900, Query: 3000, Once: true}, {Rows: 675, Query: 225, Once: true}}
	o := tabular.DefaultOptions()
	o.Members, o.Threads, o.Once = 4, 2, true
	check := func() error {
		d, err := tabular.Learn(ctx, model, train, labels, o)
		if err != nil {
			t.Fatal(err)
		}
		return d.CheckMemory(work...)
	}
	needs := make(map[int64]bool)
	for _, budget := range []int64{1, 1 << 20, 4 << 20, 8 << 20, 1 << 33} {
		o.Memory = budget
		err := check()
		small, short := errors.AsType[*tabular.MemoryError](err)
		if err != nil && !short {
			t.Fatal(err)
		}
		if short {
			if small.Budget != budget || small.Need <= budget {
				t.Errorf("a budget of %d: need %d, budget %d", budget, small.Need, small.Budget)
			}
			o.Memory = small.Need
			needs[small.Need] = true
			if err := check(); err != nil {
				t.Errorf("a budget of %d was to be enough: %v", small.Need, err)
			}
		}
		e, err := tabular.Fit(ctx, model, train, labels, o)
		if err != nil {
			t.Fatalf("a budget of %d passed the check: %v", o.Memory, err)
		}
		if _, err := e.Predict(ctx, query); err != nil {
			t.Fatalf("a budget of %d passed the check: %v", o.Memory, err)
		}
	}
	if len(needs) == 0 {
		t.Error("no budget was refused")
	}
}

func TestRoundBytes(t *testing.T) {
	for n, want := range map[int64]int64{0: 0, 1: 1, 1023: 1023, 1024: 1024, 1025: 1127, 10 << 10: 10 << 10, 10<<10 + 1: 11 << 10, 39<<20 + 1: 40 << 20, 1 << 20: 1 << 20} {
		if got := tabular.RoundBytes(n); got != want {
			t.Errorf("%d bytes are rounded to %d, want %d", n, got, want)
		}
	}
}
