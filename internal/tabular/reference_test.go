package tabular_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/tabular/agreement"
	"github.com/norn-data/norn/internal/tabular/prep"
)

// A wrapperCase is one answer of the reference wrapper (tabicl 2.2.0) on tiny random weights. testdata/wrapper holds the
// tables and the answers; the numbers pin arithmetic, not quality.
type wrapperCase struct {
	Table      string            `json:"table"`
	Kinds      map[string]string `json:"kinds"`
	TargetKind string            `json:"target_kind"`
	Checkpoint string            `json:"checkpoint"`
	Kwargs     map[string]any    `json:"kwargs"`
	Classes    []any             `json:"classes"`
	Alphas     []float64         `json:"alphas"`
	Expected   struct {
		Proba     [][]float64 `json:"proba"`
		Label     []any       `json:"label"`
		Mean      []float64   `json:"mean"`
		Median    []float64   `json:"median"`
		Quantiles [][]float64 `json:"quantiles"`
	} `json:"expected"`
}

// Tolerances F of the fixtures: probabilities 2e-5; regression 2e-5 of the target's scale, 5e-5 of it at levels outside
// 0.001 to 0.999. Float32 against float64 of the same weights was measured at 1.6e-6 and 7e-7.
const (
	probabilityTolerance = 2e-5
	numberTolerance      = 2e-5
	tailTolerance        = 5e-5
)

// TestReferenceWrapper runs every case of the reference wrapper through Fit and Predict.
func TestReferenceWrapper(t *testing.T) {
	files, err := filepath.Glob("testdata/wrapper/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	group := agreement.New(t, "tabicl/wrapper")
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var c wrapperCase
			if err := json.Unmarshal(text, &c); err != nil {
				t.Fatal(err)
			}
			c.run(t, group)
		})
	}
}

func (c *wrapperCase) run(t *testing.T, group *agreement.Group) {
	if _, cached := c.Kwargs["kv_cache"]; strings.HasSuffix(c.Checkpoint, "-v1") && !cached && c.Kwargs["batch_size"] != 1.0 {
		t.Skip("the reference re-orders the columns of v1 members after the first one of a batch wrongly; its cached answers are tested")
	}
	ctx := context.Background()
	models := weightsOf(t, c.Checkpoint)
	task := tabular.Classification
	if c.Expected.Proba == nil {
		task = tabular.Regression
	}
	model, err := models.For(task)
	if err != nil {
		t.Fatal(err)
	}
	o := c.options(t)
	train, test := c.read(t, "train"), c.read(t, "test")
	labels, ok := train.Column("target")
	if !ok {
		t.Fatal("no target")
	}
	estimator, err := tabular.Fit(ctx, model, train.Without("target"), labels, o)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := estimator.Predict(ctx, test)
	if err != nil {
		t.Fatal(err)
	}
	if task == tabular.Regression {
		c.compareNumbers(t, group, answer, scale(labels))
		return
	}
	c.compareClasses(t, group, answer)
}

func (c *wrapperCase) compareClasses(t *testing.T, group *agreement.Group, answer *tabular.Answer) {
	for i, class := range c.Classes {
		if got, want := answer.Classes.Text(i), labelText(class); got != want {
			t.Errorf("class %d is %s, want %s", i, got, want)
		}
	}
	if len(answer.Probabilities) != len(c.Expected.Proba) {
		t.Fatalf("%d rows of probabilities, want %d", len(answer.Probabilities), len(c.Expected.Proba))
	}
	for row, want := range c.Expected.Proba {
		for class, p := range want {
			got := answer.Probabilities[row][class]
			if group.See("probabilities", math.Abs(got-p), probabilityTolerance); !(math.Abs(got-p) <= probabilityTolerance) {
				t.Errorf("row %d, class %d: probability %.8f, want %.8f", row, class, got, p)
			}
		}
		if got, want := answer.Classes.Text(answer.Labels[row]), labelText(c.Expected.Label[row]); got != want {
			t.Errorf("row %d: label %s, want %s", row, got, want)
		}
	}
}

func (c *wrapperCase) compareNumbers(t *testing.T, group *agreement.Group, answer *tabular.Answer, scale float64) {
	near := func(what string, row int, got, want, tolerance float64) {
		kind := "numbers"
		if tolerance == tailTolerance {
			kind = "outermost quantiles"
		}
		group.See(kind, math.Abs(got-want)/scale, tolerance)
		if !(math.Abs(got-want) <= tolerance*scale) {
			t.Errorf("row %d: %s %.8f, want %.8f", row, what, got, want)
		}
	}
	median, ok := answer.Quantile(0.5)
	if !ok {
		t.Fatal("no median")
	}
	for row := range c.Expected.Mean {
		near("mean", row, answer.Mean[row], c.Expected.Mean[row], numberTolerance)
		near("median", row, median[row], c.Expected.Median[row], numberTolerance)
		for i, alpha := range c.Alphas {
			tolerance := numberTolerance
			if alpha < 0.001 || alpha > 0.999 {
				tolerance = tailTolerance
			}
			near("quantile "+strconv.FormatFloat(alpha, 'g', -1, 64), row, answer.Quantiles[i][row], c.Expected.Quantiles[row][i], tolerance)
		}
	}
}

