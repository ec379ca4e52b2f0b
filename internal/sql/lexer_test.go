package sql

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/diag"
)

// TestRawArguments: in the files that have arguments, @name and @'name' are tokens; elsewhere @ is an operator.
func TestRawArguments(t *testing.T) {
	for path, want := range map[string]Kind{
		"models/a.sql": Operator, "audits/generic/a.sql": Sigil, "hooks/sql/a.sql": Sigil, "tests/a.sql": Sigil, "shop/generic/a.sql": Sigil,
	} {
		for _, text := range []string{"@name", "@'name'"} {
			if got := NewLexer(diag.NewFile(path, text), 0, DuckDB()).Next().Kind; got != want {
				t.Errorf("%s in %s is of kind %d, want %d", text, path, got, want)
			}
		}
	}
}

// lexAll returns all tokens of a text and checks that they and the space before them tile it.
func lexAll(t testing.TB, text string) ([]Token, *Lexer) {
	t.Helper()
	l := NewLexer(diag.NewFile("q.sql", text), 0, DuckDB())
	var toks []Token
	pos := int32(0)
	for {
		tok := l.Next()
		if tok.Space != pos || tok.Start < tok.Space || tok.End < tok.Start {
			t.Fatalf("token %+v does not follow offset %d", tok, pos)
		}
		if tok.Kind != EOF && tok.End == tok.Start {
			t.Fatalf("empty token %+v", tok)
		}
		pos = tok.End
		if tok.Kind == EOF {
			break
		}
		toks = append(toks, tok)
	}
	if int(pos) != len(text) {
		t.Fatalf("the tokens end at %d of %d", pos, len(text))
	}
	last := int32(0)
	for _, c := range l.Comments() {
		if c.Start < last || c.End <= c.Start {
			t.Fatalf("comment %v out of order", c)
		}
		last = c.End
	}
	return toks, l
}

func TestLexer(t *testing.T) {
	for _, c := range []struct {
		text string
		want string // the tokens, separated by spaces, invalid ones in ‹›
	}{
		{"a+b", "a + b"},
		{"a<-1", "a < - 1"},
		{"a->-1", "a -> - 1"},
		{"a->>'x'", "a ->> 'x'"},
		{"a||-b", "a ||- b"},
		{"a--b", "a"},
		{"a/*b/*c*/d*/e", "a e"},
		{"a+/*c*/b", "a + b"},
		{"a*--c\nb", "a * b"},
		{"1.5e-3.5", "1.5e-3 .5"},
		{"1..2", "1 . .2"},
		{"1_000._5", "‹1_000._5›"},
		{"0xFF", "‹0xFF›"},
		{"1e", "‹1e›"},
		{"a.b.*", "a . b . *"},
		{"x::INT:=y=>z:w", "x :: INT := y => z : w"},
		{"$1$a $$x$$ $q$ $$ $q$", "$1 $a $$x$$ $q$ $$ $q$"},
		{"?1?", "?1 ?"},
		{"#1 # 1", "#1 ‹#› 1"},
		{"@a() @@b @@@c @@ENV:X @@CTX:k @@x:y @'q' @ d e@f", "@a ( ) @@b @@@c @@ENV:X @@CTX:k @@x : y @ 'q' @ d e @ f"},
		{"=@@v||@c||@d (", "= @@v ||@ c || @d ("},
		{"a^@'b' c^@d e<@f g^@h(", "a ^@ 'b' c ^@ d e <@ f g ^@ h ("},
		{"a//-1**+1->>-1", "a // - 1 ** + 1 ->> - 1"},
		{"a@>b @@ c", "a @> b @@ c"},
		{`E'a\'b' X'0F' B'01' N'n' e''`, `E'a\'b' X'0F' B'01' N'n' e''`},
		{`"a""b" 'it''s'`, `"a""b" 'it''s'`},
		{"a$b _c ü変", "a$b _c ü変"},
		{"a\u00a0b\u3000c\ufeff", "a b c"},
		{"\ufeffSELECT", "SELECT"},
		{"'open", "‹'open›"},
		{"`a b` c", "`a b` c"},
	} {
		toks, l := lexAll(t, c.text)
		bad := map[int]bool{}
		for _, p := range l.Problems() {
			bad[p.Span.Start] = true
		}
		var got []string
		for _, tok := range toks {
			s := c.text[tok.Start:tok.End]
			if tok.Kind == Invalid || tok.Kind == Number && bad[int(tok.Start)] {
				s = "‹" + s + "›"
			}
			got = append(got, s)
		}
		if d := cmp.Diff(c.want, strings.Join(got, " ")); d != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, d)
		}
	}
}

