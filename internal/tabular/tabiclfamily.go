package tabular

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tabular/prep"
	"github.com/norn-data/norn/internal/tabular/tabicl"
	"github.com/norn-data/norn/internal/tabular/weights"
)

// isTabICL tells a TabICL file by a tensor that every version has. Its config is what a damaged file most often lacks, and
// then loading says so.
func isTabICL(f *weights.File) bool {
	_, ok := f.Tensors["col_embedder.in_linear.weight"]
	return ok
}

// tabiclNetwork is the family of TabICL, versions 1 and 2, with the recipe of its wrapper: package prep.
type tabiclNetwork struct{ *tabicl.Network }

func loadTabICL(f *weights.File, _ string) (network, error) {
	n, err := tabicl.Load(f)
	if err != nil {
		return nil, err
	}
	return tabiclNetwork{n}, nil
}

func (n tabiclNetwork) traits() traits {
	task := n.Task()
	return traits{Family: tabiclFamily(n.Config()), Task: Task(task.Kind), Parameters: n.Parameters(),
		MaxClasses: task.MaxClasses, MostClasses: mostClasses(task.MaxClasses), ManyClasses: ClassTree, Quantiles: task.Quantiles}
}

// tabiclFamily names the architecture as its publishers do. Version 2 is told by what it changed: the column stage sees
// the labels.
func tabiclFamily(c tabicl.Config) string {
	if c.ColTargetAware {
		return "TabICLv2"
	}
	return "TabICLv1"
}

func (n tabiclNetwork) fit(ctx context.Context, train []prep.Column, target prep.Target, o Options) (recipe, error) {
	pipeline, err := prep.Fit(ctx, train, target, o.prep())
	if err != nil {
		return nil, err
	}
	return newTabICLRecipe(n.Network, pipeline, o), nil
}

// tabiclRecipe is what one fit learnt: a pipeline of the wrapper's steps and its members.
type tabiclRecipe struct {
	network  *tabicl.Network
	pipeline *prep.Pipeline
	options  Options
	drawn    []prep.Member
	norms    int // different ones among the members
}

func newTabICLRecipe(n *tabicl.Network, p *prep.Pipeline, o Options) *tabiclRecipe {
	r := &tabiclRecipe{network: n, pipeline: p, options: o, drawn: p.Members()}
	norms := make(map[prep.Norm]bool)
	for _, m := range r.drawn {
		norms[m.Norm] = true
	}
	r.norms = len(norms)
	return r
}

func (r *tabiclRecipe) members() int  { return len(r.drawn) }
func (r *tabiclRecipe) features() int { return len(r.pipeline.Features()) }
func (r *tabiclRecipe) classes() int {
	classes := r.pipeline.Classes()
	return classes.Len()
}

func (r *tabiclRecipe) notes() []prep.Note { return r.pipeline.Notes() }

// sizes follow the network's own plan, which has the last word when a fit runs.
func (r *tabiclRecipe) sizes(s shape) sizes {
	c := r.network.Config()
	rows, d, e, features := int64(s.rows), int64(c.EmbedDim*c.RowCLS), int64(c.EmbedDim), int64(s.features)
	digits := 1
	if c.MaxClasses > 0 && c.ColTargetAware {
		for reach := c.MaxClasses; reach < s.classes; reach *= c.MaxClasses {
			digits++
		}
	}
	columns := float32Bytes * 2 * int64(digits) * int64(c.ColNumBlocks) * features * int64(c.ColInducing) * e
	// Each level of the class tree looks at all rows once.
	taught := rows * int64(treeDepth(s.classes, c.MaxClasses))
	threads := s.threads
	if s.together > 1 {
		threads = 1
	}
	outputs := s.classes * 4 // along a class tree a few copies are alive
	if c.MaxClasses == 0 {
		outputs = c.NumQuantiles
	}
	return sizes{
		full:    columns + float32Bytes*2*int64(c.ICLNumBlocks)*taught*d,
		compact: columns + float32Bytes*taught*d,
		work:    float32Bytes * (6*rows*d + int64(threads)*2*(3*rows*e+12*max(tabicl.PieceFloats, features*e))),
		// A float32 matrix for each norm, and the column order of each member at work.
		prepared: rows * features * float32Bytes * int64(r.norms+s.together),
		// The user's cells as numbers, their encoded copy, one matrix for each norm with a float64 draft of it, and for every
		// member at work its own column order, the row's vector, a few of them in flight, and the outputs.
		queryRow: features*(2*float64Bytes) + features*int64(r.norms)*(float32Bytes+float64Bytes) +
			int64(s.together)*float32Bytes*(features+4*int64(c.EmbedDim*c.RowCLS)) + int64(s.members)*float32Bytes*int64(outputs) + s.tallied(),
		encodedRow: features * int64(r.norms) * float32Bytes,
		answerRow:  s.answerRow(),
		tallyRow:   s.tallied(),
	}
}

