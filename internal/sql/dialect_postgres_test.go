package sql

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/diag"
)

// TestPostgres parses the statements of testdata/postgres: those of accept.sql without a problem, those of reject.sql with
// exactly the problems that are written behind them. What PostgreSQL itself says of such text is held against the analysis,
// in the tests of the referee.
func TestPostgres(t *testing.T) {
	for _, b := range readBlocks(t, "testdata/postgres/accept.sql") {
		name := fmt.Sprintf("accept.sql:%d", b.line)
		stmt, problems := Parse(diag.NewFile("q.sql", b.text), 0, Postgres())
		if len(problems) > 0 {
			t.Errorf("%s: %v\n%s", name, problems[0], b.text)
			continue
		}
		checkRanges(t, name, stmt)
	}
	const path = "testdata/postgres/reject.sql"
	blocks := readBlocks(t, path)
	for i, b := range blocks {
		_, problems := Parse(diag.NewFile("q.sql", b.text), 0, Postgres())
		if len(problems) == 0 {
			t.Errorf("%s:%d: accepted:\n%s", path, b.line, b.text)
			continue
		}
		got := describeProblems(problems)
		if *update {
			blocks[i].want = got
		} else if got != b.want {
			t.Errorf("%s:%d: %s\n(-want +got):\n%s", path, b.line, b.text, cmp.Diff(b.want, got))
		}
	}
	if *update {
		writeBlocks(t, path, blocks)
	}
}

// TestPostgresValues checks what literals and names stand for.
func TestPostgresValues(t *testing.T) {
	for text, want := range map[string]string{
		`E'a\nb'`: "a\nb", `$$a'b$$`: "a'b", `$x$a$$b$x$`: "a$$b", `U&'d\0061t\+000061'`: "data", `N'x'`: "x", `'it''s'`: "it's",
		`"A ""b"""`: `A "b"`, `U&"d\0061ta"`: "data",
	} {
		l := NewLexer(diag.NewFile("q.sql", text), 0, Postgres())
		tok := l.Next()
		if got := l.Value(tok); got != want || len(l.Problems()) > 0 {
			t.Errorf("%s stands for %q, want %q (%v)", text, got, want, l.Problems())
		}
	}
}

// TestPostgresNames checks how names fold and when they need quotes.
func TestPostgresNames(t *testing.T) {
	d := Postgres()
	if got := d.Fold(Name{Text: "Total"}); got != "total" {
		t.Errorf("Total folds to %s", got)
	}
	if got := d.Fold(Name{Text: "Total", Quoted: true}); got != "Total" {
		t.Errorf(`"Total" folds to %s`, got)
	}
	for name, quoted := range map[string]bool{"total": false, "Total": true, "user": true, "qualify": false, "year": false, "between": true, "left": true, "a b": true} {
		if got := d.MakeName(name).Quoted; got != quoted {
			t.Errorf("%s needs quotes: %v, want %v", name, got, quoted)
		}
	}
	if ForAdapter("postgres") != d || ForAdapter("duckdb") != DuckDB() {
		t.Error("an adapter has another dialect")
	}
}

// FuzzPostgres feeds arbitrary bytes to the lexer and parser of PostgreSQL: nothing panics, and ranges nest.
func FuzzPostgres(f *testing.F) {
	for _, path := range []string{"testdata/postgres/accept.sql", "testdata/postgres/reject.sql"} {
		for _, b := range readBlocks(f, path) {
			f.Add(b.text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		stmt, problems := Parse(diag.NewFile("q.sql", text), 0, Postgres())
		for _, p := range problems {
			if p.Span.Start < 0 || p.Span.End < p.Span.Start || p.Span.End > len(text) {
				t.Fatalf("problem %v outside of the text", p)
			}
		}
		if len(problems) == 0 {
			checkRanges(t, "fuzz", stmt)
			_ = Text(stmt)
		}
	})
}

// TestPostgresFormat lays out every accepted statement, which proves that the tokens stay the same, and lays the result out
// again, which must change nothing.
func TestPostgresFormat(t *testing.T) {
	for _, b := range readBlocks(t, "testdata/postgres/accept.sql") {
		once, problems, err := Format(diag.NewFile("q.sql", b.text+"\n"), Postgres())
		if _, _, other := Format(diag.NewFile("q.sql", b.text+"\n"), DuckDB()); err != nil && other != nil {
			continue // text in pieces, which the layout joins in no dialect
		}
		if err != nil || len(problems) > 0 {
			t.Errorf("accept.sql:%d: %v %v\n%s", b.line, err, problems, b.text)
			continue
		}
		twice, _, err := Format(diag.NewFile("q.sql", once), Postgres())
		if err != nil || twice != once {
			t.Errorf("accept.sql:%d: laid out twice it is something else (%v):\n%s", b.line, err, cmp.Diff(once, twice))
		}
	}
}
