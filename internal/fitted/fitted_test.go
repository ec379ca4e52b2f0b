package fitted_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// table makes a frame from columns of cells: float64, int, bool or string; nil is a missing cell.
func table(t *testing.T, names string, rows ...[]any) *frame.Frame {
	t.Helper()
	var columns []*frame.Column
	for j, name := range strings.Fields(names) {
		c := &frame.Column{Field: frame.Field{Name: name, Kind: frame.Text, Type: "VARCHAR"}, Missing: make([]bool, len(rows))}
		for _, r := range rows {
			switch r[j].(type) {
			case float64:
				c.Kind, c.Type = frame.Float, "DOUBLE"
			case int:
				c.Kind, c.Type = frame.Int, "BIGINT"
			case bool:
				c.Kind, c.Type = frame.Bool, "BOOLEAN"
			case []int:
				c.Kind, c.Type = frame.Other, "INTEGER[]"
			}
		}
		for i, r := range rows {
			c.Missing[i] = r[j] == nil
			switch c.Kind {
			case frame.Float:
				v, _ := r[j].(float64)
				c.Floats = append(c.Floats, v)
			case frame.Int:
				v, _ := r[j].(int)
				c.Ints = append(c.Ints, int64(v))
			case frame.Bool:
				v, _ := r[j].(bool)
				c.Bools = append(c.Bools, v)
			default:
				text := ""
				if r[j] != nil {
					text = fmt.Sprint(r[j])
				}
				c.Texts = append(c.Texts, text)
			}
		}
		columns = append(columns, c)
	}
	f, err := frame.New(len(rows), columns...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func demo(t *testing.T) tabular.Models {
	t.Helper()
	models, err := tabular.Find(context.Background(), "", tabular.Places{})
	if err != nil {
		t.Fatal(err)
	}
	return models
}

func spec(target string) fitted.Spec {
	o := tabular.DefaultOptions()
	o.Members = 2
	return fitted.Spec{Target: target, Options: o}
}

func TestTrouble(t *testing.T) {
	good := [][]any{{1.0, "a"}, {2.0, "b"}, {1.5, "a"}, {2.5, "b"}, {3.0, nil}}
	many := func(n int, row func(i int) []any) (rows [][]any) {
		for i := range n {
			rows = append(rows, row(i))
		}
		return rows
	}
	for name, c := range map[string]struct {
		spec    fitted.Spec
		table   *frame.Frame
		code    string
		message string // part of it
	}{
		"no rows":             {spec("y"), table(t, "x y"), "E1609", "no rows"},
		"target missing":      {spec("z"), table(t, "x y", good...), "E1601", "column z"},
		"no row labelled":     {spec("y"), table(t, "x y", []any{1.0, nil}, []any{2.0, nil}), "E1602", "nothing to learn from"},
		"one row labelled":    {spec("y"), table(t, "x y", []any{1.0, "a"}, []any{2.0, nil}), "E1609", "only one row"},
		"constant target":     {spec("y"), table(t, "x y", []any{1.0, "a"}, []any{2.0, "a"}, []any{2.0, nil}), "E1604", "'a' in all 2 rows"},
		"constant number":     {spec("y"), table(t, "x y", []any{1.0, 5.5}, []any{2.0, 5.5}), "E1604", "'5.5' in all 2 rows"},
		"a class per row":     {spec("y"), table(t, "x y", []any{1.0, "a"}, []any{2.0, "b"}, []any{3.0, "c"}), "E1605", "different value in each of its 3 rows"},
		"too many classes":    {spec("y"), table(t, "x y", many(10_002, func(i int) []any { return []any{float64(i), fmt.Sprint("c", i%10_001)} })...), "E1606", "at most 10000"},
		"key missing":         {with(spec("y"), func(s *fitted.Spec) { s.Keys = []string{"id"} }), table(t, "x y", good...), "E1603", "a key is column id"},
		"target as key":       {with(spec("y"), func(s *fitted.Spec) { s.Keys = []string{"Y"} }), table(t, "x y", good...), "E1610", "cannot be a key"},
		"no feature":          {with(spec("y"), func(s *fitted.Spec) { s.Drop = []string{"x"} }), table(t, "x y", good...), "E1608", "no column is left"},
		"infinite feature":    {spec("y"), table(t, "x y", []any{1.0, "a"}, []any{math.Inf(1), "b"}, []any{1.5, "a"}, []any{2.5, "b"}), "E1607", "column x is +Inf in row 2"},
		"infinite query":      {spec("y"), table(t, "x y", append(good[:4:4], []any{math.Inf(-1), nil})...), "E1607", "column x is -Inf in row 5"},
		"NaN target":          {spec("y"), table(t, "x y", []any{1.0, 1.5}, []any{2.0, math.NaN()}, []any{2.0, 2.5}), "E1607", "NaN in row 2"},
		"huge feature":        {spec("y"), table(t, "x y", []any{1.0, "a"}, []any{-1e300, "b"}, []any{1e300, "a"}, []any{2.5, "b"}), "E1616", "too large"},
		"constant feature":    {spec("y"), table(t, "x y", []any{nil, "a"}, []any{nil, "b"}, []any{nil, "a"}, []any{nil, nil}), "", ""},
		"list feature":        {spec("y"), table(t, "x y", []any{[]int{1}, "a"}, []any{[]int{2}, "b"}, []any{[]int{3}, "a"}), "E1613", "INTEGER[]"},
		"free text":           {spec("y"), table(t, "x y", many(150, func(i int) []any { return []any{fmt.Sprint("text ", i), i%2 == 0} })...), "E1615", "free text"},
		"regression of text":  {with(spec("y"), func(s *fitted.Spec) { s.Task = tabular.Regression }), table(t, "x y", good...), "E1612", "needs numbers"},
		"NaN feature is fine": {spec("y"), table(t, "x y", []any{1.0, "a"}, []any{math.NaN(), "b"}, []any{1.5, "a"}, []any{2.5, "b"}, []any{math.NaN(), nil}), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := fitted.Fill(context.Background(), demo(t), c.spec, c.table)
			problems, ok := errors.AsType[diag.Problems](err)
			switch {
			case c.code == "" && err == nil:
			case c.code == "" || !ok:
				t.Fatalf("got the error %v, want the code %q", err, c.code)
			case problems[0].Code != c.code || !strings.Contains(problems[0].Message, c.message) || problems[0].Help == "":
				t.Errorf("got %v with help %q, want %s with %q", problems, problems[0].Help, c.code, c.message)
			}
		})
	}
}

func with(s fitted.Spec, change func(*fitted.Spec)) fitted.Spec {
	change(&s)
	return s
}

// blobs is a table of two clouds that a straight line tells apart, some of its rows unlabelled, and what those are.
func blobs(t *testing.T, n int) (*frame.Frame, []string) {
	draw := rand.New(rand.NewPCG(1, 2))
	var rows [][]any
	var truth []string
	for i := range n {
		class := []string{"left", "right"}[i%2]
		at := []float64{-1.5, 1.5}[i%2]
		var label any = class
		if i%5 == 4 {
			label, truth = nil, append(truth, class)
		}
		rows = append(rows, []any{i, at + draw.NormFloat64(), draw.NormFloat64(), label})
	}
	return table(t, "id x noise y", rows...), truth
}

func TestFill(t *testing.T) {
	rows, truth := blobs(t, 120)
	s := with(spec("y"), func(s *fitted.Spec) { s.Keys = []string{"id"} })
	p, err := fitted.Fill(context.Background(), demo(t), s, rows)
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for i := range truth {
		if p.Answer.Classes.Text(p.Answer.Labels[i]) == truth[i] {
			right++
		}
	}
	if right < 20 || len(truth) != 24 {
		t.Errorf("%d of %d answers are right, want at least 20 of 24", right, len(truth))
	}
	if d := cmp.Diff([]string{"x", "noise"}, p.Context.Features); d != "" {
		t.Errorf("features: %s", d)
	}
	h := p.Holdout
	if h == nil || h.Main().Metric != fitted.AUC || h.Main().Value < 0.85 || h.Main().Baseline != 0.5 || h.Rows != 24 || h.Taught != 72 {
		t.Errorf("holdout %+v", h)
	}
}

// The rows that ask do not influence one another, and their order is the order of the answers.
func TestAnswersDependOnTheirRowOnly(t *testing.T) {
	rows, _ := blobs(t, 60)
	ctx, models := context.Background(), demo(t)
	c, err := fitted.Fit(ctx, models, spec("y"), rows)
	if err != nil {
		t.Fatal(err)
	}
	all, err := c.Predict(ctx, rows)
	if err != nil {
		t.Fatal(err)
	}
	order := rand.New(rand.NewPCG(3, 4)).Perm(rows.Rows())
	permuted, err := c.Predict(ctx, rows.Take(order))
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range order {
		if d := cmp.Diff(all.Probabilities[row], permuted.Probabilities[i]); d != "" {
			t.Fatalf("row %d answers differently among others:\n%s", row, d)
		}
	}
}

func TestTimeOrderedHoldout(t *testing.T) {
	rows, _ := blobs(t, 100)
	s := with(spec("y"), func(s *fitted.Spec) { s.AsOf = "id" })
	p, err := fitted.Fill(context.Background(), demo(t), s, rows)
	if err != nil {
		t.Fatal(err)
	}
	if !p.Holdout.Ordered || p.Holdout.Rows != 20 {
		t.Errorf("holdout %+v, want the latest 20 of 80 rows", p.Holdout)
	}
	if d := cmp.Diff([]string{"x", "noise"}, p.Context.Features); d != "" {
		t.Errorf("the time column is a feature: %s", d)
	}
}

func TestSmallTablesHaveNoScore(t *testing.T) {
	rows := table(t, "x y", []any{1.0, "a"}, []any{2.0, "b"}, []any{1.5, "a"}, []any{2.5, "b"}, []any{3.0, nil})
	p, err := fitted.Fill(context.Background(), demo(t), spec("y"), rows)
	if err != nil {
		t.Fatal(err)
	}
	if p.Holdout != nil || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "too few") {
		t.Errorf("holdout %v, notes %q", p.Holdout, p.Notes)
	}
}

