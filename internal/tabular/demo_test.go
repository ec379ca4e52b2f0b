package tabular_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/tabular/agreement"
)

// A realCase is an answer of the reference wrapper on a real table: testdata/demo/README.md explains the fields.
type realCase struct {
	Case     split  `json:"case"`
	Weights  string `json:"weights"`
	Expected struct {
		Classes       []string    `json:"classes"`
		Probabilities [][]float64 `json:"probabilities"` // [row][class]
		Levels        []float64   `json:"levels"`
		Quantiles     [][]float64 `json:"quantiles"` // [row][level]
		Mean          []float64   `json:"mean"`
		Deviation     float64     `json:"target_deviation"`
	} `json:"expected"`
}

// A split says which rows of a table teach and which ask.
type split struct {
	Table  string `json:"table"`
	Target string `json:"target"`
	Every  int    `json:"every"`
	Gaps   int    `json:"gaps"`
}

// TestRealTables compares norn's default settings with the reference wrapper's on tables that people know. The demo
// weights are trained, so that an error shows that random weights would drown; the others have the published depth of
// head (999 quantiles) and version 1's layout. The tolerances are those of the reference's own cases. The distances found
// here are up to 1.7e-6 in a probability and 1.0e-6 of the target's deviation; the reference itself lies up to 7e-7 and
// 9.7e-7 from a float64 run of the same weights.
func TestRealTables(t *testing.T) {
	files, err := filepath.Glob("testdata/demo/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	group := agreement.New(t, "real tables")
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var c realCase
			if err := json.Unmarshal(text, &c); err != nil {
				t.Fatal(err)
			}
			task := tabular.Classification
			if c.Expected.Classes == nil {
				task = tabular.Regression
			}
			train, labels, query := c.Case.read(t)
			answer := ask(t, realModel(t, c.Weights, task), train, labels, query, tabular.DefaultOptions())
			if task == tabular.Classification {
				c.compareClasses(t, group, answer)
			} else {
				c.compareNumbers(t, group, answer, scale(labels))
			}
		})
	}
}

func (c *realCase) compareClasses(t *testing.T, group *agreement.Group, answer *tabular.Answer) {
	var classes []string
	for i := range answer.Classes.Len() {
		classes = append(classes, answer.Classes.Text(i))
	}
	if diff := cmp.Diff(c.Expected.Classes, classes); diff != "" {
		t.Fatalf("classes (-want +got):\n%s", diff)
	}
	if len(answer.Probabilities) != len(c.Expected.Probabilities) {
		t.Fatalf("%d rows of probabilities, want %d", len(answer.Probabilities), len(c.Expected.Probabilities))
	}
	var far farthest
	for row, want := range c.Expected.Probabilities {
		sum := 0.0
		for class, p := range want {
			far.see(answer.Probabilities[row][class], p, 1, fmt.Sprintf("row %d, class %s", row, classes[class]))
			sum += answer.Probabilities[row][class]
		}
		if !(math.Abs(sum-1) <= 1e-12) {
			t.Errorf("row %d: the probabilities sum to %v", row, sum)
		}
	}
	far.check(t, group, "probability", probabilityTolerance)
}

func (c *realCase) compareNumbers(t *testing.T, group *agreement.Group, answer *tabular.Answer, deviation float64) {
	// The reference rounds the target to float32 before it measures it.
	if !(math.Abs(deviation-c.Expected.Deviation) <= 1e-7*deviation) {
		t.Fatalf("the target's deviation is %v, the reference has %v: not the same rows teach", deviation, c.Expected.Deviation)
	}
	if diff := cmp.Diff(c.Expected.Levels, answer.Levels); diff != "" {
		t.Fatalf("levels (-want +got):\n%s", diff)
	}
	if len(answer.Mean) != len(c.Expected.Mean) {
		t.Fatalf("%d means, want %d", len(answer.Mean), len(c.Expected.Mean))
	}
	var mean, quantile farthest
	for row, want := range c.Expected.Quantiles {
		mean.see(answer.Mean[row], c.Expected.Mean[row], deviation, fmt.Sprintf("row %d", row))
		for level, q := range want {
			quantile.see(answer.Quantiles[level][row], q, deviation, fmt.Sprintf("row %d, level %v", row, answer.Levels[level]))
		}
	}
	mean.check(t, group, "mean", numberTolerance)
	quantile.check(t, group, "quantile", numberTolerance)
}

