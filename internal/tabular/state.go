package tabular

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular/prep"
	"github.com/norn-data/norn/internal/tabular/weights"
)

// A State is a fitted estimator as plain data, for a file: outlines as JSON, whose members are the family's own, and
// numbers as tensors by name. It holds neither weights nor rows that taught.
type State struct {
	Rows    int   // that taught
	Cache   Cache // what the contexts keep: full or compact
	Recipe  json.RawMessage
	Members []json.RawMessage // an outline for each member's context
	Tensors map[string]*weights.Tensor
}

// Names of tensors start with where they belong.
const recipePrefix = "recipe."

func memberPrefix(i int) string { return fmt.Sprintf("member.%d.", i) }

// saved is a state on its way to a file or back, as families see it.
type saved struct {
	*State
	taken map[string]bool // tensors that were asked for
}

func newSaved(s *State) *saved { return &saved{s, make(map[string]bool)} }

// putNumbers adds what a recipe learnt.
func (s *saved) putNumbers(numbers map[string]prep.Matrix[float64]) error {
	for name, m := range numbers {
		t, err := weights.NewFloat64(m.Data, m.Rows, m.Cols)
		if err != nil {
			return err
		}
		s.Tensors[recipePrefix+name] = t
	}
	return nil
}

// numbers are all that a recipe put there.
func (s *saved) numbers() (map[string]prep.Matrix[float64], error) {
	out := make(map[string]prep.Matrix[float64])
	for name, t := range s.Tensors {
		own, ok := strings.CutPrefix(name, recipePrefix)
		if !ok {
			continue
		}
		if t.DType != weights.F64 || len(t.Shape) != 2 {
			return nil, fmt.Errorf("the tensor %s is of %s and shape %v, want a matrix of F64", name, t.DType, t.Shape)
		}
		s.taken[name] = true
		out[own] = prep.Matrix[float64]{Rows: t.Shape[0], Cols: t.Shape[1], Data: t.Float64()}
	}
	return out, nil
}

// putArray adds an array of member i's context. It is not copied.
func (s *saved) putArray(i int, name string, data []float32, shape []int) {
	t, err := weights.NewTensor(weights.F32, weights.Bytes32(data), shape...)
	diag.Assert(err == nil, "the array %s of a context does not fit its own shape: %v", name, err)
	s.Tensors[memberPrefix(i)+name] = t
}

// array is what putArray added.
func (s *saved) array(i int, name string, shape []int) ([]float32, error) {
	name = memberPrefix(i) + name
	t, ok := s.Tensors[name]
	if !ok {
		return nil, fmt.Errorf("the tensor %s is not there", name)
	}
	values, ok := t.View32()
	if !ok || !slices.Equal(t.Shape, shape) {
		return nil, fmt.Errorf("the tensor %s is of %s and shape %v, want F32 and %v", name, t.DType, t.Shape, shape)
	}
	s.taken[name] = true
	return values, nil
}

// strictJSON decodes one JSON value and refuses members that it does not know.
func strictJSON(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return errors.New("something follows the value")
	}
	return nil
}

// errNotKept says that there is no context to hand on.
var errNotKept = errors.New("the members' contexts were not kept")

// State gives the estimator as plain data, which shares its arrays and must not be changed. Contexts that were not kept
// are an error: see [Estimator.Kept].
func (e *Estimator) State() (*State, error) {
	if !e.layout.keep {
		return nil, errNotKept
	}
	s := newSaved(&State{Rows: e.shape.rows, Members: make([]json.RawMessage, len(e.contexts)), Tensors: make(map[string]*weights.Tensor)})
	if err := e.recipe.save(s); err != nil {
		return nil, fmt.Errorf("saving what %s learnt: %w", e.model.Info.Name, err)
	}
	for i, c := range e.contexts {
		if err := c.save(i, s); err != nil {
			return nil, fmt.Errorf("saving member %d of %s: %w", i, e.model.Info.Name, err)
		}
	}
	return s.State, nil
}

