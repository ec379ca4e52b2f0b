// Package tensor runs neural networks that are written once, as Go code over [Ops].
//
// A model asks an Ops for a product, a norm, an attention, and is handed an opaque [Value].
// Given an executor that computes at once ([Eager]) the model runs; given one that only
// writes down what it is asked, the same code is traced into a graph. Two rules make both
// possible. First, axes have names. [Rows], [Query], [Features], [Members] and
// [Tokens] are dynamic: their size is a property of a run, model code cannot read it and so
// cannot branch on it. All other axes, the last (unnamed) one above all, are static: their
// width is a plain number, known when the model was built. Second, names say what operands
// have in common: an axis that two operands share is the same axis, one that an operand
// lacks is repeated, whatever the order in memory. No transposed copies are needed.
//
// Around the model stands its driver, ordinary Go that knows the sizes. It holds a [Run]:
// the threads and the memory of one call. [Run.Split] cuts a dynamic axis into pieces, and
// each piece goes through the model on one core, in memory that stays in that core's cache
// and is reused from layer to layer. There is no barrier inside a piece and no spinning
// between pieces: a free core takes the next one. A run that keeps more cores busy than its
// share leaves one to another run within a few milliseconds, so a small call is not stuck
// behind a large one.
//
// A driver does not call model code itself: it calls a [Func] of the model's [Compiler]. The
// first call traces the function, takes the graph through the passes (constants fold, what
// nobody reads goes, weights get their layout, row-wise neighbours become groups that run
// block by block in the nearest cache, every value gets its place in memory, in symbolic
// sizes) and keeps the [Program]. Later calls find it by a guard on the kernels, the
// precision, and the axes and static widths of the operands. No size of a dynamic axis, no
// stride and no number of pieces is ever guarded, so one Program serves every table. A
// Program calls the operations of the eager executor one by one: where a call runs eagerly
// instead, past a limit or by choice, it gives the same bits. What such a call may use
// ([Settings]) travels in the context and is seen by that call alone; large batches are
// cut when they run, by the budget of that run.
//
// Invariants:
//
//   - A Program and the eager code it was traced from give the same bits.
//   - A row's answer is the same bits whatever piece, thread or batch computes it: every kernel sums in one fixed order.
//   - No operation makes a tensor of scores between all rows and all rows: attention runs over its keys in one pass.
//   - All settings live in a Run, none in the package. Runs may overlap; all they share is the process's cores, which they
//     leave to each other between kernel calls (cores.go).
//   - A context that ends stops a run at its next kernel call; long kernel calls are cut into short ones.
//   - A panic inside a piece becomes an error of the run ([Fault]); the process and other runs go on.
package tensor

import (
	"fmt"
	"strings"
)

// Axis names an axis. The empty name is the channel axis, which is last, static and
// contiguous in every Value.
type Axis string

// The dynamic axes. Tokens is what a [Ops.Concat] makes of features and a few static
// positions.
const (
	Rows     Axis = "rows"     // rows that carry a label
	Query    Axis = "query"    // rows that ask for one, and any piece of rows that looks at others
	Features Axis = "features" // columns of the table
	Members  Axis = "members"  // ensemble members
	Tokens   Axis = "tokens"   // what a row is made of
)

// Static axes that the operations themselves introduce.
const (
	Channels Axis = ""
	Heads    Axis = "heads"
)

// Dynamic reports whether the size of the axis belongs to a run rather than to the model.
func (a Axis) Dynamic() bool {
	switch a {
	case Rows, Query, Features, Members, Tokens:
		return true
	}
	return false
}

// Unknown is the size of a dynamic axis in a [Shape].
const Unknown = -1

// Dim is one axis with its size. In the Shape of a Value the size of a dynamic axis is
// Unknown.
type Dim struct {
	Axis Axis
	Size int
}

// Shape lists axes from outermost to innermost; the channel axis is last.
type Shape []Dim

// String writes a shape as [rows, features, 32].
func (s Shape) String() string {
	parts := make([]string, len(s))
	for i, d := range s {
		switch {
		case d.Axis == Channels:
			parts[i] = fmt.Sprint(d.Size)
		case d.Size == Unknown:
			parts[i] = string(d.Axis)
		default:
			parts[i] = fmt.Sprintf("%s:%d", d.Axis, d.Size)
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// Value is a tensor as a model sees it: it has a shape and nothing else. Only the Ops that
// made it can look inside, with one exception: an [Array] is a Value for every Ops, as a
// constant or an input.
type Value interface {
	Shape() Shape
}

// AxisError says that operands do not fit: our own mistake in a model or a driver, named
// with its line.
type AxisError struct {
	Op      string // the operation, such as "Linear"
	Problem string
	Line    string // file:line of the code that asked for it
}

func (e *AxisError) Error() string {
	return fmt.Sprintf("tensor: %s at %s: %s", e.Op, e.Line, e.Problem)
}