func TestAnswerOtherTable(t *testing.T) {
	train, _ := blobs(t, 60)
	ctx, models := context.Background(), demo(t)
	s := with(spec("y"), func(s *fitted.Spec) { s.Keys = []string{"id"} })
	p, err := fitted.Answer(ctx, models, s, train, table(t, "noise extra x", []any{0.0, "e", -3.0}, []any{0.0, "e", 3.0}))
	if err != nil {
		t.Fatal(err)
	}
	got := []string{p.Answer.Classes.Text(p.Answer.Labels[0]), p.Answer.Classes.Text(p.Answer.Labels[1])}
	if d := cmp.Diff([]string{"left", "right"}, got); d != "" {
		t.Error(d)
	}
	for code, test := range map[string]*frame.Frame{
		"E1611": table(t, "noise", []any{0.0}),
		"E1614": table(t, "noise x", []any{0.0, "far"}),
	} {
		_, err := fitted.Answer(ctx, models, s, train, test)
		if problems, ok := errors.AsType[diag.Problems](err); !ok || problems[0].Code != code {
			t.Errorf("got %v, want %s", err, code)
		}
	}
}

func TestRegression(t *testing.T) {
	draw := rand.New(rand.NewPCG(5, 6))
	var rows [][]any
	for i := range 90 {
		x := draw.NormFloat64()
		var y any = 100 + 20*x + draw.NormFloat64()
		if i%9 == 8 {
			y = nil
		}
		rows = append(rows, []any{x, draw.NormFloat64(), y})
	}
	p, err := fitted.Fill(context.Background(), demo(t), spec("y"), table(t, "x noise y", rows...))
	if err != nil {
		t.Fatal(err)
	}
	if m := p.Holdout.Main(); m.Metric != fitted.R2 || m.Value < 0.7 || m.Baseline > 0.1 {
		t.Errorf("score %+v", m)
	}
	low, _ := p.Answer.Quantile(0.1)
	high, _ := p.Answer.Quantile(0.9)
	for i := range p.Answer.Rows {
		if !(low[i] < high[i]) || p.Answer.Mean[i] < 0 || p.Answer.Mean[i] > 200 {
			t.Errorf("row %d: %v to %v, mean %v", i, low[i], high[i], p.Answer.Mean[i])
		}
	}
}

func TestCancelled(t *testing.T) {
	rows, _ := blobs(t, 60)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := fitted.Fill(ctx, demo(t), spec("y"), rows); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
