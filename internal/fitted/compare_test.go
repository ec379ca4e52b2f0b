package fitted_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

func compare(t *testing.T, s fitted.Spec, rows *frame.Frame, splits int) *fitted.Comparison {
	t.Helper()
	c, err := fitted.Compare(context.Background(), []tabular.Models{demo(t)}, s, rows, splits)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// line is a table whose target is a straight line of x, with noise.
func line(t *testing.T, n int) *frame.Frame {
	draw := rand.New(rand.NewPCG(9, 9))
	var rows [][]any
	for range n {
		x := draw.NormFloat64()
		rows = append(rows, []any{x, draw.NormFloat64(), 7 + 20*x + draw.NormFloat64()})
	}
	return table(t, "x noise y", rows...)
}

// The baselines do what their names say: the prior scores what it must, the others find what a straight line tells.
func TestCompare(t *testing.T) {
	rows, _ := blobs(t, 120)
	s := with(spec("y"), func(s *fitted.Spec) { s.Keys = []string{"id"} })
	c := compare(t, s, rows, 3)
	if c.Rows != 96 || c.Taught != 72 || c.Held != 24 || c.Splits != 3 || c.Metrics[0] != fitted.AUC {
		t.Errorf("comparison %+v", c)
	}
	var names []string
	for i, k := range c.Contenders {
		names = append(names, k.Name)
		auc := k.Scores[fitted.AUC]
		if len(auc.Values) != 3 || k.Baseline != (i > 0) || k.Bytes <= 0 || k.Trouble != "" {
			t.Errorf("%s: %+v", k.Name, k)
		}
		if k.Name == "class shares" {
			if auc.Mean != 0.5 || auc.Low > 0.5 || auc.High < 0.5 || math.Abs(k.Scores[fitted.LogLoss].Mean-math.Ln2) > 1e-12 {
				t.Errorf("the prior of two equal classes scores %+v", k.Scores)
			}
		} else if auc.Mean < 0.9 || auc.Low < 0.6 || auc.High > 1 {
			t.Errorf("%s: %v on two clouds", k.Name, auc)
		}
	}
	if diff := cmp.Diff([]string{"demo-classifier", "class shares", "logistic regression", "5 nearest rows"}, names); diff != "" {
		t.Error(diff)
	}
	again := compare(t, s, rows, 3)
	if diff := cmp.Diff(c, again, cmpopts.IgnoreFields(fitted.Contender{}, "Seconds")); diff != "" {
		t.Errorf("the same seed compares differently:\n%s", diff)
	}
}

func TestCompareNumbers(t *testing.T) {
	c := compare(t, spec("y"), line(t, 200), 2)
	for _, k := range c.Contenders {
		r2 := k.Scores[fitted.R2].Mean
		least := map[string]float64{"demo-regressor": 0.9, "mean": -0.2, "ridge regression": 0.99, "5 nearest rows": 0.8}[k.Name]
		if r2 < least || k.Name == "mean" && r2 > 0 {
			t.Errorf("%s: R² %v, want at least %v", k.Name, r2, least)
		}
	}
}

// More columns than rows: ridge and logistic regression stay finite where ordinary least squares has no answer.
func TestBaselinesOnWideTables(t *testing.T) {
	draw := rand.New(rand.NewPCG(2, 3))
	names, rows := "", make([][]any, 24)
	for j := range 40 {
		names += fmt.Sprintf("x%d ", j)
		for i := range rows {
			rows[i] = append(rows[i], draw.NormFloat64())
		}
	}
	for i := range rows {
		rows[i] = append(rows[i], []string{"a", "b", "c"}[i%3])
	}
	for _, k := range compare(t, spec("y"), table(t, names+"y", rows...), 2).Contenders {
		if loss := k.Scores[fitted.LogLoss].Mean; !(loss > 0 && loss < 20) {
			t.Errorf("%s: log loss %v", k.Name, loss)
		}
	}
}

func TestCompareTrouble(t *testing.T) {
	ctx := context.Background()
	small := table(t, "x y", []any{1.0, "a"}, []any{2.0, "b"}, []any{1.5, "a"}, []any{2.5, "b"})
	_, err := fitted.Compare(ctx, []tabular.Models{demo(t)}, spec("y"), small, 2)
	if p, ok := errors.AsType[diag.Problems](err); !ok || p[0].Code != "E1609" {
		t.Errorf("four rows gave %v", err)
	}
	rows, _ := blobs(t, 60)
	regressor, err := tabular.Find(ctx, "demo-regressor", tabular.Places{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := fitted.Compare(ctx, []tabular.Models{regressor}, spec("y"), rows, 2)
	if err != nil || c.Contenders[0].Trouble == "" || len(c.Contenders[2].Scores) == 0 {
		t.Errorf("a model for the other task gave %+v, %v", c, err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := fitted.Compare(cancelled, []tabular.Models{demo(t)}, spec("y"), rows, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled comparison gave %v", err)
	}
}
