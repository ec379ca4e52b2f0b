package warehouse

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/frame"
)

func TestDecimalMarkRefusals(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"another column", "a;b\n1,5;2.5\n", "t.csv:2:5: E1511 line 2, column b: 2.5 has a decimal point"},
		{"the same column", "a;b\n1,5;x\n2.5;y\n", "t.csv:3:1: E1511 line 3, column a: 2.5 has a decimal point"},
		{"a thousand that may be one", "a;b\n1200;0,5\n1.093;1,5\n", "t.csv:3:1: E1511 line 3, column a: 1.093 is 1093 or 1,093"},
		{"nothing clear", "a;b\n1,234;1.234\n", "t.csv:2:1: E1511 line 2, column a: 1,234 has a comma and other numbers of the file a point"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := mustParse(t, c.text)
			if _, _, err := f.Read(t.Context(), nil); err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("Read gave %v, want %s…", err, c.want)
			}
			if _, _, err := f.Read(t.Context(), asTexts("a", "b")); err != nil {
				t.Errorf("columns of text gave %v", err)
			}
		})
	}
}

// many writes a file with n rows, whose cells are those given in turn.
func many(n int, header string, rows ...string) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for i := range n {
		b.WriteString(rows[i%len(rows)] + "\n")
	}
	return b.String()
}

