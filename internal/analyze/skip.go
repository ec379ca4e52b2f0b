package analyze

import (
	"cmp"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/project/pack"
	"github.com/norn-data/norn/internal/sql"
)

// What the binder does not understand is noted where it stands: at one place once, with the reason, and without what follows from
// it. Nothing is noted, and nothing allocated, where everything is understood.

// A Skip is an expression or a relation that norn did not understand. Nothing is wrong with it as far as norn knows: its type is
// not known, and it fits everything.
type Skip struct {
	Path       string // of the text that its author wrote
	Begin, End diag.Position
	Text       string // the beginning of what stands there, in one line
	Reason     string // one of [Reasons], with a name in the place of …
	Help       string // what can be done about it; "" where that is nothing
	// Input names a relation whose columns are not known, when that is what was not understood: read_csv(…), or a file.
	Input string
	// Opens is set when columns of a relation are not known because of it.
	Opens bool

	number     int    // of the reason
	name       string // in it
	start, end int    // in the text that was bound, where macros are written out; -1 for a place in another file
}

// A Wish is what a query names of a relation whose columns are not all known, other than those that are.
type Wish struct {
	Model   string
	Columns []string // in the order in which the query names them
}

// mostWishes bounds how many columns of one open relation are kept for one model.
const mostWishes = 200

// mostSkips bounds how many skips of one model are kept with their places; the rest is counted. A model that needs more than this
// has one reason many times.
const mostSkips = 100

// longestExcerpt bounds Skip.Text, in characters.
const longestExcerpt = 60

// A skipped is a skip while its model is bound.
type skipped struct {
	why   why
	name  string
	input string
}

// skip marks an expression that the binder does not understand: its type is Unknown, and it is noted, never reported. Names stand in
// the place of the %s of the reason.
func (b *binder) skip(at sql.Range, w why, name ...string) value {
	b.pass(at, w, name...)
	return unknown()
}

// pass notes something that was not understood. What is bound twice is noted once, by its place.
func (b *binder) pass(at sql.Range, w why, name ...string) {
	s := skipped{why: w}
	if len(name) > 0 {
		s.name = name[0]
	}
	b.note(at, s)
}

// passInput notes a relation whose columns are not known before it is read.
func (b *binder) passInput(at sql.Range, w why, name, input string) {
	b.note(at, skipped{w, name, input})
}

func (b *binder) note(at sql.Range, s skipped) {
	if before, ok := b.skipped[at]; ok && (!before.why.follows() || s.why.follows()) {
		return
	}
	if b.skipped == nil {
		b.skipped = map[sql.Range]skipped{}
	}
	b.skipped[at] = s
}

// An authoredFile leads places in what was bound to the text that its author wrote.
type authoredFile interface {
	Locate(problems []*diag.Problem) []*diag.Problem
}

// skips writes out what was not understood of a file, by place, and says how many there are in all. Hooks are statements of any kind,
// of which the queries are bound elsewhere.
func (b *binder) skips(of authoredFile, broken bool, hooks []project.HookCall) (kept []Skip, count int) {
	if len(b.skipped)+len(hooks) == 0 {
		return nil, 0
	}
	places := make([]sql.Range, 0, len(b.skipped))
	for at := range b.skipped {
		places = append(places, at)
	}
	// What is around something else comes in front of it.
	slices.SortFunc(places, func(x, y sql.Range) int { return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(y.End, x.End)) })
	add := func(s Skip, at diag.Span) {
		if len(kept) == mostSkips {
			count++
			return
		}
		s.say()
		s.place(authored(of, at))
		// What a macro wrote several times stands at its call once.
		if !slices.ContainsFunc(kept, s.same) {
			kept, count = append(kept, s), count+1
		}
	}
	for i, at := range places {
		s := b.skipped[at]
		// Ranges of a tree lie in each other or apart, so the first one behind says whether there is any inside.
		if s.why.follows() && i+1 < len(places) && places[i+1].End <= at.End {
			continue
		}
		// What the parser or a macro left of a mistake has been reported.
		if broken && s.why.strays() {
			continue
		}
		add(Skip{Input: s.input, number: s.why.number(), name: s.name, start: int(at.Start), end: int(at.End)}, at.Span(b.file))
	}
	for _, h := range hooks {
		if h.Read {
			continue // see checkStatements
		}
		add(Skip{number: whyHook.number(), start: -1, end: -1}, h.Span)
	}
	return kept, count
}

// wish notes that the query names a column of a relation, through a CTE or a subquery whose columns are not all known.
func (b *binder) wish(relation, name string) {
	if relation == "" {
		return
	}
	i := slices.IndexFunc(b.wishes, func(w Wish) bool { return w.Model == relation })
	if i < 0 {
		i, b.wishes = len(b.wishes), append(b.wishes, Wish{Model: relation})
	}
	w := &b.wishes[i]
	if len(w.Columns) < mostWishes && !slices.ContainsFunc(w.Columns, func(s string) bool { return strings.EqualFold(s, name) }) {
		w.Columns = append(w.Columns, name)
	}
}

// wanted are the columns of open relations that the query names, by relation.
func (b *binder) wanted() []Wish {
	for _, r := range b.bases {
		if !r.step {
			for _, name := range r.extra[:min(len(r.extra), mostWishes)] {
				b.wish(r.name, name)
			}
		}
	}
	return b.wishes
}

