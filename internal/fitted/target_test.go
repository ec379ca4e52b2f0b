package fitted_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

func TestTaskOf(t *testing.T) {
	column := func(kind frame.Kind, cells ...float64) *frame.Column {
		c := &frame.Column{Field: frame.Field{Name: "y", Kind: kind, Type: "X"}}
		for _, v := range cells {
			c.Floats, c.Ints = append(c.Floats, v), append(c.Ints, int64(v))
		}
		return c
	}
	eleven := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for name, c := range map[string]struct {
		column *frame.Column
		want   tabular.Task
	}{
		"whole floats":       {column(frame.Float, 0, 1, 0, 1), tabular.Classification},
		"a fraction":         {column(frame.Float, 0, 1, 0.5), tabular.Regression},
		"eleven floats":      {column(frame.Float, eleven...), tabular.Regression},
		"ints":               {column(frame.Int, 3, 4), tabular.Classification},
		"eleven ints":        {column(frame.Int, eleven...), tabular.Regression},
		"gaps are no values": {&frame.Column{Field: frame.Field{Kind: frame.Float}, Floats: []float64{0, 0.5, 1}, Missing: []bool{false, true, false}}, tabular.Classification},
	} {
		if got, _ := fitted.TaskOf(c.column); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Labels as tools write them when a column has gaps, with a negative zero among them: two classes, in their own kind.
func TestWholeFloatsAreClasses(t *testing.T) {
	zero := 0.0
	rows := table(t, "x y", numbered(25, func(i int) []any {
		switch {
		case i == 24:
			return []any{0.5, nil}
		case i == 0:
			return []any{0.0, -zero}
		}
		return []any{float64(i % 7), float64(i % 2)}
	})...)
	p, err := fitted.Fill(context.Background(), demo(t), spec("y"), rows)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]float64{0, 1}, p.Answer.Classes.Floats); d != "" {
		t.Errorf("classes: %s", d)
	}
	if notes := strings.Join(p.Notes, "\n"); !strings.Contains(notes, "y has the values 0, 1: classified; --task regression for a number") {
		t.Errorf("notes %q", notes)
	}
}

func TestRefusals(t *testing.T) {
	near := func(offset, step float64) *frame.Frame {
		return table(t, "x y", numbered(20, func(i int) []any { return []any{float64(i), offset + step*float64(i)} })...)
	}
	scored := func(names string) *frame.Frame {
		return table(t, names, numbered(20, func(i int) []any { return []any{float64(i), i%2 == 0, true, 0.5} })...)
	}
	texts := table(t, "a,b note y", numbered(150, func(i int) []any {
		return []any{strings.Repeat("x", i), strings.Repeat("z", i+1), i%2 == 0}
	})...)
	for name, c := range map[string]struct {
		spec          fitted.Spec
		table         *frame.Frame
		code          string
		message, help string // parts of them
	}{
		"a step below single precision": {spec("y"), near(1e9, 1e-3), "E1616", "differ by less than single precision tells apart near 1e+09", "subtract a constant"},
		"denormal":                      {spec("y"), near(0, 1e-312), "E1616", "so small (up to", "another unit"},
		"coarse enough":                 {spec("y"), near(1e9, 1e4), "", "", ""},
		"an earlier answer":             {spec("y"), scored("x y y_predicted y_p_true"), "E1619", "columns y_predicted, y_p_true were written", "--drop y_predicted,y_p_true"},
		"of another target":             {spec("y"), scored("x y z_predicted z_p_true"), "", "", ""},
		"key and dropped":               {with(spec("y"), func(s *fitted.Spec) { s.Keys, s.Drop = []string{"x"}, []string{"X"} }), scored("x y a b"), "E1610", "column X cannot be a key and a dropped column", "once"},
		"texts":                         {spec("y"), texts, "E1615", "columns a,b, note are free text", `--drop '"a,b",note' leaves`},
		"quantity as classes":           {with(spec("x"), func(s *fitted.Spec) { s.Task = tabular.Classification }), near(1, 1), "E1605", "different value", "--task regression"},
	} {
		t.Run(name, func(t *testing.T) {
			err := fitted.Check(c.spec, c.table)
			problems, ok := errors.AsType[diag.Problems](err)
			switch {
			case c.code == "" && err == nil:
			case c.code == "" || !ok:
				t.Fatalf("got %v, want %q", err, c.code)
			case problems[0].Code != c.code || !strings.Contains(problems[0].Message, c.message) || !strings.Contains(problems[0].Help, c.help):
				t.Errorf("got %v, help %q", problems, problems[0].Help)
			}
		})
	}
}

