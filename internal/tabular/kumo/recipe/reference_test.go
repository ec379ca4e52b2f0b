package recipe

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/tabular/agreement"
	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tabular/kumo"
	"github.com/norn-data/norn/internal/tabular/prep"
	"github.com/norn-data/norn/internal/tabular/weights"
)

// readTable reads a recorded table: an empty cell is a gap and nothing else is.
func readTable(t testing.TB, path string, stypes map[string]string) []prep.Column {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() // only read
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	columns := make([]prep.Column, len(rows[0]))
	for j, name := range rows[0] {
		c := &columns[j]
		c.Name, c.Kind = name, prep.Category
		texts := make([]string, len(rows)-1)
		numbers := stypes[name] == "numerical"
		whole := true
		for i, row := range rows[1:] {
			texts[i] = row[j]
			c.Missing = append(c.Missing, row[j] == "")
			if _, err := strconv.ParseFloat(row[j], 64); err != nil && row[j] != "" {
				whole = false
			}
		}
		if !numbers && !whole {
			c.Texts = texts
			continue
		}
		if numbers {
			c.Kind = prep.Numeric
		}
		for _, text := range texts {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				v = math.NaN()
			}
			c.Floats = append(c.Floats, v)
		}
	}
	return columns
}

// endToEnd is one recorded run of the reference's estimator.
type endToEnd struct {
	*weights.File
	Case struct {
		Size       kumo.Size
		Task       forward.Kind
		Estimators int
		Seed       uint64
		Stypes     map[string]string
		Members    []struct {
			Columns     []string
			Categorical []bool
			Classes     []string
		}
		OutColumns []string `json:"out_columns"`
	}
}

func readEndToEnd(t testing.TB, path string) (e endToEnd) {
	t.Helper()
	f, err := weights.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	e.File = f
	if err := json.Unmarshal([]byte(f.Metadata["case"]), &e.Case); err != nil {
		t.Fatal(err)
	}
	return e
}

func loadNetwork(t testing.TB, size kumo.Size, task forward.Kind) *kumo.Network {
	t.Helper()
	role := map[forward.Kind]string{forward.Classification: "classifier.pt", forward.Regression: "regressor.pt"}[task]
	f, err := weights.Open(context.Background(), filepath.Join("..", "testdata", "weights", string(size), role))
	if err != nil {
		t.Fatal(err)
	}
	n, err := kumo.LoadWith(f, kumo.Options{Size: size})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// table is the recorded table of a case with its target, and the rows that ask.
func (e endToEnd) table(t testing.TB, name string) (train []prep.Column, target prep.Target, test []prep.Column) {
	t.Helper()
	kind := "categorical"
	target.Task = prep.Classification
	if e.Case.Task == forward.Regression {
		kind, target.Task = "numerical", prep.Regression
	}
	stypes := map[string]string{"target": kind}
	maps.Copy(stypes, e.Case.Stypes)
	folder := filepath.Join("testdata", "end-to-end")
	all := readTable(t, filepath.Join(folder, name+".train.csv"), stypes)
	at := slices.IndexFunc(all, func(c prep.Column) bool { return c.Name == "target" })
	target.Column = all[at]
	return slices.Delete(all, at, at+1), target, readTable(t, filepath.Join(folder, name+".test.csv"), stypes)
}

// distance is the largest one between two lists, infinite if they cannot be compared. Two
// values that are no numbers are equal.
func distance(got, want []float32) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	worst := 0.0
	for i, w := range want {
		if g := got[i]; g != g && w != w {
			continue
		}
		d := math.Abs(float64(got[i]) - float64(w))
		if math.IsNaN(d) {
			return math.Inf(1)
		}
		worst = max(worst, d)
	}
	return worst
}

// everyNth keeps each n-th column of a matrix.
func everyNth(m prep.Matrix[float32], n int) []float32 {
	var out []float32
	for row := range m.Rows {
		for k := 0; k < m.Cols; k += n {
			out = append(out, m.Row(row)[k])
		}
	}
	return out
}

