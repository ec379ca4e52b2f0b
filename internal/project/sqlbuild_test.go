package project

import (
	"testing"
	"testing/fstest"

	"github.com/norn-data/norn/internal/diag"
)

// FuzzSQLBuild reads any text as each of the files that only SQLBuild projects have, and as a model that uses them. There is no
// panic, every problem has its place inside of its file, and reading again says the same.
func FuzzSQLBuild(f *testing.F) {
	corpus(f, ".sql", ".py")
	f.Add(`FUNCTION (arguments (x BIGINT), returns table (a BIGINT, b DECIMAL(1, 2))); SELECT x AS a, @@v AS b FROM __table_fn("f")(1)`)
	f.Add(`HOOK (description "d"); GRANT SELECT ON @@CTX:destination.qualified TO @'role' -- @@ENV:X`)
	f.Add(`SCHEMA (name a, extends a, columns (x (type e, audits [g(column x, y "z")])))`)
	f.Add(`CONSTANT (name a, value {1, "b", (c [true, null])}); ENUM (name e, members (A 1, B -1))`)
	f.Add(`MODEL (materialized p, model_schema a, enums (_e [A]), constants (_c constant(type decimal, value "1")), pre_hooks [sql("f", role: [1, "x"]), inline_sql("@f")], cursor_inputs (f (column c, roles [filter]))); SELECT @const("_c"), '@@v@@@w', @f(@enum("_e").A), __udf("f")(__cursor_start()), @@@p`)
	f.Add("def f(x):\n    return x\ndef f(y):\n")
	f.Fuzz(func(t *testing.T, text string) {
		files := sqlbuildProject()
		for _, name := range []string{"models/f.sql", "models/a/b.sql", "functions/sql/f.sql", "functions/python/g.py", "hooks/sql/f.sql", "schemas/f.sql", "constants/f.sql",
			"enums/f.sql", "models/a/_sqlbuild/_enums/f.sql", "models/a/_sqlbuild/audits/generic/g.sql", "audits/singular/s.sql", "macros/f.py", "materializations/f.py", "tests/unit/f.sql"} {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
		_, problems := load(t, files)
		for _, p := range problems {
			if s := p.Span; s.File != nil && s.Start >= 0 && (s.Start > s.End || s.End > len(s.File.Text)) {
				t.Fatalf("%v stands from %d to %d of %d bytes", p, s.Start, s.End, len(s.File.Text))
			}
		}
		_, again := load(t, files)
		if a, b := diag.Problems(problems).Error(), diag.Problems(again).Error(); a != b {
			t.Fatalf("first:\n%s\nthen:\n%s", a, b)
		}
	})
}
