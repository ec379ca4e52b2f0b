package tensor

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/norn-data/norn/internal/tensor/kernel"
)

// Body is a piece of a model: a function of tensors that are handed to it, of weights it
// holds, and of nothing else.
type Body func(o Ops, in []Value) []Value

// Compiler holds the functions of one model and counts what was compiled for them. It may
// be used by any number of goroutines.
type Compiler struct {
	name   string
	graphs atomic.Int64 // of all functions: what AccumulatedLimit is held against

	mu    sync.Mutex
	funcs []*Func
	stats Stats
}

// NewCompiler makes a compiler for the model of that name.
func NewCompiler(name string) *Compiler {
	return &Compiler{name: name, stats: Stats{Reasons: map[string]int{}}}
}

// Stats are the counters of a Compiler.
type Stats struct {
	Graphs  int            // Programs that exist
	Time    time.Duration  // spent in tracing and passes
	Reasons map[string]int // compiles by the guard that failed
	Errors  int            // functions that could not be compiled, by calls that ran eagerly for it
	Limited int            // calls that ran eagerly because a limit was reached
}

// Stats returns a copy of the counters.
func (c *Compiler) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.Graphs = int(c.graphs.Load())
	s.Reasons = maps.Clone(c.stats.Reasons)
	return s
}

// Event explains one compile, or a limit that was reached.
type Event struct {
	Model, Func string
	// Guard is what no existing graph fits: "first call", or the axis, rank, number of
	// inputs, level or precision that differs, with the values From and To.
	Guard, From, To string
	Took            time.Duration
	Graphs, Total   int    // of the function and of the model, this one included
	Limit           string // not empty if nothing was compiled: which limit, with counts
	Err             error  // not nil if the function could not be compiled
}

// String is the line that NORN_LOG=recompiles shows.
func (e Event) String() string {
	switch {
	case e.Limit != "":
		return fmt.Sprintf("recompiles: %s.%s runs eagerly: %s (%s %s -> %s)", e.Model, e.Func, e.Limit, e.Guard, e.From, e.To)
	case e.Err != nil:
		return fmt.Sprintf("recompiles: %s.%s could not be compiled: %v", e.Model, e.Func, e.Err)
	case e.From == "" && e.To == "":
		return fmt.Sprintf("recompiles: %s.%s compiled in %s: %s (graph %d of the function, %d in all)", e.Model, e.Func, e.Took, e.Guard, e.Graphs, e.Total)
	}
	return fmt.Sprintf("recompiles: %s.%s compiled in %s: %s changed from %s to %s (graph %d of the function, %d in all)",
		e.Model, e.Func, e.Took, e.Guard, e.From, e.To, e.Graphs, e.Total)
}

// CompileError says why a call got no graph where it insisted on one.
type CompileError struct {
	Func   string
	Guard  string // what differs from the graphs that exist
	Reason error
}

func (e *CompileError) Error() string {
	return fmt.Sprintf("tensor: compiling %s (%s): %v", e.Func, e.Guard, e.Reason)
}

func (e *CompileError) Unwrap() error { return e.Reason }

// Func is a function of a model that is compiled when it is first called with operands of
// a new kind, and then again only if the kind changes: never for another size.
type Func struct {
	compiler *Compiler
	name     string
	body     Body
	batch    Axis // positions along it do not see each other; "" for none

	// programs only ever grows; readers take no lock.
	programs atomic.Pointer[[]*compiled]
	mu       sync.Mutex // one compile at a time: callers that wait for it find its result
	said     atomic.Bool
}

// compiled is a Program with what it was made for.
type compiled struct {
	kind    kind
	program *Program
	failed  error // instead of a program: the reason why there is none
}

// Func registers a function. batch names the axis along which a call may be cut to stay in
// its budget; the compiler refuses a body that looks along it.
func (c *Compiler) Func(name string, batch Axis, body Body) *Func {
	f := &Func{compiler: c, name: name, body: body, batch: batch}
	f.programs.Store(&[]*compiled{})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.funcs = append(c.funcs, f)
	return f
}

// kind is everything a Program is specialised on: dtype (float32 throughout), the kernels,
// the precision, and for each input its axes in order with the widths of static ones.
// Strides are not part of it: channels are contiguous in every Array and kernels take any
// step between rows.
type kind struct {
	target target
	inputs [][]Dim // sizes of dynamic axes are Unknown
}

func kindOf(o *Eager, in []*Array) kind {
	k := kind{target: target{o.level, o.run.settings.Precision}, inputs: make([][]Dim, len(in))}
	for i, a := range in {
		k.inputs[i] = a.Shape()
	}
	return k
}

// fits is the guard: it runs at every call, so it makes nothing.
func (k *kind) fits(t target, in []*Array) bool {
	if k.target != t || len(k.inputs) != len(in) {
		return false
	}
	for i, a := range in {
		dims := k.inputs[i]
		if len(a.dims) != len(dims) {
			return false
		}
		for j, d := range a.dims {
			if d.axis != dims[j].Axis || dims[j].Size != Unknown && d.size != dims[j].Size {
				return false
			}
		}
	}
	return true
}

