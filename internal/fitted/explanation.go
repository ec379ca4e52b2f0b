package fitted

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// Sizes of an explanation. Five shuffles show a spread; the limit on cells keeps a wide table (64 columns) at about half
// a minute on two cores with the demo model, and below leastRows a drop in a score is mostly chance.
const (
	shuffles   = 5
	mostCells  = 1_500_000
	leastRows  = 50
	calibrated = 10 // bins of confidence
	mostPoints = 1000
)

// An Explanation says what a model's holdout answers are worth and what they rest on. All of it is about the rows that
// were held back.
type Explanation struct {
	Metric    Metric
	Standings []Standing // the model first, then the baselines

	// Columns that matter, the most important first: how much Metric falls when a column's cells are shuffled.
	Importance     []Importance
	ImportanceRows int // rows of the holdout that were used for it
	Shuffles       int

	// Classification. Brier is the mean of Σ (p - label)² over the classes; BrierPrior is that of the class shares. ECE is
	// the mean distance of confidence and accuracy over the bins, weighted by their rows.
	Brier, BrierPrior, ECE float64
	Bins                   []Bin

	// Regression. Truth and Predicted hold the same rows, at most 1,000 of them; Residuals are the quantiles of truth minus
	// prediction over all rows.
	Coverage         []Coverage
	Truth, Predicted []float64
	Residuals        []Residual
}

// A Standing is a contender's score on the holdout; Spread is its standard deviation over bootstrap samples.
type Standing struct {
	Name          string
	Baseline      bool
	Value, Spread float64
}

// An Importance is the mean fall of the score over shuffles of a column, and its standard deviation.
type Importance struct {
	Column       string
	Drop, Spread float64
}

// A Bin holds the rows whose most probable class has a probability from Low on and below High.
type Bin struct {
	Low, High            float64
	Rows                 int
	Confidence, Accuracy float64 // means over the rows
}

// Coverage is how often the truth lies in a predicted interval. Low and High are the 95 % interval of Share by Wilson.
type Coverage struct {
	Nominal, Share, Low, High float64
}

// A Residual is a quantile of truth minus prediction.
type Residual struct{ Level, Value float64 }

// explain computes the explanation of a context that was taught with some rows and answered for others.
func (s *subject) explain(ctx context.Context, fit *Context, answer *tabular.Answer, h *Holdout, taught, held []int) (*Explanation, error) {
	e := &Explanation{Metric: h.Main().Metric, Standings: []Standing{{Name: fit.Model().Info.Name, Value: h.Main().Value, Spread: h.Main().Spread}}}
	if err := s.stand(ctx, e, taught, held); err != nil {
		return nil, err
	}
	if s.task == tabular.Regression {
		s.cover(e, answer, held)
	} else {
		s.calibrate(e, answer, taught, held)
	}
	return e, s.weigh(ctx, e, fit, held)
}

// scorer gives the metric of an answer's rows against the truth of held.
func (s *subject) scorer(m Metric, classes *frame.Column, p [][]float64, numbers []float64, held []int) func(rows []int) float64 {
	if s.task == tabular.Regression {
		truth := make([]float64, len(held))
		for i, row := range held {
			truth[i] = s.target.Float64(row)
		}
		return func(rows []int) float64 { return scoreNumbers(m, pick(numbers, rows), pick(truth, rows)) }
	}
	p, truth, _ := s.truth(classes, p, held)
	return func(rows []int) float64 { return scoreClasses(m, pick(p, rows), pick(truth, rows)) }
}

// stand scores the baselines on the model's own holdout.
func (s *subject) stand(ctx context.Context, e *Explanation, taught, held []int) error {
	standard, err := tabular.Standardise(ctx, s.features.Take(taught), s.target.Take(taught), s.task, s.spec.Options.Threads)
	if err != nil {
		return explain(err, taught)
	}
	for _, b := range Baselines() {
		p, numbers, _, err := b.answer(ctx, standard, s.features.Take(held))
		if err != nil {
			return explain(err, held)
		}
		score := s.scorer(e.Metric, standard.Classes, p, numbers, held)
		spread, err := s.spread(ctx, len(held), score)
		if err != nil {
			return err
		}
		e.Standings = append(e.Standings, Standing{Name: b.Name(s.task), Baseline: true, Value: score(indices(len(held))), Spread: spread})
	}
	return nil
}

// weighed is how many of the held rows are asked about for each column.
func (s *subject) weighed(held int) int {
	columns := len(s.features.Columns)
	return min(held, max(leastRows, mostCells/(columns*columns*shuffles)))
}

