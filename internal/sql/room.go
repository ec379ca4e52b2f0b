package sql

import (
	"slices"

	"github.com/norn-data/norn/internal/diag"
)

// A Room is memory for trees that are needed one at a time: reading thousands of texts for a moment each makes no garbage then. The
// zero Room is ready; it serves one goroutine, and must not be copied.
type Room struct{ mem memory }

// Parse is [Parse] of a tree that is gone with the next call: nothing may hold on to any part of it. What the tree says as text, and
// problems, may be kept. A nil Room gives trees that stay.
func (r *Room) Parse(file *diag.File, start int, d *Dialect) (*Statement, []*diag.Problem) {
	if r == nil {
		return Parse(file, start, d)
	}
	m := &r.mem
	m.plain.rewind()
	m.dotted.rewind()
	m.literals.rewind()
	m.binaries.rewind()
	m.calls.rewind()
	m.casts.rewind()
	m.items.rewind()
	m.args.rewind()
	return newParser(m, file, start, d).parse()
}

// A room allocates more at a time than [slabSize], and holds on to no more pieces than long models need.
const (
	roomSize   = 128
	roomPieces = 64
)

// pieces is memory that a room uses again.
type pieces[T any] struct {
	all  [][]T
	used int // of all
	on   bool
}

// next is a piece of at least n zero values.
func (p *pieces[T]) next(n int) []T {
	for p.used < len(p.all) {
		p.used++
		if piece := p.all[p.used-1]; len(piece) >= n {
			return piece
		}
	}
	piece := make([]T, max(n, roomSize))
	p.all = append(p.all, piece)
	p.used++
	return piece
}

// rewind makes everything zero again.
func (p *pieces[T]) rewind() {
	p.on = true
	for _, piece := range p.all[:p.used] {
		clear(piece)
	}
	if p.used = 0; len(p.all) > roomPieces {
		p.all = slices.Clone(p.all[:roomPieces])
	}
}
