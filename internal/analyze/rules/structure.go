package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/sql"
)

// structure applies the rules about how a model's query is put together: named steps in WITH, and a plain SELECT at the end.
func (c *checker) structure() {
	top := c.Statement.Query
	if c.on["R032"] {
		for _, q := range c.queries {
			if q != top {
				c.report("R032", q.With.Range, "a WITH inside of a query hides steps").WithHelp("move its CTEs to the WITH of the whole query")
			}
		}
	}
	if c.on["R033"] {
		c.recursion()
	}
	if top.With == nil || len(top.With.CTEs) == 0 {
		return
	}
	last := top.With.CTEs[len(top.With.CTEs)-1]
	if c.on["R037"] && fold(last.Name.Text) != "final" {
		c.report("R037", last.Name.Range, "the last CTE is called %s, not final", last.Name.Text).WithHelp("call it final")
	}
	if c.on["R031"] && !plainRead(top.Body, last) {
		c.report("R031", top.Body.Bounds(), "the last SELECT does more than read %s", last.Name.Text).
			WithHelp("move what it does into a last CTE, and select the columns of that")
	}
}

// recursion finds CTEs that read themselves.
func (c *checker) recursion() {
	for _, q := range c.queries {
		if !q.With.Recursive {
			continue
		}
		for _, cte := range q.With.CTEs {
			if slices.ContainsFunc(c.reads, func(r read) bool { return r.name == fold(cte.Name.Text) && r.at >= cte.Start && r.at < cte.End }) {
				c.report("R033", cte.Name.Range, "%s reads itself", cte.Name.Text).
					WithHelp("say in a suppression what ends it, or use a join over known levels")
			}
		}
	}
}

// plainRead reports whether a query is SELECT columns FROM cte and nothing else.
func plainRead(q sql.QueryExpr, cte *sql.CTE) bool {
	s, ok := q.(*sql.Select)
	if !ok || s.Distinct != nil || s.Where != nil || s.GroupBy != nil || s.Having != nil || s.Qualify != nil || s.Sample != nil {
		return false
	}
	t, ok := s.From.(*sql.TableName)
	if !ok || len(t.Parts) != 1 || fold(t.Parts[0].Text) != fold(cte.Name.Text) {
		return false
	}
	return !slices.ContainsFunc(s.Items, func(it sql.SelectItem) bool {
		switch x := it.Expr.(type) {
		case *sql.ColumnRef:
			return false
		case *sql.Star:
			return len(x.Replace) > 0
		}
		return true
	})
}

// subselect applies the rules about queries in FROM.
func (c *checker) subselect(t *sql.Subselect) {
	if c.on["R035"] && (t.Alias == nil || !t.Alias.Name.Given()) {
		c.report("R035", t.Range, "this query in FROM has no name").WithHelp("write AS and a name behind it")
	}
	if _, isSelect := t.Query.Body.(*sql.Select); c.on["R030"] && isSelect && !t.Lateral && !c.correlated(t) {
		c.report("R030", t.Range, "this query in FROM is a step without a name").WithHelp("move it into WITH")
	}
}

// unnamed finds expressions that are columns of a model, a CTE or a query in FROM and have no name but their own text.
func (c *checker) unnamed(q *sql.Query) {
	if !c.on["R022"] {
		return
	}
	body := q.Body
	for {
		// The names of a set operation are those of its first query.
		if op, ok := body.(*sql.SetOp); ok {
			body = op.Left
		} else if inner, ok := body.(*sql.Query); ok {
			body = inner.Body
		} else {
			break
		}
	}
	s, ok := body.(*sql.Select)
	if !ok {
		return
	}
	for i := range s.Items {
		it := &s.Items[i]
		if it.Alias.Given() {
			continue
		}
		switch it.Expr.(type) {
		case *sql.ColumnRef, *sql.Star, *sql.Columns, *sql.Field, *sql.PositionRef, *sql.Like, *sql.Template, *sql.Bad:
			// A Like may be * LIKE 'x', which is a star.
		default:
			c.report("R022", it.Range, "this column has no name but its own text").WithHelp("write AS and a name behind it")
		}
	}
}

// relations hands the queries whose columns get names to the rule about names.
func (c *checker) relations() {
	if !c.on["R022"] {
		return
	}
	c.unnamed(c.Statement.Query)
	sql.Inspect(c.Statement.Query, func(n sql.Node) bool {
		switch n := n.(type) {
		case *sql.CTE:
			if len(n.Columns) == 0 {
				c.unnamed(n.Query)
			}
		case *sql.Subselect:
			if n.Alias == nil || len(n.Alias.Columns) == 0 {
				c.unnamed(n.Query)
			}
		}
		return true
	})
}

// semicolons finds a second semicolon behind the query.
func (c *checker) semicolons() {
	if !c.on["R042"] {
		return
	}
	lex := sql.NewLexer(c.File, int(c.Statement.End), cmp.Or(c.Dialect, sql.DuckDB()))
	for n := 0; ; n++ {
		t := lex.Next()
		if t.Kind != sql.Semicolon {
			return
		}
		if n > 0 {
			c.report("R042", t.Bounds(), "the query has ended already").WithHelp("leave the second semicolon out").WithFix(t.Bounds().Span(c.File), "")
			return
		}
	}
}

// comments finds comments with an empty line on both sides: nobody can tell what they are about. What stands before the query
// is about the whole of it.
func (c *checker) comments() {
	if !c.on["R029"] {
		return
	}
	blank := func(line int) bool { return line < 1 || strings.TrimSpace(c.File.Line(line)) == "" }
	for i := 0; i < len(c.Statement.Comments); i++ {
		first := c.Statement.Comments[i].Range
		begin := c.File.Position(int(first.Start)).Line
		if first.Start < c.Statement.Start || strings.TrimSpace(c.File.Line(begin)[:lineOffset(c.File, first)]) != "" {
			continue
		}
		// Comments on lines that follow each other are one.
		last := first
		for i+1 < len(c.Statement.Comments) {
			next := c.Statement.Comments[i+1].Range
			if strings.TrimSpace(c.File.Text[last.End:next.Start]) != "" || strings.Count(c.File.Text[last.End:next.Start], "\n") > 1 {
				break
			}
			last = next
			i++
		}
		end := c.File.Position(int(last.End)).Line
		if blank(begin-1) && blank(end+1) && strings.TrimSpace(c.File.Text[last.End:]) != "" {
			c.report("R029", first, "this comment stands alone").WithHelp("put it right above what it is about")
		}
	}
}