// say writes out the reason.
func (s *Skip) say() {
	r := reasons[s.number]
	s.Reason, s.Help, s.Opens = r.why.text(s.name), r.help, slices.Contains(opening, r.why)
}

// same reports whether two skips look the same to who reads them.
func (s *Skip) same(o Skip) bool {
	return s.Path == o.Path && s.Begin == o.Begin && s.End == o.End && s.Reason == o.Reason
}

// place fills in where a skip stands, in the words of who reads the file.
func (s *Skip) place(at diag.Span) {
	if at.File == nil {
		return
	}
	s.Path, s.Begin, s.End = at.File.Path, at.Begin(), at.Finish()
	s.Text = excerpt(at.Text())
}

// authored is a place in the text that an author wrote, of one in the text with macros written out. The file is another one exactly
// where macros are called.
func authored(of authoredFile, at diag.Span) diag.Span {
	return of.Locate([]*diag.Problem{{Span: at}})[0].Span
}

// excerpt is the beginning of a text in one line.
func excerpt(text string) string {
	// Enough bytes for the characters that are shown, so that the text of a whole query is not taken apart.
	cut := len(text) > 16*longestExcerpt
	if cut {
		text = strings.ToValidUTF8(text[:16*longestExcerpt], "")
	}
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) > longestExcerpt {
		line, cut = line[:longestExcerpt-1], true
	}
	if cut {
		return strings.TrimRight(string(line), " ") + "…"
	}
	return string(line)
}

// An Aside is what was not understood of a text that is bound behind the models: a function, a unit test, an audit, or a statement of a
// hook. Of most there is none.
type Aside struct {
	Name, File string // of the function, the test or the audit, or of the model that has the hook
	Unanalysed int
	Skips      []Skip

	moves bool // its places follow from more than the text that was bound, so that it cannot be recalled
}

// Pack describes an aside to a coder.
func (x *Aside) Pack(c *pack.Coder) {
	c.Text(&x.Name)
	c.Text(&x.File)
	pack.Number(c, &x.Unanalysed)
	m := Model{File: x.File, Skips: x.Skips}
	packSkips(c, &m)
	x.Skips = m.Skips
}

// aside is what was not understood of a text; nil where there is nothing.
func (b *binder) aside(name, path string, of authoredFile) *Aside {
	skips, count := b.skips(of, false, nil)
	if count == 0 {
		return nil
	}
	return &Aside{Name: name, File: path, Unanalysed: count, Skips: skips, moves: authored(of, diag.Span{File: b.file}).File != b.file}
}

// keepAside packs an aside into the record of its text, and readAside reads it.
func (r *Record) keepAside(x *Aside) {
	if x == nil {
		return
	}
	c := &pack.Coder{}
	x.Pack(c)
	r.Skips = c.Row()
}

func (r *Record) readAside() (x *Aside, ok bool) {
	if len(r.Skips) == 0 {
		return nil, true
	}
	x = &Aside{}
	c := pack.Read(r.Skips)
	x.Pack(c)
	return x, c.Done()
}

// packSkips writes or reads what was not understood of a model. Places are kept as their reader sees them, because the text is gone by
// the time that somebody asks.
func packSkips(c *pack.Coder, m *Model) {
	pack.Slice(c, &m.Skips, func(s *Skip) {
		// Nearly all stand in the file of the model.
		where := s.Path
		if where == m.File {
			where = ""
		}
		c.Text(&where)
		if c.Reading() {
			s.Path = cmp.Or(where, m.File)
		}
		for _, n := range []*int{&s.number, &s.start, &s.end, &s.Begin.Line, &s.Begin.Column, &s.End.Line, &s.End.Column} {
			pack.Number(c, n)
		}
		c.Text(&s.name)
		c.Text(&s.Text)
		c.Text(&s.Input)
		if s.number < 0 || s.number >= len(reasons) {
			c.Fail()
			return
		}
		s.say()
	})
	pack.Slice(c, &m.Wanted, func(w *Wish) {
		c.Text(&w.Model)
		c.Texts(&w.Columns)
	})
}

// keepSkips packs what was not understood of a model into its record.
func (r *Record) keepSkips(m *Model) {
	if len(m.Skips)+len(m.Wanted) == 0 {
		return
	}
	c := &pack.Coder{}
	packSkips(c, m)
	r.Skips = c.Row()
}

// readSkips fills in what keepSkips packed of a model whose file is known.
func (r *Record) readSkips(m *Model) (ok bool) {
	if len(r.Skips) == 0 {
		return true
	}
	c := pack.Read(r.Skips)
	packSkips(c, m)
	return c.Done()
}

// replaced is a record whose skips stand where they stand today. The text with macros written out is the same as it was, or the
// record would not be used; the text that the author wrote, and so every place in it, need not be.
func (r *Record) replaced(m *project.Model) (*Record, bool) {
	at := diag.Span{File: m.File}
	if len(r.Skips) == 0 || authored(m, at).File == m.File {
		return r, true
	}
	known := newModel(m)
	if !r.readSkips(known) {
		return nil, false
	}
	for i := range known.Skips {
		if s := &known.Skips[i]; s.start >= 0 {
			at.Start, at.End = s.start, s.end
			s.place(authored(m, at))
		}
	}
	out := *r
	out.keepSkips(known)
	return &out, true
}