// options reads the keyword arguments of the reference. The kind of cache and the number of members computed together
// change the road, not the answer.
func (c *wrapperCase) options(t *testing.T) tabular.Options {
	o := tabular.DefaultOptions()
	o.Reference = true
	if c.Alphas != nil {
		o.Levels = c.Alphas
	}
	for key, value := range c.Kwargs {
		switch key {
		case "n_estimators":
			o.Members = int(value.(float64))
		case "random_state":
			o.Seed = uint64(value.(float64))
		case "norm_methods":
			o.Norms = nil
			switch v := value.(type) {
			case string:
				o.Norms = []prep.Norm{prep.Norm(v)}
			case []any:
				for _, n := range v {
					o.Norms = append(o.Norms, prep.Norm(n.(string)))
				}
			}
		case "feat_shuffle_method":
			o.FeatureShuffle = prep.Shuffle(value.(string))
		case "class_shuffle_method":
			o.ClassShuffle = prep.Shuffle(value.(string))
		case "average_logits":
			o.AverageProbabilities = !value.(bool)
		case "softmax_temperature":
			o.Temperature = value.(float64)
		case "outlier_threshold":
			o.OutlierThreshold = value.(float64)
		case "kv_cache", "batch_size":
		default:
			t.Fatalf("the case has the unknown argument %s", key)
		}
	}
	return o
}

// read loads a table of the case with its documented kinds: an empty cell is missing and nothing else is.
func (c *wrapperCase) read(t *testing.T, part string) *frame.Frame {
	f, err := os.Open("testdata/wrapper/" + c.Table + "." + part + ".csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var columns []*frame.Column
	for j, name := range records[0] {
		kind := c.Kinds[name]
		if name == "target" {
			kind = c.TargetKind
		}
		var cells []string
		for _, r := range records[1:] {
			cells = append(cells, r[j])
		}
		columns = append(columns, column(t, name, kind, cells))
	}
	table, err := frame.New(len(records)-1, columns...)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func column(t *testing.T, name, kind string, cells []string) *frame.Column {
	c := &frame.Column{Field: frame.Field{Name: name}}
	parsed := func(err error) {
		if err != nil {
			t.Fatalf("column %s: %v", name, err)
		}
	}
	nullable := kind == "nullable bool"
	for i, cell := range cells {
		missing := cell == ""
		if (missing || nullable) && c.Missing == nil {
			c.Missing = make([]bool, len(cells))
		}
		if missing {
			c.Missing[i] = true
		}
		switch kind {
		case "float", "int":
			c.Kind = frame.Float
			v := 0.0
			if !missing {
				var err error
				v, err = strconv.ParseFloat(cell, 64)
				parsed(err)
			}
			c.Floats = append(c.Floats, v)
		case "bool", "nullable bool":
			c.Kind = frame.Bool
			c.Bools = append(c.Bools, strings.EqualFold(cell, "true"))
		case "datetime":
			c.Kind = frame.Timestamp
			micros := int64(0)
			if !missing {
				at, err := time.Parse("2006-01-02", cell[:10])
				parsed(err)
				micros = at.UnixMicro()
			}
			c.Ints = append(c.Ints, micros)
		case "string", "category":
			c.Kind = frame.Text
			c.Texts = append(c.Texts, cell)
		default:
			t.Fatalf("column %s has the unknown kind %q", name, kind)
		}
	}
	return c
}

func weightsOf(t *testing.T, checkpoint string) tabular.Models {
	for _, ext := range []string{".ckpt", ".safetensors"} {
		path := filepath.Join("testdata", "weights", checkpoint+ext)
		if _, err := os.Stat(path); err == nil {
			models, err := tabular.Find(context.Background(), path, tabular.Places{})
			if err != nil {
				t.Fatal(err)
			}
			return models
		}
	}
	t.Fatalf("no weights %s", checkpoint)
	return tabular.Models{}
}

func labelText(label any) string {
	switch v := label.(type) {
	case float64:
		return frame.FormatFloat(v)
	case bool:
		return strconv.FormatBool(v)
	}
	text, _ := label.(string)
	return text
}

// scale is the population deviation of a target, the unit of regression tolerances.
func scale(c *frame.Column) float64 {
	mean, squares := 0.0, 0.0
	for i := range c.Len() {
		mean += c.Float64(i) / float64(c.Len())
	}
	for i := range c.Len() {
		squares += (c.Float64(i) - mean) * (c.Float64(i) - mean) / float64(c.Len())
	}
	if squares <= 1e-20*mean*mean {
		return 1 // a constant target is not scaled
	}
	return math.Sqrt(squares)
}
