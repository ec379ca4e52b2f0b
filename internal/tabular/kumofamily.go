package tabular

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tabular/kumo"
	kumorecipe "github.com/norn-data/norn/internal/tabular/kumo/recipe"
	"github.com/norn-data/norn/internal/tabular/prep"
	"github.com/norn-data/norn/internal/tabular/weights"
)

// kumoNetwork is the family of Kumo Tabular with its own recipe. Of the options its recipe takes members, seed, threads and
// Reference; norms, shuffles, thresholds and temperatures are TabICL's, mean nothing to it and are refused ([ForeignOptionError]).
type kumoNetwork struct{ *kumo.Network }

func loadKumo(f *weights.File, path string) (network, error) {
	size, err := KumoSize(f, path)
	if err != nil {
		return nil, err
	}
	n, err := kumo.LoadWith(f, kumo.Options{Size: size})
	if err != nil {
		return nil, err
	}
	return kumoNetwork{n}, nil
}

func (n kumoNetwork) traits() traits {
	task := n.Task()
	return traits{Family: "Kumo Tabular", Task: Task(task.Kind), Parameters: n.Parameters(),
		MaxClasses: task.MaxClasses, MostClasses: mostClasses(task.MaxClasses), ManyClasses: CodeBook, Quantiles: task.Quantiles}
}

func (n kumoNetwork) fit(ctx context.Context, train []prep.Column, target prep.Target, o Options) (recipe, error) {
	if option := o.foreign(); option != "" {
		return nil, &ForeignOptionError{option, n.traits().Family}
	}
	r, err := kumorecipe.Fit(ctx, train, target, kumoOptions(o))
	if err != nil {
		return nil, err
	}
	return newKumoRecipe(n.Network, r, o), nil
}

func kumoOptions(o Options) kumorecipe.Options {
	k := kumorecipe.DefaultOptions()
	k.Members, k.Seed, k.Workers, k.Reference = o.Members, o.Seed, o.threads(), o.Reference
	return k
}

// kumoRecipe is what one fit learnt.
type kumoRecipe struct {
	network *kumo.Network
	learnt  *kumorecipe.Recipe
	options Options
	drawn   []kumorecipe.Member
	norms   int // different ones among the members
	count   int // classes; 0 for regression
	rows    int // that taught; 0 in a restored recipe
}

func newKumoRecipe(n *kumo.Network, r *kumorecipe.Recipe, o Options) *kumoRecipe {
	k := &kumoRecipe{network: n, learnt: r, options: o, drawn: r.Members(), rows: r.Rows()}
	norms := make(map[kumorecipe.Norm]bool)
	for _, m := range k.drawn {
		norms[m.Norm] = true
	}
	k.norms = len(norms)
	if r.Task() == prep.Classification {
		classes := r.Classes()
		k.count = classes.Len()
	}
	return k
}

func (r *kumoRecipe) members() int       { return len(r.drawn) }
func (r *kumoRecipe) features() int      { return len(r.drawn[0].Columns) }
func (r *kumoRecipe) classes() int       { return r.count }
func (r *kumoRecipe) notes() []prep.Note { return r.learnt.Notes() }

// tasks is how many contexts a member is made of.
func (r *kumoRecipe) tasks() int { return max(1, len(r.drawn[0].Codes)) }

func (r *kumoRecipe) sizes(s shape) sizes {
	threads := s.threads
	if s.together > 1 {
		threads = 1
	}
	outputs := int64(r.classes() + r.network.Task().Quantiles)
	all, features := int64(len(r.learnt.Features())), int64(s.features)
	c := r.network.Config()
	return sizes{
		full:     r.network.ContextBytes(s.rows, s.features, r.tasks(), forward.CacheFull),
		compact:  r.network.ContextBytes(s.rows, s.features, r.tasks(), forward.CacheCompact),
		work:     r.network.WorkBytes(s.rows, s.features, threads),
		prepared: int64(s.rows) * float32Bytes * (all*int64(r.norms) + features*int64(s.together)),
		queryRow: all*(2*float64Bytes) + all*int64(r.norms)*(float32Bytes+float64Bytes) +
			int64(s.together)*float32Bytes*(features+4*int64(c.Context)+int64(r.tasks()*10)),
		encodedRow: all * int64(r.norms) * float32Bytes,
		answerRow:  s.answerRow(),
		// A trimmed mean waits for all members; each gives its outputs, and a draft of them in float64 is averaged.
		tallyRow: int64(s.members)*outputs*(float32Bytes+float64Bytes) + float64Bytes*outputs,
	}
}