// differs names the first guard of k that other fails, with both values.
func (k *kind) differs(other *kind) (guard, from, to string) {
	switch {
	case k.target.level != other.target.level:
		return "level", k.target.level.String(), other.target.level.String()
	case k.target.precision != other.target.precision:
		return "precision", string(k.target.precision), string(other.target.precision)
	case len(k.inputs) != len(other.inputs):
		return "number of inputs", fmt.Sprint(len(k.inputs)), fmt.Sprint(len(other.inputs))
	}
	for i, a := range k.inputs {
		b := other.inputs[i]
		if len(a) != len(b) {
			return fmt.Sprintf("rank of input %d", i), Shape(a).String(), Shape(b).String()
		}
		for j := range a {
			if a[j].Axis != b[j].Axis {
				return fmt.Sprintf("layout of input %d", i), Shape(a).String(), Shape(b).String()
			}
			if a[j].Size != b[j].Size {
				name := string(a[j].Axis)
				if a[j].Axis == Channels {
					name = "channels"
				}
				return fmt.Sprintf("width of %s of input %d", name, i), fmt.Sprint(a[j].Size), fmt.Sprint(b[j].Size)
			}
		}
	}
	return "", "", ""
}

// reason is the guard without the number of the input: what counters count.
func reason(guard string) string {
	for _, prefix := range []string{"rank", "layout", "width"} {
		if len(guard) > len(prefix) && guard[:len(prefix)] == prefix {
			return prefix
		}
	}
	return guard
}

// Graphs is the number of Programs that exist.
func (f *Func) Graphs() int {
	n := 0
	for _, c := range *f.programs.Load() {
		if c.program != nil {
			n++
		}
	}
	return n
}

// program finds or makes the Program for these operands. nil means that the call runs
// eagerly.
func (f *Func) program(o *Eager, in []*Array) (*Program, error) {
	s := &o.run.settings
	if s.Interpret {
		return nil, nil
	}
	t := target{o.level, s.Precision}
	for _, c := range *f.programs.Load() {
		if c.kind.fits(t, in) {
			return f.served(s, c)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	all := *f.programs.Load()
	for _, c := range all {
		if c.kind.fits(t, in) {
			return f.served(s, c)
		}
	}
	k := kindOf(o, in)
	e := Event{Model: f.compiler.name, Func: f.name, Guard: "first call"}
	if len(all) > 0 {
		e.Guard, e.From, e.To = all[len(all)-1].kind.differs(&k)
	}
	if s.Strict {
		return nil, &CompileError{f.name, e.explained(), errStrict}
	}
	if e.Graphs, e.Total = f.Graphs(), int(f.compiler.graphs.Load()); e.Graphs >= s.RecompileLimit || e.Total >= s.AccumulatedLimit {
		return nil, f.limited(s, e)
	}
	start := time.Now()
	p, err := f.compile(in, t)
	e.Took, e.Err = time.Since(start), err
	f.programs.Store(new(append(slices.Clone(all), &compiled{k, p, err})))
	f.compiler.count(e)
	if err == nil {
		e.Graphs++
		e.Total = int(f.compiler.graphs.Load())
	}
	if s.Explain != nil {
		s.Explain(e)
	}
	if err != nil && s.OnError == Fail {
		return nil, &CompileError{f.name, e.explained(), err}
	}
	return p, nil
}

// errStrict is the reason of a compile that was forbidden.
var errStrict = fmt.Errorf("the call forbids compiling after the warm-up")

func (e *Event) explained() string {
	if e.From == "" && e.To == "" {
		return e.Guard
	}
	return fmt.Sprintf("%s changed from %s to %s", e.Guard, e.From, e.To)
}

// served is a kind that was met before: its Program, or again the reason why there is none.
func (f *Func) served(s *Settings, c *compiled) (*Program, error) {
	if c.program != nil {
		return c.program, nil
	}
	f.compiler.mu.Lock()
	f.compiler.stats.Errors++
	f.compiler.mu.Unlock()
	if s.OnError == Fail {
		return nil, &CompileError{f.name, "seen before", c.failed}
	}
	return nil, nil
}

// limited is a call past a limit: eager, counted, said once a function.
func (f *Func) limited(s *Settings, e Event) error {
	f.compiler.mu.Lock()
	f.compiler.stats.Limited++
	f.compiler.mu.Unlock()
	e.Limit = fmt.Sprintf("the limit of %d graphs a function is reached", s.RecompileLimit)
	if e.Graphs < s.RecompileLimit {
		e.Limit = fmt.Sprintf("the limit of %d graphs a model is reached (%d of this function)", s.AccumulatedLimit, e.Graphs)
	}
	if s.Explain != nil && f.said.CompareAndSwap(false, true) {
		s.Explain(e)
	}
	if s.OnError == Fail {
		return &CompileError{f.name, e.explained(), fmt.Errorf("%s", e.Limit)}
	}
	return nil
}

func (c *Compiler) count(e Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.Time += e.Took
	if e.Err != nil {
		c.stats.Errors++
		return
	}
	c.stats.Reasons[reason(e.Guard)]++
	c.graphs.Add(1)
}

// compile traces the body and takes the graph through the passes. A panic in a pass is a
// compile error too: the call can still run eagerly.
func (f *Func) compile(in []*Array, t target) (p *Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, fault(r)
		}
	}()
	g, err := trace(f.body, in)
	if err != nil {
		return nil, err
	}
	if f.batch != "" {
		if err := g.independent(f.batch); err != nil {
			return nil, err
		}
	}
	optimise(g, t, nil)
	return &Program{graph: g, plan: g.plan}, nil
}

// Dump traces the function for operands of these shapes and shows the graph after each
// pass. It compiles nothing that a call would use.
func (f *Func) Dump(level kernel.Level, in []*Array, show func(stage, text string)) error {
	g, err := trace(f.body, in)
	if err != nil {
		return err
	}
	optimise(g, target{level, FP32}, show)
	return nil
}