// treeDepth is the number of in-context runs from the root of the class tree to a leaf.
func treeDepth(classes, most int) int {
	depth := 1
	for most > 1 && classes > most {
		groups := min((classes+most-1)/most, most)
		classes = (classes + groups - 1) / groups
		depth++
	}
	return depth
}

func (r *tabiclRecipe) contextBytes(c Cache) (int64, error) {
	total := int64(0)
	for _, m := range r.drawn {
		bytes, err := r.network.ContextBytes(len(m.Columns), r.pipeline.Targets(m), forward.Cache(c))
		if err != nil {
			return 0, err
		}
		total += bytes
	}
	return total, nil
}

func (r *tabiclRecipe) teach(ctx context.Context, i int, t teaching) (member, error) {
	m := r.drawn[i]
	matrix, ok := r.pipeline.Train(m.Norm)
	diag.Assert(ok, "no training matrix for the norm %s", m.Norm)
	x := matrix.Select(m.Columns)
	c, err := r.network.Fit(ctx, x.Data, x.Rows, x.Cols, r.pipeline.Targets(m), tabiclSettings(r.options, t))
	if small, ok := errors.AsType[*forward.BudgetError](err); ok {
		return nil, &memberBudgetError{small.Need}
	}
	if err != nil {
		return nil, err
	}
	return tabiclMember{c, m}, nil
}

func tabiclSettings(o Options, t teaching) forward.Settings {
	return forward.Settings{Threads: t.threads, Precision: forward.Precision(o.Precision), MemoryBudget: t.budget, Cache: forward.Cache(t.cache)}
}

// tabiclBatch is a batch of query rows: one matrix for each norm.
type tabiclBatch struct{ *prep.Batch }

func (b tabiclBatch) rows() int { return b.Rows }

func (r *tabiclRecipe) encode(ctx context.Context, query []prep.Column) (encoded, error) {
	b, err := r.pipeline.Transform(ctx, query)
	if err != nil {
		return nil, err
	}
	return tabiclBatch{b}, nil
}

func (r *tabiclRecipe) tally(rows int) tally {
	t := &sumTally{options: r.options, members: r.drawn, scale: r.pipeline.Scale()}
	if t.classes = r.classes(); t.classes > 0 {
		t.tree = t.classes > r.network.Task().MaxClasses
	}
	t.make(rows)
	return t
}

// tabiclMember is one member's context with its view of the table.
type tabiclMember struct {
	context *tabicl.Context
	drawn   prep.Member
}

func (m tabiclMember) bytes() int64 { return m.context.Bytes() }

// rows are the batch as the member sees it.
func (m tabiclMember) rows(batch encoded) prep.Matrix[float32] {
	return batch.(tabiclBatch).Norms[m.drawn.Norm].Select(m.drawn.Columns)
}