func TestNotes(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"nothing to say", "a,b\n1,x\n,y\n", nil},
		{"a word that became a gap", "a,y\n1,x\n2,NA\n3,NA\n", []string{"column y: 2 cells NA are read as missing; a cell in double quotes stays text"}},
		{"gaps among numbers", "a,y\n1,x\nNA,z\n?,z\n", []string{"column a: 2 cells ?, NA are read as missing"}},
		{"gaps everywhere", "a,b,c,d\n1,2,3,4\nNA,NA,NA,null\n",
			[]string{"cells are read as missing in a (1 NA), b (1 NA), c (1 NA), d (1 null); a cell in double quotes stays text"}},
		{"one slip among numbers", many(38, "a,b", "1.5,x") + "oops,x\n", []string{`column a is a number but for "oops" in line 40, and is read as text: empty the cell or correct it`}},
		{"four slips", many(50, "a,b", "1,x") + "p,x\nq,x\nr,x\ns,x\n",
			[]string{`column a is a number but for "p" in line 52, "q" in line 53, "r" in line 54 and 1 more cell, and is read as text: empty the cells or correct them`}},
		{"one slip often", many(50, "a,b", "1,x") + "p,x\np,x\nq,x\n",
			[]string{`column a is a number but for "p" in line 52, "q" in line 54 and 1 more cell, and is read as text: empty the cells or correct them`}},
		{"one slip among dates", many(20, "a,b", "2024-01-31,x") + "soon,x\n", []string{`column a is a date but for "soon" in line 22, and is read as text: empty the cell or correct it`}},
		{"too few numbers", many(9, "a,b", "1,x") + "oops,x\n", nil},
		{"too many words", many(40, "a,b", "1,x", "2,x", "3,x", "4,x", "word,x"), nil},
		{"codes", many(40, "zip,b", "90210,x", "10001,x", "02134,x"), nil},
		{"money", "p,b\n\"$519,285\",x\n\"$1,338.50\",x\n$20,x\n", []string{`column p looks like money ("$519,285" in line 2) and is read as text: remove the signs and separators, so that 1234.50 is left`}},
		{"euros", "p;b\n€1.200,50;x\n€3;x\n7,50 €;x\n", []string{`column p looks like money ("€1.200,50" in line 2) and is read as text: remove the signs and separators, so that 1234.50 is left`}},
		{"thousands", "p,b\n\"519,285\",x\n\"1,338\",x\n\"1,200,000.5\",x\n12,x\n", []string{`column p looks like numbers with separators ("519,285" in line 2) and is read as text: write them as 1234.50`}},
		{"percentages", "p,b\n17%,x\n2.5 %,x\n0%,x\n", []string{`column p looks like percentages ("17%" in line 2) and is read as text: remove the percent signs`}},
		{"dates", "d,b\n13/11/2020,x\n07/05/2020,x\n1/2/2021,x\n", []string{`column d looks like dates ("13/11/2020" in line 2) and is read as text: write them as 2024-01-31`}},
		{"an amount among numbers", many(30, "p,b", "20,x") + "$30,x\n", []string{`column p is a number but for "$30" in line 32, and is read as text: empty the cell or correct it`}},
		{"a thousand or about one", "a;b\n1,234;x\n2,345;y\n", []string{"column a: 1,234 is read as 1.234 and not as 1234; no number of the file tells which is meant"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, notes, err := mustParse(t, c.text).Read(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, notes); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestLike reads small files like one table with a column of every kind and two without values.
func TestLike(t *testing.T) {
	like, _, err := mustParse(t, "age,zip,price,wide,flag,d,ts,at,none,word\n"+
		"33,02134,1.5,99999999999999999999,true,2024-01-31,2024-01-31 10:00,2024-01-31T10:00:00Z,,x\n"+
		"34,02135,2,1,false,2024-02-01,2024-01-31 11:00,2024-01-31T10:00:00+02:00,NA,y\n").Read(t.Context(), nil)
	if err == nil {
		like.Columns = append(like.Columns, &frame.Column{Field: frame.Field{Name: "empty", Kind: frame.Float}, Floats: make([]float64, 2), Missing: []bool{true, true}})
	} else {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, text, want string }{
		{"a code of digits", "zip,b\n90210,1\n", "zip VARCHAR 90210, b BIGINT 1"},
		{"a gap makes no text", "AGE,flag,d\nNA,,\n", "AGE BIGINT ∅, flag BOOLEAN ∅, d DATE ∅"},
		{"whole numbers among fractions", "price,wide\n3,4\n", "price DOUBLE 3, wide DECIMAL(38,0) 4"},
		{"fractions among whole numbers", "age,wide\n3.5,4.5\n", "age DOUBLE 3.5, wide DOUBLE 4.5"},
		{"more than 64 bits", "age,b\n9223372036854775808,\n", "age DOUBLE 9.223372036854776e+18, b VARCHAR ∅"},
		{"decimal commas", "age;price\n3,5;1.234,5\n", "age DOUBLE 3.5, price DOUBLE 1234.5"},
		{"days among moments", "ts,d\n2024-01-31,2024-01-31 00:00\n", "ts TIMESTAMP 2024-01-31 00:00:00, d DATE 2024-01-31"},
		{"columns without a value there", "none,empty\n5,word\n", "none BIGINT 5, empty VARCHAR word"},
		{"texts that look like something", "word,b\n2024-01-31,1\n", "word VARCHAR 2024-01-31, b BIGINT 1"},
		{"a word", "b,age\n1,33\n1,old\n", `t.csv:3:3: E1509 age is BIGINT in the rows that teach, and "old" in line 3 is not`},
		{"a truth value", "flag,b\ntrue,1\n1,1\n", `t.csv:3:1: E1509 flag is BOOLEAN in the rows that teach, and "1" in line 3 is not`},
		{"an hour", "d,b\n2024-01-31 10:00,1\n", `t.csv:2:1: E1509 d is DATE in the rows that teach, and "2024-01-31 10:00" in line 2 is not`},
		{"a moment without its zone", "at,b\n2024-01-31 10:00,1\n", `E1509 at is TIMESTAMP WITH TIME ZONE in the rows that teach`},
		{"a moment with a zone", "ts,b\n2024-01-31 10:00:00Z,1\n", `E1509 ts is TIMESTAMP in the rows that teach`},
	} {
		t.Run(c.name, func(t *testing.T) {
			table, _, err := mustParse(t, c.text).Read(t.Context(), like)
			if err != nil {
				if !strings.Contains(err.Error(), c.want) {
					t.Errorf("got  %v\nwant %s", err, c.want)
				}
				return
			}
			var got []string
			for _, column := range table.Columns {
				cell := column.Text(0)
				if column.IsMissing(0) {
					cell = "∅"
				}
				got = append(got, column.Name+" "+column.Type+" "+cell)
			}
			if diff := cmp.Diff(c.want, strings.Join(got, ", ")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
