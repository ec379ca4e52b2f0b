package analyze

import (
	"cmp"
	"crypto/sha256"
	"slices"

	"github.com/norn-data/norn/internal/analyze/postgres"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/pack"
)

// A Digest is a SHA-256.
type Digest = [sha256.Size]byte

// A Record is everything an analysis found out about a model, packed. A later analysis takes it as it is when the model would be
// bound to the same: then neither its text nor the shapes it reads are looked at.
//
// What a model reads is its own text and settings, for which Key stands, and what it was told about the relations it asked for.
// The names it asked for are in Asked; their answers are in Key too. So a record holds when asking for the same names again
// gives the same key, and a model whose producer was rewritten to the same columns is not bound again.
type Record struct {
	Key   Digest   // zero: the record cannot be used again
	Asked []string // folded names in order of asking
	// Seen stands for everything that readers of the model can see of it. Zero: it cannot be told, and no reader's record is used.
	Seen Digest
	// Shape, Facts and Said are rows of package pack: what readers bind against, what is said of the model beside it, and the
	// problems found in it.
	// Skips are what was not understood of it, another row, empty for nearly all models.
	Shape, Facts, Said, Skips []byte
	Columns                   int // in Shape
	Unanalysed                int
}

// Size is about how many bytes a record takes when it is packed.
func (r *Record) Size() int {
	n := 2*len(r.Key) + len(r.Shape) + len(r.Facts) + len(r.Said) + len(r.Skips) + 40
	for _, name := range r.Asked {
		n += len(name) + 2
	}
	return n
}

// Pack describes a record to a coder.
func (r *Record) Pack(c *pack.Coder) {
	c.Fixed(r.Key[:])
	c.Texts(&r.Asked)
	c.Fixed(r.Seen[:])
	c.Bytes(&r.Shape)
	c.Bytes(&r.Facts)
	c.Bytes(&r.Said)
	c.Bytes(&r.Skips)
	pack.Number(c, &r.Columns)
	pack.Number(c, &r.Unanalysed)
}

// Problems counts the problems that were found in a model, and the mistakes of others of which something in it is a consequence; ok is
// false when the record is torn or cannot be used again.
func (r *Record) Problems() (found, consequences int, ok bool) {
	if r.Key == (Digest{}) {
		return 0, 0, false
	}
	n, c := &node{}, pack.Read(r.Said)
	// Places are not asked for, so any files do.
	c.Files = []*diag.File{{}, {}}
	packSaid(c, n, sightings{})
	return len(n.found), len(n.follows), c.Done()
}

// A mark is a problem as another run knows it: the model it was found in and its number there. What readers do because of a
// problem follows from which one it is, never from its words.
type mark struct {
	owner  string // folded
	number int
}

// sightings turns problems into marks and back for one model. The zero sightings read a record outside of an analysis, where
// every problem of another model is as good as any.
type sightings struct {
	a    *analysis
	n    *node
	lost *bool // set when a problem belongs to no model that this one asked for; such a record is not used again
}

// mark finds the model that a problem belongs to: this one, or the one that it was told of by.
func (s sightings) mark(p *diag.Problem) (mark, bool) {
	if p == nil {
		return mark{}, true
	}
	// A model has few problems, and fewer readers ask for any of them.
	for i, own := range s.n.found {
		if own == p {
			return mark{fold(s.n.name), i}, true
		}
	}
	// A mistake travels through shapes from model to model; whoever passed it on knows whose it was.
	for _, name := range s.n.asked {
		if from := s.a.nodes[name]; from != nil && s.a.before(from, s.n) {
			if m, ok := from.marks[p]; ok {
				return m, true
			}
		}
	}
	return mark{}, false
}

// problem is the problem of a mark in this run; nil when there is none.
func (s sightings) problem(m mark) *diag.Problem {
	if s.a == nil {
		return &diag.Problem{}
	}
	if from := s.a.nodes[m.owner]; from != nil && m.number >= 0 && m.number < len(from.found) {
		return from.found[m.number]
	}
	return nil
}

// pack writes or reads a problem by its mark and remembers it for readers of the model.
func (s sightings) pack(c *pack.Coder, p **diag.Problem) {
	there := *p != nil
	if c.Truth(&there); !there {
		*p = nil
		return
	}
	var m mark
	if !c.Reading() {
		var ok bool
		if m, ok = s.mark(*p); !ok {
			*s.lost = true
		}
	}
	c.Text(&m.owner)
	pack.Number(c, &m.number)
	if c.Reading() {
		if *p = s.problem(m); *p == nil {
			c.Fail()
			return
		}
	}
	if s.n == nil {
		return
	}
	if s.n.marks == nil {
		s.n.marks = map[*diag.Problem]mark{}
	}
	s.n.marks[*p] = m
}

// The flags of a column in a row.
const (
	flagNull = 1 << iota
	flagVoid
	flagAggregate
	flagWindow
	flagFixed
	flagPoisoned
	flagMisnamed
)