// weigh shuffles one column after the other among the held rows and asks again.
func (s *subject) weigh(ctx context.Context, e *Explanation, fit *Context, held []int) error {
	rows := s.weighed(len(held))
	draw := rand.New(rand.NewPCG(s.spec.Options.Seed, 0x73687566))
	some := pick(held, draw.Perm(len(held))[:rows])
	slices.Sort(some)
	e.ImportanceRows, e.Shuffles = rows, shuffles
	query := s.features.Take(some)
	whole, err := s.scoreOf(ctx, e.Metric, fit, query, some)
	if err != nil {
		return err
	}
	if math.IsNaN(whole[0]) {
		return nil // a metric that these rows do not define cannot fall
	}
	for j, c := range s.features.Columns {
		// All shuffles of a column are asked together: the same answers in fewer calls.
		order, repeated := make([]int, 0, rows*shuffles), make([]int, 0, rows*shuffles)
		for range shuffles {
			order = append(order, draw.Perm(rows)...)
			repeated = append(repeated, indices(rows)...)
		}
		shuffled := query.Take(repeated)
		shuffled.Columns[j] = query.Columns[j].Take(order)
		scores, err := s.scoreOf(ctx, e.Metric, fit, shuffled, some)
		if err != nil {
			return err
		}
		sum, squares := 0.0, 0.0
		for i, v := range scores {
			d := whole[0] - v
			if !e.Metric.HigherIsBetter() {
				d = -d
			}
			before := sum / max(1, float64(i))
			sum += d
			if i > 0 {
				squares += (d - before) * (d - sum/float64(i+1))
			}
		}
		e.Importance = append(e.Importance, Importance{Column: c.Name, Drop: sum / shuffles, Spread: math.Sqrt(squares / shuffles)})
	}
	slices.SortStableFunc(e.Importance, func(a, b Importance) int { return cmp.Compare(b.Drop, a.Drop) })
	return nil
}

// scoreOf asks about copies of the given rows, one after the other, and scores each copy.
func (s *subject) scoreOf(ctx context.Context, m Metric, fit *Context, query *frame.Frame, rows []int) ([]float64, error) {
	answer, err := fit.predict(ctx, query, nil)
	if err != nil {
		return nil, err
	}
	var all []int
	for range query.Rows() / len(rows) {
		all = append(all, rows...)
	}
	score := s.scorer(m, answer.Classes, answer.Probabilities, answer.Mean, all)
	var out []float64
	for copied := range slices.Chunk(indices(len(all)), len(rows)) {
		out = append(out, score(copied))
	}
	return out, nil
}

// calibrate compares how sure the answers are with how often they are right.
func (s *subject) calibrate(e *Explanation, answer *tabular.Answer, taught, held []int) {
	p, truth, index := s.truth(answer.Classes, answer.Probabilities, held)
	priors := make([]float64, len(index))
	for _, row := range taught {
		priors[index[s.target.Text(row)]] += 1 / float64(len(taught))
	}
	bins := make([]Bin, calibrated)
	for i := range bins {
		bins[i].Low, bins[i].High = float64(i)/calibrated, float64(i+1)/calibrated
	}
	n := float64(len(truth))
	for i, class := range truth {
		e.Brier += brier(p[i], class) / n
		e.BrierPrior += brier(priors, class) / n
		best := argmax(p[i])
		b := &bins[min(int(p[i][best]*calibrated), calibrated-1)]
		b.Rows++
		b.Confidence += p[i][best]
		if best == class {
			b.Accuracy++
		}
	}
	for _, b := range bins {
		if b.Rows == 0 {
			continue
		}
		b.Confidence /= float64(b.Rows)
		b.Accuracy /= float64(b.Rows)
		e.ECE += float64(b.Rows) / n * math.Abs(b.Accuracy-b.Confidence)
		e.Bins = append(e.Bins, b)
	}
}

func brier(p []float64, truth int) float64 {
	sum := 0.0
	for c, v := range p {
		if c == truth {
			v--
		}
		sum += v * v
	}
	return sum
}

// cover counts how often the truth lies between two quantiles that stand symmetrically about the median, and describes
// the residuals.
func (s *subject) cover(e *Explanation, answer *tabular.Answer, held []int) {
	truth, residuals := make([]float64, len(held)), make([]float64, len(held))
	for i, row := range held {
		truth[i] = s.target.Float64(row)
		residuals[i] = truth[i] - answer.Mean[i]
	}
	for low, level := range answer.Levels {
		high := slices.IndexFunc(answer.Levels, func(l float64) bool { return level < 0.5 && math.Abs(l-(1-level)) < 1e-9 })
		if high < 0 {
			continue
		}
		inside := 0
		for i, t := range truth {
			if answer.Quantiles[low][i] <= t && t <= answer.Quantiles[high][i] {
				inside++
			}
		}
		c := Coverage{Nominal: 1 - 2*level, Share: float64(inside) / float64(len(truth))}
		c.Low, c.High = wilson(inside, len(truth))
		e.Coverage = append(e.Coverage, c)
	}
	slices.SortFunc(e.Coverage, func(a, b Coverage) int { return cmp.Compare(a.Nominal, b.Nominal) })
	step := (len(held) + mostPoints - 1) / mostPoints
	for i := 0; i < len(held); i += step {
		e.Truth, e.Predicted = append(e.Truth, truth[i]), append(e.Predicted, answer.Mean[i])
	}
	slices.Sort(residuals)
	for _, level := range []float64{0, 0.05, 0.25, 0.5, 0.75, 0.95, 1} {
		at := level * float64(len(residuals)-1)
		low := int(at)
		high := min(low+1, len(residuals)-1)
		e.Residuals = append(e.Residuals, Residual{level, residuals[low] + (at-float64(low))*(residuals[high]-residuals[low])})
	}
}

// wilson is the 95 % interval of a share of hits among n (Wilson 1927), which stays inside 0 to 1.
func wilson(hits, n int) (low, high float64) { return wilsonShare(float64(hits)/float64(n), n) }

// wilsonShare is wilson of a share, which need not be a whole number of hits.
func wilsonShare(share float64, n int) (low, high float64) {
	const z = 1.959964
	count := float64(n)
	middle := (share + z*z/(2*count)) / (1 + z*z/count)
	half := z / (1 + z*z/count) * math.Sqrt(share*(1-share)/count+z*z/(4*count*count))
	return max(0, middle-half), min(1, middle+half)
}
