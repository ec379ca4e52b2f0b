// Package analyze finds out what the queries of a project mean, without a database: the names, types and nullability of
// every model's columns, where their values come from, and everything that can be said to be wrong before it runs.
//
// The data goes one way. [Analyze] takes a read project in its topological order. Each model's query is bound by a binder
// of its own: names are resolved against the shapes of what it reads (scope.go, names.go), expressions are typed by
// DuckDB's rules (expression.go, cast.go, combine.go) and DuckDB's catalogue of functions (functions.go, results.go),
// constants that DuckDB computes while it binds are computed as far as something depends on them (constant.go), and every
// output column collects the input columns that reach it (lineage.go). The result of the binder is published as the
// shape that readers of the model bind against. Declared columns (contract.go) and predictions (predict.go, leak.go) are
// checked on the shape of the query before it is published.
//
// Invariants:
//
//   - DuckDB 1.5 is the referee: where a type is known, it is what DESCRIBE says of the same query; where a problem is
//     reported, DuckDB refuses the query too, or would refuse it at the first row, or the rule is norn's own and says so.
//   - What is not understood is Unknown: it fits everything in silence and is noted in [Model.Skips],
//     with its place and a reason (skip.go, reasons.go), and counted in [Model.Unanalysed].
//   - One mistake is one problem. A wrong column poisons only itself; what cannot be checked because of it is counted in
//     [diag.Problem.Cascade] of the mistake.
//   - A column is not nullable only when that is proven: by literals, by operators that keep values, by enforced
//     contracts, which a build holds the rows to before it publishes them, by seeds. Audits prove nothing, because they look at
//     rows after the fact.
//   - The result depends on the project alone, not on the number of workers or on who finished first, nor on what is known
//     from an earlier analysis (record.go, recall.go). Whatever binding a model learns about another one goes through
//     analysis.see, so that a record knows what it depends on. The same holds for the error when a model fails.
package analyze

