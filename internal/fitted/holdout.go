package fitted

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// The size of a holdout. A quarter is scikit-learn's default share; below ten labelled rows a score says nothing; 2,000
// rows give an accuracy to within a percent and keep scoring cheap on large tables.
const (
	holdoutShare = 0.25
	minLabelled  = 10
	maxHeldBack  = 2000
	bootstraps   = 200
)

// A Holdout is how well a model did on labelled rows that it had not seen.
type Holdout struct {
	Rows    int // rows held back
	Taught  int // rows that taught
	Ordered bool
	Scores  []Score // the first one is the task's main metric
	// Explanation is there where the spec asks for it.
	Explanation *Explanation

	Baseline string // what the baseline is, for the user: "most frequent class" or "mean"
}

// A Score is one metric of the model and of the baseline on the same rows. Spread is the standard deviation of Value over
// bootstrap samples of those rows.
type Score struct {
	Metric                  Metric
	Value, Spread, Baseline float64
}

// Main is the score to show first.
func (h *Holdout) Main() Score { return h.Scores[0] }

// Score finds a metric's score.
func (h *Holdout) Score(m Metric) (Score, bool) {
	i := slices.IndexFunc(h.Scores, func(s Score) bool { return s.Metric == m })
	if i < 0 {
		return Score{}, false
	}
	return h.Scores[i], true
}

// score holds rows back, fits on the others, and compares. The note says why there is no score, where there is none.
func (s *subject) score(ctx context.Context, models tabular.Models) (*Holdout, string, error) {
	if s.spec.Holdout.Off {
		return nil, "", nil
	}
	taught, held := s.holdBack(s.holdoutSeed())
	if len(held) == 0 {
		return nil, fmt.Sprintf("%d labelled rows are too few to hold some back and score the model", len(s.labelled)), nil
	}
	fit, err := s.fit(ctx, models, taught)
	if err != nil {
		return nil, "", err
	}
	answer, err := fit.predict(ctx, s.features.Take(held), held)
	if err != nil {
		return nil, "", err
	}
	h := &Holdout{Rows: len(held), Taught: len(taught), Ordered: s.asOf != nil}
	if s.task == tabular.Regression {
		err = s.compareNumbers(ctx, h, answer, taught, held)
	} else {
		err = s.compareClasses(ctx, h, answer, taught, held)
	}
	if err != nil {
		return nil, "", err
	}
	if s.spec.Explain {
		if h.Explanation, err = s.explain(ctx, fit, answer, h, taught, held); err != nil {
			return nil, "", fmt.Errorf("explaining the score: %w", err)
		}
	}
	return h, s.noteShared(taught, held), nil
}

// holdoutSeed starts the draw of the rows that are held back.
func (s *subject) holdoutSeed() uint64 {
	if seed := s.spec.Holdout.Seed; seed != nil {
		return *seed
	}
	return s.spec.Options.Seed
}

// holdBack splits the labelled rows: the latest ones where the spec orders rows in time, otherwise a random share of each
// class, drawn from a seed. Both results are ascending. Every class keeps at least one row that teaches.
func (s *subject) holdBack(seed uint64) (taught, held []int) {
	if len(s.labelled) < minLabelled {
		return s.labelled, nil
	}
	want := s.wanted()
	isHeld := make(map[int]bool, want)
	switch {
	case s.asOf != nil:
		order := slices.Clone(s.labelled)
		slices.SortStableFunc(order, func(a, b int) int { return compareCells(s, a, b) })
		for _, row := range order[len(order)-want:] {
			isHeld[row] = true
		}
	default:
		share := float64(want) / float64(len(s.labelled))
		for _, group := range s.groups(seed) {
			for _, row := range group[:min(int(math.Round(share*float64(len(group)))), len(group)-1)] {
				isHeld[row] = true
			}
		}
	}
	for _, row := range s.labelled {
		if isHeld[row] {
			held = append(held, row)
		} else {
			taught = append(taught, row)
		}
	}
	if len(held) < 2 || !s.teaches(taught) {
		return s.labelled, nil
	}
	return taught, held
}

// wanted is how many rows the spec holds back. At least two labelled rows must be left to teach.
func (s *subject) wanted() int {
	n, most := len(s.labelled), len(s.labelled)-2
	switch size := s.spec.Holdout; {
	case size.Rows > 0:
		return min(size.Rows, most)
	case size.Share > 0:
		return min(int(size.Share*float64(n)), most)
	}
	return min(int(holdoutShare*float64(n)), maxHeldBack)
}

// groups are the labelled rows of each class (one group for regression), in an order drawn from a seed.
func (s *subject) groups(seed uint64) [][]int {
	draw := rand.New(rand.NewPCG(seed, 0x6e6f726e))
	groups := make([][]int, max(1, len(s.counts)))
	for i, row := range s.labelled {
		class := 0
		if s.classes != nil {
			class = s.classes[i]
		}
		groups[class] = append(groups[class], row)
	}
	for _, g := range groups {
		draw.Shuffle(len(g), func(i, j int) { g[i], g[j] = g[j], g[i] })
	}
	return groups
}

