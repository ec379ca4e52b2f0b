package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// A Rendering is a query as the warehouse is handed it, and the way back from there to the text that it was made of: what the
// warehouse refuses is shown where its author wrote it.
type Rendering struct {
	SQL    string
	pieces []piece // in order of place; what lies between them norn wrote, and it has no place
}

// A piece is a stretch of a rendering and where it comes from.
type piece struct {
	begin, end int       // in the rendering
	from       diag.Span // what it was made of
	copied     bool      // it is that text, byte for byte
}

// Render makes edits to a part of a file. A place in what an edit wrote is the place that the edit replaced.
func Render(file *diag.File, within sql.Range, edits []sql.Edit) Rendering {
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b sql.Edit) int { return cmp.Compare(a.Start, b.Start) })
	var r Rendering
	var b strings.Builder
	write := func(from sql.Range, text string, copied bool) {
		r.pieces = append(r.pieces, piece{begin: b.Len(), end: b.Len() + len(text), from: from.Span(file), copied: copied})
		b.WriteString(text)
	}
	at := within.Start
	for _, e := range edits {
		write(sql.Range{Start: at, End: e.Start}, file.Text[at:e.Start], true)
		write(e.Range, e.Text, false)
		at = e.End
	}
	write(sql.Range{Start: at, End: within.End}, file.Text[at:within.End], true)
	r.SQL = b.String()
	return r
}

// Place leads an offset of the rendering to where the text there was written: one byte of it, or the whole of what norn replaced
// by it. What norn put around the query has no place.
func (r Rendering) Place(at int) (from diag.Span, ok bool) {
	i, found := slices.BinarySearchFunc(r.pieces, at, func(p piece, at int) int {
		switch {
		case p.end <= at:
			return -1
		case p.begin > at:
			return 1
		}
		return 0
	})
	switch {
	case !found && i > 0 && at == len(r.SQL) && r.pieces[i-1].end == at:
		// The end of the query, where a warehouse says that something is missing.
		end := r.pieces[i-1].from.End
		return diag.Span{File: r.pieces[i-1].from.File, Start: end, End: end}, true
	case !found:
		return diag.Span{}, false
	case !r.pieces[i].copied:
		return r.pieces[i].from, true
	}
	start := r.pieces[i].from.Start + at - r.pieces[i].begin
	return diag.Span{File: r.pieces[i].from.File, Start: start, End: start + 1}, true
}

// around writes text around a rendering. Stretches of the text before it that stand for something have places of their own.
func (r Rendering) around(before string, places []piece, after string) Rendering {
	for _, p := range r.pieces {
		p.begin, p.end = p.begin+len(before), p.end+len(before)
		places = append(places, p)
	}
	return Rendering{SQL: before + r.SQL + after, pieces: places}
}

// Casts wraps a rendering so that columns have their declared types. A value that is not of its type is shown at the type.
func (r Rendering) Casts(columns []Cast) Rendering {
	if len(columns) == 0 {
		return r
	}
	var before strings.Builder
	var places []piece
	before.WriteString("SELECT * REPLACE (")
	for i, c := range columns {
		if i > 0 {
			before.WriteString(", ")
		}
		begin := before.Len()
		name := sql.QuoteName(c.Name)
		before.WriteString("CAST(" + name + " AS " + c.Type + ") AS " + name)
		places = append(places, piece{begin: begin, end: before.Len(), from: c.Declared})
	}
	before.WriteString(")\nFROM (\n")
	return r.around(before.String(), places, "\n)")
}

// A Cast is a column and the type that somebody declared for it.
type Cast struct {
	Name, Type string
	Declared   diag.Span // of the type
}