import (
	"context"
	"runtime"
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// A Family is what a kind of predictor can do. Families are handed in as data; this package knows no predictor.
type Family struct {
	Name       string   // as written behind model in a predict block, such as tabicl-v2
	Tasks      []string // classification, regression
	MaxClasses int      // 0: no limit
}

// Options say how to analyse.
type Options struct {
	Families []Family
	// Workers bounds the goroutines that bind models; 0 means one for each processor that Go uses, at most eight. The result
	// does not depend on it.
	Workers int
	// Schedule is the order in which models are bound. The result does not depend on it either.
	Schedule Schedule
	// Discard says that the caller needs neither the trees and texts of the project after the analysis nor the columns of its
	// models at hand: as soon as a model is bound, the first are let go and the second packed ([Model.Expand]). A large project
	// holds on to a fraction then. The project is not to be built afterwards.
	Discard bool
	// Lineage asks for origins and uses even with Discard. Without Discard they are always there.
	Lineage bool
	// Recall returns the record that an earlier analysis made of a model ([Model.Record]), by its name; nil when there is none. It
	// must have been made with an equal configuration, target and families, and the project must have been loaded with
	// [project.Options.Memory]. The result is the same with and without. Recall is called from several goroutines at once.
	Recall func(name string) *Record
	// Held tells of a model, by name, that its record is to be taken as it is, without asking whether it still holds: what it reads is
	// not all there ([project.Part]). Problems of such models are not said. Nil: none is.
	Held func(name string) bool
	// Extra finds more problems in a model that was bound; they are kept with its record. Salt stands for what it does: a record
	// that was kept with another one is not used. Extra is called from several goroutines at once. Nil finds nothing.
	Extra func(ctx context.Context, m *project.Model, out *Model) ([]*diag.Problem, error)
	Salt  string
}

// A Schedule is an order in which to bind models.
type Schedule uint8

// Dataflow binds a model as soon as what it reads is bound, those with the longest chain behind them first. Waves binds level
// by level on one goroutine; it is the reference.
const (
	Dataflow Schedule = iota
	Waves
)

// A Result is what a project means.
type Result struct {
	// Models are sources, seeds and functions that yield rows, by name, then models in the project's order: producers before readers.
	Models []*Model
	// Problems are sorted by place.
	Problems []*diag.Problem
	// Asides are what was not understood of functions and hooks, unit tests and audits.
	Asides []*Aside
	// Recalled counts the models that were taken from records and not bound ([Options.Recall]).
	Recalled int

	// Unrecorded counts the unit tests and audits that were checked and left no record, so that they are checked each time.
	Unrecorded int

	byName       map[string]*Model
	testProblems map[*project.Test][]*diag.Problem
	testPaths    []string
	testRecords  []*Record
}

// TestProblems are those of one unit test; they are among Problems too.
func (r *Result) TestProblems(t *project.Test) []*diag.Problem { return r.testProblems[t] }

// Model returns what is known about a source, seed or model, without regard to case.
func (r *Result) Model(name string) (*Model, bool) {
	m, ok := r.byName[fold(name)]
	return m, ok
}

// A Model is what is known about a node of the project.
type Model struct {
	Name string
	// Kind is source, seed, function, view, table, incremental, snapshot, custom or prediction.
	Kind    string
	File    string // as diag shows it; "" where a node has no file of its own
	Columns []Column
	// Open is set when there may be columns that are not listed; OpenInput names the relation because of which.
	Open      bool
	OpenInput string
	// Upstream are the names of what the query reads directly, sorted.
	Upstream []string
	// Uses are the upstream columns that decide which rows there are or how they are ordered, without reaching a column.
	Uses []Use
	// Unanalysed counts the expressions and relations that norn did not understand. Skips are these, by place, up to a bound.
	Unanalysed int
	Skips      []Skip
	// Wanted are columns of open relations in Upstream that the query names, by relation: what somebody who declares them has to begin
	// with. Their types are not known.
	Wanted []Wish
	// Prediction says what a predict block comes to; nil for all other models.
	Prediction *Prediction

	shape  *shape
	record *Record    // packed form, when one was made
	packed bool       // only record knows the columns
	file   *diag.File // of columns' spans
}

// Column returns a column by name, without regard to case.
func (m *Model) Column(name string) (*Column, bool) {
	f := fold(name)
	i := slices.IndexFunc(m.Columns, func(c Column) bool { return fold(c.Name) == f })
	if i < 0 {
		return nil, false
	}
	return &m.Columns[i], true
}

// A Column is an output column.
type Column struct {
	Name string
	// Type is written as DuckDB's DESCRIBE does; "" when it is not known.
	Type string
	// QueryType is the type the query gives where a declared column is cast to another (Type); "" when there is no cast.
	QueryType string
	Nullable  bool
	// Transform is the strongest step between the origins and the column; Constant when nothing reaches it.
	Transform Transform
	// Origins are the columns of the relations in Upstream whose values reach this one, by relation and column.
	Origins []Origin
	// Span is where the column is defined.
	Span diag.Span
}

// An Origin is a column of a relation that a model reads directly, and what happens to its values on the way. [Result.Sources]
// follows origins to the end.
type Origin struct {
	Model     string
	Column    string
	Transform Transform
	// Condition is set when the column only decides which other value is taken, as in CASE WHEN it THEN other END.
	Condition bool
}

// A Use is an upstream column that a query uses other than for a value of its output.
type Use struct {
	Model  string
	Column string
	Kind   UseKind
}

// A Prediction is what the predict block of a model comes to.
type Prediction struct {
	Target  string
	Keys    []string
	AsOf    string
	Task    string // classification or regression
	Family  string // the family's name, or the path of a file of weights
	Classes int    // the most classes the family takes; 0: no limit or not known
	// Features are the names of the columns of the query that the predictor reads, in order.
	Features []string
	// Query are the columns of the query itself, which the build runs; Model.Columns are those of the prediction.
	Query []Column
}

// Analyze finds out what a project means, and what is wrong with its unit tests. Mistakes are in the result; the error is the end of the context or a bug of norn.
func Analyze(ctx context.Context, p *project.Project, o Options) (r *Result, err error) {
	defer diag.Recover(&err)
	if o.Workers <= 0 {
		o.Workers = min(runtime.GOMAXPROCS(0), 8)
	}
	a := newAnalysis(p, o)
	if err := a.bindAll(ctx, o.Schedule); err != nil {
		return nil, err
	}
	if err := a.checkFunctions(ctx); err != nil {
		return nil, err
	}
	if err := a.checkStatements(ctx); err != nil {
		return nil, err
	}
	if err := a.checkTests(ctx); err != nil {
		return nil, err
	}
	return a.result(), nil
}

// Sources follows a column to the columns of sources and seeds (and of models whose shape is open) that reach it, by
// relation and column.
func (r *Result) Sources(model, column string) []Origin {
	return sourcesOf(r.Model, model, column)
}

// sourcesOf is Sources over any way to find a model by name.
func sourcesOf(find func(string) (*Model, bool), model, column string) []Origin {
	type key struct{ model, column string }
	best := map[key]Origin{}
	var visit func(model, column string, how Transform, cond bool)
	visit = func(model, column string, how Transform, cond bool) {
		k := key{fold(model), fold(column)}
		if seen, ok := best[k]; ok && seen.Transform >= how && (!seen.Condition || cond) {
			return
		} else if ok {
			how, cond = max(how, seen.Transform), cond && seen.Condition
		}
		best[k] = Origin{model, column, how, cond}
		m, ok := find(model)
		if !ok {
			return
		}
		if c, ok := m.Column(column); ok {
			best[k] = Origin{m.Name, c.Name, how, cond}
			for _, o := range c.Origins {
				visit(o.Model, o.Column, max(how, o.Transform), cond || o.Condition)
			}
		}
	}
	visit(model, column, Direct, false)
	var out []Origin
	for _, o := range best {
		m, ok := find(o.Model)
		if !ok {
			continue
		}
		_, listed := m.Column(o.Column)
		if m.Kind == "source" || m.Kind == "seed" || m.Kind == "function" || !listed && m.Open {
			out = append(out, o)
		}
	}
	slices.SortFunc(out, compareOrigins)
	return out
}
