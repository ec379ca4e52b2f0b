package predict_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/predict"
)

func open(t *testing.T, name string) *predict.Model {
	t.Helper()
	m, err := predict.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func table(t *testing.T, columns ...predict.Column) *predict.Table {
	t.Helper()
	out, err := predict.NewTable(columns...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// everyKind is a table of n rows with a column of every type of cell, some of them missing.
func everyKind(n int) []predict.Column {
	numbers, whole, texts, flags, times, gaps := make([]float64, n), make([]int64, n), make([]string, n), make([]bool, n), make([]time.Time, n), make([]bool, n)
	for i := range n {
		numbers[i], whole[i], texts[i], flags[i] = math.Sqrt(float64(i*7%23)), int64(i*11%17), []string{"a", "b", ""}[i%3], i%4 == 0
		times[i] = time.Date(2025, 1, 1+i*3, i%24, 0, 0, 0, time.UTC)
		gaps[i] = i%9 == 4
		if i%8 == 3 {
			numbers[i], times[i] = math.NaN(), time.Time{}
		}
	}
	return []predict.Column{predict.Values("number", numbers), predict.Values("whole", whole).Missing(gaps), predict.Values("text", texts).Missing(gaps),
		predict.Values("flag", flags).Missing(gaps), predict.Values("time", times)}
}

// Labels come back with the type and the values that they were given with; rows without one do not teach.
func TestLabelsAsGiven(t *testing.T) {
	const n = 30
	pick := func(i int) int { return i * 7 % 23 / 12 }
	gaps := make([]bool, n)
	gaps[5] = true
	targets := map[string]struct {
		column  predict.Column
		classes []any
	}{
		"string":  {predict.Values("y", cells(n, func(i int) string { return []string{"no", "yes"}[pick(i)] })), []any{"no", "yes"}},
		"bool":    {predict.Values("y", cells(n, func(i int) bool { return pick(i) == 1 })), []any{false, true}},
		"int64":   {predict.Values("y", cells(n, func(i int) int64 { return int64(10 * pick(i)) })), []any{int64(0), int64(10)}},
		"float64": {predict.Values("y", cells(n, func(i int) float64 { return float64(pick(i)) })), []any{0.0, 1.0}},
	}
	model := open(t, "")
	for name, target := range targets {
		features := everyKind(n)
		c, err := model.Fit(t.Context(), table(t, append(features, target.column.Missing(gaps))...), "Y", predict.Options{Members: 2})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		slices.Reverse(features)
		a, err := c.Predict(t.Context(), table(t, append(features, predict.Values("other", make([]bool, n)))...))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(target.classes, a.Classes); diff != "" {
			t.Errorf("%s: classes (-want +got):\n%s", name, diff)
		}
		for row, label := range a.Labels {
			best := 0
			if a.Probabilities[row][1] > a.Probabilities[row][0] {
				best = 1
			}
			if label != a.Classes[best] || math.Abs(a.Probabilities[row][0]+a.Probabilities[row][1]-1) > 1e-12 || math.IsNaN(a.Spread[row]) {
				t.Errorf("%s: row %d is %v with %v, spread %v", name, row, label, a.Probabilities[row], a.Spread[row])
			}
		}
		info := c.Info()
		if info.Rows != n-1 || info.Members != 2 || info.Task != "classification" || info.Bytes <= 0 || !strings.Contains(info.ModelNote, "demo") || len(info.Features) != 5 {
			t.Errorf("%s: the context is %+v", name, info)
		}
		if !slices.Contains(a.Notes, "column other did not teach and is not used") {
			t.Errorf("%s: the notes are %q", name, a.Notes)
		}
	}
}

func cells[T any](n int, at func(i int) T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = at(i)
	}
	return out
}

// Threads, memory, caches, a file and other askers at the same time move no bit of an answer.
func TestSameAnswer(t *testing.T) {
	const n = 40
	ctx := t.Context()
	known := table(t, append(everyKind(n), predict.Values("y", cells(n, func(i int) float64 { return float64(i*7%23) + 0.25 })))...)
	rows := table(t, everyKind(12)...)
	model := open(t, "demo-regressor")
	levels := []float64{0.05, 0.5, 0.95}
	taught, err := model.Fit(ctx, known, "y", predict.Options{Levels: levels})
	if err != nil {
		t.Fatal(err)
	}
	want, err := taught.Predict(ctx, rows)
	if err != nil {
		t.Fatal(err)
	}
	if want.Rows != 12 || len(want.Quantiles) != 3 || len(want.Mean) != 12 || len(want.Median) != 12 || len(want.Variance) != 12 || want.Labels != nil {
		t.Fatalf("the answer is %+v", want)
	}
	same := func(what string, c *predict.Context) {
		t.Helper()
		got, err := c.Predict(ctx, rows)
		if err != nil {
			t.Errorf("%s: %v", what, err)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	for _, o := range []predict.Options{{Cache: "full", Threads: 1}, {Cache: "compact", Threads: 3}, {Cache: "none"}, {Memory: 64 << 20}} {
		o.Levels = levels
		c, err := model.Fit(ctx, known, "y", o)
		if err != nil {
			t.Fatal(err)
		}
		same(fmt.Sprintf("%+v", o), c)
		path := filepath.Join(t.TempDir(), "y.context")
		if err := c.Save(ctx, path); err != nil {
			t.Fatal(err)
		}
		read, err := model.Load(ctx, path, predict.Options{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		same("the file of "+o.Cache, read)
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) != 1 {
			t.Errorf("saving left %v", left)
		}
	}
	var together sync.WaitGroup
	for range 8 {
		together.Go(func() { same("many at once", taught) })
	}
	together.Wait()
}

// Each option reaches the network: another value is another answer.
func TestOptionsMatter(t *testing.T) {
	const n = 40
	known := table(t, append(everyKind(n), predict.Values("y", cells(n, func(i int) string { return []string{"a", "b", "c"}[i*7%23%3] })))...)
	rows := table(t, everyKind(6)...)
	model := open(t, "")
	ask := func(o predict.Options) [][]float64 {
		t.Helper()
		c, err := model.Fit(t.Context(), known, "y", o)
		if err != nil {
			t.Fatal(err)
		}
		a, err := c.Predict(t.Context(), rows)
		if err != nil {
			t.Fatal(err)
		}
		return a.Probabilities
	}
	want := ask(predict.Options{})
	written := predict.Options{Task: "classification", Members: 8, Seed: new(uint64(42)), Norms: []string{"none", "power"}, FeatureShuffle: "latin", ClassShuffle: "shift",
		OutlierThreshold: 4, Temperature: 0.9, Precision: "fp32", Memory: 4 << 30}
	if diff := cmp.Diff(want, ask(written)); diff != "" {
		t.Errorf("the defaults as documented (-want +got):\n%s", diff)
	}
	for name, o := range map[string]predict.Options{
		"members": {Members: 3}, "seed": {Seed: new(uint64(0))}, "norms": {Norms: []string{"robust", "quantile"}}, "features": {FeatureShuffle: "none"}, "classes": {ClassShuffle: "none"},
		"threshold": {OutlierThreshold: 1}, "temperature": {Temperature: 2}, "average": {AverageProbabilities: true}, "drop": {Drop: []string{"text"}},
	} {
		if cmp.Equal(want, ask(o)) {
			t.Errorf("the option %s changes nothing", name)
		}
	}
}

// Trouble is typed: what the caller can mend has a code, all of it at once; the rest is an ordinary error.
func TestTrouble(t *testing.T) {
	ctx := t.Context()
	model := open(t, "")
	known := table(t, predict.Values("x", cells(20, func(i int) float64 { return float64(i) })), predict.Values("y", cells(20, func(i int) bool { return i > 9 })))
	taught, err := model.Fit(ctx, known, "y", predict.Options{Members: 1})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "y.context")
	if err := taught.Save(ctx, path); err != nil {
		t.Fatal(err)
	}
	fit := func(target string, o predict.Options) error {
		_, err := model.Fit(ctx, known, target, o)
		return err
	}
	load := func(m *predict.Model, path string, o predict.Options) error {
		_, err := m.Load(ctx, path, o)
		return err
	}
	_, lacking := taught.Predict(ctx, table(t, predict.Values("z", []float64{1})))
	_, nothing := predict.Open(ctx, "tabicl-v3")
	coded := map[string]struct {
		err     error
		message string
	}{
		"E1601": {fit("z", predict.Options{}), "the target is column z"},
		"E1611": {lacking, "column x taught, but is not in the rows to predict"},
		"E1306": {nothing, "there is no model tabicl-v3"},
		"E1617": {fit("y", predict.Options{Memory: 1000}), "this needs at least"},
		"E1622": {fit("y", predict.Options{Norms: []string{"zzz"}}), `norms is none, power, quantile, quantile_rtdl or robust, not "zzz"`},
		"E1620": {load(open(t, "demo-regressor"), path, predict.Options{}), "does regression, not classification"},
	}
	for code, c := range coded {
		p, ok := errors.AsType[*predict.Problem](c.err)
		if !ok || p.Code != code || !strings.Contains(p.Message, c.message) || p.Help == "" || !strings.HasPrefix(c.err.Error(), code+" ") {
			t.Errorf("%s: got %v", code, c.err)
		}
	}
	for what, err := range map[string]error{
		`task is classification or regression, not "rank"`:           fit("y", predict.Options{Task: "rank"}),
		"temperature is a number above 0, not -1":                    fit("y", predict.Options{Temperature: -1}),
		"levels is between 0 and 1, not 1":                           load(model, path, predict.Options{Levels: []float64{1}}),
		"the option Seed was settled by the fit whose context":       load(model, path, predict.Options{Seed: new(uint64(1))}),
		"the option Members was settled by the fit whose context is": load(model, path, predict.Options{Members: 1}),
	} {
		if p, ok := errors.AsType[*predict.Problem](err); !ok || p.Code != "E1622" || !strings.Contains(p.Message, what) {
			t.Errorf("got %v, want %q", err, what)
		}
	}
	two := fit("y", predict.Options{Drop: []string{"u", "v"}})
	if strings.Count(two.Error(), "E1603") != 2 {
		t.Errorf("two unknown columns gave %v", two)
	}
	if err := load(model, path+"x", predict.Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there gave %v", err)
	}
	if err := os.WriteFile(path, []byte("not a context"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := load(model, path, predict.Options{}); err == nil || !strings.Contains(err.Error(), "the file is damaged or of another kind") {
		t.Errorf("a damaged file gave %v", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := model.Fit(ended, known, "y", predict.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled fit gave %v", err)
	}
	if err := taught.Save(ctx, filepath.Join(path, "below", "a file")); err == nil {
		t.Error("a context was saved below a file")
	}
}

// Tables that cannot be are refused, and a table shares nothing with the slices that it was made of.
func TestTables(t *testing.T) {
	for what, columns := range map[string][]predict.Column{
		"column x has 2 cells and a mask of 1": {predict.Values("x", []int64{1, 2}).Missing([]bool{true})},
		"making a table":                       {predict.Values("x", []int64{1, 2}), predict.Values("y", []int64{1})},
		"making a table: ":                     {predict.Values("x", []int64{1}), predict.Values("X", []int64{1})},
	} {
		if _, err := predict.NewTable(columns...); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("got %v, want %q", err, what)
		}
	}
	x, y := cells(20, func(i int) float64 { return float64(i) }), cells(20, func(i int) bool { return i > 9 })
	known := table(t, predict.Values("x", x), predict.Values("y", y))
	model := open(t, "")
	var answers []*predict.Answer
	for range 2 {
		c, err := model.Fit(t.Context(), known, "y", predict.Options{})
		if err != nil {
			t.Fatal(err)
		}
		a, err := c.Predict(t.Context(), known)
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
		clear(x)
		clear(y)
	}
	if diff := cmp.Diff(answers[0], answers[1]); diff != "" {
		t.Errorf("the caller's slices are the table's:\n%s", diff)
	}
	none := table(t, predict.Values("x", []float64(nil)))
	c, err := model.Fit(t.Context(), known, "y", predict.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a, err := c.Predict(t.Context(), none); err != nil || a.Rows != 0 || len(a.Labels) != 0 {
		t.Errorf("no rows gave %+v, %v", a, err)
	}
}

// A module outside compiles against the package and runs, and links no database.
func TestOutsideModule(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(filepath.Join("testdata", "outside", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"go.sum": sums, "main.go": program,
		"go.mod": []byte("module outside.example/app\n\ngo 1.26\n\nrequire github.com/norn-data/norn v0.0.0\n\nreplace github.com/norn-data/norn => " + root + "\n"),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) string {
		t.Helper()
		command := exec.CommandContext(t.Context(), "go", args...)
		command.Dir = folder
		// What the module needs beyond norn is in norn's own go.mod and in the cache: nothing is asked of the network.
		command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		var stderr bytes.Buffer
		command.Stderr = &stderr
		out, err := command.Output()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
		}
		return string(out)
	}
	if got, want := run("run", "."), "red [blue red]\n"; got != want {
		t.Errorf("the program says %q, want %q", got, want)
	}
	for dependency := range strings.Lines(run("list", "-deps", ".")) {
		for _, unwanted := range []string{"duckdb", "database/sql", "spf13", "starlark"} {
			if strings.Contains(dependency, unwanted) {
				t.Errorf("the program links %s", dependency)
			}
		}
	}
}