func (r *kumoRecipe) contextBytes(c Cache) (int64, error) {
	if r.rows == 0 {
		return 0, errors.New("a restored recipe has no rows to teach with")
	}
	return int64(len(r.drawn)) * r.network.ContextBytes(r.rows, r.features(), r.tasks(), forward.Cache(c)), nil
}

func (r *kumoRecipe) teach(ctx context.Context, i int, t teaching) (member, error) {
	table, labels := r.learnt.Taught(i)
	c, err := r.network.Fit(ctx, table, labels, kumoSettings(r.options, t))
	if small, ok := errors.AsType[*forward.BudgetError](err); ok {
		return nil, &memberBudgetError{small.Need}
	}
	if err != nil {
		return nil, err
	}
	return kumoMember{c, i}, nil
}

func kumoSettings(o Options, t teaching) forward.Settings {
	return forward.Settings{Threads: t.threads, Precision: forward.Precision(o.Precision), MemoryBudget: t.budget, Cache: forward.Cache(t.cache)}
}

type kumoBatch struct{ *kumorecipe.Batch }

func (b kumoBatch) rows() int { return b.Rows }

func (r *kumoRecipe) encode(ctx context.Context, query []prep.Column) (encoded, error) {
	b, err := r.learnt.Transform(ctx, query)
	if err != nil {
		return nil, err
	}
	return kumoBatch{b}, nil
}

// kumoMember is one member's context.
type kumoMember struct {
	context *kumo.Context
	i       int
}

func (m kumoMember) bytes() int64 { return m.context.Bytes() }

func (m kumoMember) ask(ctx context.Context, batch encoded, threads int) (prep.Matrix[float32], error) {
	x := batch.(kumoBatch).Asked(m.i)
	out, err := m.context.WithThreads(threads).Predict(ctx, x.X, x.Rows)
	if err != nil {
		return prep.Matrix[float32]{}, err
	}
	return prep.Matrix[float32]{Rows: x.Rows, Cols: m.context.Outputs(), Data: out}, nil
}

// kumoTally holds the members' outputs until all are there: quantiles are averaged without the outermost members.
type kumoTally struct {
	recipe  *kumoRecipe
	outputs []prep.Matrix[float32]
}

func (r *kumoRecipe) tally(rows int) tally {
	t := &kumoTally{recipe: r}
	for range r.drawn {
		t.outputs = append(t.outputs, prep.NewMatrix[float32](rows, r.classes()+r.network.Task().Quantiles))
	}
	return t
}

func (t *kumoTally) next() {}

func (t *kumoTally) add(i, from int, out prep.Matrix[float32]) error {
	if out.Cols != t.outputs[i].Cols {
		return fmt.Errorf("member %d gave %d numbers a row, want %d", i, out.Cols, t.outputs[i].Cols)
	}
	copy(t.outputs[i].Data[from*out.Cols:], out.Data)
	return nil
}

func (t *kumoTally) finish(a *Answer) {
	var err error
	if t.recipe.count > 0 {
		err = t.finishClasses(a)
	} else {
		err = t.finishNumbers(a)
	}
	if err != nil {
		panic(err) // add has checked all shapes
	}
}

func (t *kumoTally) finishClasses(a *Answer) error {
	p, err := t.recipe.learnt.Probabilities(t.outputs)
	if err != nil {
		return err
	}
	labels := prep.Labels(p)
	mean, squares := make([]float64, p.Rows), make([]float64, p.Rows)
	for i, out := range t.outputs {
		own, err := t.recipe.learnt.Logits(i, out)
		if err != nil {
			return err
		}
		for row := range own.Rows {
			prep.Softmax(own.Row(row), 1)
			mean[row], squares[row] = welford(mean[row], squares[row], own.Row(row)[labels[row]], float64(i+1))
		}
	}
	for row, label := range labels {
		a.Probabilities = append(a.Probabilities, p.Row(row))
		a.Labels = append(a.Labels, label)
		a.Spread = append(a.Spread, math.Sqrt(squares[row]/float64(len(t.outputs))))
	}
	return nil
}

