package tabular_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// numbers makes columns x0, x1, … of standard normal cells.
func numbers(t testing.TB, seed uint64, rows, columns int) *frame.Frame {
	t.Helper()
	draw := rand.New(rand.NewPCG(seed, 1))
	var out []*frame.Column
	for j := range columns {
		c := &frame.Column{Field: frame.Field{Name: fmt.Sprint("x", j), Kind: frame.Float, Type: "DOUBLE"}, Floats: make([]float64, rows)}
		for i := range c.Floats {
			c.Floats[i] = draw.NormFloat64()
		}
		out = append(out, c)
	}
	f, err := frame.New(rows, out...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// sums is a target that the first two columns decide.
func sums(f *frame.Frame) *frame.Column {
	c := &frame.Column{Field: frame.Field{Name: "y", Kind: frame.Float, Type: "DOUBLE"}, Floats: make([]float64, f.Rows())}
	for i := range c.Floats {
		c.Floats[i] = 3*f.Columns[0].Floats[i] - f.Columns[1].Floats[i]
	}
	return c
}

// named puts a target into so many classes by its rank, so that all have about the same number of rows.
func named(numbers *frame.Column, classes int) *frame.Column {
	order := make([]int, numbers.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if numbers.Floats[a] < numbers.Floats[b] {
			return -1
		}
		return 1
	})
	c := &frame.Column{Field: frame.Field{Name: "y", Kind: frame.Text, Type: "VARCHAR"}, Texts: make([]string, len(order))}
	for rank, row := range order {
		c.Texts[row] = fmt.Sprintf("class %05d", rank*classes/len(order))
	}
	return c
}

// A budget decides how the work is done: whether members are kept, with their keys or without, and how many rows are
// answered together. Answers must be equal to the last bit.
func TestMemoryDoesNotMoveAnswers(t *testing.T) {
	train, query := numbers(t, 1, 900, 2), numbers(t, 2, 1200, 2)
	for task, labels := range map[tabular.Task]*frame.Column{
		tabular.Regression: sums(train), tabular.Classification: named(sums(train), 3),
	} {
		o, model := tabular.DefaultOptions(), realModel(t, "demo", task)
		o.Members, o.Threads = 4, 2
		whole := ask(t, model, train, labels, query, o)
		o.Memory = 1
		_, err := tabular.Fit(context.Background(), model, train, labels, o)
		small, ok := errors.AsType[*tabular.MemoryError](err)
		if !ok {
			t.Fatalf("a budget of one byte gave %v", err)
		}
		o.Memory = small.Need + 8<<20 // room for the answer and for little else
		for _, o.Once = range []bool{false, true} {
			estimator, err := tabular.Fit(context.Background(), model, train, labels, o)
			if err != nil {
				t.Fatal(err)
			}
			if bytes, kept := estimator.Kept(); kept == o.Once || bytes > o.Memory {
				t.Errorf("%s, once %v: kept is %v with %d bytes", task, o.Once, kept, bytes)
			}
			if diff := cmp.Diff(whole, predict(t, estimator, query)); diff != "" {
				t.Errorf("%s, once %v: another answer (-all kept +little memory):\n%.600s", task, o.Once, diff)
			}
		}
		// The answer itself must fit as well.
		o.Memory, o.Once = small.Need+10_000, true
		estimator, err := tabular.Fit(context.Background(), model, train, labels, o)
		if err != nil {
			t.Fatal(err)
		}
		_, err = estimator.Predict(context.Background(), query)
		if e, ok := errors.AsType[*tabular.MemoryError](err); !ok || e.Answer < 100_000 || e.Need <= o.Memory {
			t.Errorf("%s: an answer without room gave %v", task, err)
		}
	}
}

// The members' disagreement is 0 where there is one, and the distance of two means from their middle where there are two.
func TestSpread(t *testing.T) {
	train, query := numbers(t, 3, 50, 4), numbers(t, 4, 20, 4)
	for task, labels := range map[tabular.Task]*frame.Column{
		tabular.Regression: sums(train), tabular.Classification: named(sums(train), 3),
	} {
		o := tabular.DefaultOptions()
		o.Members = 1
		for i, s := range ask(t, realModel(t, "demo", task), train, labels, query, o).Spread {
			if s != 0 {
				t.Errorf("%s, row %d: one member disagrees with itself by %v", task, i, s)
			}
		}
		o.Members = 6
		a := ask(t, realModel(t, "demo", task), train, labels, query, o)
		if len(a.Spread) != a.Rows || !(slices.Max(a.Spread) > 0) {
			t.Errorf("%s: spread %v of %d rows", task, a.Spread, a.Rows)
		}
		for i, s := range a.Spread {
			if most := 0.5; task == tabular.Classification && !(s >= 0 && s <= most) {
				t.Errorf("row %d: probabilities cannot deviate by %v", i, s)
			}
			if task == tabular.Regression && !(a.Variance[i] > 0 && math.Abs(a.Median[i]-a.Mean[i]) < 3*math.Sqrt(a.Variance[i])) {
				t.Errorf("row %d: mean %v, median %v, variance %v", i, a.Mean[i], a.Median[i], a.Variance[i])
			}
		}
	}
}

// More classes than the network tells apart: answers are distributions, labels come back as given, and an order that the
// features decide is found better than by chance. Nothing is claimed about quality beyond that: see Info.TreeNote.
func TestManyClasses(t *testing.T) {
	for _, classes := range []int{11, 101, 1200} {
		t.Run(fmt.Sprint(classes), func(t *testing.T) {
			train := numbers(t, 5, 2*classes, 2)
			labels := named(sums(train), classes)
			o := tabular.DefaultOptions()
			o.Members = 1
			query := train.Take([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19})
			for _, averaged := range []bool{false, true} {
				o.AverageProbabilities = averaged
				a := ask(t, realModel(t, "demo", tabular.Classification), train, labels, query, o)
				if a.Classes.Len() != classes {
					t.Fatalf("%d classes came back", a.Classes.Len())
				}
				distance := 0.0
				for i, p := range a.Probabilities {
					sum := 0.0
					for _, v := range p {
						sum += v
					}
					if len(p) != classes || !(math.Abs(sum-1) < 1e-9) {
						t.Errorf("row %d: %d probabilities sum to %v", i, len(p), sum)
					}
					var want int
					if _, err := fmt.Sscanf(labels.Texts[i], "class %d", &want); err != nil {
						t.Fatal(err)
					}
					distance += math.Abs(float64(a.Labels[i]-want)) / float64(len(query.Columns[0].Floats)*classes)
				}
				// A guess at random is a third of the classes away on average.
				if distance > 0.25 {
					t.Errorf("the answers are %.2f of all classes away on average", distance)
				}
			}
		})
	}
	train := numbers(t, 6, tabular.MostClasses+1, 1)
	_, err := tabular.Fit(context.Background(), realModel(t, "demo", tabular.Classification), train, named(train.Columns[0], train.Rows()), tabular.DefaultOptions())
	if tooMany, ok := errors.AsType[*tabular.ClassesError](err); !ok || tooMany.Limit != tabular.MostClasses {
		t.Errorf("%d classes gave %v", train.Rows(), err)
	}
}

// Rounded weights give other answers, and near ones: the demo's probabilities move by up to 0.004 here.
func TestRoundedWeights(t *testing.T) {
	train, query := numbers(t, 7, 60, 4), numbers(t, 8, 40, 4)
	o, labels := tabular.DefaultOptions(), named(sums(train), 3)
	o.Members = 2
	exact := ask(t, realModel(t, "demo", tabular.Classification), train, labels, query, o)
	o.Precision = tabular.BF16
	rounded := ask(t, realModel(t, "demo", tabular.Classification), train, labels, query, o)
	farthest := 0.0
	for i, p := range exact.Probabilities {
		for c, v := range p {
			farthest = max(farthest, math.Abs(v-rounded.Probabilities[i][c]))
		}
	}
	if !(farthest > 0 && farthest < 0.02) {
		t.Errorf("rounded weights move a probability by up to %v", farthest)
	}
	t.Logf("rounded weights move a probability by up to %.2g", farthest)
}

// Eight members that are asked once and would keep more than a little are not taught before they are asked, one after the
// other; where they keep little they stay, and where they come in turn they answer the same, to the last bit.
func TestMembersInTurn(t *testing.T) {
	train, query := numbers(t, 1, 3000, 2), numbers(t, 2, 50, 2)
	labels, model := named(sums(train), 3), realModel(t, "demo", tabular.Classification)
	o := tabular.DefaultOptions()
	o.Threads, o.Once = 2, true
	for rows, want := range map[int]bool{3000: false, 60: true} {
		e, err := tabular.Fit(t.Context(), model, train.Take(upTo(rows)), labels.Take(upTo(rows)), o)
		if err != nil {
			t.Fatal(err)
		}
		would, err := e.ContextBytes(tabular.CacheFull)
		if err != nil {
			t.Fatal(err)
		}
		if bytes, kept := e.Kept(); kept != want || kept != (bytes == would) {
			t.Errorf("%d rows: %d bytes are kept, of %d", rows, bytes, would)
		}
	}
	train, labels = train.Take(upTo(60)), labels.Take(upTo(60))
	whole := ask(t, model, train, labels, query, o)
	o.Cache = tabular.CacheNone
	if diff := cmp.Diff(whole, ask(t, model, train, labels, query, o)); diff != "" {
		t.Errorf("another answer (-together +in turn):\n%.600s", diff)
	}
}
