package analyze

import "github.com/norn-data/norn/internal/sql"

// spare keeps the working memory of SELECT blocks between blocks. A block's items and the columns it uses are dead once its
// shape is published; without reuse they are a third of all memory that binding a project asks for. Blocks nest, so there
// is a stack of each. A worker has one spare, and a binder without one works with a nil spare.
type spare struct {
	items [][]item
	bare  [][]bareColumn
	trees sql.Room // for the tree of the model that is bound, where it is made again
}

// take returns empty working memory.
func (s *spare) take() ([]item, []bareColumn) {
	if s == nil || len(s.items) == 0 {
		return nil, nil
	}
	last := len(s.items) - 1
	items, bare := s.items[last], s.bare[last]
	s.items, s.bare = s.items[:last], s.bare[:last]
	return items, bare
}

// give takes working memory back. What is in it is cleared, so that a worker does not keep trees alive.
func (s *spare) give(items []item, bare []bareColumn) {
	if s == nil {
		return
	}
	clear(items)
	clear(bare)
	s.items, s.bare = append(s.items, items[:0]), append(s.bare, bare[:0])
}
