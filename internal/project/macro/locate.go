package macro

import (
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// An Expansion is a query with its macros written out.
type Expansion struct {
	Source *diag.File // what the author wrote
	File   *diag.File // the same with the macros written out; its path is that of Source

	calls []call // in order of place
}

// A call is one macro call that was written out.
type call struct {
	what, name string    // "the macro" and its name
	from, to   int       // of the call in Source
	begin, end int       // of what was written in File
	wrote      string    // by the macro
	text       string    // as it stands in File
	place      diag.Span // the macro's name where it is defined
	bad        bool      // it could not be written out
}

// callAt is the call that wrote a stretch of File; nil when the author wrote at least a part of it.
func (e *Expansion) callAt(start, end int) *call {
	for i := range e.calls {
		if c := &e.calls[i]; start >= c.begin && end <= c.end && (start < c.end || c.begin == c.end) {
			return c
		}
	}
	return nil
}

// offset leads an offset of File to Source. Inside of what a macro wrote it is the beginning of the call, or its end.
func (e *Expansion) offset(at int, end bool) int {
	shift := 0
	for i := range e.calls {
		c := &e.calls[i]
		switch {
		case at < c.begin || at == c.begin && (end || c.begin < c.end):
			return at - shift
		case at < c.end || at == c.end && end:
			if end {
				return c.to
			}
			return c.from
		}
		lines := strings.Count(e.Source.Text[c.from:c.to], "\n")
		// What follows at once may be a call that wrote nothing, and then the place is behind that one.
		empty := !end && i+1 < len(e.calls) && e.calls[i+1].begin == at && e.calls[i+1].end == at
		if at <= c.end+lines && !empty {
			return c.to
		}
		shift = c.end + lines - c.to
	}
	return at - shift
}

// Span leads a place of File to Source. What a macro wrote is the call, or the word of an argument where exactly one has it.
func (e *Expansion) Span(s diag.Span) diag.Span {
	if s.File != e.File || s.Start < 0 {
		return s
	}
	if c := e.callAt(s.Start, s.End); c != nil {
		from, to := c.from, c.to
		if at, ok := e.argument(c, e.File.Text[s.Start:s.End]); ok {
			from, to = at, at+(s.End-s.Start)
		}
		return diag.Span{File: e.Source, Start: from, End: to}
	}
	out := diag.Span{File: e.Source, Start: e.offset(s.Start, false), End: e.offset(s.End, true)}
	if s.Start == s.End {
		out.End = out.Start
	}
	return out
}

// argument finds a word of what a macro wrote in the arguments of its call, when it stands there once.
func (e *Expansion) argument(c *call, word string) (int, bool) {
	source := e.Source.Text[c.from:c.to]
	open := strings.IndexByte(source, '(')
	if word == "" || open < 0 {
		return 0, false
	}
	found := -1
	for at := open; ; at++ {
		i := strings.Index(source[at:], word)
		if i < 0 {
			break
		}
		at += i
		if (at == 0 || !wordByte(source[at-1])) && (at+len(word) == len(source) || !wordByte(source[at+len(word)])) {
			if found >= 0 {
				return 0, false
			}
			found = at
		}
	}
	return c.from + found, found >= 0
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// Locate moves a problem that was found in File to Source. A fix of what a macro wrote is dropped: there is nothing to edit.
func (e *Expansion) Locate(p *diag.Problem) {
	if p.Span.File == e.File {
		c := e.callAt(p.Span.Start, p.Span.End)
		p.Span = e.Span(p.Span)
		if c != nil {
			p.WithNote(c.place, "in %s %s, which wrote: %s", c.what, c.name, short(c.wrote))
		}
	}
	for i := range p.Notes {
		p.Notes[i].Span = e.Span(p.Notes[i].Span)
	}
	if f := p.Fix; f != nil && f.Span.File == e.File {
		at := e.Span(f.Span)
		if at.Text() != f.Span.Text() {
			p.Fix = nil
		} else {
			p.Fix = &diag.Fix{Span: at, Text: f.Text}
		}
	}
}

// Wrote reports who wrote a stretch of File, such as "the macro rows", and whether a word of it does not stand in the call: a
// reference that does not is one that the author of the query does not see.
func (e *Expansion) Wrote(s diag.Span, word string) (writer string, hidden bool) {
	c := e.callAt(s.Start, s.End)
	if c == nil {
		return "", false
	}
	return c.what + " " + c.name, !strings.Contains(strings.ToLower(e.Source.Text[c.from:c.to]), strings.ToLower(word))
}