// packShape writes or reads what readers of a model bind against. Of what a column is made of they need nothing: to them it is
// made of itself. The guards of the search for leaks are not packed either; models that it goes through are never recalled.
func packShape(c *pack.Coder, s *shape, see sightings) {
	c.Truth(&s.open)
	c.Text(&s.openBy)
	see.pack(c, &s.poison)
	pack.Slice(c, &s.cols, func(col *column) {
		c.Text(&col.name)
		// Everything that decides how a reader is bound is packed, and nothing else is: each byte here is a reason to bind readers again.
		// Therefore places are not, so that a model may move its text.
		packType(c, &col.typ, 0)
		flags := 0
		for bit, on := range [...]bool{col.null, col.void, col.agg, col.win, col.fixed, col.poison != nil, col.misnamed != nil} {
			if on {
				flags |= 1 << bit
			}
		}
		pack.Number(c, &flags)
		if c.Reading() {
			col.fold = fold(col.name)
			col.null, col.void, col.agg = flags&flagNull != 0, flags&flagVoid != 0, flags&flagAggregate != 0
			col.win, col.fixed = flags&flagWindow != 0, flags&flagFixed != 0
		}
		// Hardly any column is part of a mistake, so the marks of mistakes take no byte where there are none.
		if flags&flagPoisoned != 0 {
			see.pack(c, &col.poison)
		}
		if flags&flagMisnamed != 0 {
			if col.misnamed == nil {
				col.misnamed = &misnaming{}
			}
			see.pack(c, &col.misnamed.mistake)
			c.Texts(&col.misnamed.meant)
		}
	})
}

// maxTypeDepth bounds the nesting of a type in a row.
const maxTypeDepth = 500

// packType writes or reads a type.
func packType(c *pack.Coder, t *typ, depth int) {
	if depth > maxTypeDepth {
		c.Fail()
		return
	}
	pack.Number(c, &t.kind)
	// A kind of another norn would have no name.
	if int(t.kind) >= len(kindNames) {
		c.Fail()
		return
	}
	pack.Number(c, &t.width)
	pack.Number(c, &t.scale)
	foreign := ""
	if t.foreign() {
		foreign = t.more.foreign.Name
	}
	if c.Text(&foreign); foreign != "" {
		// PostgreSQL's types are those of its catalogue, which every run has; only the modifier is the column's own.
		if pack.Number(c, &t.mod); !c.Reading() {
			return
		}
		of := postgres.Lookup(foreign)
		if of == nil || foreignTypes()[of].more == nil {
			c.Fail()
			return
		}
		t.more = foreignTypes()[of].more
		return
	}
	pack.Pointer(c, &t.more, func(n *nested) {
		packType(c, &n.elem, depth+1)
		packType(c, &n.key, depth+1)
		pack.Slice(c, &n.fields, func(f *field) {
			c.Text(&f.name)
			packType(c, &f.typ, depth+1)
		})
		pack.Number(c, &n.size)
		c.Texts(&n.values)
		c.Text(&n.name)
		n.count()
	})
	if pack.Number(c, &t.mod); c.Reading() {
		t.more = sharedForeign(t.kind, t.more)
	}
}

// packFacts writes or reads what is said of a model beside its shape. Lineage is there only where somebody asked for it.
func packFacts(c *pack.Coder, m *Model, lineage bool) {
	c.Text(&m.Name)
	c.Text(&m.Kind)
	c.Text(&m.File)
	c.Text(&m.OpenInput)
	c.Texts(&m.Upstream)
	pack.Number(c, &m.Unanalysed)
	// Origins take more room than all the rest, and a plain check shows none.
	if c.Truth(&lineage); !lineage {
		return
	}
	pack.Slice(c, &m.Uses, func(u *Use) {
		c.Text(&u.Model)
		c.Text(&u.Column)
		pack.Number(c, &u.Kind)
	})
	pack.Slice(c, &m.Columns, func(col *Column) {
		c.Text(&col.QueryType)
		pack.Number(c, &col.Transform)
		pack.Number(c, &col.Span.Start)
		pack.Number(c, &col.Span.End)
		pack.Slice(c, &col.Origins, func(o *Origin) {
			c.Text(&o.Model)
			c.Text(&o.Column)
			pack.Number(c, &o.Transform)
			c.Truth(&o.Condition)
		})
	})
}

// packSaid writes or reads the problems of a model and what follows in it from those of others.
func packSaid(c *pack.Coder, n *node, see sightings) {
	c.Problems(&n.found)
	type consequence struct {
		mark
		of    *diag.Problem
		count int
	}
	var list []consequence
	for p, count := range n.follows {
		m, ok := see.mark(p)
		if !ok {
			*see.lost = true
		}
		list = append(list, consequence{m, p, count})
	}
	// A map has no order, and equal results are equal bytes.
	slices.SortFunc(list, func(x, y consequence) int {
		return cmp.Or(cmp.Compare(x.owner, y.owner), cmp.Compare(x.number, y.number))
	})
	pack.Slice(c, &list, func(f *consequence) {
		see.pack(c, &f.of)
		pack.Number(c, &f.count)
	})
	if c.Reading() && len(list) > 0 {
		n.follows = make(map[*diag.Problem]int, len(list))
		for _, f := range list {
			n.follows[f.of] = f.count
		}
	}
}
