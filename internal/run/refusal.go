package run

import (
	"regexp"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/plan"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
	"github.com/norn-data/norn/internal/warehouse"
)

// refused turns the warehouse's refusal of a step's query into a problem.
func refused(step *plan.Step, e *warehouse.StatementError, dialect *sql.Dialect) *diag.Problem {
	p := refusal("E1701", e, "%s could not be built", step.Node)
	if step.Model == nil || step.Model.Query == nil {
		p.Span = place(step)
		return p
	}
	sent{step.SQL, step.Place, step.Model.Query, otherTexts(step.Model.References, step.Upstream)}.locate(p, e, dialect)
	step.Model.Locate([]*diag.Problem{p})
	return p.WithHelp("the SQL that was run stands in target/compiled/%s.sql; if a table it reads was changed by hand, run norn build --full-refresh", step.Node)
}

// sent is a query as the warehouse got it, and where its parts were written.
type sent struct {
	sql       string
	place     func(at int) (diag.Span, bool)
	statement *sql.Statement
	others    []string // whose own queries run along with it
}

// locate gives a problem the place that the warehouse means, in the file that was parsed. Where it names none, and where it names
// one that may be of another text, the problem gets a file and no line: a place that is not true is worse than none.
func (q sent) locate(p *diag.Problem, e *warehouse.StatementError, dialect *sql.Dialect) {
	p.Span = wholeFile(q.statement.File)
	start := strings.Index(e.Statement, q.sql)
	if e.Offset < 0 || start < 0 {
		more := ""
		if len(q.others) > 0 {
			more = "; it may be in what the query reads, " + strings.Join(q.others, ", ")
		}
		p.WithNote(diag.Span{}, "the database does not say where in the query%s", more)
		return
	}
	from, ok := q.place(e.Offset - start)
	if !ok {
		return
	}
	found := lookAt(from, q.statement, dialect)
	if len(q.others) > 0 && !found.isMeantBy(e.Message) {
		p.WithNote(diag.Span{}, "its place is not known: it may lie in what the query reads, %s", strings.Join(q.others, ", "))
		return
	}
	p.Span = found.span
}

// wholeFile is the place of what is wrong with a query and has no line.
func wholeFile(f *diag.File) diag.Span { return diag.Span{File: f, Start: -1, End: -1} }

// otherTexts names what a query reads and whose own query the warehouse runs along with it: views, and sources, which may be views.
// An offset that the warehouse gives can be one of theirs.
func otherTexts(references []project.Reference, upstream []*plan.Step) []string {
	var names []string
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	var look func(references []project.Reference, upstream []*plan.Step)
	look = func(references []project.Reference, upstream []*plan.Step) {
		for _, ref := range references {
			if source, ok := ref.To.(*project.Source); ok {
				add("the source " + source.Name)
			}
		}
		for _, up := range upstream {
			if up.Kind == plan.View {
				add("the view " + up.Node)
				look(up.Model.References, up.Upstream)
			}
		}
	}
	look(references, upstream)
	return names
}

// refusal is a problem with the warehouse's own words: its first sentence, and what follows as a note. The warehouse's drawing of
// its place is left out, because norn draws the place in the text that its author knows.
func refusal(code string, e *warehouse.StatementError, format string, args ...any) *diag.Problem {
	lines := messageLines(e.Message)
	p := diag.New(code, diag.Span{}, format, args...)
	p.Message += ": " + strings.TrimRight(lines[0], ".!:")
	if rest := lines[1:]; len(rest) > 0 {
		if len(rest) > refusalLines {
			rest = append(slices.Clone(rest[:refusalLines]), "…")
		}
		p.WithNote(diag.Span{}, "%s", strings.Join(rest, " "))
	}
	return p
}

// refusalLines is how much of a long message is shown: of + alone DuckDB lists forty forms.
const refusalLines = 6

// drawnLine begins DuckDB's own drawing of a place: LINE 1: SELECT …
var drawnLine = regexp.MustCompile(`^LINE \d+:`)

// messageLines cuts a message into its lines, of which there is at least one. Lines that draw a place are left out: LINE n: and
// what follows it, and a caret below a line.
func messageLines(message string) []string {
	var lines []string
	for line := range strings.Lines(message) {
		line = strings.TrimSpace(line)
		if drawnLine.MatchString(line) {
			break
		}
		switch {
		case line == "":
		case line == "^":
			lines = lines[:max(1, len(lines)-1)] // the first line is the message
		default:
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return []string{"the database gives no reason"}
	}
	return lines
}

// A sight is what stands at a place that the warehouse names.
type sight struct {
	span diag.Span
	node sql.Node // nil where only a word or a sign stands there
	// blank says that nothing does: a comment, or the space between words.
	blank bool
}

// lookAt finds what of a statement stands at a place: a cast, wherever in it the warehouse points, the shortest part of the query
// that begins there, or a word.
func lookAt(from diag.Span, statement *sql.Statement, dialect *sql.Dialect) sight {
	if from.File != statement.File || from.End-from.Start != 1 {
		return sight{span: from} // the type of a column, the reference to a relation, or the end
	}
	at := int32(from.Start)
	var best sql.Node
	sql.Inspect(statement.Query, func(n sql.Node) bool {
		r := n.Bounds()
		if at < r.Start || at >= r.End {
			// Clauses lie inside of what holds them, but not all have a range of their own.
			return r.Start == r.End
		}
		if c, ok := n.(*sql.Cast); ok && c.Colons && at >= c.X.Bounds().End && at < c.Type.Bounds().Start {
			best = n
		} else if _, ok := n.(sql.Expr); ok && r.Start == at {
			best = n
		}
		return true
	})
	if best != nil {
		return sight{span: best.Bounds().Span(from.File), node: best}
	}
	token := sql.NewLexer(from.File, from.Start, dialect).Next()
	if token.Kind == sql.EOF || token.Start != at {
		return sight{span: from, blank: true}
	}
	return sight{span: token.Bounds().Span(from.File)}
}

// castColumn is the column whose value a cast could not take.
var castColumn = regexp.MustCompile(`casting from source column (.+)$`)

// isMeantBy reports whether a message names what stands there. A place that happens to lie in the text is not enough where it may
// have been meant for another one.
func (s sight) isMeantBy(message string) bool {
	message = messageLines(message)[0]
	cast, ok := s.node.(*sql.Cast)
	if !ok {
		for _, word := range strings.FieldsFunc(s.span.Text(), func(r rune) bool { return strings.ContainsRune(" .,()\"\t\r\n", r) }) {
			if strings.Contains(message, `"`+word+`"`) || strings.Contains(message, "'"+word+"(") || len(word) > 2 && strings.Contains(message, " "+word+" ") {
				return !s.blank
			}
		}
		return false
	}
	m := castColumn.FindStringSubmatch(message)
	named := false
	sql.Inspect(cast.X, func(n sql.Node) bool {
		if c, ok := n.(*sql.ColumnRef); ok && m != nil && strings.EqualFold(c.Parts[len(c.Parts)-1].Text, m[1]) {
			named = true
		}
		return true
	})
	return named
}
