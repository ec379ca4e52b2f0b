package tabular_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/tabular/prep"
)

// Every option has values that mean nothing, and each is refused with its name, the value and what it can be.
func TestOptionsCheck(t *testing.T) {
	if err := tabular.DefaultOptions().Check(); err != nil {
		t.Errorf("the defaults: %v", err)
	}
	cases := []struct {
		change func(*tabular.Options)
		want   string
		near   string
	}{
		{func(o *tabular.Options) { o.Members = 0 }, "members is from 1 to 10000, not 0", ""},
		{func(o *tabular.Options) { o.Members = 10_001 }, "members is from 1 to 10000, not 10001", ""},
		{func(o *tabular.Options) { o.Threads = -1 }, "threads is 0 or more, not -1", ""},
		{func(o *tabular.Options) { o.Memory = -1 }, "memory is 0 or more, not -1", ""},
		{func(o *tabular.Options) { o.OutlierThreshold = 0 }, "outlier_threshold is a number above 0, not 0", ""},
		{func(o *tabular.Options) { o.OutlierThreshold = math.NaN() }, "outlier_threshold is a number above 0, not NaN", ""},
		{func(o *tabular.Options) { o.Temperature = 0 }, "temperature is a number above 0, not 0", ""},
		{func(o *tabular.Options) { o.Temperature = math.Inf(1) }, "temperature is a number above 0, not +Inf", ""},
		{func(o *tabular.Options) { o.Norms = nil }, "norms is none, power, quantile, quantile_rtdl or robust, or several of them, not empty", ""},
		{func(o *tabular.Options) { o.Norms = []prep.Norm{"none", "powr"} }, `norms is none, power, quantile, quantile_rtdl or robust, not "powr"`, "power"},
		{func(o *tabular.Options) { o.Norms, o.Seed = []prep.Norm{"quantile"}, 1<<32 }, "seed is at most 4294967295 with the norm quantile", ""},
		{func(o *tabular.Options) { o.FeatureShuffle = "greek" }, `feature_shuffle is none, shift, random or latin, not "greek"`, ""},
		{func(o *tabular.Options) { o.ClassShuffle = "shfit" }, `class_shuffle is none, shift, random or latin, not "shfit"`, "shift"},
		{func(o *tabular.Options) { o.Precision = "fp8" }, `precision is fp32 or bf16, not "fp8"`, ""},
		{func(o *tabular.Options) { o.Cache = "some" }, `cache is full, compact or none, not "some"`, ""},
		{func(o *tabular.Options) { o.Levels = []float64{0.5, 1} }, "levels is between 0 and 1, not 1", ""},
		{func(o *tabular.Options) { o.Levels = []float64{0.5, 0.5} }, "levels is a list of different numbers, not 0.5 twice", ""},
	}
	for _, c := range cases {
		o := tabular.DefaultOptions()
		c.change(&o)
		wrong, ok := errors.AsType[*tabular.OptionError](o.Check())
		if !ok || !strings.Contains(wrong.Error(), c.want) || wrong.Near != c.near {
			t.Errorf("got %v (near %+v), want %q near %q", o.Check(), wrong, c.want, c.near)
		}
	}
}

// The other family has a recipe of its own: it refuses TabICL's options instead of half obeying them.
func TestForeignOptions(t *testing.T) {
	train := numbers(t, 1, 40, 3)
	labels := named(sums(train), 3)
	model := kumoModel(t, tabular.Classification)
	for option, change := range map[string]func(*tabular.Options){
		"norms":                 func(o *tabular.Options) { o.Norms = []prep.Norm{prep.NormRobust} },
		"feature_shuffle":       func(o *tabular.Options) { o.FeatureShuffle = prep.ShuffleNone },
		"class_shuffle":         func(o *tabular.Options) { o.ClassShuffle = prep.ShuffleNone },
		"outlier_threshold":     func(o *tabular.Options) { o.OutlierThreshold = 5 },
		"temperature":           func(o *tabular.Options) { o.Temperature = 1 },
		"average_probabilities": func(o *tabular.Options) { o.AverageProbabilities = true },
	} {
		o := tabular.DefaultOptions()
		change(&o)
		_, err := tabular.Prepare(t.Context(), model, train, labels, o)
		foreign, ok := errors.AsType[*tabular.ForeignOptionError](err)
		if !ok || foreign.Option != option || foreign.Family != "Kumo Tabular" {
			t.Errorf("%s gave %v", option, err)
		}
	}
}