// From the user's table to the answer, with the members, their inputs and their outputs in
// between, as the reference's estimator has them.
func TestEndToEnd(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "end-to-end", "*.safetensors"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	group := agreement.New(t, "kumo/end-to-end")
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".safetensors")
		t.Run(name, func(t *testing.T) {
			e := readEndToEnd(t, path)
			hold := func(what string, got, want []float32, tolerance float64) {
				t.Helper()
				d := distance(got, want)
				if d > tolerance {
					t.Errorf("%s: distance %.2g, tolerance %.2g", what, d, tolerance)
				}
				kind := string(e.Case.Task) + " " + what[strings.LastIndex(what, ".")+1:]
				group.See(kind, d, tolerance)
			}
			train, target, test := e.table(t, strings.SplitN(name, "-", 2)[0])
			o := DefaultOptions()
			o.Members, o.Seed, o.Workers = e.Case.Estimators, e.Case.Seed, 2
			r, err := Fit(t.Context(), train, target, o)
			if err != nil {
				t.Fatal(err)
			}
			batch, err := r.Transform(t.Context(), test)
			if err != nil {
				t.Fatal(err)
			}
			network := loadNetwork(t, e.Case.Size, e.Case.Task)
			outputs := make([]prep.Matrix[float32], len(r.Members()))
			for i, m := range r.Members() {
				var columns, classes []string
				for _, c := range m.Columns {
					columns = append(columns, r.Features()[c].Name)
				}
				for _, c := range m.Classes {
					classes = append(classes, r.classes.Texts[c])
				}
				want := e.Case.Members[i]
				taught, labels := r.Taught(i)
				if !slices.Equal(columns, want.Columns) || !slices.Equal(taught.Categorical, want.Categorical) || !slices.Equal(classes, want.Classes) {
					t.Fatalf("member %d sees %v %v %v, want %+v", i, columns, taught.Categorical, classes, want)
				}
				asked := batch.Asked(i)
				at := strconv.Itoa(i)
				hold(at+".context", taught.X, e.Tensors[at+".context"].Float32(), 1e-5)
				hold(at+".query", asked.X, e.Tensors[at+".query"].Float32(), 5e-5)
				hold(at+".target", labels.Y, e.Tensors[at+".target"].Float32(), 1e-6)
				c, err := network.Fit(t.Context(), taught, labels, forward.Settings{Threads: 2})
				if err != nil {
					t.Fatal(err)
				}
				out, err := c.Predict(t.Context(), asked.X, asked.Rows)
				if err != nil {
					t.Fatal(err)
				}
				outputs[i] = prep.Matrix[float32]{Rows: asked.Rows, Cols: c.Outputs(), Data: out}
				raw := e.Tensors[at+".output"]
				every := (c.Outputs() + raw.Shape[1] - 1) / raw.Shape[1]
				hold(at+".output", everyNth(outputs[i], every), raw.Float32(), 5e-5)
			}
			if e.Case.Task == forward.Regression {
				q, err := r.Quantiles(outputs)
				if err != nil {
					t.Fatal(err)
				}
				every := q.Cols / e.Tensors["out"].Shape[1]
				hold("quantiles", everyNth(rounded(q), every), e.Tensors["out"].Float32(), 1e-5*r.Scale().Scale)
				return
			}
			p, err := r.Probabilities(outputs)
			if err != nil {
				t.Fatal(err)
			}
			ordered := prep.NewMatrix[float32](p.Rows, p.Cols)
			for row := range p.Rows {
				for k, class := range r.Order() {
					ordered.Row(row)[k] = float32(p.Row(row)[class])
				}
			}
			hold("probabilities", ordered.Data, e.Tensors["out"].Float32(), 1e-5)
		})
	}
}

func rounded(m prep.Matrix[float64]) prep.Matrix[float32] {
	out := prep.NewMatrix[float32](m.Rows, m.Cols)
	for i, v := range m.Data {
		out.Data[i] = float32(v)
	}
	return out
}
