package sql

import "sync"

// memory is what a parser works in and what it makes trees of. It goes from one parser to the next: a project of thousands of
// models needs as many as there are parsers at one time.
type memory struct {
	toks []Token // of the text that is parsed

	items lists[SelectItem]
	args  lists[Arg]

	// The most frequent nodes come out of slabs.
	plain    slab[plainRef]
	dotted   slab[dottedRef]
	literals slab[Literal]
	binaries slab[Binary]
	calls    slab[Call]
	casts    slab[Cast]
}

// plainRef and dottedRef are references of one name and of two, with their names beside them.
type plainRef struct {
	ref  ColumnRef
	name [1]Name
}

type dottedRef struct {
	ref   ColumnRef
	names [2]Name
}

var memories = sync.Pool{New: func() any { return new(memory) }}

// release makes the memory free for the next parser. What was read stays in the buffers until then, since a text is seldom
// shorter than the next by much; entries that were taken off are cleared at once.
func (m *memory) release() {
	m.items.open, m.args.open = m.items.open[:0], m.args.open[:0]
	memories.Put(m)
}

// slabSize is how many nodes are allocated at a time. One allocation costs as much as reading a short expression does, and a slab
// keeps at most the trees of two texts alive that share it.
const slabSize = 32

// slab hands out zero values of one type.
type slab[T any] struct {
	free []T
	room pieces[T]
}

func (s *slab[T]) next() *T {
	if len(s.free) == 0 {
		if s.room.on {
			s.free = s.room.next(1)
		} else {
			s.free = make([]T, slabSize)
		}
	}
	n := &s.free[0]
	s.free = s.free[1:]
	return n
}

func (s *slab[T]) rewind() {
	s.free = nil
	s.room.rewind()
}

// lists holds lists that are not read to their end, the innermost last. A list that is takes its own off in one piece of the right
// length, where one that grew on its own would leave as much memory behind as it is long.
type lists[T any] struct {
	open []T
	free []T
	room pieces[T]
}

// taken cuts the entries from base on off the open lists and returns a copy of them; nil for none.
func (l *lists[T]) taken(base int) []T {
	top := l.open[base:]
	n := len(top)
	if n == 0 {
		return nil
	}
	var list []T
	if l.room.on {
		if len(l.free) < n {
			l.free = l.room.next(n)
		}
		list, l.free = l.free[:n:n], l.free[n:]
	} else {
		list = make([]T, n)
	}
	copy(list, top)
	clear(top)
	l.open = l.open[:base]
	return list
}

func (l *lists[T]) rewind() {
	clear(l.open)
	l.open, l.free = l.open[:0], nil
	l.room.rewind()
}