// farthest keeps the largest distance seen between an answer and what was expected, in the given unit.
type farthest struct {
	distance, got, want float64
	where               string
}

func (f *farthest) see(got, want, unit float64, where string) {
	if d := math.Abs(got-want) / unit; !(d <= f.distance) { // NaN counts as farther than anything
		*f = farthest{d, got, want, where}
	}
}

func (f *farthest) check(t *testing.T, group *agreement.Group, what string, tolerance float64) {
	t.Helper()
	group.See(what, f.distance, tolerance)
	if !(f.distance <= tolerance) {
		t.Errorf("%s: %s %v, want %v: %.1e apart, %.0e allowed", f.where, what, f.got, f.want, f.distance, tolerance)
	}
}

// read gives the features and labels of the teaching rows and the features of the asking rows.
func (s split) read(t *testing.T) (train *frame.Frame, labels *frame.Column, query *frame.Frame) {
	t.Helper()
	f, err := os.Open("testdata/demo/" + s.Table + ".csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var teach, asks []int
	for i := range len(records) - 1 {
		if i%s.Every == s.Every-1 {
			asks = append(asks, i)
		} else {
			teach = append(teach, i)
		}
	}
	var columns []*frame.Column
	for j, name := range records[0] {
		kind, cells := "float", make([]string, 0, len(records)-1)
		for _, r := range records[1:] {
			if _, err := strconv.ParseFloat(r[j], 64); err != nil {
				kind = "string"
			}
			cells = append(cells, r[j])
		}
		if s.Gaps > 0 && name != s.Target {
			for i := range cells {
				if (7*i+3*j)%s.Gaps == 0 {
					cells[i] = ""
				}
			}
		}
		columns = append(columns, column(t, name, kind, cells))
	}
	table, err := frame.New(len(records)-1, columns...)
	if err != nil {
		t.Fatal(err)
	}
	labels, ok := table.Take(teach).Column(s.Target)
	if !ok {
		t.Fatalf("%s has no column %s", s.Table, s.Target)
	}
	features := table.Without(s.Target)
	return features.Take(teach), labels, features.Take(asks)
}

func realModel(t *testing.T, role string, task tabular.Task) *tabular.Model {
	t.Helper()
	var models tabular.Models
	switch {
	case role == "demo":
		var err error
		if models, err = tabular.Find(context.Background(), tabular.Demo, tabular.Places{}); err != nil {
			t.Fatal(err)
		}
	case task == tabular.Classification:
		models = weightsOf(t, "tabicl-classifier-"+strings.TrimPrefix(role, "tiny-"))
	default:
		models = weightsOf(t, "tabicl-regressor-"+strings.TrimPrefix(role, "tiny-"))
	}
	model, err := models.For(task)
	if err != nil {
		t.Fatal(err)
	}
	return model
}

func ask(t *testing.T, model *tabular.Model, train *frame.Frame, labels *frame.Column, query *frame.Frame, o tabular.Options) *tabular.Answer {
	t.Helper()
	estimator, err := tabular.Fit(context.Background(), model, train, labels, o)
	if err != nil {
		t.Fatal(err)
	}
	return predict(t, estimator, query)
}

func predict(t *testing.T, estimator *tabular.Estimator, query *frame.Frame) *tabular.Answer {
	t.Helper()
	answer, err := estimator.Predict(context.Background(), query)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// A promise is what the opening comment of the package says about any answer, on one table. The order of the columns that
// teach is not part of it: members take columns in groups of neighbours, so that another order is another ensemble, as
// in the reference.
type promise struct {
	split
	task    tabular.Task
	model   *tabular.Model
	options tabular.Options

	train, query *frame.Frame
	labels       *frame.Column
	estimator    *tabular.Estimator
	lines        []string // the answer, a line for each asking row
}

// TestPromises holds norn to what it promises of every answer; no reference is needed. Equal means equal bits: a table
// published twice from the same rows must not differ in its last digit because a machine had more processors.
func TestPromises(t *testing.T) {
	digits := split{Table: "digits", Target: "digit", Every: 6}
	for name, p := range map[string]*promise{
		"classes":   {split: split{Table: "wine", Target: "cultivar", Every: 4}, task: tabular.Classification},
		"gaps":      {split: split{Table: "wine", Target: "cultivar", Every: 4, Gaps: 11}, task: tabular.Classification},
		"ten":       {split: digits, task: tabular.Classification},
		"numbers":   {split: split{Table: "diabetes", Target: "progression", Every: 4}, task: tabular.Regression},
		"with text": {split: split{Table: "iris", Target: "petal_length_cm", Every: 4}, task: tabular.Regression},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p.model, p.options = realModel(t, "demo", p.task), tabular.DefaultOptions()
			p.options.Members, p.options.Threads = 3, 1 // an odd number, so that threads share members unevenly
			p.train, p.labels, p.query = p.read(t)
			var err error
			if p.estimator, err = tabular.Fit(context.Background(), p.model, p.train, p.labels, p.options); err != nil {
				t.Fatal(err)
			}
			p.lines = lines(predict(t, p.estimator, p.query))
			if len(slices.Compact(slices.Sorted(slices.Values(p.lines)))) < len(p.lines)/2 {
				t.Fatal("most rows get the same answer: this table cannot tell rows apart")
			}
			t.Run("rows asked in another order", p.permuted)
			t.Run("rows asked twice", p.duplicated)
			t.Run("rows asked a few at a time", p.inParts)
			t.Run("threads", p.threads)
			t.Run("asked at the same time", p.together)
			t.Run("a constant column", p.constant)
			t.Run("asked with other columns", p.askedOtherwise)
		})
	}
}

