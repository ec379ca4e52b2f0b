package tabular

import (
	"context"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/tabular/kumo"
	"github.com/norn-data/norn/internal/tabular/prep"
	"github.com/norn-data/norn/internal/tabular/weights"
)

// How a family of networks plugs in.
//
// A family is an architecture together with the recipe that its publishers use it with: how columns become numbers, what
// the members of the ensemble see, how their outputs become one answer. Everything that is the same for all families
// stands in this package and calls the interfaces below: labels and their classes, the memory plan, batches of query rows,
// members side by side or in turn, progress, reading weights and writing a fitted state. The way through them:
//
//	weights file → families (recognises, load) → network → fit → recipe → teach → member → ask
//	                                                         recipe → encode → encoded ↗      ↘ tally → Answer
//
// There are two: TabICL (tabiclfamily.go, folders tabicl and prep) and Kumo Tabular (kumofamily.go, folders kumo and
// kumo/recipe). A third is one file beside these, because a folder of its own, such as tabicl, knows nothing of this package:
//
//  1. Write the forward pass in a folder of its own, over package tensor, with a Fit that keeps what query rows look at.
//  2. Write four types here, as the two files do: a network that holds the loaded weights, a recipe that holds what one
//     fit learnt from the columns, a member that holds one context, and a tally that averages. What the recipe encodes is
//     its own affair: the estimator carries an encoded batch from encode to ask and looks at its number of rows only. A
//     mean that needs all members at once (a trimmed one) keeps their outputs in its tally and counts them in sizes.
//  3. Add an entry to families. load keeps nothing of the file's bytes, which may be mapped and go when it returns: it may
//     look at them (weights.Tensor.View32), and what it keeps it copies (Float32) or packs. recognises looks at the names of
//     the tensors and at the config, never at the file's name: people rename files. A file without a config, a bare state
//     dict, is told by a tensor that only its architecture has. load gets the path for what no tensor tells (which of its
//     published sizes a network has), and refuses where the path does not tell it either.
//  4. For context files write save on recipe and member, restore on the network and restoreMember on the recipe. A member
//     is restored around arrays that may be mapped from a file: they are only ever read.
//
// Rules that the estimator relies on and tests hold: a network, a recipe and a member are immutable and safe for any
// number of goroutines; a row's answer depends neither on the rows beside it nor on budget, threads or cache.
var families = [...]struct {
	name       string
	recognises func(f *weights.File) bool
	load       func(f *weights.File, path string) (network, error)
}{
	{"TabICL", isTabICL, loadTabICL},
	{"Kumo Tabular", kumo.Recognises, loadKumo},
}

// loadNetwork gives the network of the family that a file's content names.
func loadNetwork(f *weights.File, path string) (network, error) {
	for _, family := range families {
		if family.recognises(f) {
			return family.load(f, path)
		}
	}
	// Most files without a mark of any family lack a config, and the first family says so best.
	return families[0].load(f, path)
}

// A network is a loaded set of weights.
type network interface {
	// traits say what the weights are.
	traits() traits
	// fit learns from the columns of the rows that teach and from their target: the preprocessing, and who the members are.
	// It runs nothing of the network.
	fit(ctx context.Context, train []prep.Column, target prep.Target, o Options) (recipe, error)
	// restore makes a recipe from what it saved.
	restore(s *saved, o Options) (recipe, error)
}

// traits are what a user may want to know of weights, and what the plan of a fit needs to.
type traits struct {
	Family      string // the architecture as its publishers name it
	Task        Task
	Parameters  int64 // numbers stored in the file
	MaxClasses  int   // classification: classes told apart in one go
	MostClasses int   // classification: classes answered for by a detour
	ManyClasses Detour
	Quantiles   int // regression: outputs of the head
}

// A recipe is what one fit learnt from the columns.
type recipe interface {
	// members is the size of the ensemble: fewer than were asked for where fewer differ.
	members() int
	// features is the number of columns that the network sees.
	features() int
	// classes is the number of classes of a classification; 0 for regression.
	classes() int
	// notes say what is worth telling about the columns.
	notes() []prep.Note
	// sizes are the memory that a plan takes.
	sizes(s shape) sizes
	// contextBytes is what all members' contexts will keep, to the byte, under the cache full or compact.
	contextBytes(c Cache) (int64, error)
	// teach makes the context of member i.
	teach(ctx context.Context, i int, t teaching) (member, error)
	// encode makes numbers of query rows, whose columns are found by name.
	encode(ctx context.Context, query []prep.Column) (encoded, error)
	// tally averages the members' answers for so many query rows.
	tally(rows int) tally
	// save adds what restore needs, and needs no rows that taught.
	save(s *saved) error
	// restoreMember makes the context of member i from what it saved.
	restoreMember(i int, s *saved, t teaching) (member, error)
}

// teaching is how one member is taught.
type teaching struct {
	threads int
	budget  int64 // bytes for its context and for the work beside it
	cache   Cache
}

// A member is one taught context.
type member interface {
	// ask gives the network's outputs [rows, outputs] for a batch, with so many threads.
	ask(ctx context.Context, batch encoded, threads int) (prep.Matrix[float32], error)
	// bytes is the memory of the context.
	bytes() int64
	// save adds the context to a state, as member i, and what it keeps as the state's cache.
	save(i int, s *saved) error
}

// A choir is a recipe whose members can answer for a small batch in one pass, which reads the network's weights once
// instead of once a member.
type choir interface {
	// askTogether gives what ask would of each member, the same bits; nil where one pass is not possible or does not pay.
	askTogether(ctx context.Context, members []member, batch encoded, threads int) ([]prep.Matrix[float32], error)
}

// encoded is a batch of query rows as the recipe encoded it.
type encoded interface{ rows() int }

// A tally averages the members' outputs for a run of query rows. Members are added one after the other in their drawn
// order, each in as many pieces of rows as the caller likes: sums run in the same order whatever the pieces are, so the
// bits of an answer depend neither on batches nor on how many members are held in memory.
type tally interface {
	// next says that a member's outputs follow.
	next()
	// add takes the outputs of member i for the rows from on.
	add(i, from int, out prep.Matrix[float32]) error
	// finish appends the tally's rows to an answer.
	finish(a *Answer)
}

// sizes are the memory that a plan takes, in bytes.
type sizes struct {
	// One member's context with everything that query rows look at, and with what that is made from.
	full, compact int64
	work          int64 // one member's fit beside its context
	prepared      int64 // rows that teach, as numbers
	queryRow      int64 // one query row in a batch, all members at work on it
	encodedRow    int64 // the numbers of one query row, as encode makes them for all members
	answerRow     int64 // what a query row leaves behind for good
	tallyRow      int64 // what a query row leaves until the last member has answered
}

// membersBytes is the memory of all members' contexts.
func membersBytes(members []member) int64 {
	total := int64(0)
	for _, m := range members {
		diag.Assert(m != nil, "a member was never taught")
		total += m.bytes()
	}
	return total
}
