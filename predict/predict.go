// Package predict fills in what a table does not say: it runs published tabular in-context models, TabICLv2 and Kumo
// Tabular, inside a Go program, without Python and without a server.
//
// Such a model is not trained. Rows whose answer is known are shown to it once, and from then on it answers for rows whose
// answer is not. The way through this package is as short:
//
//	model, err := predict.Open(ctx, "")                                  // the built-in demo, a pulled name, or a file
//	table, err := predict.NewTable(                                      // rows that teach, by column
//		predict.Values("plan", []string{"basic", "pro", "basic"}),
//		predict.Values("months", []int64{3, 40, 12}),
//		predict.Values("churned", []bool{true, false, false}))
//	taught, err := model.Fit(ctx, table, "churned", predict.Options{})   // immutable, for any number of goroutines
//	answer, err := taught.Predict(ctx, others)                           // labels, probabilities, quantiles
//	err = taught.Save(ctx, "churn.context")                              // and model.Load brings it back
//
// A [Table] is named columns of one length, made from Go slices. Any cell may be missing: NaN, the zero time, or whatever a
// mask of [Column.Missing] says. In the table that teaches, the rows with a value in the target teach and the others are left
// out. In a table to predict, columns are found by name, without regard to case and in any order; a column that did not teach
// is not used and said so, a missing one is an error that names it.
//
// What is asked follows from the target's values: text and booleans are classes, whole numbers with at most ten different
// values too, and other numbers are a quantity; [Options] can say it instead. Labels come back as they were given, a bool as
// a bool, beside a probability for every class. A quantity comes back as quantiles, mean, median and variance.
//
// # Promises
//
// The same table, options and weights give the same answer, to the last bit, whatever the number of threads, the memory
// budget, the cache, or the rows that are asked together; through a file and back as well. With the options left as they are
// answers equal those of the models' own Python packages within 1e-4 of a probability or of the target's standard deviation.
//
// A [Model] and a [Context] never change and need no lock. A context.Context that ends stops the work within moments. A
// memory budget is kept or refused before the work starts; nothing is written but what [Context.Save] names, and nothing
// here uses the network: norn pull downloads weights.
//
// # Errors
//
// What is wrong with a table or an option is a [*Problem], with a code that stays and the next step in words; several are
// joined. What the world did, such as a file that is not there, is any other error, and a cancelled context is its own.
//
//	var problem *predict.Problem
//	if errors.As(err, &problem) && problem.Code == "E1611" { … }
//
// # Limits
//
// The built-in model is a demo, trained on small synthetic tables, so that a first try needs no download: see
// [Info.ModelNote]. The package links no database. It uses C kernels where cgo is on, and Go where it is not.
package predict

import (
	"context"
	"fmt"
	"os"

	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/tabular/hub"
)

// A Model is a name that stands for weights: for classification, for regression, or for both. It is immutable and safe for
// any number of goroutines. Weights are read when a task first needs them, and kept as long as the model.
type Model struct{ models tabular.Models }

// Open finds a model: "" or "demo" is the built-in one; a published name such as "tabicl-v2" or "kumo-tabular-small" is
// weights that norn pull, or a Python tool, has put into the Hugging Face cache (HF_HUB_CACHE, HF_HOME); anything with a
// slash or an ending of weights (.ckpt, .safetensors, .pt, .pth) is a file. Weights are data: no code in them is run, and a
// file that is damaged or of another kind is an error that says where.
func Open(ctx context.Context, name string) (*Model, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // then only the variables say where the cache is
	}
	models, err := tabular.Find(ctx, name, tabular.Places{Hub: hub.FromEnvironment(os.Getenv, home).Cache})
	if err != nil {
		return nil, told(err)
	}
	return &Model{models}, nil
}

// Name is the name that the model was opened with; "demo" for the built-in one.
func (m *Model) Name() string { return m.models.Name }

// Tasks lists what the model does: "classification", "regression", or both.
func (m *Model) Tasks() []string {
	var tasks []string
	for _, t := range m.models.Tasks() {
		tasks = append(tasks, string(t))
	}
	return tasks
}

// Fit shows the model the rows of a table that have a value in the target column. All other columns are features, but for
// those that the options drop. The table is not kept, unless the memory budget or the cache "none" make the members learn
// again for each prediction.
//
// Tables that no answer could be trusted on are refused: a target with one value, labels that are all different, a column of
// free text, an infinite number, an answer that an earlier prediction wrote into the table.
func (m *Model) Fit(ctx context.Context, table *Table, target string, o Options) (*Context, error) {
	spec := fitted.Spec{Target: target, Drop: o.Drop, Task: tabular.Task(o.Task), Options: o.settings(), Holdout: fitted.HoldoutSize{Off: true}}
	if err := o.checkTask(); err != nil {
		return nil, err
	}
	draft, err := fitted.Prepare(ctx, m.models, spec, table.frame)
	if err != nil {
		return nil, told(err)
	}
	c, notes, err := draft.Teach(ctx)
	if err != nil {
		return nil, told(err)
	}
	return &Context{c, notes}, nil
}

// Load reads a context that [Context.Save] or norn fit wrote. The model must hold the weights of the fit, whose digest is in
// the file; a file of these weights in another format will do. All bytes are checked against the file's own checksum, and
// stay where they are, mapped into memory where the system can.
//
// Of the options Threads, Memory and Levels apply; all others were settled by the fit, and setting one is refused.
func (m *Model) Load(ctx context.Context, path string, o Options) (*Context, error) {
	if name := o.settled(); name != "" {
		return nil, &Problem{Code: badOption, Message: fmt.Sprintf("the option %s was settled by the fit whose context is loaded", name), Help: "leave it out, or fit again"}
	}
	stored, err := fitted.Open(ctx, path)
	if err != nil {
		return nil, told(err)
	}
	c, err := stored.Restore(ctx, m.models, tabular.Options{Threads: o.Threads, Memory: o.Memory, Levels: o.Levels})
	if err != nil {
		return nil, told(err)
	}
	return &Context{context: c}, nil
}
