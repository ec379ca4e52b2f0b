package referee_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/diag"
)

// The tables that the lines of the test data are about.
var tables = map[string][][2]string{
	"t": {
		{"i", "INTEGER"}, {"b", "BIGINT"}, {"d", "DOUBLE"}, {"s", "VARCHAR"}, {"dt", "DATE"}, {"ts", "TIMESTAMP"}, {"bo", "BOOLEAN"},
		{"dc", "DECIMAL(10,2)"}, {"l", "INTEGER[]"}, {"st", "STRUCT(a INTEGER, b VARCHAR)"}, {"m", "MAP(VARCHAR, INTEGER)"},
		{"tz", "TIMESTAMP WITH TIME ZONE"}, {"u", "UUID"}, {"j", "JSON"}, {"h", "HUGEINT"}, {"si", "SMALLINT"}, {"f", "FLOAT"},
		{"iv", "INTERVAL"}, {"tm", "TIME"}, {"ub", "UBIGINT"}, {"bl", "BLOB"}, {"ls", "STRUCT(k VARCHAR, v DOUBLE)[]"},
	},
	"customers": {{"customer_id", "BIGINT"}, {"Name", "VARCHAR"}, {"region", "VARCHAR"}, {"joined", "DATE"}},
	"orders":    {{"order_id", "BIGINT"}, {"customer_id", "INTEGER"}, {"amount", "DECIMAL(12,2)"}, {"placed", "TIMESTAMP"}, {"status", "VARCHAR"}},
}

// oneRow lets what is bound be run.
const oneRow = `INSERT INTO t SELECT 1, 2, 3.5, 'text', DATE '2025-01-01', TIMESTAMP '2025-01-01', false, 1.25, [1], {'a': 1, 'b': 'x'}, MAP {'a': 1},
	TIMESTAMPTZ '2025-01-01', uuid(), '{}', 1, 1, 1.5, INTERVAL 1 DAY, TIME '10:00', 1, 'a'::BLOB, [{'k': 'x', 'v': 1.5}]`

// TestQueries gives every line of the test data to norn and to DuckDB. Expressions are select items over t, queries are
// whole. A line with "!" in front must be refused by both; one with "+" by norn, while DuckDB binds it and fails on the first
// row; one with "?" is refused by DuckDB only, which is a gap of norn that is known. All others must have DuckDB's names and types; a type that norn does not know is counted, not compared.
func TestQueries(t *testing.T) {
	files := map[string]string{}
	for name, columns := range tables {
		files["sources/"+name+".yml"] = source(name, columns)
	}
	type line struct{ mark, model, query, place string }
	var lines []line
	for _, file := range []string{"expressions.txt", "queries.txt"} {
		text, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for i, query := range strings.Split(string(text), "\n") {
			if query == "" || strings.HasPrefix(query, "#") {
				continue
			}
			l := line{model: fmt.Sprintf("m%c%04d", file[0], i+1), query: query, place: fmt.Sprintf("%s:%d", file, i+1)}
			if strings.ContainsRune("!?+", rune(query[0])) {
				l.mark, l.query = query[:1], strings.TrimSpace(query[1:])
			}
			if file == "expressions.txt" {
				l.query = "SELECT " + l.query + " FROM t"
			}
			files["models/"+l.model+".sql"] = l.query + "\n"
			lines = append(lines, l)
		}
	}
	p, problems, r := analysed(t, files)
	refused := map[string]*diag.Problem{}
	for _, pr := range append(problems, r.Problems...) {
		if pr.Severity == diag.Error && !pr.Span.IsZero() && refused[pr.Span.File.Path] == nil {
			refused[pr.Span.File.Path] = pr
		}
	}
	d := openDuck(t)
	for name := range tables {
		m, _ := r.Model(name)
		d.table(name, m.Columns)
	}
	d.row(oneRow)
	same, unknown := 0, 0
	for _, l := range lines {
		want, err := d.describe(l.query)
		problem := refused["models/"+l.model+".sql"]
		switch {
		case l.mark == "!" && err == nil:
			t.Errorf("%s: DuckDB accepts %s", l.place, l.query)
		case l.mark == "!" && problem == nil:
			t.Errorf("%s: norn accepts %s; DuckDB says %v", l.place, l.query, firstLine(err))
		case l.mark == "+" && problem == nil:
			t.Errorf("%s: norn accepts %s", l.place, l.query)
		case l.mark == "+" && (err != nil || d.runs(l.query)):
			t.Errorf("%s: DuckDB runs %s, or refuses to bind it (%v)", l.place, l.query, err)
		case l.mark == "?" && err == nil:
			t.Errorf("%s: DuckDB accepts %s", l.place, l.query)
		case l.mark == "?" && problem != nil:
			t.Errorf("%s: no gap any more: %v", l.place, problem)
		case l.mark != "":
			same++
		case err != nil:
			t.Errorf("%s: DuckDB refuses %s: %v (norn: %v)", l.place, l.query, firstLine(err), problem)
		case problem != nil:
			t.Errorf("%s: wrongly refused %s: %v", l.place, l.query, problem)
		default:
			m, _ := r.Model(l.model)
			if m.Open {
				unknown++
				continue
			}
			var got []described
			for i, c := range m.Columns {
				if c.Type == "" && i < len(want) {
					unknown++
					t.Logf("%s: unknown type of %s, DuckDB says %s", l.place, c.Name, want[i].Type)
					c.Type = want[i].Type
				}
				if i < len(want) && strings.Contains(c.Name, "…") {
					c.Name = want[i].Name // the text of a subquery is not rebuilt for a name
				}
				got = append(got, described{c.Name, c.Type})
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: %s\n norn %v\n duck %v", l.place, plainSQL(p.Model(l.model)), got, want)
				continue
			}
			same++
		}
	}
	t.Logf("%d lines: %d the same, %d unknown", len(lines), same, unknown)
}

func firstLine(err error) string {
	if err == nil {
		return ""
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