// teaches reports whether rows have two different labels.
func (s *subject) teaches(rows []int) bool {
	for _, row := range rows {
		if s.target.Text(row) != s.target.Text(rows[0]) {
			return true
		}
	}
	return false
}

// compareCells orders two rows by the time column; rows without a time come first.
func compareCells(s *subject, a, b int) int {
	missing := func(row int) int {
		if s.asOf.IsMissing(row) {
			return 0
		}
		return 1
	}
	if c := cmp.Compare(missing(a), missing(b)); c != 0 {
		return c
	}
	if s.asOf.Ints != nil || s.asOf.Kind.Numeric() {
		return cmp.Compare(s.asOf.Float64(a), s.asOf.Float64(b))
	}
	return cmp.Compare(s.asOf.Text(a), s.asOf.Text(b))
}

func (s *subject) compareClasses(ctx context.Context, h *Holdout, answer *tabular.Answer, taught, held []int) error {
	h.Baseline = "most frequent class"
	probabilities, truth, index := s.truth(answer.Classes, answer.Probabilities, held)
	priors := make([]float64, len(index))
	for _, row := range taught {
		priors[index[s.target.Text(row)]] += 1 / float64(len(taught))
	}
	constant := make([][]float64, len(held))
	for i := range held {
		constant[i] = priors
	}
	for _, m := range Metrics(s.task, len(index)) {
		value := scoreClasses(m, probabilities, truth)
		if math.IsNaN(value) {
			continue
		}
		spread, err := s.spread(ctx, len(held), func(rows []int) float64 { return scoreClasses(m, pick(probabilities, rows), pick(truth, rows)) })
		if err != nil {
			return err
		}
		h.Scores = append(h.Scores, Score{Metric: m, Value: value, Baseline: scoreClasses(m, constant, truth), Spread: spread})
	}
	return nil
}

// truth gives the classes of held rows as indices into probabilities, and the index of every label. Only a later time can
// bring a class that no row taught: it gets a column of zeros and counts as wrong.
func (s *subject) truth(classes *frame.Column, p [][]float64, held []int) (probabilities [][]float64, truth []int, index map[string]int) {
	index = make(map[string]int)
	for i := range classes.Len() {
		index[classes.Text(i)] = i
	}
	truth = make([]int, len(held))
	for i, row := range held {
		class, ok := index[s.target.Text(row)]
		if !ok {
			class = len(index)
			index[s.target.Text(row)] = class
		}
		truth[i] = class
	}
	probabilities = p
	if later := len(index) - classes.Len(); later > 0 {
		probabilities = make([][]float64, len(p))
		for i := range p {
			probabilities[i] = append(slices.Clone(p[i]), make([]float64, later)...)
		}
	}
	return probabilities, truth, index
}

func (s *subject) compareNumbers(ctx context.Context, h *Holdout, answer *tabular.Answer, taught, held []int) error {
	h.Baseline = "mean"
	mean := 0.0
	for _, row := range taught {
		mean += s.target.Float64(row) / float64(len(taught))
	}
	truth, constant := make([]float64, len(held)), make([]float64, len(held))
	for i, row := range held {
		truth[i], constant[i] = s.target.Float64(row), mean
	}
	for _, m := range Metrics(s.task, 0) {
		value := scoreNumbers(m, answer.Mean, truth)
		if math.IsNaN(value) {
			continue
		}
		spread, err := s.spread(ctx, len(held), func(rows []int) float64 { return scoreNumbers(m, pick(answer.Mean, rows), pick(truth, rows)) })
		if err != nil {
			return err
		}
		h.Scores = append(h.Scores, Score{Metric: m, Value: value, Baseline: scoreNumbers(m, constant, truth), Spread: spread})
	}
	return nil
}

// spread is the standard deviation of a score over bootstrap samples of n rows, drawn from the spec's seed.
func (s *subject) spread(ctx context.Context, n int, score func(rows []int) float64) (float64, error) {
	draw := rand.New(rand.NewPCG(s.spec.Options.Seed, 0x626f6f74))
	rows, sum, squares, defined := make([]int, n), 0.0, 0.0, 0.0
	for range bootstraps {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		for i := range rows {
			rows[i] = draw.IntN(n)
		}
		if v := score(rows); !math.IsNaN(v) && !math.IsInf(v, 0) {
			sum, squares, defined = sum+v, squares+v*v, defined+1
		}
	}
	if defined < 2 {
		return 0, nil
	}
	return math.Sqrt(max(0, squares/defined-(sum/defined)*(sum/defined))), nil
}

func pick[T any](values []T, rows []int) []T {
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = values[r]
	}
	return out
}
