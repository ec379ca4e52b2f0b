package fitted_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// What people feed a predictor, by the reports of users of such systems, and the test that says what happens here: the file
// below internal, and a text that stands in it. The list is data, so that a test cannot go without the list knowing.
var badInput = []struct{ what, file, test string }{
	{"NaN target", "fitted/fitted_test.go", `"NaN target":`},
	{"infinite target", "fitted/input_test.go", `"infinite target":`},
	{"infinite feature, where it teaches and where it asks", "fitted/fitted_test.go", `"infinite query":`},
	{"text where numbers taught", "fitted/contextfile_test.go", "func TestContextAnswer("},
	{"text where numbers taught, in a file", "cli/testdata/script/fit.txtar", `and "many" in line 2 is not`},
	{"unseen category", "fitted/input_test.go", `"unseen category":`},
	{"missing category", "fitted/input_test.go", `"missing category":`},
	{"missing and unseen categories apart", "tabular/prep/missing_test.go", "func TestMissingAndUnseen("},
	{"a single class, refused for a user", "fitted/input_test.go", `"a single class":`},
	{"a single class, probability 1", "tabular/reference_test.go", "func TestReferenceWrapper("}, // its case one-class
	{"a blank label where a missing one was meant", "fitted/input_test.go", `"a lone blank":`},
	{"constant target", "fitted/fitted_test.go", `"constant number":`},
	{"all columns constant", "fitted/input_test.go", `"constant columns":`},
	{"zero rows teach", "fitted/input_test.go", `"zero rows teach":`},
	{"one row teaches", "fitted/fitted_test.go", `"one row labelled":`},
	{"one row teaches, and none or one or two are asked", "fitted/badinput_test.go", "func TestFewestRows("},
	{"two columns of one name", "fitted/badinput_test.go", "func TestColumnsOfOneName("},
	{"columns in another order", "tabular/demo_test.go", "func (p *promise) askedOtherwise("},
	{"more than 10, 100, 1,000 classes", "tabular/memory_test.go", "func TestManyClasses("},
	{"too many classes", "fitted/fitted_test.go", `"too many classes":`},
	{"a class of one row", "fitted/input_test.go", `"class of one row":`},
	{"more than 5,000 columns", "fitted/input_test.go", "func TestWideTable("},
	{"dates and moments", "fitted/contextfile_test.go", "func everyKind("},
	{"spans of time", "fitted/badinput_test.go", "func TestMixedColumns("},
	{"booleans", "fitted/input_test.go", `"boolean column":`},
	{"numbers and words in one column", "fitted/badinput_test.go", "func TestMixedColumns("},
	{"values of 1e300", "fitted/fitted_test.go", `"huge feature":`},
	{"an identifier", "fitted/input_test.go", `"an id as feature":`},
	{"nothing in a column where it teaches", "fitted/input_test.go", `"empty column":`},
	{"nothing in a column where it asks", "fitted/input_test.go", `"empty when asked":`},
	{"more members than differ", "fitted/input_test.go", "func TestMoreMembersThanDiffer("},
	{"predictions at the same time", "tabular/demo_test.go", "func TestManyThreads("},
	{"truncated weights", "tabular/weights/weights_test.go", `"refuse-truncated.pt"`},
	{"hostile weights", "tabular/weights/hostile_test.go", "func TestHostileArchives("},
	{"damaged weights", "fitted/finite_test.go", "func TestDamagedWeights("},
	{"a damaged, foreign or hostile context", "fitted/contextfile_test.go", "func TestContextFileTrouble("},
}

func TestBadInputList(t *testing.T) {
	for _, item := range badInput {
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(item.file)))
		if err != nil || !strings.Contains(string(text), item.test) {
			t.Errorf("%s: %s has no %s (%v)", item.what, item.file, item.test, err)
		}
	}
}

