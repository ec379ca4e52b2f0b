package frame

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestNewRefuses(t *testing.T) {
	ints := func(name string, n int) *Column {
		return &Column{Field: Field{Name: name, Kind: Int}, Ints: make([]int64, n)}
	}
	masked := ints("m", 2)
	masked.Missing = []bool{true}
	wrongSlice := &Column{Field: Field{Name: "w", Kind: Text}, Ints: []int64{1, 2}}
	two := &Column{Field: Field{Name: "t", Kind: Text}, Texts: []string{"a", "b"}, Floats: []float64{1, 2}}
	notZero := &Column{Field: Field{Name: "z", Kind: Float}, Floats: []float64{0, math.NaN()}, Missing: []bool{false, true}}
	for _, c := range []struct {
		name    string
		columns []*Column
		want    string
	}{
		{"lengths", []*Column{ints("a", 2), ints("b", 3)}, "column b has 3 cells, the table 2 rows"},
		{"mask", []*Column{masked}, "column m has a mask of 1 cells, the table 2 rows"},
		{"slice of another kind", []*Column{wrongSlice}, "column w has 0 cells, the table 2 rows"},
		{"two slices", []*Column{two}, "column t is of kind text and has cells in Floats"},
		{"value that is missing", []*Column{notZero}, "column z has a value in cell 1, which is missing"},
		{"names", []*Column{ints("Plan", 2), ints("x", 2), ints("pLAN", 2)}, "two columns are named pLAN"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := New(2, c.columns...); err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	f, err := New(7)
	if err != nil || f.Rows() != 7 || len(f.Names()) != 0 {
		t.Errorf("a table without columns: %v, %v", f, err)
	}
}

// TestCells lists what each kind is as text and as number.
func TestCells(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		column Column
		text   string
		number float64
	}{
		{Column{Field: Field{Kind: Bool}, Bools: []bool{true}}, "true", 1},
		{Column{Field: Field{Kind: Bool}, Bools: []bool{false}}, "false", 0},
		{Column{Field: Field{Kind: Int}, Ints: []int64{math.MinInt64}}, "-9223372036854775808", math.MinInt64},
		{Column{Field: Field{Kind: Int}, Ints: []int64{math.MaxInt64}}, "9223372036854775807", math.MaxInt64},
		{Column{Field: Field{Kind: Float}, Floats: []float64{0.1}}, "0.1", 0.1},
		{Column{Field: Field{Kind: Float}, Floats: []float64{-3}}, "-3", -3},
		{Column{Field: Field{Kind: Float}, Floats: []float64{1e300}}, "1e+300", 1e300},
		{Column{Field: Field{Kind: Float}, Floats: []float64{nan}}, "NaN", nan},
		{Column{Field: Field{Kind: Decimal}, Texts: []string{"12.30"}}, "12.30", 12.3},
		{Column{Field: Field{Kind: Decimal}, Texts: []string{"not one"}}, "not one", nan},
		{Column{Field: Field{Kind: Text}, Texts: []string{"5"}}, "5", nan},
		{Column{Field: Field{Kind: Date}, Ints: []int64{-1}}, "1969-12-31", -1},
		{Column{Field: Field{Kind: Date}, Ints: []int64{19782}}, "2024-02-29", 19782},
		{Column{Field: Field{Kind: Date}, Ints: []int64{Infinity}}, "infinity", inf},
		{Column{Field: Field{Kind: Date}, Ints: []int64{-Infinity}}, "-infinity", -inf},
		{Column{Field: Field{Kind: Timestamp}, Ints: []int64{-1}}, "1969-12-31 23:59:59.999999", -1},
		{Column{Field: Field{Kind: Timestamp}, Ints: []int64{0}}, "1970-01-01 00:00:00", 0},
		{Column{Field: Field{Kind: Timestamp}, Ints: []int64{1_500_000}}, "1970-01-01 00:00:01.5", 1.5e6},
		{Column{Field: Field{Kind: Timestamp}, Ints: []int64{-Infinity}}, "-infinity", -inf},
		{Column{Field: Field{Kind: Other}, Texts: []string{"[1, 2]"}}, "[1, 2]", nan},
	} {
		t.Run(c.column.Kind.String()+" "+c.text, func(t *testing.T) {
			if got := c.column.Text(0); got != c.text {
				t.Errorf("text %q, want %q", got, c.text)
			}
			if got := c.column.Float64(0); !cmp.Equal(got, c.number, cmpopts.EquateNaNs()) {
				t.Errorf("number %v, want %v", got, c.number)
			}
			if c.column.Len() != 1 || c.column.IsMissing(0) || c.column.MissingCount() != 0 {
				t.Errorf("%d cells, %d missing", c.column.Len(), c.column.MissingCount())
			}
			missing := c.column
			missing.Missing = []bool{true}
			if missing.Text(0) != "" || !math.IsNaN(missing.Float64(0)) || missing.MissingCount() != 1 {
				t.Errorf("as missing it is %q, %v", missing.Text(0), missing.Float64(0))
			}
		})
	}
}

func TestKinds(t *testing.T) {
	var numeric []string
	for k := Bool; k <= Other; k++ {
		if k.String() == "" {
			t.Errorf("kind %d has no name", k)
		}
		if k.Numeric() {
			numeric = append(numeric, k.String())
		}
	}
	if diff := cmp.Diff([]string{"int", "float", "decimal"}, numeric); diff != "" {
		t.Errorf("numeric kinds (-want +got):\n%s", diff)
	}
}

func TestFormatFloatReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Draw(t, "f")
		text := FormatFloat(f)
		back, err := strconv.ParseFloat(text, 64)
		if err != nil || !cmp.Equal(back, f, cmpopts.EquateNaNs()) {
			t.Fatalf("%v was written as %s and read as %v, %v", f, text, back, err)
		}
		if a := math.Abs(f); a >= 1e-6 && a < 1e15 && strings.ContainsAny(text, "eE") {
			t.Fatalf("%s has an exponent where a person would not use one", text)
		}
	})
}

