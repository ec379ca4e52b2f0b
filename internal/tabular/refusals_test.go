package tabular_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/tabular/agreement"
	"github.com/norn-data/norn/internal/tabular/prep"
)

// An oddInput is a question that the reference wrapper was asked with something odd in it, as norn asks it.
type oddInput struct {
	train   *frame.Frame
	labels  *frame.Column
	query   *frame.Frame
	change  func(*tabular.Options)
	regress bool
	// What norn does: answer what the reference does, refuse with words, or, for a reason, something better: then the
	// answer is that of the case named by like, or any answer at all.
	refused string
	like    string
	any     bool
}

// TestOddInput holds norn to what the reference does with bad and odd input: the same numbers where it answers, a refusal
// where it refuses. Where norn does better on purpose the table says what.
func TestOddInput(t *testing.T) {
	text, err := os.ReadFile("testdata/refusals/refusals.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		X     [][]float64 `json:"x"`
		Y     []int64     `json:"y"`
		Cases map[string]struct {
			Error  string
			Result json.RawMessage
		} `json:"cases"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	x := func(change func(row, column int, v float64) float64) *frame.Frame {
		columns := make([]*frame.Column, 3)
		for c := range columns {
			columns[c] = &frame.Column{Field: frame.Field{Name: string(rune('a' + c)), Kind: frame.Float}}
			for r, row := range file.X {
				columns[c].Floats = append(columns[c].Floats, change(r, c, row[c]))
			}
		}
		return tableOf(t, columns...)
	}
	whole := x(func(_, _ int, v float64) float64 { return v })
	first := func(f *frame.Frame, n int) *frame.Frame { return f.Take([]int{0, 1, 2}[:n]) }
	y := &frame.Column{Field: frame.Field{Name: "y", Kind: frame.Int}, Ints: file.Y}
	numbers := func(at func(row int) float64) *frame.Column {
		c := &frame.Column{Field: frame.Field{Name: "y", Kind: frame.Float}}
		for r := range file.Y {
			c.Floats = append(c.Floats, at(r))
		}
		return c
	}
	either := func(odd float64) *frame.Column {
		return numbers(func(r int) float64 { return []float64{0, odd}[file.Y[r]] })
	}
	column := func(kind frame.Kind, name string) *frame.Column {
		c := &frame.Column{Field: frame.Field{Name: name, Kind: kind}}
		for r := range file.Y {
			c.Texts = append(c.Texts, string(rune('a'+r%2)))
			c.Bools = append(c.Bools, r%2 == 0)
		}
		if kind == frame.Bool {
			c.Texts = nil
		} else {
			c.Bools = nil
		}
		return c
	}
	two := first(whole, 2)
	firstColumn := numbers(func(r int) float64 { return file.X[r][0] })
	twelve := &frame.Column{Field: frame.Field{Name: "y", Kind: frame.Int}}
	for r := range file.Y {
		twelve.Ints = append(twelve.Ints, int64(r%12))
	}
	gaps := x(func(_, c int, v float64) float64 { return []float64{v, 0, v}[c] })
	gaps.Columns[1].Missing = slices.Repeat([]bool{true}, len(file.Y))
	infinite := x(func(r, c int, v float64) float64 {
		if r == 3 && c == 2 {
			return math.Inf(1)
		}
		return v
	})
	huge := x(func(_, _ int, v float64) float64 { return v * 1e160 })
	const asUsual = "array_after_frame"

	odd := map[string]oddInput{
		// Columns are found by name: order and extra columns do not matter, a missing one does.
		"columns_reordered": {train: whole, labels: y, query: tableOf(t, two.Columns[1], two.Columns[0], two.Columns[2]), like: asUsual},
		"column_extra":      {train: whole, labels: y, query: tableOf(t, append(slices.Clone(two.Columns), &frame.Column{Field: frame.Field{Name: "d", Kind: frame.Float}, Floats: []float64{1, 1}})...), like: asUsual},
		"column_missing":    {train: whole, labels: y, query: tableOf(t, two.Columns[:2]...), refused: `"c"`},
		"narrower_array":    {train: whole, labels: y, query: tableOf(t, two.Columns[:2]...), refused: `"c"`},
		// Columns have names and one shape here, so that arrays and frames are one thing.
		"array_after_frame":    {train: whole, labels: y, query: two},
		"frame_after_array":    {train: whole, labels: y, query: two},
		"column_vector_label":  {train: whole, labels: y, query: two},
		"column_vector_target": {train: whole, labels: firstColumn, query: two, regress: true},
		"one_query_row":        {train: whole, labels: y, query: first(whole, 1)},
		// Nobody to ask is no mistake.
		"no_query_rows":            {train: whole, labels: y, query: whole.Take(nil), any: true},
		"one_train_row":            {train: first(whole, 1), labels: y.Take([]int{0}), query: two},
		"one_train_row_regression": {train: first(whole, 1), labels: firstColumn.Take([]int{0}), query: two, regress: true},
		"no_train_rows":            {train: whole.Take(nil), labels: y.Take(nil), query: two, refused: "no rows"},
		"length_mismatch":          {train: whole, labels: y.Take([]int{0, 1, 2}), query: two, refused: "3 rows where the columns have 20"},
		"nan_label":                {train: whole, labels: either(math.NaN()), query: two, refused: `target "y" is missing in row 2`},
		"nan_target":               {train: whole, labels: either(math.NaN()), query: two, regress: true, refused: `target "y" is missing in row 2`},
		"infinite_target":          {train: whole, labels: either(math.Inf(1)), query: two, regress: true, refused: `target "y" is infinite in row 2`},
		"text_target":              {train: whole, labels: column(frame.Text, "y"), query: two, regress: true, refused: `target "y" is text`},
		// Whoever asks for classes of numbers with a fraction has decided that they are; package fitted asks first.
		"continuous_label":      {train: whole, labels: firstColumn, query: two, any: true},
		"infinite_feature":      {train: infinite, labels: y, query: two, refused: "+Inf"},
		"infinite_query":        {train: whole, labels: y, query: infinite, refused: "+Inf"},
		"empty_column_in_array": {train: gaps, labels: y, query: first(gaps, 2)},
		// Text has a kind of its own, and is a category.
		"text_array":            {train: tableOf(t, column(frame.Text, "s")), labels: y, query: tableOf(t, column(frame.Text, "s")), any: true},
		"twelve_classes_cached": {train: whole, labels: twelve, query: two, change: func(o *tabular.Options) { o.Cache = tabular.CacheFull }, any: true},
		"bad_norm":              {train: whole, labels: y, query: two, change: func(o *tabular.Options) { o.Norms = []prep.Norm{"zca"} }, refused: `not "zca"`},
		"huge_values":           {train: huge, labels: y, query: first(huge, 2)},
		"timedelta":             {train: tableOf(t, column(frame.Other, "t")), labels: y, query: tableOf(t, column(frame.Other, "t")), refused: "which no model reads"},
		"only_dropped_columns":  {train: tableOf(t, column(frame.Bool, "f")), labels: y, query: tableOf(t, column(frame.Bool, "f")), refused: "no feature column is left"},
	}
	notAsked := map[string]string{
		"one_dimensional_query":    "a frame has rows and columns",
		"twelve_classes_forbidden": "there is no option that forbids many classes",
	}
	group := agreement.New(t, "tabicl/wrapper, odd input")
	for name, recorded := range file.Cases {
		if notAsked[name] != "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			in, ok := odd[name]
			if !ok {
				t.Fatal("norn was never asked this")
			}
			got, err := in.ask(t)
			switch {
			case in.refused != "":
				if recorded.Error == "" || err == nil || !strings.Contains(fmt.Sprint(err), in.refused) {
					t.Errorf("got %v, want a refusal with %q as the reference's %s", err, in.refused, recorded.Error)
				}
				return
			case err != nil:
				t.Fatal(err)
			case in.any:
				return
			}
			want := recorded.Result
			if in.like != "" {
				want = file.Cases[in.like].Result
			}
			numbers := numbersIn(t, want)
			if len(got) != len(numbers) {
				t.Fatalf("%d numbers, want %d", len(got), len(numbers))
			}
			for i, v := range numbers {
				if group.See("answers", math.Abs(got[i]-v), probabilityTolerance); !(math.Abs(got[i]-v) <= probabilityTolerance) {
					t.Errorf("number %d is %v, want %v", i, got[i], v)
				}
			}
		})
	}
	// Without the reference's ways, a column that its standardisation would turn into zeros is refused.
	own := odd["huge_values"]
	own.change = func(o *tabular.Options) { o.Reference = false }
	if _, err := own.ask(t); !isRange(err) {
		t.Errorf("numbers of 1e160 gave %v", err)
	}
}

// ask gives an answer's numbers, row after row.
func (in oddInput) ask(t *testing.T) ([]float64, error) {
	t.Helper()
	task, weights := tabular.Classification, "tabicl-classifier-v2"
	if in.regress {
		task, weights = tabular.Regression, "tabicl-regressor-v2"
	}
	model, err := weightsOf(t, weights).For(task)
	if err != nil {
		t.Fatal(err)
	}
	o := tabular.DefaultOptions()
	o.Members, o.Reference = 2, true
	if in.change != nil {
		in.change(&o)
	}
	estimator, err := tabular.Fit(t.Context(), model, in.train, in.labels, o)
	if err != nil {
		return nil, err
	}
	answer, err := estimator.Predict(t.Context(), in.query)
	if err != nil {
		return nil, err
	}
	if in.regress {
		return answer.Mean, nil
	}
	return slices.Concat(answer.Probabilities...), nil
}

func numbersIn(t *testing.T, raw json.RawMessage) []float64 {
	t.Helper()
	var rows [][]float64
	if json.Unmarshal(raw, &rows) == nil {
		return slices.Concat(rows...)
	}
	var one []float64
	if err := json.Unmarshal(raw, &one); err != nil {
		t.Fatal(err)
	}
	return one
}

func isRange(err error) bool {
	_, ok := errors.AsType[*prep.RangeError](err)
	return ok
}

func tableOf(t *testing.T, columns ...*frame.Column) *frame.Frame {
	t.Helper()
	f, err := frame.New(columns[0].Len(), columns...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