func (m tabiclMember) ask(ctx context.Context, batch encoded, threads int) (prep.Matrix[float32], error) {
	x := m.rows(batch)
	out, err := m.context.WithThreads(threads).Predict(ctx, x.Data, x.Rows)
	if err != nil {
		return prep.Matrix[float32]{}, err
	}
	return prep.Matrix[float32]{Rows: x.Rows, Cols: len(out) / x.Rows, Data: out}, nil
}

// askTogether is for the few rows that [tabicl.Together] names, so that what it holds beside a plan's sizes is small.
func (r *tabiclRecipe) askTogether(ctx context.Context, members []member, batch encoded, threads int) ([]prep.Matrix[float32], error) {
	contexts := make([]*tabicl.Context, len(members))
	for i, m := range members {
		contexts[i] = m.(tabiclMember).context.WithThreads(threads)
	}
	if !tabicl.Together(contexts, batch.rows()) {
		return nil, nil
	}
	x := make([][]float32, len(members))
	for i, m := range members {
		x[i] = m.(tabiclMember).rows(batch).Data
	}
	answers, err := tabicl.PredictTogether(ctx, contexts, x, batch.rows())
	if err != nil {
		return nil, err
	}
	outputs := make([]prep.Matrix[float32], len(answers))
	for i, a := range answers {
		outputs[i] = prep.Matrix[float32]{Rows: batch.rows(), Cols: len(a) / batch.rows(), Data: a}
	}
	return outputs, nil
}

// save writes the pipeline.
func (r *tabiclRecipe) save(s *saved) error {
	state := r.pipeline.State()
	text, err := json.Marshal(state)
	if err != nil {
		return err
	}
	s.Recipe = text
	return s.putNumbers(state.Numbers)
}

// save writes the context's arrays and its outline.
func (m tabiclMember) save(i int, s *saved) error {
	state := m.context.State(func(name string, data []float32, shape ...int) { s.putArray(i, name, data, shape) })
	text, err := json.Marshal(state)
	if err != nil {
		return err
	}
	s.Members[i] = text
	// Where the network's own plan found less room than asked for, a context keeps less; all members plan alike.
	s.Cache = CacheFull
	if state.Compact() {
		s.Cache = CacheCompact
	}
	return nil
}

func (n tabiclNetwork) restore(s *saved, o Options) (recipe, error) {
	var state prep.State
	if err := strictJSON(s.Recipe, &state); err != nil {
		return nil, fmt.Errorf("the pipeline cannot be read: %w", err)
	}
	var err error
	if state.Numbers, err = s.numbers(); err != nil {
		return nil, err
	}
	pipeline, err := prep.Restore(&state, o.threads())
	if err != nil {
		return nil, fmt.Errorf("the pipeline cannot be used: %w", err)
	}
	if task := n.traits().Task; Task(state.Task) != task {
		return nil, fmt.Errorf("the pipeline is for %s, the network for %s", state.Task, task)
	}
	return newTabICLRecipe(n.Network, pipeline, o), nil
}

func (r *tabiclRecipe) restoreMember(i int, s *saved, t teaching) (member, error) {
	var outline tabicl.ContextState
	if err := strictJSON(s.Members[i], &outline); err != nil {
		return nil, fmt.Errorf("the outline cannot be read: %w", err)
	}
	if outline.Features != r.features() || outline.Classes != r.classes() {
		return nil, fmt.Errorf("it has %d features and %d classes, the pipeline %d and %d", outline.Features, outline.Classes, r.features(), r.classes())
	}
	if outline.Root.Rows != s.Rows {
		return nil, fmt.Errorf("it was taught by %d rows, and the file says %d", outline.Root.Rows, s.Rows)
	}
	if outline.Compact() != (t.cache == CacheCompact) {
		return nil, fmt.Errorf("it does not hold what the cache %s does", t.cache)
	}
	c, err := r.network.Restore(outline, tabiclSettings(r.options, t), func(name string, shape ...int) ([]float32, error) { return s.array(i, name, shape) })
	if err != nil {
		return nil, err
	}
	return tabiclMember{c, r.drawn[i]}, nil
}