func TestNotes(t *testing.T) {
	ctx := context.Background()
	draw := rand.New(rand.NewPCG(7, 8))
	const rows = 60
	noise := numbered(rows, func(int) []any { return []any{draw.NormFloat64(), draw.NormFloat64()} })
	for name, c := range map[string]struct {
		spec  fitted.Spec
		names string
		row   func(i int) []any
		want  string // a note; with a minus in front, no note with it
		rows  int    // 0 means all
	}{
		"copy of a class":   {spec("y"), "x copy y", func(i int) []any { return []any{noise[i][0], []string{"n", "p"}[i%2], i%2 == 0} }, "column copy tells y by itself: was it known before y?", 0},
		"one threshold":     {spec("y"), "x day y", func(i int) []any { return []any{noise[i][0], float64(i%2)*100 + float64(i), i%2 == 0} }, "column day tells y by itself", 0},
		"gaps tell":         {spec("y"), "x left y", func(i int) []any { return []any{noise[i][0], []any{nil, noise[i][1]}[i%2], i%2 == 0} }, "column left tells y by itself", 0},
		"copy of a number":  {spec("y"), "x twice y", func(i int) []any { return []any{noise[i][0], 2 * noise[i][1].(float64), noise[i][1]} }, "column twice tells y by itself", 0},
		"an honest column":  {spec("y"), "x z y", func(i int) []any { return []any{noise[i][0], noise[i][1], i%2 == 0} }, "-by itself", 0},
		"a rare class":      {spec("y"), "x z y", func(i int) []any { return []any{noise[i][0], float64(i), i >= rows-9} }, "-by itself", 0},
		"rows twice":        {spec("y"), "x z y", func(i int) []any { return []any{noise[i/2][0], noise[i/2][1], i/2%2 == 0} }, "rows held back stand among the rows that teach as well", 0},
		"empty, said once":  {spec("y"), "x m y", func(i int) []any { return []any{noise[i][0], nil, i%2 == 0} }, "-column m has one value", 0},
		"members":           {with(spec("y"), func(s *fitted.Spec) { s.Options.Members = 100 }), "x y", func(i int) []any { return []any{noise[i][0], i%2 == 0} }, "4 of 100 members answer", 0},
		"a sample":          {with(spec("y"), func(s *fitted.Spec) { s.MaxRows = 21 }), "x y", func(i int) []any { return []any{noise[i][0], i%4 == 0} }, "21 of the 60 rows with a known y teach and score", 0},
		"a guessed number":  {spec("y"), "x y", func(i int) []any { return []any{noise[i][0], i % 13} }, "y has 13 different whole numbers: predicted as a number; --task classification for classes", 0},
		"a task is no note": {with(spec("y"), func(s *fitted.Spec) { s.Task = tabular.Regression }), "x y", func(i int) []any { return []any{noise[i][0], i % 13} }, "---task", 0},
		// A clear table of a few rows is no leak, and a note that comes with every second of them is not read.
		"too few rows to tell": {spec("y"), "x day y", func(i int) []any { return []any{noise[i][0], float64(i%2)*100 + float64(i), i%2 == 0} }, "-by itself", 48},
	} {
		t.Run(name, func(t *testing.T) {
			count := rows
			if c.rows > 0 {
				count = c.rows
			}
			p, err := fitted.Fill(ctx, demo(t), c.spec, table(t, c.names, numbered(count, c.row)...))
			if err != nil {
				t.Fatal(err)
			}
			notes := strings.Join(p.Notes, "\n")
			if unwanted, ok := strings.CutPrefix(c.want, "-"); ok == strings.Contains(notes, unwanted) {
				t.Errorf("notes %q, want %q", notes, c.want)
			}
		})
	}
}

// A sample keeps the shares of the classes and is drawn from the seed alone; a query's columns are found whatever their
// case; progress ends at 1.
func TestSampleNamesAndProgress(t *testing.T) {
	rows, _ := blobs(t, 200)
	s := with(spec("y"), func(s *fitted.Spec) { s.MaxRows = 41 })
	var mu sync.Mutex
	last, parts := 0.0, []string(nil)
	s.Progress = func(p fitted.Progress) {
		mu.Lock()
		defer mu.Unlock()
		if p.Done < last {
			t.Errorf("progress goes back from %v to %v", last, p.Done)
		}
		last = p.Done
		if len(parts) == 0 || parts[len(parts)-1] != p.Part {
			parts = append(parts, p.Part)
		}
	}
	query := table(t, "NOISE X ID", []any{0.0, -3.0, 1}, []any{0.0, 3.0, 2})
	p, err := fitted.Answer(context.Background(), demo(t), s, rows, query)
	if err != nil {
		t.Fatal(err)
	}
	if p.Context.Rows != 41 || p.Answer.Rows != 2 {
		t.Errorf("%d rows teach, %d are answered", p.Context.Rows, p.Answer.Rows)
	}
	if d := cmp.Diff([]string{"score", "learn", "predict"}, parts); d != "" || last < 0.999 {
		t.Errorf("progress ends at %v: %s", last, d)
	}
}

// Problems say in which file they are.
func TestPlaces(t *testing.T) {
	rows, _ := blobs(t, 40)
	place := func(name string) diag.Span { return diag.Span{File: diag.NewFile(name, "")} }
	s := with(spec("y"), func(s *fitted.Spec) { s.Place, s.AskPlace = place("train.csv"), place("test.csv") })
	_, err := fitted.Answer(context.Background(), demo(t), s, rows, table(t, "x", []any{0.0}))
	problems, ok := errors.AsType[diag.Problems](err)
	if !ok || problems[0].Span.IsZero() || problems[0].Span.File.Path != "test.csv" {
		t.Errorf("got %v", err)
	}
	s.Target = "gone"
	_, err = fitted.Answer(context.Background(), demo(t), s, rows, rows)
	if problems, ok = errors.AsType[diag.Problems](err); !ok || problems[0].Span.IsZero() || problems[0].Span.File.Path != "train.csv" {
		t.Errorf("got %v", err)
	}
}