// TestComments checks that comments are kept with exact ranges, also those before and behind the
// query.
func TestComments(t *testing.T) {
	text := "-- first\r\nSELECT /* two /* nested */ */ a -- three\n, '-- no' FROM t; -- four"
	stmt, problems := parseText(text)
	if len(problems) > 0 {
		t.Fatal(problems[0])
	}
	var got []string
	for _, c := range stmt.Comments {
		got = append(got, text[c.Start:c.End])
	}
	want := []string{"-- first", "/* two /* nested */ */", "-- three", "-- four"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got := text[stmt.Start:stmt.End]; !strings.HasPrefix(got, "SELECT") || !strings.HasSuffix(got, "FROM t") {
		t.Errorf("the statement covers %q", got)
	}
}

// TestStart parses behind a header: positions count from the start of the file.
func TestStart(t *testing.T) {
	text := "MODEL (\n  materialized view\n);\n\nSELECT a,\n  b c d\nFROM t"
	file := diag.NewFile("m.sql", text)
	_, problems := Parse(file, strings.Index(text, ";")+1, DuckDB())
	got := describeProblems(problems)
	want := "ERROR 6:7-6:8 E0201 expected a comma, FROM or the end of the query, found d"
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestEncoding reports bytes that are not UTF-8 wherever they are, and nothing that follows.
func TestEncoding(t *testing.T) {
	_, problems := parseText("SELECT 'caf\xe9', a\xff\xfeb -- \xc3\x28\nFROM t")
	got := describeProblems(problems)
	want := `ERROR 1:12-1:13 E0204 the byte 0xE9 is not valid UTF-8 | help: save the file as UTF-8
ERROR 1:17-1:19 E0204 the byte 0xFF is not valid UTF-8 | help: save the file as UTF-8
ERROR 1:24-1:25 E0204 the byte 0xC3 is not valid UTF-8 | help: save the file as UTF-8`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestValue decodes tokens without a parser, as readers of headers do.
func TestValue(t *testing.T) {
	toks, l := lexAll(t, `key 'it''s' "a""b" $$x$$ E'\t' 1.5 [`)
	var got []string
	for _, tok := range toks {
		got = append(got, l.Value(tok))
	}
	if d := cmp.Diff([]string{"key", "it's", `a"b`, "x", "\t", "1.5", "["}, got); d != "" {
		t.Error(d)
	}
}

// TestStrings decodes every spelling of a string.
func TestStrings(t *testing.T) {
	for text, want := range map[string]string{
		`'it''s'`:                   "it's",
		`''`:                        "",
		`E'a\tb\\c\'d\x41\102\q'''`: "a\tb\\c'dABq'",
		`$$a'b$$`:                   "a'b",
		`$x$a$$b$x$`:                "a$$b",
		"'a'\n  'b'\n'c'":           "abc",
		"'a' -- why\n 'b'":          "ab",
		`N'n'`:                      "n",
	} {
		stmt, problems := parseText("SELECT " + text)
		if len(problems) > 0 {
			t.Errorf("%s: %v", text, problems[0])
			continue
		}
		lit, ok := stmt.Query.Body.(*Select).Items[0].Expr.(*Literal)
		if !ok || lit.Kind != StringLiteral || lit.Text != want {
			t.Errorf("%s: got %#v, want %q", text, lit, want)
		}
	}
}

// TestUTF16: a file in UTF-16 has one problem, which says so and how to convert it.
func TestUTF16(t *testing.T) {
	for _, text := range []string{"\xff\xfeS\x00E\x00\n\x00\xe4\x00", "\xfe\xff\x00S\x00E", "S\x00E\x00L\x00", "\x00S\x00E\x00L"} {
		_, problems := Parse(diag.NewFile("models/a.sql", text), 0, DuckDB())
		if len(problems) != 1 || !strings.Contains(problems[0].Message, "UTF-16") || !strings.Contains(problems[0].Help, "iconv") {
			t.Errorf("%q: %v", text, problems)
		}
	}
}
