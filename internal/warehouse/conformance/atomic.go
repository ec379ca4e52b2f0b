package conformance

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/warehouse"
)

func commits(t *testing.T, p *place) {
	create(t, p, p.name("old"), "SELECT 1 AS x", 1)
	err := p.Atomically(t.Context(), func(ctx context.Context, s warehouse.Session) error {
		if _, err := s.CreateTableAs(ctx, p.name("next"), "SELECT x + 1 AS x FROM "+p.name("old").String()); err != nil {
			return err
		}
		// A session sees its own work.
		wantRows(t, s, "SELECT x FROM "+p.name("next").String(), []string{"2"})
		if err := s.Rename(ctx, p.name("next"), p.name("old")); err != nil {
			return err
		}
		return s.CreateView(ctx, p.name("seen"), "SELECT x FROM "+p.name("old").String())
	})
	if err != nil {
		t.Fatal(err)
	}
	wantRows(t, p, "SELECT x FROM "+p.name("seen").String(), []string{"2"})
}

// rollsBack ends a transaction in every way but the good one. The old table is intact each time.
func rollsBack(t *testing.T, p *place) {
	name := p.name("t")
	create(t, p, name, "SELECT 1 AS x", 1)
	failure := errors.New("no")
	change := func(ctx context.Context, s warehouse.Session) {
		t.Helper()
		if _, err := s.CreateTableAs(ctx, name, "SELECT 2 AS x"); err != nil {
			t.Fatal(err)
		}
		if err := s.CreateView(ctx, p.name("extra"), "SELECT 1 AS x"); err != nil {
			t.Fatal(err)
		}
	}
	check := func(how string) {
		t.Helper()
		wantRows(t, p, "SELECT x FROM "+name.String(), []string{"1"})
		if r, err := p.Relations(t.Context(), p.schema); err != nil || len(r) != 1 {
			t.Errorf("after %s the catalog is %v, %v", how, r, err)
		}
	}

	err := p.Atomically(t.Context(), func(ctx context.Context, s warehouse.Session) error {
		change(ctx, s)
		return failure
	})
	if !errors.Is(err, failure) {
		t.Errorf("the function's error came back as %v", err)
	}
	check("an error")

	ctx, cancel := context.WithCancel(t.Context())
	err = p.Atomically(ctx, func(ctx context.Context, s warehouse.Session) error {
		change(ctx, s)
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context gave %v", err)
	}
	check("an ended context")

	err = p.Atomically(t.Context(), func(ctx context.Context, s warehouse.Session) error {
		change(ctx, s)
		return s.Exec(ctx, "SELECT nothing")
	})
	if _, ok := errors.AsType[*warehouse.StatementError](err); !ok {
		t.Errorf("a wrong statement gave %v", err)
	}
	check("a wrong statement")

	func() {
		defer func() {
			if r := recover(); r != "bang" {
				t.Errorf("the panic came back as %v", r)
			}
		}()
		_ = p.Atomically(t.Context(), func(ctx context.Context, s warehouse.Session) error {
			change(ctx, s)
			panic("bang")
		})
	}()
	check("a panic")
}

// readersSeeOldRows reads a table while it is replaced again and again: every reader sees one whole generation.
func readersSeeOldRows(t *testing.T, p *place) {
	const rowsEach, generations, readers = 10_000, 8, 3
	name := p.name("t")
	numbers := "WITH d(n) AS (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) " +
		"SELECT a.n + 10 * b.n + 100 * c.n + 1000 * e.n AS n, %d AS generation FROM d a, d b, d c, d e"
	create(t, p, name, fmt.Sprintf(numbers, 0), rowsEach)
	done := make(chan struct{})
	var group sync.WaitGroup
	for range readers {
		group.Go(func() {
			last := int64(0)
			for finished := false; !finished; {
				select {
				case <-done:
					finished = true
				default:
				}
				f, err := p.Query(t.Context(), "SELECT count(*) AS n, min(generation) AS lo, max(generation) AS hi FROM "+name.String())
				if err != nil {
					t.Errorf("reading during a publish: %v", err)
					return
				}
				n, lo, hi := f.Columns[0].Ints[0], f.Columns[1].Ints[0], f.Columns[2].Ints[0]
				if n != rowsEach || lo != hi || lo < last {
					t.Errorf("a reader saw %d rows of generations %d to %d after generation %d", n, lo, hi, last)
					return
				}
				last = lo
			}
		})
	}
	for g := 1; g <= generations; g++ {
		err := p.Atomically(t.Context(), func(ctx context.Context, s warehouse.Session) error {
			if _, err := s.CreateTableAs(ctx, p.name("new"), fmt.Sprintf(numbers, g)); err != nil {
				return err
			}
			before := fmt.Sprint(g - 1)
			wantRows(t, p, "SELECT max(generation) AS g FROM "+name.String(), []string{before})
			return s.Rename(ctx, p.name("new"), name)
		})
		if err != nil {
			t.Errorf("publishing generation %d: %v", g, err)
		}
	}
	close(done)
	group.Wait()
}

// cancels stops running statements. The suite's own time limit is what fails if they do not stop.
func cancels(t *testing.T, p *place) {
	create(t, p, p.name("t"), "SELECT 1 AS x", 1)
	for _, c := range []struct {
		name string
		run  func(context.Context) error
	}{
		{"query", func(ctx context.Context) error { _, err := p.Query(ctx, endless); return err }},
		{"exec", func(ctx context.Context) error { return p.Exec(ctx, endless) }},
		{"create table", func(ctx context.Context) error { _, err := p.CreateTableAs(ctx, p.name("t"), endless); return err }},
		{"atomically", func(ctx context.Context) error {
			return p.Atomically(ctx, func(ctx context.Context, s warehouse.Session) error { return s.Exec(ctx, endless) })
		}},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		if err := c.run(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: got %v, want the context's error", c.name, err)
		}
		cancel()
		wantRows(t, p, "SELECT x FROM "+p.name("t").String(), []string{"1"})
	}
}

func endedContext(t *testing.T, p *place) {
	create(t, p, p.name("t"), "SELECT 1 AS x", 1)
	ctx := canceled()
	x := column("x", frame.Int)
	x.Ints = []int64{1}
	one := newFrame(t, 1, x)
	for name, run := range map[string]func() error{
		"Exec":          func() error { return p.Exec(ctx, "SELECT 1") },
		"Query":         func() error { _, err := p.Query(ctx, "SELECT 1 AS x"); return err },
		"Describe":      func() error { _, err := p.Describe(ctx, "SELECT 1 AS x"); return err },
		"Relations":     func() error { _, err := p.Relations(ctx, p.schema); return err },
		"CreateTableAs": func() error { _, err := p.CreateTableAs(ctx, p.name("u"), "SELECT 1 AS x"); return err },
		"CreateView":    func() error { return p.CreateView(ctx, p.name("u"), "SELECT 1 AS x") },
		"Drop":          func() error { return p.Drop(ctx, p.name("t")) },
		"Rename":        func() error { return p.Rename(ctx, p.name("t"), p.name("u")) },
		"Append":        func() error { return p.Append(ctx, p.name("t"), one) },
		"Atomically": func() error {
			return p.Atomically(ctx, func(context.Context, warehouse.Session) error { t.Error("the function ran"); return nil })
		},
	} {
		if err := run(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want the context's error", name, err)
		}
	}
	wantRows(t, p, "SELECT x FROM "+p.name("t").String(), []string{"1"})
}

// concurrentUse builds tables and writes to one log from several goroutines at once, as a build does.
func concurrentUse(t *testing.T, p *place) {
	const workers, each = 6, 5
	p.exec(t, "CREATE TABLE "+p.name("log").String()+" (worker BIGINT)")
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for range each {
				name := p.name(fmt.Sprint("t", w))
				if _, err := p.CreateTableAs(t.Context(), name, fmt.Sprintf("SELECT %d AS x", w)); err != nil {
					t.Errorf("worker %d: %v", w, err)
				}
				worker := column("worker", frame.Int)
				worker.Ints = []int64{int64(w)}
				line, err := frame.New(1, worker)
				if err != nil {
					t.Error(err)
				}
				if err := p.Append(t.Context(), p.name("log"), line); err != nil {
					t.Errorf("worker %d: %v", w, err)
				}
			}
		})
	}
	group.Wait()
	wantRows(t, p, "SELECT count(*) AS n, count(DISTINCT worker) AS w FROM "+p.name("log").String(), []string{"30", "6"})
}
