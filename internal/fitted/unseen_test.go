package fitted_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// Values of a category that did not teach are told, from the table and from what a context has learnt.
func TestUnseenValuesAreTold(t *testing.T) {
	ctx := context.Background()
	train := table(t, "c x y", numbered(24, func(i int) []any {
		return []any{[]string{"red", "blue"}[i%2], float64(i), []string{"a", "b"}[i/2%2]}
	})...)
	query := table(t, "c x", []any{"green", 1.0}, []any{"RED", 2.0}, []any{"red", 3.0}, []any{"green", 4.0}, []any{nil, 5.0})
	want := "column c: 3 rows have values that no row that teaches has: green, RED (did you mean red?)"
	p, err := fitted.Answer(ctx, demo(t), spec("y"), train, query)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(p.Notes, want) {
		t.Errorf("an answer has the notes %q", p.Notes)
	}
	c, err := fitted.Fit(ctx, demo(t), spec("y"), train)
	if err != nil {
		t.Fatal(err)
	}
	if p, err = c.Answer(ctx, query, diag.Span{}); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(p.Notes, want) {
		t.Errorf("a context has the notes %q", p.Notes)
	}
}

// A column that is empty in all rows that teach has no type of its own, so another file may have any.
func TestEmptyColumnTakesAnyType(t *testing.T) {
	train := table(t, "e x y", numbered(24, func(i int) []any { return []any{nil, float64(i), []string{"a", "b"}[i/2%2]} })...)
	for _, value := range []any{2.5, "text", true} {
		p, err := fitted.Answer(context.Background(), demo(t), spec("y"), train, table(t, "e x", []any{value, 1.0}, []any{nil, 2.0}))
		if err != nil {
			t.Errorf("%v: %v", value, err)
		} else if !slices.Contains(p.Notes, "column e is empty in every row that teaches and tells nothing") {
			t.Errorf("%v: notes %q", value, p.Notes)
		}
	}
}

// Labels with a fraction are classes where that was asked for, and come back as they were given.
func TestFractionsAsClasses(t *testing.T) {
	s := spec("y")
	s.Task = tabular.Classification
	p, err := fitted.Fill(context.Background(), demo(t), s, table(t, "x y", append(numbered(24, func(i int) []any {
		return []any{float64(i), []float64{0, 0.5, 1}[i%3]}
	}), []any{3.5, nil})...))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Answer.Classes.Floats; !slices.Equal(got, []float64{0, 0.5, 1}) {
		t.Errorf("classes %v", got)
	}
}

// One figure is named before any work, and it is enough for the score, the fit and the answer.
func TestMemoryIsOneFigure(t *testing.T) {
	rows := numbered(1500, func(i int) []any { return []any{float64(i * i % 97), float64(i % 13), []string{"a", "b"}[i%2]} })
	for i := range 1000 {
		rows[i][2] = nil
	}
	data, s := table(t, "x z y", rows...), spec("y")
	s.Options.Members, s.Options.Memory = 1, 1<<20
	s.Progress = func(p fitted.Progress) {
		if p.Done > 0 {
			t.Error("work was done before the refusal")
		}
	}
	_, err := fitted.Fill(context.Background(), demo(t), s, data)
	problems, ok := errors.AsType[diag.Problems](err)
	if !ok || problems[0].Code != "E1617" {
		t.Fatalf("got %v", err)
	}
	_, after, _ := strings.Cut(problems[0].Help, "--memory ")
	flag, _, _ := strings.Cut(after, ";")
	number, found := strings.CutSuffix(flag, "MiB")
	if !found {
		t.Fatalf("the help is %q", problems[0].Help)
	}
	s.Progress = nil
	s.Options.Memory = mebibytes(t, number)
	if _, err := fitted.Fill(context.Background(), demo(t), s, data); err != nil {
		t.Errorf("--memory %s: %v", flag, err)
	}
}

func mebibytes(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return int64(n * (1 << 20))
}

// Two sizes that round to the same text are written to the byte.
func TestMemoryDoesNotContradictItself(t *testing.T) {
	err := fitted.Explain(&tabular.MemoryError{Budget: 20<<20 - 1, Need: 20 << 20})
	if want := "this needs at least 20,971,520 bytes of memory, and the budget is 20,971,519 bytes"; !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
}

// A column that taught and has no value in any row to predict is said: the answers rest on the others.
func TestEmptyInQuery(t *testing.T) {
	train := table(t, "a b y", []any{1.0, "u", "p"}, []any{2.0, "v", "q"}, []any{3.0, "u", "p"}, []any{4.0, "v", "q"}, []any{5.0, "u", "p"})
	query := table(t, "a b", []any{nil, "u"}, []any{nil, "v"})
	const want = "column a taught and is empty in all 2 rows to predict: the answers rest on the other columns"
	q, err := fitted.Ask(spec("y"), train, query)
	if err != nil || !slices.Contains(q.Notes(), want) {
		t.Errorf("the notes are %v, %v", q.Notes(), err)
	}
	c, err := fitted.Fit(t.Context(), demo(t), spec("y"), train)
	if err != nil {
		t.Fatal(err)
	}
	for rows, said := range map[*frame.Frame]bool{query: true, query.Take([]int{0}): false, query.Take(nil): false, train: false} {
		p, err := c.Answer(t.Context(), rows, diag.Span{})
		if err != nil || slices.Contains(p.Notes, want) != said {
			t.Errorf("%d rows gave the notes %q, %v", rows.Rows(), p.Notes, err)
		}
	}
}
