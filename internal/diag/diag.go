// Package diag holds the words in which norn talks about trouble.
//
// norn knows three kinds of trouble and never mixes them:
//
//   - What the user wrote is a [Problem]: a stable code, a span of source text, one plain sentence, and, where norn can
//     know it, the fix. Problems are collected, sorted and shown together; one never stops the search for the next.
//   - What the world did (a full disk, a locked file, a dropped connection) is an ordinary error, wrapped with what norn
//     was doing. [WithHint] adds what the user can do about it, [Failure] carries it to the top.
//   - What norn itself broke is an assertion: [Assert] panics with a [Bug], and [Recover] at one boundary per subsystem
//     turns it into an error that asks for a report.
//
// Positions are byte offsets into a [File]; line and column are computed when somebody wants to read them, so trees stay
// small and a span can be sliced out of the text directly. Nothing here imports any other package of norn.
package diag

import (
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// A File is a source text with a name. It is immutable and safe for any number of goroutines.
type File struct {
	Path string // as shown to the user: relative to the project where there is one
	Text string

	once  sync.Once
	lines []int  // byte offset of the first byte of each line
	marks []mark // a character every few hundred bytes, and how many stand before it
}

// A mark lets the characters before an offset be counted from nearby: a generated line of megabytes with a problem in each
// of its columns must not be counted from its start for each of them.
type mark struct{ offset, runes int }

// markEvery is the distance of marks in bytes, at least.
const markEvery = 512

// NewFile returns a file over text. The path is used as it stands in messages.
func NewFile(path, text string) *File {
	return &File{Path: path, Text: text}
}

// A Position is a place as people count it: both numbers start at 1, the column counts characters (Unicode code points),
// not bytes. A line ends at "\n"; a "\r" before it belongs to the line end.
type Position struct {
	Line, Column int
}

// Position converts a byte offset to line and column. Offsets outside the text are clamped to its ends, so that a span
// that ends at the end of the file has an end position.
func (f *File) Position(offset int) Position {
	offset = min(max(offset, 0), len(f.Text))
	lines := f.lineStarts()
	line := sort.Search(len(lines), func(i int) bool { return lines[i] > offset }) - 1
	return Position{Line: line + 1, Column: f.runesBefore(offset) - f.runesBefore(lines[line]) + 1}
}

// Offset is the inverse of Position for positions that exist; others are clamped to the end of their line or file.
func (f *File) Offset(p Position) int {
	lines := f.lineStarts()
	if p.Line < 1 {
		return 0
	}
	if p.Line > len(lines) {
		return len(f.Text)
	}
	start, end := lines[p.Line-1], len(f.Text)
	if p.Line < len(lines) {
		end = lines[p.Line] - 1
	}
	for n := 1; n < p.Column && start < end; n++ {
		_, size := utf8.DecodeRuneInString(f.Text[start:end])
		start += size
	}
	return start
}

// Line returns the text of a line, counted from 1, without its line end. Lines that do not exist are empty.
func (f *File) Line(n int) string {
	lines := f.lineStarts()
	if n < 1 || n > len(lines) {
		return ""
	}
	end := len(f.Text)
	if n < len(lines) {
		end = lines[n] - 1
	}
	return strings.TrimSuffix(f.Text[lines[n-1]:end], "\r")
}

func (f *File) lineStarts() []int {
	f.once.Do(func() {
		f.lines = append(f.lines, 0)
		runes := 0
		for i, r := range f.Text {
			if last := len(f.marks) - 1; last < 0 || i-f.marks[last].offset >= markEvery {
				f.marks = append(f.marks, mark{i, runes})
			}
			if r == '\n' {
				f.lines = append(f.lines, i+1)
			}
			runes++
		}
	})
	return f.lines
}

// runesBefore counts the characters before an offset of the text. The lines must have been read.
func (f *File) runesBefore(offset int) int {
	i := sort.Search(len(f.marks), func(i int) bool { return f.marks[i].offset > offset }) - 1
	if i < 0 {
		return 0
	}
	return f.marks[i].runes + utf8.RuneCountInString(f.Text[f.marks[i].offset:offset])
}

// A Span is a stretch of a file's text, bytes Start up to but not including End. The zero Span points nowhere: problems
// about things that have no text (a missing file, a table's data) use it. A negative Start stands for a whole file, without a
// line: see [WholeFile].
type Span struct {
	File       *File
	Start, End int
}

// WholeFile is a span for what is wrong with a file that has no lines to point at, such as a table.
func WholeFile(path string) Span { return Span{File: NewFile(path, ""), Start: -1, End: -1} }

// IsZero reports whether the span points nowhere.
func (s Span) IsZero() bool { return s.File == nil }

// Text returns the spanned source text.
func (s Span) Text() string {
	if s.File == nil {
		return ""
	}
	return s.File.Text[max(0, min(s.Start, len(s.File.Text))):max(0, min(s.End, len(s.File.Text)))]
}

// Begin and Finish are the positions of the span's first byte and of the first byte after it.
func (s Span) Begin() Position {
	if s.File == nil || s.Start < 0 {
		return Position{}
	}
	return s.File.Position(s.Start)
}

// Finish is the position just behind the span: its end, exclusive.
func (s Span) Finish() Position {
	if s.File == nil || s.Start < 0 {
		return Position{}
	}
	return s.File.Position(s.End)
}
