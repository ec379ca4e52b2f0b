package prep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/norn-data/norn/internal/tabular/agreement"
)

// reference are options that follow tabicl to the letter.
func reference() Options {
	o := DefaultOptions()
	o.Reference = true
	return o
}

// encode fits on train and transforms query.
func encode(t *testing.T, train, query []Column, o Options) (*Encoder, [][]float64) {
	t.Helper()
	e, err := FitEncoder(context.Background(), train, o)
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := e.Transform(context.Background(), query, 2)
	if err != nil {
		t.Fatal(err)
	}
	return e, out
}

func TestEncoder(t *testing.T) {
	near := watched(agreement.New(t, "tabicl/preprocess, encoding"), "codes and gaps")
	g := readJSON[struct {
		Kinds           json.RawMessage
		Train, Test     map[string][]any
		Categorical     []string `json:"categorical_columns"`
		Numeric         []string `json:"numeric_columns"`
		Dropped         []string `json:"dropped_columns"`
		Categories      map[string][]any
		TrainOut        [][]number `json:"train_out"`
		TestOut         [][]number `json:"test_out"`
		Keep            []bool     `json:"unique_filter_keep"`
		AllConstantKeep []bool     `json:"all_constant_keep"`
		OneRowKeep      []bool     `json:"one_row_keep"`
		Arrays          []struct {
			Train, Out [][]number
			Keep       []bool
		}
	}](t, "preprocess", "encoding.json")
	var kinds map[string]string
	if err := json.Unmarshal(g.Kinds, &kinds); err != nil {
		t.Fatal(err)
	}
	var train, test []Column
	for _, name := range keys(t, g.Kinds) {
		train = append(train, cells(t, name, kinds[name], g.Train[name]))
		test = append(test, cells(t, name, kinds[name], g.Test[name]))
	}
	e, got := encode(t, train, train, reference())
	_, gotTest := encode(t, train, test, reference())
	same(t, "names", e.Names(), append(slices.Clone(g.Categorical), g.Numeric...))
	same(t, "categorical", e.Categorical(), len(g.Categorical))
	for i, want := range transposed(g.TrainOut) {
		near(t, "train "+e.Names()[i], got[i], want, exactly, 0)
	}
	for i, want := range transposed(g.TestOut) {
		near(t, "test "+e.Names()[i], gotTest[i], want, exactly, 0)
	}
	var dropped []string
	for _, n := range e.notes {
		if n.Kind == NoteDropped {
			dropped = append(dropped, n.Column)
		}
	}
	same(t, "dropped", dropped, g.Dropped)
	kept := func(features [][]float64) []bool {
		out := make([]bool, len(features))
		for _, i := range keepVarying(features) {
			out[i] = true
		}
		return out
	}
	same(t, "kept", kept(got), g.Keep)
	same(t, "kept of all constant", kept([][]float64{{1, 1}, {1, 1}, {1, 1}}), g.AllConstantKeep)
	same(t, "kept of one row", kept([][]float64{{1}, {1}, {1}}), g.OneRowKeep)
	for _, a := range g.Arrays {
		columns := columnsOf(transposed(a.Train)...)
		_, out := encode(t, columns, columns, reference())
		for i, want := range transposed(a.Out) {
			near(t, "array", out[i], want, exactly, 0)
		}
		same(t, "array kept", kept(out), a.Keep)
	}
}