// drawFrame makes any table with up to 6 columns and 12 rows.
func drawFrame(t *rapid.T) *Frame {
	rows := rapid.IntRange(0, 12).Draw(t, "rows")
	names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z][a-z ]{0,5}`), 0, 6, rapid.ID).Draw(t, "names")
	var columns []*Column
	for _, name := range names {
		c := &Column{Field: Field{Name: name, Kind: Kind(rapid.IntRange(int(Bool), int(Other)).Draw(t, "kind")), Type: "T"}}
		if rapid.Bool().Draw(t, "has gaps") {
			c.Missing = rapid.SliceOfN(rapid.Bool(), rows, rows).Draw(t, "missing")
		}
		switch c.Kind {
		case Bool:
			c.Bools = rapid.SliceOfN(rapid.Bool(), rows, rows).Draw(t, "bools")
		case Int, Date, Timestamp:
			c.Ints = rapid.SliceOfN(rapid.Int64(), rows, rows).Draw(t, "ints")
		case Float:
			c.Floats = rapid.SliceOfN(rapid.Float64(), rows, rows).Draw(t, "floats")
		default:
			c.Texts = rapid.SliceOfN(rapid.String(), rows, rows).Draw(t, "texts")
		}
		columns = append(columns, c)
	}
	for _, c := range columns {
		for i, missing := range c.Missing {
			if missing {
				clear(c.Bools[min(i, len(c.Bools)):min(i+1, len(c.Bools))])
				clear(c.Ints[min(i, len(c.Ints)):min(i+1, len(c.Ints))])
				clear(c.Floats[min(i, len(c.Floats)):min(i+1, len(c.Floats))])
				clear(c.Texts[min(i, len(c.Texts)):min(i+1, len(c.Texts))])
			}
		}
	}
	f, err := New(rows, columns...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestTake holds the laws of Take: the cells are those of the rows named, all rows give the same table, and taking twice
// is taking the composition.
func TestTake(t *testing.T) {
	same := []cmp.Option{cmp.AllowUnexported(Frame{}), cmpopts.EquateEmpty(), cmpopts.EquateNaNs()}
	rapid.Check(t, func(t *rapid.T) {
		f := drawFrame(t)
		all := make([]int, f.Rows())
		for i := range all {
			all[i] = i
		}
		if diff := cmp.Diff(f, f.Take(all), same...); diff != "" {
			t.Fatalf("taking all rows (-before +after):\n%s", diff)
		}
		if f.Rows() == 0 {
			return
		}
		picks := rapid.SliceOfN(rapid.IntRange(0, f.Rows()-1), 1, 20)
		first := picks.Draw(t, "first")
		taken := f.Take(first)
		if taken.Rows() != len(first) {
			t.Fatalf("%d rows, want %d", taken.Rows(), len(first))
		}
		for j, c := range taken.Columns {
			for i, row := range first {
				if c.Text(i) != f.Columns[j].Text(row) || c.IsMissing(i) != f.Columns[j].IsMissing(row) {
					t.Fatalf("row %d of column %s is not row %d", i, c.Name, row)
				}
			}
		}
		second := rapid.SliceOfN(rapid.IntRange(0, len(first)-1), 0, 20).Draw(t, "second")
		composed := make([]int, len(second))
		for i, k := range second {
			composed[i] = first[k]
		}
		if diff := cmp.Diff(f.Take(composed), taken.Take(second), same...); diff != "" {
			t.Fatalf("taking twice (-composed +twice):\n%s", diff)
		}
		if _, err := New(taken.Rows(), taken.Columns...); err != nil {
			t.Fatalf("what was taken is no table: %v", err)
		}
	})
}

// TestTakeCopies holds that a taken frame does not change with the one it was taken from.
func TestTakeCopies(t *testing.T) {
	c := &Column{Field: Field{Name: "n", Kind: Int}, Ints: []int64{1, 2}, Missing: []bool{false, true}}
	taken := c.Take([]int{0, 1})
	c.Ints[0], c.Missing[0] = 9, true
	if taken.Ints[0] != 1 || taken.Missing[0] {
		t.Error("Take shares cells with its source")
	}
}

func TestColumnAndWithout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFrame(t)
		for _, name := range f.Names() {
			c, ok := f.Column(strings.ToUpper(name))
			if !ok || c.Name != name {
				t.Fatalf("column %s is not found in capitals", name)
			}
			rest := f.Without(strings.ToUpper(name), "no such column")
			if _, still := rest.Column(name); still || len(rest.Columns) != len(f.Columns)-1 || rest.Rows() != f.Rows() {
				t.Fatalf("without %s there is %v", name, rest.Names())
			}
		}
		if !slices.Equal(f.Without().Names(), f.Names()) {
			t.Fatal("without nothing is not everything")
		}
		if _, ok := f.Column("no such column"); ok {
			t.Fatal("a column that is not there was found")
		}
	})
}