func (p *promise) permuted(t *testing.T) {
	order := scattered(p.query.Rows())
	equalRows(t, predict(t, p.estimator, p.query.Take(order)), p.lines, order)
}

func (p *promise) duplicated(t *testing.T) {
	var rows []int
	for i := range p.query.Rows() {
		rows = append(rows, i, 0, i)
	}
	equalRows(t, predict(t, p.estimator, p.query.Take(rows)), p.lines, rows)
}

// inParts asks for parts of many sizes, because kernels take rows in blocks and the rest one by one.
func (p *promise) inParts(t *testing.T) {
	for from, size := 0, 1; from < p.query.Rows(); from, size = from+size, size+2 {
		var rows []int
		for i := from; i < min(from+size, p.query.Rows()); i++ {
			rows = append(rows, i)
		}
		equalRows(t, predict(t, p.estimator, p.query.Take(rows)), p.lines, rows)
	}
}

func (p *promise) threads(t *testing.T) {
	for threads := 2; threads <= 4; threads++ {
		o := p.options
		o.Threads = threads
		equalRows(t, ask(t, p.model, p.train, p.labels, p.query, o), p.lines, upTo(len(p.lines)))
	}
}

// together asks one estimator from several goroutines.
func (p *promise) together(t *testing.T) {
	var wait sync.WaitGroup
	answers := make([]*tabular.Answer, 3)
	for i := range answers {
		wait.Go(func() { answers[i], _ = p.estimator.Predict(context.Background(), p.query) })
	}
	wait.Wait()
	for _, a := range answers {
		if a == nil {
			t.Fatal("an answer failed")
		}
		equalRows(t, a, p.lines, upTo(len(p.lines)))
	}
}

// constant adds columns that say nothing, at the front, where they would move all others. Asking rows may hold any value
// there.
func (p *promise) constant(t *testing.T) {
	with := func(f *frame.Frame, number, word string) *frame.Frame {
		fill := func(cell string) []string { return slices.Repeat([]string{cell}, f.Rows()) }
		return framed(t, f.Rows(), append([]*frame.Column{
			column(t, "same_number", "float", fill(number)), column(t, "same_word", "string", fill(word)),
			column(t, "nothing", "float", fill("")),
		}, f.Columns...))
	}
	answer := ask(t, p.model, with(p.train, "3.5", "always"), p.labels, with(p.query, "-2", "never"), p.options)
	equalRows(t, answer, p.lines, upTo(len(p.lines)))
}

