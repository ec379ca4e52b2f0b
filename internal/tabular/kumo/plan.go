package kumo

import "github.com/norn-data/norn/internal/tabular/forward"

// Sizes of the pieces that a run is cut into, in floats of one tensor. A piece has about ten
// tensors alive, which should fit in the second-level cache of one core (2 MiB on the machines
// norn was tuned on).
const (
	cellPiece    = 48 << 10 // all columns of a few rows
	columnPiece  = 64 << 10 // a few columns of many rows
	contextPiece = 96 << 10 // in-context stage; larger, because its weights exceed the cache anyway
)

// floatBytes is the size of a number.
const floatBytes = 4

// ContextBytes is what [Context.Bytes] will be for a table of so many rows and features, for
// labels that make so many tasks (1 without codes), and a cache that keeps everything or
// vectors only. Nothing is computed.
func (n *Network) ContextBytes(rows, features, tasks int, cache forward.Cache) int64 {
	c := n.config
	columns := 2 * int64(c.Layers) * int64(features) * int64(c.Inducing) * int64(c.Cell)
	shared := int64(features) * int64(1+2*c.Group)
	return floatBytes*(shared+int64(tasks)*columns) + int64(tasks)*n.keptBytes(rows, cache)
}

// keptBytes is what one task's context keeps of the in-context stage.
func (n *Network) keptBytes(rows int, cache forward.Cache) int64 {
	if cache == forward.CacheCompact {
		return n.vectorBytes(rows)
	}
	return floatBytes * 2 * int64(n.config.Blocks) * int64(rows) * int64(n.config.queryWidth())
}

// vectorBytes is the size of all rows' vectors.
func (n *Network) vectorBytes(rows int) int64 {
	return floatBytes * int64(rows) * int64(n.config.Context)
}

// columnBytes is the size of the keys and values of one column in a layer of the embedding.
func (n *Network) columnBytes(rows int) int64 {
	return floatBytes * 2 * int64(rows) * int64(n.config.Cell)
}

// pieceBytes is about what pieces in flight take: an executor has about twelve tensors of a
// piece's size and rounds them up to a power of two.
func (n *Network) pieceBytes(features, threads int) int64 {
	return floatBytes * int64(threads) * 2 * 12 * max(contextPiece, int64(features+n.config.Readouts)*int64(n.config.Cell))
}

// WorkBytes is what a fit takes beside its context at least: [Network.Fit] refuses a budget
// that does not hold both.
func (n *Network) WorkBytes(rows, features, threads int) int64 {
	vectors := n.vectorBytes(rows)
	// In the in-context stage vectors, their labelled copy, and two generations of keys and
	// values; in the layers before it vectors and one column's keys.
	return max(6*vectors, vectors+n.columnBytes(rows)) + n.pieceBytes(features, threads)
}

// plan says what a fit keeps in memory. Every choice gives the same bits.
type plan struct {
	keepCells bool // tokens of labelled rows between layers, else each layer makes them again
	keepKeys  bool // keys and values of the in-context stage, else each Predict makes them again
	together  int  // columns whose keys are in memory at the same time
}

// plan lays out a fit in its budget.
func (n *Network) plan(rows, features, tasks int, s forward.Settings) (plan, error) {
	full, compact := n.ContextBytes(rows, features, tasks, forward.CacheFull), n.ContextBytes(rows, features, tasks, forward.CacheCompact)
	work := n.WorkBytes(rows, features, s.Threads)
	// Keys of few heads may be smaller than the vectors they are made from.
	p := plan{keepKeys: s.Cache == forward.CacheFull || s.Cache == "" && (full <= compact || full+work <= s.MemoryBudget)}
	kept, cache := compact, forward.CacheCompact
	if p.keepKeys {
		kept, cache = full, forward.CacheFull
	}
	if kept+work > s.MemoryBudget {
		return plan{}, &forward.BudgetError{Budget: s.MemoryBudget, Need: kept + work}
	}
	// The layers come before the in-context stage, so what that will take, and keep of this
	// task, is theirs until then.
	room := s.MemoryBudget - (kept - n.keptBytes(rows, cache)) - n.vectorBytes(rows) - n.pieceBytes(features, s.Threads)
	column := n.columnBytes(rows)
	cells := floatBytes * int64(rows) * int64(features+n.config.Readouts) * int64(n.config.Cell)
	if p.keepCells = cells+column <= room; p.keepCells {
		// The cells are at hand, so few columns at a time cost nothing but must keep all
		// cores busy.
		p.together = int(min(int64(features), (room-cells)/column, int64(2*s.Threads)))
		return p, nil
	}
	// Each group of columns makes the cells again, so groups are as large as there is room.
	p.together = int(max(1, min(int64(features), room/column)))
	return p, nil
}