// Restore makes an estimator of a state and the model that it was fitted with; classes are those of [Answer.Classes], nil
// for regression. The estimator keeps the tensors' bytes and only reads them: whoever gave them may take them back when the
// estimator is gone, for which [runtime.AddCleanup] on it is safe. Of the options Members, Norms and shuffles are settled
// by the state. A state that no fit makes is refused.
func Restore(model *Model, s *State, classes *frame.Column, o Options) (e *Estimator, err error) {
	defer diag.Recover(&err)
	if s.Cache != CacheFull && s.Cache != CacheCompact || s.Rows < 1 {
		return nil, fmt.Errorf("a state of %d rows with the cache %q cannot be", s.Rows, s.Cache)
	}
	if err := o.Check(); err != nil {
		return nil, err
	}
	if (classes == nil) != (model.Info.Task == Regression) {
		return nil, fmt.Errorf("classes and the task %s do not go together", model.Info.Task)
	}
	e = &Estimator{model: model, options: o, classes: classes}
	e.options.Cache = s.Cache
	saved := newSaved(s)
	if e.recipe, err = model.network.restore(saved, e.options); err != nil {
		return nil, err
	}
	if n := e.recipe.classes(); classes != nil && n != classes.Len() || classes == nil && n != 0 {
		return nil, errors.New("the classes that are named are not those of the pipeline")
	}
	if len(s.Members) != e.recipe.members() {
		return nil, fmt.Errorf("there are %d contexts for %d members", len(s.Members), e.recipe.members())
	}
	e.measure(s.Rows)
	for i := range s.Members {
		m, err := e.recipe.restoreMember(i, saved, teaching{budget: e.memory(), cache: s.Cache})
		if err != nil {
			return nil, fmt.Errorf("member %d: %w", i, err)
		}
		e.contexts = append(e.contexts, m)
	}
	for name := range s.Tensors {
		if !saved.taken[name] {
			return nil, fmt.Errorf("the tensor %s belongs to nothing", name)
		}
	}
	e.layout, err = e.shape.layOutRestored(e.recipe.sizes(e.shape), e.memory())
	return e, err
}

// layOutRestored is the layout around contexts that are there already, in memory that is not the budget's.
func (s shape) layOutRestored(z sizes, budget int64) (layout, error) {
	l := layout{keep: true, together: s.together, cache: s.cache}
	if s.cache == CacheCompact {
		l.held = int64(s.together) * z.work // keys are made again for each batch
	}
	smallest := fewestRows * z.queryRow
	if need := l.held + smallest; need > budget {
		return layout{}, &MemoryError{Budget: budget, Need: need, Member: l.held, Batch: smallest}
	}
	l.batch = budget - l.held
	return l, nil
}

// A Draft is a fit before its work: the columns have been learnt from, the network has not run. It may be asked from one
// goroutine at a time until it is planned.
type Draft struct {
	e       *Estimator
	planned bool
}

// Plan decides how the fit uses its memory budget. What cannot fit is a *MemoryError.
func (d *Draft) Plan() (err error) {
	if d.planned {
		return nil
	}
	d.e.layout, err = d.e.shape.layOut(d.e.recipe, d.e.options.Memory)
	d.planned = err == nil
	return err
}

// Held is what the draft holds in memory, in bytes: the rows that teach, as numbers.
func (d *Draft) Held() int64 { return d.e.recipe.sizes(d.e.shape).prepared }

// Bytes is the size of what the members' contexts will keep, or would keep under another cache.
func (d *Draft) Bytes(c Cache) (int64, error) {
	return d.e.ContextBytes(c)
}

// ContextBytes is what all members' contexts keep, or would keep, under a cache.
func (e *Estimator) ContextBytes(c Cache) (int64, error) {
	if c == CacheNone {
		return 0, nil
	}
	return e.recipe.contextBytes(c)
}

// Kept reports whether the members' contexts will stay in memory, once there is a plan.
func (d *Draft) Kept() bool { return d.e.layout.keep }

// Teach teaches the members, after [Draft.Plan] where that has not been done.
func (d *Draft) Teach(ctx context.Context) (*Estimator, error) {
	if err := d.Plan(); err != nil {
		return nil, err
	}
	return d.e.teachAll(ctx)
}

// StateBytes is about what the state will take in a file: the contexts, and what the recipe learnt.
func (d *Draft) StateBytes(c Cache) (int64, error) {
	total, err := d.Bytes(c)
	if err != nil {
		return 0, err
	}
	s := newSaved(&State{Tensors: make(map[string]*weights.Tensor)})
	if err := d.e.recipe.save(s); err != nil {
		return 0, err
	}
	total += int64(len(s.Recipe))
	for _, name := range slices.Sorted(maps.Keys(s.Tensors)) {
		total += int64(len(s.Tensors[name].Bytes()))
	}
	return total, nil
}
