package referee_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
)

// class is what came of holding one query against DuckDB.
type class int

// The classes. The first four are agreement or silence; the last four are findings.
const (
	same            class = iota // names, order and types are DuckDB's
	bothRefuse                   // DuckDB rejects it, and norn does with a position
	stricter                     // norn refuses what DuckDB binds but no row can pass: a decision, see stricterBy
	unknown                      // norn says that it does not know a type, or which columns there are
	wrong                        // norn says something else
	wronglyRejected              // DuckDB runs it
	wronglyAccepted              // DuckDB rejects it
	unplaced                     // norn rejects it but does not say where
)

var classNames = [...]string{"same", "both refuse", "stricter", "unknown to norn", "wrong", "wrongly rejected", "wrongly accepted", "no position"}

func (c class) String() string { return classNames[c] }

// bad reports a class that must not occur at all.
func (c class) bad() bool { return c == wrong || c == wronglyRejected || c == unplaced }

// verdict is the judgement of one query, with both answers in words.
type verdict struct {
	class
	query      string
	norn, duck string
}

func (v verdict) String() string {
	return fmt.Sprintf("%s: %s\n  norn   %s\n  DuckDB %s", v.class, v.query, v.norn, v.duck)
}

// stricterBy are the problems that norn reports although DuckDB binds the query, because it can never yield a row that
// it is meant for. Everything else that DuckDB binds is norn's to bind.
func stricterBy(p *diag.Problem) bool {
	switch {
	case strings.Contains(p.Message, "can never be"), p.Code == "E1102": // a constant that does not convert
		return true
	case p.Code == "E1006": // a table cannot have two columns of one name
		return true
	case strings.HasPrefix(p.Message, "a view cannot hold"): // DESCRIBE makes none, and the models here are views
		return true
	case p.Code == "E1007": // one name for two relations, columns or CTEs: DuckDB lets the last one win, or renames it
		return true
	}
	return false
}

// judge gives queries to norn, as models of one project over the tables, and to DuckDB, where the tables are.
func judge(t *testing.T, d *duck, relations map[string][][2]string, queries []string) []verdict {
	t.Helper()
	files := make(map[string]string, len(queries)+len(relations))
	for name, columns := range relations {
		files["sources/"+name+".yml"] = source(name, columns)
	}
	for i, q := range queries {
		files[fmt.Sprintf("models/q%06d.sql", i)] = q + "\n"
	}
	_, problems, r := analysed(t, files)
	refused := map[string]*diag.Problem{}
	for _, p := range append(problems, r.Problems...) {
		if p.Span.File != nil && refused[p.Span.File.Path] == nil {
			refused[p.Span.File.Path] = p
		}
	}
	verdicts := make([]verdict, len(queries))
	for i, q := range queries {
		m, _ := r.Model(fmt.Sprintf("q%06d", i))
		verdicts[i] = d.verdict(q, m, refused[fmt.Sprintf("models/q%06d.sql", i)])
	}
	return verdicts
}

// verdict holds what norn says of a query against what DuckDB says.
func (d *duck) verdict(query string, m *analyze.Model, problem *diag.Problem) verdict {
	want, err := d.describe(query)
	v := verdict{query: query, duck: fmt.Sprint(want)}
	switch {
	case problem != nil:
		v.norn = problem.Error()
	case m != nil:
		v.norn = fmt.Sprint(show(m.Columns))
	}
	if err != nil {
		v.duck = firstLine(err)
	}
	switch {
	case problem != nil && (problem.Span.IsZero() || problem.Span.Start < 0):
		v.class = unplaced
	case err != nil && problem != nil:
		v.class = bothRefuse
	case err != nil && m != nil && m.Unanalysed > 0:
		v.class = unknown // norn did not look at all of it and says so
	case err != nil:
		v.class = wronglyAccepted
	case problem != nil && stricterBy(problem):
		v.class = stricter
	case problem != nil && !d.runs(query):
		v.class = stricter // DuckDB binds it and fails on the first row
	case problem != nil:
		v.class = wronglyRejected
	default:
		v.class = compare(m, want)
		if v.class == wrong && m.Open {
			v.norn += " and perhaps more"
		}
	}
	return v
}

// compare holds the columns of a model against DuckDB's.
func compare(m *analyze.Model, want []described) class {
	if m == nil {
		return wrong
	}
	if m.Open {
		return unknown
	}
	if len(m.Columns) != len(want) {
		return wrong
	}
	out := same
	for i, c := range m.Columns {
		// The text of a subquery is not rebuilt for a name.
		if c.Name != want[i].Name && !strings.Contains(c.Name, "…") {
			return wrong
		}
		switch kind := c.Type; {
		case kind == "":
			out = unknown
		case c.QueryType != "" && c.QueryType != want[i].Type, c.QueryType == "" && kind != want[i].Type:
			return wrong
		}
	}
	return out
}
