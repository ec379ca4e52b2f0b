package cli

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/tabular"
)

// tellGaps adds to problems with the labels of a target which of its cells were read as missing: a word such as NA that was
// meant as a label leaves too few of them.
func tellGaps(err error, target string, notes []string) error {
	var problems diag.Problems
	if !errors.As(err, &problems) {
		return err
	}
	for _, p := range problems {
		if !slices.Contains([]string{"E1602", "E1604", "E1605", "E1609"}, p.Code) {
			continue
		}
		for _, note := range notes {
			if strings.HasPrefix(strings.ToLower(note), "column "+strings.ToLower(target)+":") && strings.Contains(note, "read as missing") {
				p.Help += "; " + note
			}
		}
	}
	return err
}

// The document of norn predict --json: docs/formats/predict-json.md. Rows stand in the order of the input.
type predictJSON struct {
	File          string               `json:"file"`
	Target        string               `json:"target"`
	Task          string               `json:"task"`
	Classes       []jsonScalar         `json:"classes,omitzero"`
	Rows          []int                `json:"rows"` // places of the predicted rows in the file, counted from 0
	Predictions   []jsonScalar         `json:"predictions"`
	Probabilities [][]float64          `json:"probabilities,omitzero"`
	Quantiles     map[string][]float64 `json:"quantiles,omitzero"`
	Mean          []float64            `json:"mean,omitzero"`
	Median        []float64            `json:"median,omitzero"`
	Variance      []float64            `json:"variance,omitzero"`
	Spread        []float64            `json:"spread"` // of the members, about each prediction
	Holdout       *holdoutJSON         `json:"holdout"`
	Features      []string             `json:"features"`
	Notes         []string             `json:"notes"`
	Timings       map[string]float64   `json:"timings_ms"`
	Options       optionsJSON          `json:"options"`
	Model         predictModelJSON     `json:"model"`
	Memory        memoryJSON           `json:"memory"`
	Out           string               `json:"out,omitempty"`
	Report        string               `json:"report,omitempty"`
	Context       string               `json:"context,omitempty"` // the context file that answered
}

// memoryJSON is how a request used its memory budget.
type memoryJSON struct {
	Budget   int64 `json:"budget"`
	Contexts int64 `json:"contexts"` // bytes of the members' contexts; 0 where they are not kept
	Kept     bool  `json:"kept"`
}

type predictModelJSON struct {
	Name       string `json:"name"`
	Parameters int64  `json:"parameters"`
	Members    int    `json:"members"`
	Precision  string `json:"precision"`
	Seed       uint64 `json:"seed"`
	SHA256     string `json:"sha256"`
	Note       string `json:"note,omitempty"`
}

type holdoutJSON struct {
	Metric   string                 `json:"metric"`
	Value    float64                `json:"value"`
	Spread   float64                `json:"spread"`
	Baseline float64                `json:"baseline"`
	Rows     int                    `json:"rows"`
	Metrics  map[string]metricsJSON `json:"metrics"`
}

type metricsJSON struct {
	Value    float64 `json:"value"`
	Spread   float64 `json:"spread"`
	Baseline float64 `json:"baseline"`
}

// holdoutDocument is a score as JSON; nil where there is none.
func holdoutDocument(h *fitted.Holdout) *holdoutJSON {
	if h == nil {
		return nil
	}
	first := h.Main()
	doc := &holdoutJSON{Metric: string(first.Metric), Value: first.Value, Spread: first.Spread, Baseline: first.Baseline, Rows: h.Rows, Metrics: make(map[string]metricsJSON)}
	for _, s := range h.Scores {
		doc.Metrics[string(s.Metric)] = metricsJSON{s.Value, s.Spread, s.Baseline}
	}
	return doc
}

// modelDocument is who answered.
func modelDocument(c *fitted.Context) predictModelJSON {
	info, o := c.Model().Info, c.Spec.Options
	return predictModelJSON{info.Name, info.Parameters, c.Members(), string(o.Precision), o.Seed, info.Digest, info.Note}
}

func memoryDocument(r predictRequest, c *fitted.Context) memoryJSON {
	m := memoryJSON{Budget: r.options.Memory}
	m.Contexts, m.Kept = c.Kept()
	return m
}

func predictDocument(r predictRequest, p *fitted.Prediction, loaded, total time.Duration) predictJSON {
	a := p.Answer
	doc := predictJSON{File: r.file, Target: r.target, Task: string(a.Task), Rows: p.Asked, Predictions: []jsonScalar{}, Holdout: holdoutDocument(p.Holdout),
		Features: p.Context.Features, Notes: p.Notes, Out: r.out, Report: r.report, Context: r.context, Spread: append([]float64{}, a.Spread...),
		Options: optionsDocument(p.Context), Model: modelDocument(p.Context),
		Timings: map[string]float64{"load": milliseconds(loaded), "fit": milliseconds(p.Timings.Fit), "predict": milliseconds(p.Timings.Predict),
			"score": milliseconds(p.Timings.Score), "total": milliseconds(total)},
	}
	doc.Memory = memoryDocument(r, p.Context)
	if doc.Rows == nil {
		doc.Rows = []int{}
	}
	if doc.Notes == nil {
		doc.Notes = []string{}
	}
	if a.Task == tabular.Regression {
		doc.Quantiles = make(map[string][]float64)
		doc.Mean, doc.Median, doc.Variance = append([]float64{}, a.Mean...), append([]float64{}, a.Median...), append([]float64{}, a.Variance...)
		for i, q := range a.Quantiles {
			doc.Quantiles[strconv.FormatFloat(a.Levels[i], 'g', -1, 64)] = append([]float64{}, q...)
		}
		for _, v := range a.Mean {
			doc.Predictions = append(doc.Predictions, v)
		}
		return doc
	}
	doc.Probabilities = append([][]float64{}, a.Probabilities...)
	for i := range a.Classes.Len() {
		doc.Classes = append(doc.Classes, scalar(a.Classes, i))
	}
	for _, label := range a.Labels {
		doc.Predictions = append(doc.Predictions, scalar(a.Classes, label))
	}
	return doc
}