// askedOtherwise asks with the columns in another order, other letters' case and a column that did not teach.
func (p *promise) askedOtherwise(t *testing.T) {
	columns := slices.Clone(p.query.Columns)
	slices.Reverse(columns)
	columns = append(columns, column(t, "new", "string", slices.Repeat([]string{"?"}, p.query.Rows())))
	equalRows(t, predict(t, p.estimator, framed(t, p.query.Rows(), columns)), p.lines, upTo(len(p.lines)))
}

// TestManyThreads asks of a table that is so large that the threads share each member's work instead of the members.
func TestManyThreads(t *testing.T) {
	train, labels, query := split{Table: "digits", Target: "digit", Every: 90}.read(t)
	var want []string
	for threads := 1; threads <= 4; threads++ {
		o := tabular.DefaultOptions()
		o.Members, o.Threads = 1, threads
		answer := ask(t, realModel(t, "demo", tabular.Classification), train, labels, query, o)
		if want == nil {
			want = lines(answer)
		}
		equalRows(t, answer, want, upTo(len(want)))
	}
}

// TestUnitOfTarget: a target in halves of its unit has answers that are exactly twice as large, because scaling by a
// power of two is exact.
func TestUnitOfTarget(t *testing.T) {
	train, labels, query := split{Table: "diabetes", Target: "progression", Every: 4}.read(t)
	model, o := realModel(t, "demo", tabular.Regression), tabular.DefaultOptions()
	o.Members = 2
	want := ask(t, model, train, labels, query, o)
	doubled := *labels
	doubled.Floats = slices.Clone(labels.Floats)
	for i := range doubled.Floats {
		doubled.Floats[i] *= 2
	}
	got := ask(t, model, train, &doubled, query, o)
	for row := range want.Mean {
		if got.Mean[row] != 2*want.Mean[row] {
			t.Errorf("row %d: mean %v, want twice %v", row, got.Mean[row], want.Mean[row])
		}
		for level := range want.Levels {
			if got.Quantiles[level][row] != 2*want.Quantiles[level][row] {
				t.Errorf("row %d, level %v: %v, want twice %v", row, want.Levels[level], got.Quantiles[level][row], want.Quantiles[level][row])
			}
		}
	}
}

// lines writes an answer down, one line a row, so that equal lines mean equal bits.
func lines(a *tabular.Answer) []string {
	out := make([]string, a.Rows)
	for row := range out {
		var b strings.Builder
		if a.Task == tabular.Classification {
			fmt.Fprintf(&b, "%d: %x", a.Labels[row], a.Probabilities[row])
		} else {
			fmt.Fprintf(&b, "%x:", a.Mean[row])
			for level := range a.Levels {
				fmt.Fprintf(&b, " %x", a.Quantiles[level][row])
			}
		}
		out[row] = b.String()
	}
	return out
}

// equalRows checks that row i of an answer is row rows[i] of want.
func equalRows(t *testing.T, a *tabular.Answer, want []string, rows []int) {
	t.Helper()
	got := lines(a)
	if len(got) != len(rows) {
		t.Fatalf("%d rows, want %d", len(got), len(rows))
	}
	for i, row := range rows {
		if got[i] != want[row] {
			t.Fatalf("row %d, asked as number %d of %d: %s\nwant %s", row, i, len(rows), got[i], want[row])
		}
	}
}

func framed(t *testing.T, rows int, columns []*frame.Column) *frame.Frame {
	t.Helper()
	f, err := frame.New(rows, columns...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// scattered is a permutation of n rows in which neighbours lie far apart.
func scattered(n int) []int {
	order := upTo(n)
	slices.SortFunc(order, func(a, b int) int { return a*7919%n*n + a - (b*7919%n*n + b) })
	return order
}

func upTo(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
