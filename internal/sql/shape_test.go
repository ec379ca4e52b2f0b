package sql

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/diag"
)

// dump writes a tree as nested "Type{Field: value}" with ranges and empty fields left out.
func dump(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		return dump(v.Elem())
	case reflect.Slice:
		var parts []string
		for i := range v.Len() {
			parts = append(parts, dump(v.Index(i)))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case reflect.Struct:
		if n, ok := reflect.TypeAssert[Name](v); ok {
			if n.Quoted {
				return `"` + n.Text + `"`
			}
			return n.Text
		}
		var parts []string
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Type == reflect.TypeFor[Range]() || v.Field(i).IsZero() {
				continue
			}
			if f.Anonymous {
				parts = append(parts, strings.TrimSuffix(strings.TrimPrefix(dump(v.Field(i)), f.Name+"{"), "}"))
				continue
			}
			parts = append(parts, f.Name+": "+dump(v.Field(i)))
		}
		return v.Type().Name() + "{" + strings.Join(parts, ", ") + "}"
	case reflect.String:
		return fmt.Sprintf("%q", v.String())
	default:
		return fmt.Sprint(v.Interface())
	}
}

// TestShape compares the trees of testdata/shape.sql node by node, for the constructs whose print
// alone would not show the shape.
func TestShape(t *testing.T) {
	const path = "testdata/shape.sql"
	blocks := readBlocks(t, path)
	for i, b := range blocks {
		stmt, problems := parseText(b.text)
		if len(problems) > 0 {
			t.Errorf("%s:%d: %v", path, b.line, problems[0])
			continue
		}
		got := dump(reflect.ValueOf(stmt.Query))
		if *update {
			blocks[i].want = got
		} else if d := cmp.Diff(b.want, got); d != "" {
			t.Errorf("%s:%d: %s\n(-want +got):\n%s", path, b.line, b.text, d)
		}
	}
	if *update {
		writeBlocks(t, path, blocks)
	}
}

// TestRanges checks the exact text of nodes, including that parentheses belong to the parent.
func TestRanges(t *testing.T) {
	text := `SELECT (a + b) * c AS x, f( d ) OVER w, CAST(e AS INT[]), t."q" FROM "S".t AS u (v), (g JOIN h ON i) WHERE NOT (j)`
	stmt, problems := parseText(text)
	if len(problems) > 0 {
		t.Fatal(problems[0])
	}
	var got []string
	Inspect(stmt.Query, func(n Node) bool {
		r := n.Bounds()
		got = append(got, fmt.Sprintf("%T %s", n, text[r.Start:r.End]))
		return true
	})
	want := []string{
		"*sql.Query " + text,
		"*sql.Select " + text,
		"*sql.SelectItem (a + b) * c AS x", "*sql.Binary (a + b) * c",
		"*sql.Binary a + b", "*sql.ColumnRef a", "*sql.ColumnRef b", "*sql.ColumnRef c",
		"*sql.SelectItem f( d ) OVER w", "*sql.Call f( d ) OVER w", "*sql.Arg d", "*sql.ColumnRef d", "*sql.Window w",
		"*sql.SelectItem CAST(e AS INT[])", "*sql.Cast CAST(e AS INT[])", "*sql.ColumnRef e",
		"*sql.TypeName INT[]", "*sql.TypeName INT",
		`*sql.SelectItem t."q"`, `*sql.ColumnRef t."q"`,
		`*sql.Join "S".t AS u (v), (g JOIN h ON i)`,
		`*sql.TableName "S".t AS u (v)`, "*sql.Join g JOIN h ON i", "*sql.TableName g", "*sql.TableName h", "*sql.ColumnRef i",
		"*sql.Unary NOT (j)", "*sql.ColumnRef j",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestDialect checks names: their classes, folding and quoting.
func TestDialect(t *testing.T) {
	d := DuckDB()
	for word, want := range map[string]WordClass{
		"Select": Reserved, "date": NotKeyword, "VALUE": Unreserved, "left": FunctionWord, "int": ColumnWord,
		"map": EitherWord, strings.Repeat("x", 99): NotKeyword,
	} {
		if got := d.Class(word); got != want {
			t.Errorf("class of %s: got %v, want %v", word, got, want)
		}
	}
	if d.Fold(Name{Text: "AbC", Quoted: true}) != "abc" {
		t.Error("quoted names of DuckDB ignore case")
	}
	for text, want := range map[string]string{
		"abc": "abc", "a b": `"a b"`, "ABC": `"ABC"`, "order": `"order"`, `a"b`: `"a""b"`, "1a": `"1a"`, "value": "value",
	} {
		n := d.MakeName(text)
		if got := Text(&ColumnRef{Parts: []Name{n}}); got != want {
			t.Errorf("name %s prints %s, want %s", text, got, want)
		}
	}
	// What only other dialects have is data: the same text, read with and without the switch.
	other := *d
	other.HexNumbers, other.UnicodeEscapes, other.SymmetricBetween, other.Clauses = true, true, true, true
	for _, text := range []string{"SELECT 0xFF", `SELECT E'\u00e9'`, "SELECT a BETWEEN SYMMETRIC 1 AND 2", "SELECT a IS NOT NFC NORMALIZED", "SELECT b IS NORMALIZED"} {
		if _, problems := Parse(diag.NewFile("q.sql", text), 0, &other); len(problems) > 0 {
			t.Errorf("%s: %v", text, problems[0])
		}
		if _, problems := Parse(diag.NewFile("q.sql", text), 0, d); len(problems) != 1 {
			t.Errorf("%s: DuckDB has no such thing: %v", text, problems)
		}
	}
	plain := *d
	plain.TrailingCommas, plain.FromFirst, plain.Pivot = false, false, false
	for _, text := range []string{"SELECT a, FROM t", "FROM t", "PIVOT t ON a USING sum(b)"} {
		if _, problems := Parse(diag.NewFile("q.sql", text), 0, &plain); len(problems) == 0 {
			t.Errorf("%s: accepted although the dialect does not have it", text)
		}
	}
	if got := len(wordText); got != int(wordCount) || wordText[wZone] != "zone" || wordText[wOverlay] != "overlay" {
		t.Error("wordText is out of step with the constants")
	}
}
