package sql

import (
	"slices"
	"testing"

	"github.com/norn-data/norn/internal/diag"
)

func TestSpelling(t *testing.T) {
	spell := func(text string) []string {
		s, problems := Parse(diag.NewFile("m.sql", text), 0, DuckDB())
		if len(problems) > 0 {
			t.Fatalf("%s: %v", text, problems[0])
		}
		return slices.Collect(s.Spelling(DuckDB()))
	}
	query := `select Id as Rows, "x", sum(a) over (partition by Filter order by b rows between 1 preceding and current row) from T where f(first) is not null`
	formatted, _, err := Format(diag.NewFile("m.sql", query), DuckDB())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := spell(formatted), spell(query); !slices.Equal(got, want) {
		t.Errorf("formatting changed the spelling:\n%q\n%q", got, want)
	}
	for _, other := range []string{
		`select id as Rows from t`, // a name in another case names another column
		`select Id as ROWS from t`,
		`select Id as Rows from T`,
		`select Id as Rows from t where true`,
	} {
		if slices.Equal(spell(`select Id as Rows from t`), spell(other)) {
			t.Errorf("%s has the same spelling", other)
		}
	}
}