func (t *kumoTally) finishNumbers(a *Answer) error {
	q, err := t.recipe.learnt.Quantiles(t.outputs)
	if err != nil {
		return err
	}
	s, err := t.statistics(q, a.Levels)
	if err != nil {
		return err
	}
	mean, squares := make([]float64, q.Rows), make([]float64, q.Rows)
	for i, out := range t.outputs {
		own, err := t.statistics(t.recipe.learnt.MemberQuantiles(i, out), nil)
		if err != nil {
			return err
		}
		for row, v := range own.Mean {
			mean[row], squares[row] = welford(mean[row], squares[row], v, float64(i+1))
		}
	}
	for row := range q.Rows {
		a.Mean, a.Median, a.Variance = append(a.Mean, s.Mean[row]), append(a.Median, s.Median[row]), append(a.Variance, s.Variance[row])
		a.Spread = append(a.Spread, math.Sqrt(squares[row]/float64(len(t.outputs))))
		for i, v := range s.Quantiles.Row(row) {
			a.Quantiles[i] = append(a.Quantiles[i], v)
		}
	}
	return nil
}

// statistics are those of the distribution between quantiles in the target's unit. They are brought to the unit of the
// network for it, where float32 has room.
func (t *kumoTally) statistics(q prep.Matrix[float64], levels []float64) (*prep.Statistics, error) {
	scale := t.recipe.learnt.Scale()
	raw := prep.NewMatrix[float32](q.Rows, q.Cols)
	for i, v := range q.Data {
		raw.Data[i] = float32((v - scale.Mean) / scale.Scale)
	}
	return prep.Averager{Scale: scale}.Statistics([]prep.Matrix[float32]{raw}, levels)
}

func (r *kumoRecipe) save(s *saved) error {
	state := r.learnt.State()
	text, err := json.Marshal(state)
	if err != nil {
		return err
	}
	s.Recipe = text
	return s.putNumbers(state.Numbers)
}

func (m kumoMember) save(i int, s *saved) error {
	state := m.context.State(func(name string, data []float32, shape ...int) { s.putArray(i, name, data, shape) })
	text, err := json.Marshal(state)
	if err != nil {
		return err
	}
	s.Members[i] = text
	s.Cache = CacheFull
	if state.Compact {
		s.Cache = CacheCompact
	}
	return nil
}

func (n kumoNetwork) restore(s *saved, o Options) (recipe, error) {
	var state kumorecipe.State
	if err := strictJSON(s.Recipe, &state); err != nil {
		return nil, fmt.Errorf("the recipe cannot be read: %w", err)
	}
	var err error
	if state.Numbers, err = s.numbers(); err != nil {
		return nil, err
	}
	if task := n.traits().Task; Task(state.Task) != task {
		return nil, fmt.Errorf("the recipe is for %s, the network for %s", state.Task, task)
	}
	if option := o.foreign(); option != "" {
		return nil, &ForeignOptionError{option, n.traits().Family}
	}
	r, err := kumorecipe.Restore(&state, kumoOptions(o))
	if err != nil {
		return nil, err
	}
	return newKumoRecipe(n.Network, r, o), nil
}

func (r *kumoRecipe) restoreMember(i int, s *saved, t teaching) (member, error) {
	var outline kumo.ContextState
	if err := strictJSON(s.Members[i], &outline); err != nil {
		return nil, fmt.Errorf("the outline cannot be read: %w", err)
	}
	if outline.Features != len(r.drawn[i].Columns) || outline.Classes != r.classes() {
		return nil, fmt.Errorf("it has %d features and %d classes, the recipe %d and %d", outline.Features, outline.Classes, len(r.drawn[i].Columns), r.classes())
	}
	if outline.Rows != s.Rows {
		return nil, fmt.Errorf("it was taught by %d rows, and the file says %d", outline.Rows, s.Rows)
	}
	if outline.Compact != (t.cache == CacheCompact) {
		return nil, fmt.Errorf("it does not hold what the cache %s does", t.cache)
	}
	c, err := r.network.Restore(outline, kumoSettings(r.options, t), func(name string, shape ...int) ([]float32, error) { return s.array(i, name, shape) })
	if err != nil {
		return nil, err
	}
	return kumoMember{c, i}, nil
}