// TestBetterThanReference: plain booleans are categories and dates become those parts that vary.
func TestBetterThanReference(t *testing.T) {
	at := func(text string) int64 {
		v, err := time.Parse(time.DateTime, text)
		if err != nil {
			t.Fatal(err)
		}
		return v.UnixMicro()
	}
	train := []Column{
		{Name: "n", Kind: Numeric, Floats: []float64{1, 2, 3}},
		{Name: "when", Kind: Datetime, Micros: []int64{at("2024-02-29 08:30:00"), at("2024-03-04 21:30:00"), 0}, Missing: []bool{false, false, true}},
		{Name: "same", Kind: Datetime, Micros: []int64{5, 5, 5}},
		{Name: "flag", Kind: Bool, Bools: []bool{true, false, true}},
	}
	e, out := encode(t, train, train, DefaultOptions())
	same(t, "names", e.Names(), []string{"flag", "n", "when.month", "when.day", "when.weekday", "when.hour"})
	same(t, "numbers", out, [][]float64{{1, 0, 1}, {1, 2, 3}, {2, 3, 2.5}, {29, 4, 16.5}, {3, 0, 1.5}, {8, 21, 14.5}})
	same(t, "notes", e.notes, []Note{{Column: "same", Kind: NoteDropped}})

	ids := Column{Name: "id", Kind: Text}
	for i := range 41 {
		ids.Texts = append(ids.Texts, fmt.Sprint(i))
	}
	many, _ := encode(t, []Column{ids}, []Column{ids}, DefaultOptions())
	same(t, "note of many levels", many.notes, []Note{{Column: "id", Kind: NoteManyLevels, Levels: 41}})

	old, _ := encode(t, train, train, reference())
	same(t, "names of the reference", old.Names(), []string{"n"})
}

func TestEncoderRefuses(t *testing.T) {
	ctx := context.Background()
	inf := math.Inf(-1)
	for name, c := range map[string]struct {
		columns []Column
		want    error
	}{
		"infinity":   {columnsOf([]float64{1, 2}, []float64{1, inf}), &InfinityError{Column: "x1", Row: 1, Value: inf}},
		"duplicates": {[]Column{{Name: "a", Kind: Text, Texts: []string{"x"}}, {Name: "a", Kind: Text, Texts: []string{"y"}}}, &DuplicateColumnError{Column: "a"}},
		"no columns": {nil, &NoFeaturesError{}},
		"only dates that stand still": {
			[]Column{{Name: "d", Kind: Datetime, Micros: []int64{1, 1}}}, &NoFeaturesError{Dropped: []string{"d"}},
		},
		"too many levels": {
			[]Column{{Name: "id", Kind: Text, Texts: []string{"a", "b", "c", "d"}}}, &LevelsError{Column: "id", Levels: 4, Limit: 3},
		},
	} {
		o := DefaultOptions()
		o.MaxLevels = 3
		_, err := FitEncoder(ctx, c.columns, o)
		if err == nil {
			t.Errorf("%s: not refused", name)
			continue
		}
		same(t, name, fmt.Sprintf("%T %+v", err, err), fmt.Sprintf("%T %+v", c.want, c.want))
	}
	for name, columns := range map[string][]Column{
		"unlike lengths": columnsOf([]float64{1}, []float64{1, 2}),
		"no kind":        {{Name: "a"}},
		"unlike gaps":    {{Name: "a", Kind: Numeric, Floats: []float64{1}, Missing: []bool{true, false}}},
	} {
		if _, err := FitEncoder(ctx, columns, DefaultOptions()); err == nil {
			t.Errorf("%s: not refused", name)
		}
	}
}

// TestQueryColumns covers what can be wrong with, or merely different about, the columns of later rows.
func TestQueryColumns(t *testing.T) {
	ctx := context.Background()
	a := Column{Name: "a", Kind: Numeric, Floats: []float64{1, 2}}
	b := Column{Name: "b", Kind: Text, Texts: []string{"x", "y"}}
	empty := Column{Name: "a", Kind: Text, Texts: []string{"", ""}, Missing: []bool{true, true}}
	e, want := encode(t, []Column{a, b}, []Column{a, b}, DefaultOptions())

	got, extra, err := e.Transform(ctx, []Column{b, {Name: "new", Kind: Bool, Bools: []bool{true, true}}, a}, 1)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "other order", got, want)
	same(t, "extra columns", extra, []string{"new"})

	got, _, err = e.Transform(ctx, []Column{empty, b}, 1)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "an empty column of another kind", got, [][]float64{{0, 1}, {1.5, 1.5}})

	var missing *MissingColumnError
	if _, _, err = e.Transform(ctx, []Column{b}, 1); !errors.As(err, &missing) {
		t.Fatalf("missing column: %v", err)
	}
	same(t, "missing columns", missing.Columns, []string{"a"})

	var kind *KindError
	if _, _, err = e.Transform(ctx, []Column{b, {Name: "a", Kind: Text, Texts: []string{"1", "2"}}}, 1); !errors.As(err, &kind) {
		t.Errorf("text for numbers: %v", err)
	}
	var infinity *InfinityError
	if _, _, err = e.Transform(ctx, []Column{b, {Name: "a", Kind: Numeric, Floats: []float64{0, math.Inf(1)}}}, 1); !errors.As(err, &infinity) || infinity.Row != 1 {
		t.Errorf("infinity: %v", err)
	}
}

