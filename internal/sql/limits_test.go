package sql

import (
	"fmt"
	"strings"
	"testing"
)

// TestDepth nests what can nest far beyond the limit: exactly one problem, about the depth, and no
// exhausted stack.
func TestDepth(t *testing.T) {
	const n = 20_000
	rep := strings.Repeat
	for name, text := range map[string]string{
		"parentheses":   "SELECT " + rep("(", n) + "1" + rep(")", n),
		"subqueries":    rep("SELECT (", n) + "SELECT 1" + rep(")", n),
		"from":          rep("SELECT * FROM (", n) + "SELECT 1" + rep(")", n),
		"joins":         "SELECT * FROM " + rep("(", n) + "a" + rep(" CROSS JOIN b)", n),
		"nested joins":  "SELECT * FROM a" + rep(" JOIN b", n) + rep(" ON true", n),
		"minus":         "SELECT " + rep("- ", n) + "1",
		"not":           "SELECT " + rep("NOT ", n) + "true",
		"case":          "SELECT " + rep("CASE WHEN ", n) + "a" + rep(" THEN 1 END", n),
		"calls":         "SELECT " + rep("f(", n) + "1" + rep(")", n),
		"lists":         "SELECT " + rep("[", n) + rep("]", n),
		"structs":       "SELECT " + rep("{a: ", n) + "1" + rep("}", n),
		"types":         "SELECT a::" + rep("STRUCT(a ", n) + "INT" + rep(")", n),
		"arrays":        "SELECT a::MAP(INT, " + rep("MAP(INT, ", n) + "INT" + rep(")", n+1),
		"lambdas":       "SELECT " + rep("lambda x: ", n) + "x",
		"powers":        "SELECT " + rep("a = ANY (", n) + "1" + rep(")", n),
		"ctes":          rep("WITH a AS (", n) + "SELECT 1" + rep(") SELECT 1", n),
		"grouping sets": "SELECT 1 GROUP BY " + rep("GROUPING SETS (", n) + "a" + rep(")", n),
		"macros":        "SELECT " + rep("@m(", n) + "1" + rep(")", n),
		"unclosed":      "SELECT " + rep("(", n),
		"set operands":  rep("(", n) + "SELECT 1" + rep(" UNION SELECT 2)", n),
		"between":       "SELECT a" + rep(" BETWEEN (1", n) + rep(" AND 2)", n),
	} {
		_, problems := parseText(text)
		if len(problems) != 1 || problems[0].Code != CodeDepth {
			t.Errorf("%s: got %v, want one %s", name, problems, CodeDepth)
		}
	}
}

// TestLong reads long texts that do not nest: no limit may be hit, and the tree must print back.
func TestLong(t *testing.T) {
	rep := strings.Repeat
	var ctes []string
	for i := range 2_000 {
		ctes = append(ctes, fmt.Sprintf("c%d AS (SELECT %d AS x)", i, i))
	}
	for name, text := range map[string]string{
		"union":       "SELECT 1" + rep(" UNION ALL SELECT 2", 5_000),
		"and":         "SELECT 1 WHERE a" + rep(" AND b", 20_000),
		"plus":        "SELECT a" + rep(" + b", 20_000),
		"concat":      "SELECT a" + rep(" || b", 20_000),
		"items":       "SELECT a" + rep(", b", 20_000) + " FROM t",
		"in list":     "SELECT a IN (1" + rep(", 2", 20_000) + ")",
		"ctes":        "WITH " + strings.Join(ctes, ", ") + " SELECT 1",
		"joins":       "SELECT * FROM a" + rep(" NATURAL FULL JOIN b", 5_000),
		"casts":       "SELECT a" + rep("::INT", 5_000),
		"subscripts":  "SELECT a" + rep("[1]", 5_000),
		"fields":      "SELECT (a)" + rep(".b", 5_000),
		"methods":     "SELECT (a)" + rep(".f()", 5_000),
		"comma joins": "SELECT * FROM a" + rep(", b", 5_000),
		"array types": "SELECT a::INT" + rep("[]", 5_000),
		"lines":       "SELECT a" + rep(" -- why\n, b", 20_000) + "\nFROM t",
	} {
		stmt, problems := parseText(text)
		if len(problems) > 0 {
			t.Errorf("%s: %v", name, problems[0])
			continue
		}
		printed := Text(stmt)
		again, problems := parseText(printed)
		if len(problems) > 0 || Text(again) != printed {
			t.Errorf("%s: the print does not parse to itself: %v", name, problems)
		}
	}
}
