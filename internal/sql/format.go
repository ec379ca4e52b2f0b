package sql

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/norn-data/norn/internal/diag"
)

// FormatWidth is where lines are broken: the width of a line in characters.
const FormatWidth = 100

// ErrFormatUnsafe says that [Format] could not prove that its own result means the same as the text it was given. The
// text must stay as it is; it is a mistake of the formatter, not of the author.
var ErrFormatUnsafe = errors.New("format-unsafe: the formatted text would not have the same tokens and comments")

// Format returns the text of a SQL file, header and query, in norn's one style.
//
// Only white space and the case of keywords change. Names, types, strings, comments and the names of functions stay as
// they are written; empty lines stay where a line is broken, one at most. The result is proved before it is returned: the
// tokens of both texts are the same but for the case of keywords, the comments are the same between the same
// neighbours, and the parsed trees are the same; otherwise the error is [ErrFormatUnsafe]. Formatting what was
// formatted changes nothing.
//
// A file with a mistake in its syntax is not formatted: its problems are returned. A header that cannot be read has the
// problem with the code [CodeHeader], because the words for what is wrong with headers are those of the room that reads
// them.
func Format(file *diag.File, d *Dialect) (string, []*diag.Problem, error) {
	text := file.Text
	bom := ""
	if rest, ok := strings.CutPrefix(text, "\ufeff"); ok {
		// A byte order mark is neither space nor token for the tools that need it.
		bom, text = "\ufeff", rest
		file = diag.NewFile(file.Path, text)
	}
	f := newFormatter(file, d)
	defer f.release()
	if problems := f.read(); len(problems) > 0 {
		return "", problems, nil
	}
	if f.n == 0 && len(f.comments) == 0 {
		return file.Text, nil, nil // nothing to lay out; an empty file is another room's problem
	}
	f.annotate()
	result := f.layOut()
	if result != text {
		if err := f.prove(result); err != nil {
			return "", nil, err
		}
	}
	return bom + result, nil, nil
}

// CodeHeader is the code of a header that [Format] cannot read.
const CodeHeader = "E0100"

// formatter is one file on its way through [Format]: its tokens, and for each of them how it is written and what may
// stand before it. The gap i is what lies between the tokens i-1 and i.
type formatter struct {
	file     *diag.File
	dialect  *Dialect
	text     string
	mem      *memory
	toks     []Token   // of header and query; the last is EOF, which has the comments at the end before it
	n        int       // number of tokens without EOF
	query    int       // index of the first token of the query
	comments []Comment // of both, by position
	kind     string    // of the header, upper case; "" where there is none
	body     *Statement

	word   []wordRole // what an identifier is
	role   []opRole   // how an operator stands to its operand
	match  []int32    // partner of a bracket, -1 for other tokens
	inside []int32    // the innermost bracket that is open at a token, -1 outside of all
	upper  []bool     // written in upper case

	// The layout. A gap is broken when it is forced or when the group that owns it is broken.
	forced []bool
	owner  []int32 // group of a gap, -1: none
	nest   []int32 // change of the indentation at a gap
	groups []group
	joins  []bool // the token begins the words of a join
	window []bool // the bracket is that of a window
}

// A group is a stretch of gaps that is broken as a whole or not at all.
type group struct {
	lo, hi int32 // first and last gap
	hard   bool  // always broken
	broken bool
}

// wordRole says what an identifier token is.
type wordRole uint8

const (
	plainWord wordRole = iota // a keyword, if it is one at all
	nameWord
	typeWord
)

// opRole says how an operator stands to its operand.
type opRole uint8

const (
	infix opRole = iota
	prefix
	postfix
)

func newFormatter(file *diag.File, d *Dialect) *formatter {
	mem := memories.Get().(*memory)
	return &formatter{file: file, dialect: d, text: file.Text, mem: mem, toks: mem.toks[:0]}
}

func (f *formatter) release() {
	f.mem.toks = f.toks
	f.mem.release()
	f.mem, f.toks = nil, nil
}

// read lexes and parses the file.
func (f *formatter) read() []*diag.Problem {
	kind, end, problem := f.readHeader()
	if problem != nil {
		return []*diag.Problem{problem}
	}
	f.kind, f.query = kind, len(f.toks)
	l := NewLexer(f.file, end, f.dialect)
	for {
		t := l.Next()
		f.toks = append(f.toks, t)
		if t.Kind == EOF {
			break
		}
	}
	f.comments = append(f.comments, l.comments...)
	f.n = len(f.toks) - 1
	if f.query == f.n {
		return l.problems
	}
	s, problems := f.parse(f.file, end)
	f.body = s
	return problems
}

// parse reads the query. A test may leave out its final SELECT: it is read as if it stood there.
func (f *formatter) parse(file *diag.File, start int) (*Statement, []*diag.Problem) {
	s, problems := Parse(file, start, f.dialect)
	if len(problems) == 0 || f.kind != "TEST" && f.kind != "SCENARIO" {
		return s, problems
	}
	whole := diag.NewFile(file.Path, strings.TrimRight(file.Text, "; \t\r\n")+"\nSELECT 1")
	if completed, more := Parse(whole, start, f.dialect); len(more) == 0 {
		return completed, nil
	}
	return s, problems
}

// at returns the index of the first token that does not start before a byte offset.
func (f *formatter) at(pos int32) int {
	i, _ := slices.BinarySearchFunc(f.toks, pos, func(t Token, pos int32) int { return int(t.Start) - int(pos) })
	return i
}

func (f *formatter) textOf(i int) string { return f.text[f.toks[i].Start:f.toks[i].End] }

// written is the text of a token in the result.
func (f *formatter) written(i int) string {
	if f.upper[i] {
		return strings.ToUpper(f.textOf(i))
	}
	return f.textOf(i)
}

// is reports whether a token is a keyword and this one.
func (f *formatter) is(i int, w word) bool {
	return i >= f.query && i < f.n && f.toks[i].word == w && f.word[i] == plainWord
}

// prove holds the result against the text it was made of.
func (f *formatter) prove(result string) error {
	g := newFormatter(diag.NewFile(f.file.Path, result), f.dialect)
	defer g.release()
	if problems := g.read(); len(problems) > 0 || g.n != f.n || g.query != f.query || len(g.comments) != len(f.comments) {
		return ErrFormatUnsafe
	}
	for i := range f.n {
		if f.toks[i].Kind != g.toks[i].Kind || f.written(i) != g.textOf(i) {
			return ErrFormatUnsafe
		}
	}
	// A comment stays between its neighbours when as many tokens stand before it as did.
	i, j := 0, 0
	for k, c := range f.comments {
		d := g.comments[k]
		for i < f.n && f.toks[i].Start < c.Start {
			i++
		}
		for j < g.n && g.toks[j].Start < d.Start {
			j++
		}
		if i != j || f.text[c.Start:c.End] != result[d.Start:d.End] {
			return ErrFormatUnsafe
		}
	}
	if (f.body == nil) != (g.body == nil) || f.body != nil && Text(f.body) != Text(g.body) {
		return ErrFormatUnsafe
	}
	return nil
}

// width is the number of characters of a text.
func width(s string) int32 { return int32(utf8.RuneCountInString(s)) }
