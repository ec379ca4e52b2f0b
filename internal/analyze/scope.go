package analyze

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// value is what the binder knows about an expression.
type value struct {
	typ    typ
	null   bool // may be NULL; false only when proven
	void   bool // NULL in every row
	agg    bool // contains an aggregate of the query it stands in
	win    bool // contains a window function of it
	fixed  bool // a constant
	folds  bool // an expression without columns, which DuckDB computes while it binds; never of a column
	yields bool // DuckDB may take it for a NULL while it binds, and a text that is NULL fits everything; never of a column
	reach  reach
	poison *diag.Problem // the mistake because of which nothing is known
}

// unknown is the value of something that was not understood; it fits everything.
func unknown() value { return value{null: true} }

// poisoned is the value of something wrong: it fits everything, and what fails because of it is counted under the mistake.
func poisoned(p *diag.Problem) value { return value{null: true, poison: p} }

// column is a column of a relation.
type column struct {
	name, fold string
	value
	span     sql.Range  // where it is defined, in the file of the query that defines it
	misnamed *misnaming // set when the name itself is a mistake
}

// shape is the list of columns of a relation. It is never changed once it is published.
type shape struct {
	cols  []column
	index []int32 // hash table over folded names for wide shapes: positions plus one, 0 is free
	open  bool    // there may be columns that are not listed
	// openBy is the relation because of which the shape is open; poison the mistake, when that is the reason.
	openBy string
	poison *diag.Problem
	// grouped is set where each row stands for several of what the query reads.
	grouped bool
	rows    rowFacts // what decides which rows there are, see presence.go
}

// indexed is the width from which a hash table beats looking at every name.
const indexed = 9

// slot is where the search for a folded name begins in a table whose length is a power of two (FNV-1a).
func slot(f string, table []int32) int {
	h := uint32(2166136261)
	for i := range len(f) {
		h = (h ^ uint32(f[i])) * 16777619
	}
	return int(h^h>>15) & (len(table) - 1)
}

// seal prepares the shape for look-ups. It must be called before the shape is shared.
func (s *shape) seal() *shape {
	if len(s.cols) >= indexed && s.index == nil {
		// At most half full. Of several columns of one name the first one is found first.
		s.index = make([]int32, 1<<bits.Len(uint(2*len(s.cols)-1)))
		for i := range s.cols {
			at := slot(s.cols[i].fold, s.index)
			for s.index[at] != 0 {
				at = (at + 1) & (len(s.index) - 1)
			}
			s.index[at] = int32(i + 1)
		}
	}
	return s
}

// find returns the position of the first column of that folded name, or -1.
func (s *shape) find(fold string) int {
	if s.index != nil {
		for at := slot(fold, s.index); s.index[at] != 0; at = (at + 1) & (len(s.index) - 1) {
			if i := int(s.index[at] - 1); s.cols[i].fold == fold {
				return i
			}
		}
		return -1
	}
	for i := range s.cols {
		if s.cols[i].fold == fold {
			return i
		}
	}
	return -1
}

// names lists the columns for a message: those whose name is a mistake itself are no advice to anybody.
func (s *shape) names() []string {
	names := make([]string, 0, len(s.cols))
	for i := range s.cols {
		if s.cols[i].misnamed == nil {
			names = append(names, s.cols[i].name)
		}
	}
	return names
}

// relation is a shape in a FROM clause, under a name.
type relation struct {
	name, fold string
	schema     string // folded, where the query names it
	altFold    string // a second name it answers to: a source's name beside its table's
	shape      *shape
	trails     []trail // of a relation of the project: one a column; nil where nobody wants lineage
	base       *base   // the relation of the project, nil when derived
	number     int32   // its number
	padded     bool    // an outer join may fill its columns with NULL
	span       sql.Range
	loose      bool // named with its schema, which may tell it from another of its name
	aliased    bool // under a name that the query gave it
	counted    bool // a function of constants WITH ORDINALITY
	single     bool // a function that yields plain values: its name means the value
	// Of columns merged by USING: hidden ones are reached by their qualified name only, merged ones have another value
	// under the plain name.
	hidden map[int]bool
	merged map[int]value
	// joined are the columns that USING joins by. Their plain name means them, whatever else has it.
	joined []int
	peers  map[int][]typ // the types of the columns that became one with a column here
	guards []guard       // the sets of rows its columns came through, see presence.go
}

