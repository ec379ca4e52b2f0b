package diag

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Severity says what a problem stops.
type Severity uint8

// An Error stops what was asked for. A Warning is never used where the answer would be wrong. A Remark is no problem at all: it
// says what norn understood and does not do, such as a model that it checks and cannot build.
const (
	Error Severity = iota
	Warning
	Remark
)

func (s Severity) String() string {
	return [...]string{"error", "warning", "note"}[min(s, Remark)]
}

// A Note is a second place that explains a problem, such as the first of two definitions.
type Note struct {
	Span Span
	Text string
}

// A Fix is an edit that removes the problem: Span is replaced by Text.
type Fix struct {
	Span Span
	Text string
}

// A Problem is something wrong in what the user wrote. Code is stable and has a page ([Explain]); Message is one sentence
// without a final stop; Help is the next step, in words; Fix, where norn knows it, is that step as an edit.
type Problem struct {
	Code     string
	Severity Severity
	Span     Span
	Message  string
	Notes    []Note
	Help     string
	Fix      *Fix
	// Cascade counts problems that follow from this one and are therefore not reported by themselves.
	Cascade int
}

// New returns an error-severity problem. The format follows fmt.Sprintf.
func New(code string, span Span, format string, args ...any) *Problem {
	return &Problem{Code: code, Span: span, Message: fmt.Sprintf(format, args...)}
}

// WithHelp sets the next step and returns the problem.
func (p *Problem) WithHelp(format string, args ...any) *Problem {
	p.Help = fmt.Sprintf(format, args...)
	return p
}

// WithNote adds a second place and returns the problem.
func (p *Problem) WithNote(span Span, format string, args ...any) *Problem {
	p.Notes = append(p.Notes, Note{Span: span, Text: fmt.Sprintf(format, args...)})
	return p
}

// WithFix sets the edit that removes the problem and returns the problem.
func (p *Problem) WithFix(span Span, text string) *Problem {
	p.Fix = &Fix{Span: span, Text: text}
	return p
}

// Error makes a Problem usable as an error: "file:line:column: code message".
func (p *Problem) Error() string {
	var b strings.Builder
	switch at := p.Span.Begin(); {
	case p.Span.IsZero():
	case at.Line == 0:
		fmt.Fprintf(&b, "%s: ", p.Span.File.Path)
	default:
		fmt.Fprintf(&b, "%s:%d:%d: ", p.Span.File.Path, at.Line, at.Column)
	}
	fmt.Fprintf(&b, "%s %s", p.Code, p.Message)
	if p.Help != "" {
		fmt.Fprintf(&b, " (%s)", p.Help)
	}
	return b.String()
}

// MarshalJSON writes the documented form: code, severity, file, line, column, end_line, end_column, message, help. Lines
// and columns count from 1, the end is exclusive; without a place, file is "" and the numbers are 0; with a file that has no lines only the numbers are.
func (p *Problem) MarshalJSON() ([]byte, error) {
	type fix struct {
		File      string `json:"file"`
		Line      int    `json:"line"`
		Column    int    `json:"column"`
		EndLine   int    `json:"end_line"`
		EndColumn int    `json:"end_column"`
		Text      string `json:"text"`
	}
	type note struct {
		File   string `json:"file"`
		Line   int    `json:"line"`
		Column int    `json:"column"`
		Text   string `json:"text"`
	}
	doc := struct {
		Code      string `json:"code"`
		Severity  string `json:"severity"`
		File      string `json:"file"`
		Line      int    `json:"line"`
		Column    int    `json:"column"`
		EndLine   int    `json:"end_line"`
		EndColumn int    `json:"end_column"`
		Message   string `json:"message"`
		Help      string `json:"help"`
		Cascade   int    `json:"cascade,omitempty"`
		Notes     []note `json:"notes,omitempty"`
		Fix       *fix   `json:"fix,omitempty"`
	}{Code: p.Code, Severity: p.Severity.String(), Message: p.Message, Help: p.Help, Cascade: p.Cascade}
	if !p.Span.IsZero() {
		b, e := p.Span.Begin(), p.Span.Finish()
		doc.File, doc.Line, doc.Column, doc.EndLine, doc.EndColumn = p.Span.File.Path, b.Line, b.Column, e.Line, e.Column
	}
	for _, n := range p.Notes {
		entry := note{Text: n.Text}
		if !n.Span.IsZero() {
			at := n.Span.Begin()
			entry.File, entry.Line, entry.Column = n.Span.File.Path, at.Line, at.Column
		}
		doc.Notes = append(doc.Notes, entry)
	}
	if p.Fix != nil && !p.Fix.Span.IsZero() {
		b, e := p.Fix.Span.Begin(), p.Fix.Span.Finish()
		doc.Fix = &fix{File: p.Fix.Span.File.Path, Line: b.Line, Column: b.Column, EndLine: e.Line, EndColumn: e.Column, Text: p.Fix.Text}
	}
	return json.Marshal(doc)
}

// Sort orders problems by file, place, code and message: the order in which every output of norn shows them, whatever
// order they were found in.
func Sort(ps []*Problem) {
	path := func(p *Problem) string {
		if p.Span.File == nil {
			return ""
		}
		return p.Span.File.Path
	}
	slices.SortStableFunc(ps, func(a, b *Problem) int {
		return cmp.Or(
			cmp.Compare(path(a), path(b)),
			cmp.Compare(a.Span.Start, b.Span.Start),
			cmp.Compare(a.Span.End, b.Span.End),
			cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Message, b.Message),
		)
	})
}

// HasErrors reports whether any problem stops what was asked for.
func HasErrors(ps []*Problem) bool {
	return slices.ContainsFunc(ps, func(p *Problem) bool { return p.Severity == Error })
}

// Divide parts remarks from problems; both keep their order.
func Divide(ps []*Problem) (problems, remarks []*Problem) {
	for _, p := range ps {
		if p.Severity == Remark {
			remarks = append(remarks, p)
		} else {
			problems = append(problems, p)
		}
	}
	return problems, remarks
}

// Problems is a list of problems that travels as one error.
type Problems []*Problem

func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}