func TestTargets(t *testing.T) {
	near := watched(agreement.New(t, "tabicl/preprocess, target"), "scale and values")
	g := readJSON[struct {
		Regression []struct {
			Name        string
			Y           []number
			Y32         []number `json:"y_float32"`
			Mean, Scale float64
			Scaled      []float64
			BackIn      []float64 `json:"back_in"`
			BackOut     []float64 `json:"back_out"`
		}
		Labels []struct {
			Y, Classes []any
			Codes      []int
		}
	}](t, "preprocess", "target.json")
	if len(g.Regression) == 0 || len(g.Labels) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range g.Regression {
		z, scale, err := ScaleTarget(&Column{Name: "y", Kind: Numeric, Floats: floats(c.Y)})
		if err != nil {
			t.Fatal(err)
		}
		near(t, c.Name+" mean and scale", []float64{scale.Mean, scale.Scale}, []float64{c.Mean, c.Scale}, exactly, 0)
		same(t, c.Name+" scaled", widen(z), c.Scaled)
		back := make([]float64, len(c.BackIn))
		for i, v := range c.BackIn {
			back[i] = scale.Back(v)
		}
		// The reference maps back in float32.
		near(t, c.Name+" back", back, c.BackOut, 2e-7, scale.Scale)
	}
	for _, c := range g.Labels {
		kind := map[bool]string{true: "bool", false: "category"}[isBool(c.Y[0])]
		column := cells(t, "y", kind, c.Y)
		codes, classes, err := EncodeLabels(&column)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "codes", codes, c.Codes)
		want := cells(t, "y", kind, c.Classes)
		same(t, "classes", [3]any{classes.Texts, classes.Floats, classes.Bools}, [3]any{want.Texts, want.Floats, want.Bools})
	}
}

func isBool(v any) bool { _, ok := v.(bool); return ok }

func TestTargetsRefused(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]struct {
		column     Column
		regression bool
		row        int
	}{
		"gap in a number":     {Column{Kind: Numeric, Floats: []float64{1, nan}}, true, 1},
		"infinite number":     {Column{Kind: Numeric, Floats: []float64{1, 2, inf}}, true, 2},
		"beyond float32":      {Column{Kind: Numeric, Floats: []float64{1e300}}, true, 0},
		"text for a number":   {Column{Kind: Text, Texts: []string{"a"}}, true, -1},
		"gap in a label":      {Column{Kind: Text, Texts: []string{"a", ""}, Missing: []bool{false, true}}, false, 1},
		"no number for label": {Column{Kind: Numeric, Floats: []float64{nan}}, false, 0},
		"fraction for label":  {Column{Kind: Numeric, Floats: []float64{1, 2, 2.5}}, false, 2},
		"moment for a label":  {Column{Kind: Datetime, Micros: []int64{1}}, false, -1},
	} {
		var err error
		if c.regression {
			_, _, err = ScaleTarget(&c.column)
		} else {
			_, _, err = EncodeLabels(&c.column)
		}
		var refused *TargetError
		if !errors.As(err, &refused) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		same(t, name, refused.Row, c.row)
	}
}