// value is the value of a column under its qualified name.
func (r *relation) value(i int) value {
	v := r.shape.cols[i].value
	if r.base != nil {
		// What the column is made of in its own model is nothing to this one.
		guards := v.reach.guards()
		v.reach = reach{}
		if r.trails != nil {
			v.reach.from = &r.trails[i]
		}
		if len(guards) > 0 {
			v.reach = v.reach.through(guards)
		}
	}
	if len(r.guards) > 0 {
		v.reach = v.reach.through(joinGuards(v.reach.guards(), r.guards))
	}
	if r.padded {
		v.null = true
	}
	return v
}

// plain is the value of a column under its plain name.
func (r *relation) plain(i int) value {
	if v, ok := r.merged[i]; ok {
		return v
	}
	return r.value(i)
}

// answers reports whether a qualifier means this relation.
func (r *relation) answers(fold string) bool {
	return r.fold == fold || r.altFold == fold && fold != ""
}

// scope is the relations a name is looked for in, with the scope of the query around it.
type scope struct {
	rels  []*relation
	outer *scope
	left  bool // they are those to the left in FROM, of a subquery or a function there
	// around is set on the empty scope between a query in an expression and the block that expression stands in: behind the columns of
	// that block come the names of its select list.
	around *env
}

// place is a column of a relation of a scope.
type place struct {
	rel *relation
	col int
}

// found is the answer to a plain name: how many places have it, the first two of them, and an open relation that might.
type found struct {
	count         int
	first, second place
	open          *relation
}

// lookup finds a plain name at one level.
func (s *scope) lookup(fold string) (f found) {
	for _, r := range s.rels {
		if i := r.shape.find(fold); i >= 0 && !r.hidden[i] {
			switch f.count {
			case 0:
				f.first = place{r, i}
			case 1:
				f.second = place{r, i}
			}
			f.count++
		} else if r.shape.open && f.open == nil {
			f.open = r
		}
	}
	if f.count > 1 {
		s.preferJoined(fold, &f)
	}
	return f
}

// preferJoined settles a name that several relations have on the one column among them that USING joins by, if there is one.
func (s *scope) preferJoined(fold string, f *found) {
	var joined []place
	for _, r := range s.rels {
		if i := r.shape.find(fold); i >= 0 && !r.hidden[i] && slices.Contains(r.joined, i) {
			joined = append(joined, place{r, i})
		}
	}
	if len(joined) == 1 {
		f.count, f.first = 1, joined[0]
	}
}

// selfJoin reports that a scope has nothing but one open relation several times: then whatever column there is, every one of
// them has it.
func (s *scope) selfJoin(open *relation) (f found, ok bool) {
	if open.base == nil || len(s.rels) < 2 {
		return f, false
	}
	for _, r := range s.rels {
		if r.base != open.base {
			return f, false
		}
	}
	return found{count: 2, first: place{rel: s.rels[0]}, second: place{rel: s.rels[1]}}, true
}

// answersTo reports whether a relation of this query alone has the name.
func (s *scope) answersTo(fold string) bool {
	for _, r := range s.rels {
		if r.answers(fold) {
			return true
		}
	}
	return false
}

// relation finds a relation by name, here or around.
func (s *scope) relation(fold string) *relation {
	for ; s != nil; s = s.outer {
		for _, r := range s.rels {
			if r.answers(fold) {
				return r
			}
		}
	}
	return nil
}

// hasOpen reports whether any relation, here or around, has columns that are not known.
func (s *scope) open() *relation {
	for ; s != nil; s = s.outer {
		for _, r := range s.rels {
			if r.shape.open {
				return r
			}
		}
	}
	return nil
}

// fold is the form in which names are compared: DuckDB ignores case even in quotes, but that of the letters of ASCII only.
func fold(name string) string {
	for i := range len(name) {
		if 'A' <= name[i] && name[i] <= 'Z' {
			return strings.Map(func(r rune) rune {
				if 'A' <= r && r <= 'Z' {
					r += 'a' - 'A'
				}
				return r
			}, name)
		}
	}
	return name
}
