package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/tabular/prep"
)

// A recipeRequest is what the command line says about the way in which TabICL prepares tables and averages answers. The
// defaults are those of its own wrapper.
type recipeRequest struct {
	norms                         []string
	featureShuffle, classShuffle  string
	average                       string
	ofClasses                     []string // given flags that only a classification uses
	outlierThreshold, temperature float64
}

// What the members' answers are averaged as.
const (
	averageLogits        = "logits"
	averageProbabilities = "probabilities"
)

// flags adds the flags of the recipe, whose defaults are those of the options.
func (r *recipeRequest) flags(f *pflag.FlagSet, o tabular.Options) {
	var norms []string
	for _, n := range o.Norms {
		norms = append(norms, string(n))
	}
	f.StringSliceVar(&r.norms, "norms", norms, "TabICL: ways to normalise columns, dealt to the members in turn: none, power, quantile, quantile_rtdl, robust")
	f.StringVar(&r.featureShuffle, "feature-shuffle", string(o.FeatureShuffle), "TabICL: how members order columns: latin, shift, random or none")
	f.StringVar(&r.classShuffle, "class-shuffle", string(o.ClassShuffle), "TabICL: how members order classes: shift, latin, random or none")
	f.Float64Var(&r.outlierThreshold, "outlier-threshold", o.OutlierThreshold, "TabICL: standard deviations from the mean past which values are squashed")
	f.Float64Var(&r.temperature, "temperature", o.Temperature, "TabICL: above 1 draws the probabilities of classes together, below 1 apart")
	f.StringVar(&r.average, "average", averageLogits, "TabICL: what is averaged over the members of a classification: logits or probabilities")
}

// check puts the flags into the options, and refuses values that mean nothing: the message names those that do.
func (r *recipeRequest) check(cmd *cobra.Command, o *tabular.Options) error {
	o.Norms = nil
	for _, n := range r.norms {
		o.Norms = append(o.Norms, prep.Norm(n))
	}
	o.FeatureShuffle, o.ClassShuffle = prep.Shuffle(r.featureShuffle), prep.Shuffle(r.classShuffle)
	o.OutlierThreshold, o.Temperature = r.outlierThreshold, r.temperature
	if r.average != averageLogits && r.average != averageProbabilities {
		return mistake(cmd, "--average is %s or %s, not %q", averageLogits, averageProbabilities, r.average)
	}
	o.AverageProbabilities = r.average == averageProbabilities
	for _, flag := range []string{"class-shuffle", "temperature", "average"} {
		if cmd.Flags().Changed(flag) {
			r.ofClasses = append(r.ofClasses, "--"+flag)
		}
	}
	if wrong, ok := errors.AsType[*tabular.OptionError](o.Check()); ok {
		m := mistake(cmd, "--%s is %s, not %s", strings.ReplaceAll(wrong.Option, "_", "-"), wrong.Wants, wrong.Value)
		if wrong.Near != "" {
			m.hint = fmt.Sprintf("did you mean %s?", wrong.Near)
		}
		return m
	}
	return nil
}

// weightFlags are two names under which people look for weights of rows. They are there to say why they are not.
func weightFlags(f *pflag.FlagSet) {
	for _, name := range []string{"weights", "sample-weights"} {
		f.String(name, "", "")
		err := f.MarkHidden(name)
		diag.Assert(err == nil, "hiding a flag: %v", err)
	}
}

// refuseWeights says why weights of rows are not used.
func refuseWeights(cmd *cobra.Command) error {
	if !cmd.Flags().Changed("weights") && !cmd.Flags().Changed("sample-weights") {
		return nil
	}
	m := mistake(cmd, "sample weights are not used: an in-context model has no loss in which a row could count more, and leaving them out in silence would be worse")
	m.hint = "repeat the rows that count more, leave out those that count less, or run without weights"
	return m
}

// unusedFlags are notes on flags that the task has no use for.
func (r *predictRequest) unusedFlags(task tabular.Task) []string {
	switch {
	case task == tabular.Classification && r.levelsGiven:
		return []string{"--levels are quantiles of numbers; " + r.target + " has classes, so they were not used"}
	case task == tabular.Regression && len(r.recipe.ofClasses) == 1:
		return []string{r.recipe.ofClasses[0] + " is about classes; " + r.target + " is a number, so it was not used"}
	case task == tabular.Regression && len(r.recipe.ofClasses) > 1:
		return []string{strings.Join(r.recipe.ofClasses, " and ") + " are about classes; " + r.target + " is a number, so they were not used"}
	}
	return nil
}

// optionsJSON are the options that an answer depends on, as they were used. Kumo Tabular has a recipe of its own and none of
// the members from Norms on.
type optionsJSON struct {
	Members          int       `json:"members"`
	Seed             uint64    `json:"seed"`
	Precision        string    `json:"precision"`
	Levels           []float64 `json:"levels,omitzero"` // regression
	Norms            []string  `json:"norms,omitzero"`
	FeatureShuffle   string    `json:"feature_shuffle,omitzero"`
	ClassShuffle     string    `json:"class_shuffle,omitzero"` // classification, as the two at the end
	OutlierThreshold float64   `json:"outlier_threshold,omitzero"`
	Temperature      float64   `json:"temperature,omitzero"`
	Average          string    `json:"average,omitzero"`
}

func optionsDocument(c *fitted.Context) optionsJSON {
	o := c.Spec.Options
	doc := optionsJSON{Members: o.Members, Seed: o.Seed, Precision: string(o.Precision)}
	if c.Task == tabular.Regression {
		doc.Levels = slices.Clone(o.Levels)
	}
	if c.Model().Info.Family == "Kumo Tabular" {
		return doc
	}
	for _, n := range o.Norms {
		doc.Norms = append(doc.Norms, string(n))
	}
	doc.FeatureShuffle, doc.OutlierThreshold = string(o.FeatureShuffle), o.OutlierThreshold
	if c.Task == tabular.Classification {
		doc.ClassShuffle, doc.Temperature, doc.Average = string(o.ClassShuffle), o.Temperature, averageLogits
		if o.AverageProbabilities {
			doc.Average = averageProbabilities
		}
	}
	return doc
}
