package fitted_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/frame"
)

// numbered makes n rows.
func numbered(n int, row func(i int) []any) (rows [][]any) {
	for i := range n {
		rows = append(rows, row(i))
	}
	return rows
}

// pairs are rows of a column x and a target that x decides; the last one asks.
func pairs(x func(i int) any) [][]any {
	return numbered(13, func(i int) []any {
		if i == 12 {
			return []any{x(i), nil}
		}
		return []any{x(i), []string{"a", "b"}[i%2]}
	})
}

// What people feed a predictor. Every line says what happens: a refusal with its code and message, or an answer, with a
// note where there is something to know. TestTrouble has more refusals.
func TestUnusualTables(t *testing.T) {
	for name, c := range map[string]struct {
		spec    fitted.Spec
		table   *frame.Frame
		code    string // "" where it is answered
		message string // part of the refusal, or of a note; "" where there is none
	}{
		"infinite target":   {spec("y"), table(t, "x y", []any{1.0, 1.5}, []any{2.0, math.Inf(-1)}, []any{2.0, 2.5}), "E1607", "the target y is -Inf in row 2"},
		"zero rows teach":   {spec("y"), table(t, "x y", []any{1.0, nil}), "E1602", "nothing to learn from"},
		"a single class":    {spec("y"), table(t, "x y", []any{1.0, true}, []any{2.0, true}, []any{3.0, nil}), "E1604", "'true' in all 2 rows"},
		"two rows teach":    {spec("y"), with2(t), "", "too few"},
		"class of one row":  {spec("y"), table(t, "x y", append(pairs(func(i int) any { return float64(i) }), []any{3.5, "rare"})...), "", "y has a single row with 'rare'"},
		"constant columns":  {spec("y"), table(t, "x y", pairs(func(int) any { return 1.0 })...), "", "column x has one value in all rows that teach"},
		"empty column":      {spec("y"), table(t, "x y", pairs(func(int) any { return nil })...), "", "column x is empty in every row that teaches"},
		"empty when asked":  {spec("y"), table(t, "x y", pairs(func(i int) any { return []any{float64(i), nil}[i/12] })...), "", ""},
		"unseen category":   {spec("y"), table(t, "x y", pairs(func(i int) any { return []string{"m", "n", "new"}[i%2+i/12*2] })...), "", "column x: 1 row has a value that no row that teaches has: new"},
		"missing category":  {spec("y"), table(t, "x y", pairs(func(i int) any { return []any{"m", "n", nil}[i%2+i/12*2] })...), "", ""},
		"a blank label":     {spec("y"), table(t, "x y", append(pairs(func(i int) any { return float64(i) }), []any{3.5, " "}, []any{4.5, ""})...), "", "y is blank, but not missing, in 2 rows, the first of them row 14: they teach that as a label; leave the cells empty"},
		"a lone blank":      {spec("y"), table(t, "x y", append(pairs(func(i int) any { return float64(i) }), []any{3.5, ""})...), "", "y is blank, but not missing, in row 14"},
		"boolean column":    {spec("y"), table(t, "x y", pairs(func(i int) any { return i%2 == 0 })...), "", ""},
		"many levels":       {spec("y"), table(t, "x y", append(numbered(120, func(i int) []any { return []any{fmt.Sprint("t", i%50), i%3 == 0} }), []any{"t7", nil})...), "", "column x has 50 different values"},
		"an id as feature":  {spec("y"), table(t, "cust_id y", pairs(func(i int) any { return 100 + i })...), "", "column cust_id is different in every row"},
		"a tiny unit":       {spec("y"), table(t, "x y", pairs(func(i int) any { return float64(i) * 1e-9 })...), "", ""}, // the power transform brings it back
		"huge, but even so": {spec("y"), table(t, "x y", pairs(func(i int) any { return float64(i) * 1e100 })...), "", ""},
		"eleven classes": {spec("y"), table(t, "x y", numbered(34, func(i int) []any {
			if i == 33 {
				return []any{33.0, nil}
			}
			return []any{float64(i), fmt.Sprint("c", i%11)}
		})...), "", "y has 11 classes, and demo-classifier tells 10 apart at a time"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := fitted.Fill(context.Background(), demo(t), c.spec, c.table)
			if c.code != "" {
				problems, ok := errors.AsType[diag.Problems](err)
				if !ok || problems[0].Code != c.code || !strings.Contains(problems[0].Message, c.message) || problems[0].Help == "" {
					t.Errorf("got %v, want %s with %q", err, c.code, c.message)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			notes := strings.Join(p.Notes, "\n")
			if !strings.Contains(notes, c.message) || c.message == "" && notes != "" {
				t.Errorf("notes %q, want %q", notes, c.message)
			}
			for _, row := range p.Answer.Probabilities {
				sum := 0.0
				for _, v := range row {
					sum += v
				}
				if !(math.Abs(sum-1) < 1e-9) {
					t.Errorf("probabilities %v", row)
				}
			}
			if p.Answer.Rows != 1 || len(p.Answer.Labels) != 1 {
				t.Errorf("%d rows answered", p.Answer.Rows)
			}
		})
	}
}

func with2(t *testing.T) *frame.Frame {
	return table(t, "x y", []any{1.0, "a"}, []any{2.0, "b"}, []any{1.9, "a"}, []any{2.1, nil})
}

// More members than differ: as many as differ answer. One column has one order, two classes have two, and there are two
// norms.
func TestMoreMembersThanDiffer(t *testing.T) {
	s := with(spec("y"), func(s *fitted.Spec) { s.Options.Members = 100 })
	p, err := fitted.Fill(context.Background(), demo(t), s, table(t, "x y", pairs(func(i int) any { return float64(i) })...))
	if err != nil {
		t.Fatal(err)
	}
	if p.Context.Members() != 4 {
		t.Errorf("%d members answer, and 4 differ", p.Context.Members())
	}
}

func TestWideTable(t *testing.T) {
	if testing.Short() {
		t.Skip("5,001 columns")
	}
	const columns = 5001
	names, rows := make([]string, columns, columns+1), make([][]any, 5)
	for j := range names {
		names[j] = fmt.Sprint("x", j)
		for i := range rows {
			rows[i] = append(rows[i], math.Sin(float64(i*j+i)))
		}
	}
	for i := range rows {
		rows[i] = append(rows[i], []any{"a", "b", "a", "b", nil}[i])
	}
	s := with(spec("y"), func(s *fitted.Spec) { s.Options.Members = 1 })
	p, err := fitted.Fill(context.Background(), demo(t), s, table(t, strings.Join(append(names, "y"), " "), rows...))
	if err != nil || len(p.Context.Features) != columns || p.Answer.Rows != 1 {
		t.Errorf("%v", err)
	}
}

// What the package promises of every answer, on both tasks: threads and the memory budget do not move a bit, nor does the
// order of the columns in the table that asks; goroutines may ask at the same time.
func TestAnswersAreTheSameOnEveryRoad(t *testing.T) {
	ctx := context.Background()
	clouds, _ := blobs(t, 80)
	for name, rows := range map[string]*frame.Frame{"classes": clouds, "numbers": line(t, 80)} {
		t.Run(name, func(t *testing.T) {
			fit := func(change func(*fitted.Spec)) *fitted.Context {
				c, err := fitted.Fit(ctx, demo(t), with(spec("y"), change), rows)
				if err != nil {
					t.Fatal(err)
				}
				return c
			}
			context1 := fit(func(s *fitted.Spec) { s.Options.Threads = 1 })
			want, err := context1.Predict(ctx, rows)
			if err != nil {
				t.Fatal(err)
			}
			same := func(road string, c *fitted.Context, query *frame.Frame) {
				got, err := c.Predict(ctx, query)
				if err != nil {
					t.Error(err)
				} else if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s: the answers differ (-want +got):\n%.500s", road, diff)
				}
			}
			same("three threads", fit(func(s *fitted.Spec) { s.Options.Threads = 3 }), rows)
			same("little memory", fit(func(s *fitted.Spec) { s.Options.Memory, s.Options.Once = 24<<20, true }), rows)
			reordered := slices.Clone(rows.Columns)
			slices.Reverse(reordered)
			other, err := frame.New(rows.Rows(), reordered...)
			if err != nil {
				t.Fatal(err)
			}
			same("columns in another order", context1, other)
			var wait sync.WaitGroup
			for range 4 {
				wait.Go(func() { same("at the same time", context1, rows) })
			}
			wait.Wait()
		})
	}
}

// The order of the columns that teach is part of the question: an ensemble averages over some orders, so another order is
// another answer, but a near one. This holds the documentation to it in both directions.
func TestOrderOfTeachingColumns(t *testing.T) {
	ctx := context.Background()
	rows := line(t, 80)
	reordered, err := frame.New(rows.Rows(), rows.Columns[1], rows.Columns[0], rows.Columns[2])
	if err != nil {
		t.Fatal(err)
	}
	means := make([][]float64, 2)
	for i, table := range []*frame.Frame{rows, reordered} {
		s := with(spec("y"), func(s *fitted.Spec) { s.Options.Members = 8 })
		c, err := fitted.Fit(ctx, demo(t), s, table)
		if err != nil {
			t.Fatal(err)
		}
		a, err := c.Predict(ctx, rows)
		if err != nil {
			t.Fatal(err)
		}
		means[i] = a.Mean
	}
	farthest := 0.0
	for i, m := range means[0] {
		farthest = max(farthest, math.Abs(m-means[1][i]))
	}
	// The target's deviation is about 20.
	if farthest > 6 {
		t.Errorf("another order of columns moves a mean by %v", farthest)
	}
	t.Logf("another order of columns moves a mean by up to %.3g; the target deviates by 20", farthest)
}