// One row teaches the model itself, even if norn predict refuses it; none, one or two are asked. Nobody's answer depends on
// the others'.
func TestFewestRows(t *testing.T) {
	rows := table(t, "x z y", []any{1.0, "a", 3.5}, []any{2.0, "b", 4.5}, []any{-1.0, nil, 1.5})
	features, target := rows.Without("y"), rows.Columns[2]
	models := demo(t)
	for _, task := range []tabular.Task{tabular.Classification, tabular.Regression} {
		model, err := models.For(task)
		if err != nil {
			t.Fatal(err)
		}
		o := tabular.DefaultOptions()
		labels := target
		if task == tabular.Classification {
			labels = &frame.Column{Field: frame.Field{Name: "y", Kind: frame.Text, Type: "VARCHAR"}, Texts: []string{"m", "n", "m"}}
		}
		for _, teach := range []int{1, 3} {
			some := []int{0, 1, 2}[:teach]
			d, err := tabular.Prepare(t.Context(), model, features.Take(some), labels.Take(some), o)
			if err != nil {
				t.Fatalf("%s, %d rows: %v", task, teach, err)
			}
			e, err := d.Teach(t.Context())
			if err != nil {
				t.Fatalf("%s, %d rows: %v", task, teach, err)
			}
			all, err := e.Predict(t.Context(), features)
			if err != nil {
				t.Fatal(err)
			}
			for _, ask := range [][]int{{}, {1}, {2, 0}} {
				a, err := e.Predict(t.Context(), features.Take(ask))
				if err != nil || a.Rows != len(ask) || len(a.Spread) != len(ask) {
					t.Fatalf("%s, %d rows asked: %v, %v", task, len(ask), a, err)
				}
				for i, row := range ask {
					if a.Spread[i] != all.Spread[row] || task == tabular.Regression && a.Mean[i] != all.Mean[row] || task == tabular.Classification && !slices.Equal(a.Probabilities[i], all.Probabilities[row]) {
						t.Errorf("%s: row %d asked with %v has another answer", task, row, ask)
					}
				}
			}
			if teach == 1 && task == tabular.Classification && all.Probabilities[0][0] != 1 {
				t.Errorf("the only class has the probability %v", all.Probabilities[0])
			}
		}
	}
}

// A name says which column is meant, so no table has it twice, in whatever case.
func TestColumnsOfOneName(t *testing.T) {
	rows := table(t, "x y", []any{1.0, "a"}, []any{2.0, "b"})
	twin := *rows.Columns[0]
	twin.Name = "X"
	if _, err := frame.New(2, append([]*frame.Column{&twin}, rows.Columns...)...); err == nil || !strings.Contains(err.Error(), "two columns are named x") {
		t.Errorf("a table with two columns x gave %v", err)
	}
}

// Numbers and words in one column are words, each a category; a span of time is a type that no model reads, and is refused
// by name.
func TestMixedColumns(t *testing.T) {
	mixed := pairs(func(i int) any { return []string{"1", "two", "3.5"}[i%3] })
	if _, err := fitted.Fill(t.Context(), demo(t), spec("y"), table(t, "x y", mixed...)); err != nil {
		t.Errorf("numbers and words: %v", err)
	}
	span := &frame.Column{Field: frame.Field{Name: "took", Kind: frame.Other, Type: "INTERVAL"}, Texts: []string{"1 day", "2 days", "1 day"}}
	rows := table(t, "x y", []any{1.0, "a"}, []any{2.0, "b"}, []any{1.5, "a"})
	withSpan, err := frame.New(3, append([]*frame.Column{span}, rows.Columns...)...)
	if err != nil {
		t.Fatal(err)
	}
	_, err = fitted.Fill(t.Context(), demo(t), spec("y"), withSpan)
	if problems, ok := errors.AsType[diag.Problems](err); !ok || problems[0].Code != "E1613" || !strings.Contains(problems[0].Message, "took has the type INTERVAL") {
		t.Errorf("a span of time gave %v", err)
	}
}
