package conformance

import (
	"fmt"
	"math"
	"testing"

	"github.com/norn-data/norn/internal/frame"
)

func appendRows(t *testing.T, p *place) {
	name := p.name("t")
	p.exec(t, "CREATE TABLE "+name.String()+" (id BIGINT, b BOOLEAN, f DOUBLE PRECISION, d DECIMAL(10,2), s VARCHAR, day DATE, moment TIMESTAMP, tz TIMESTAMP WITH TIME ZONE, note VARCHAR DEFAULT 'none')")
	mask := []bool{false, true}
	id, b, f, d := column("id", frame.Int), column("B", frame.Bool), column("f", frame.Float), column("d", frame.Decimal)
	s, day, at, tz := column("s", frame.Text), column("day", frame.Date), column("moment", frame.Timestamp), column("tz", frame.Timestamp)
	id.Ints = []int64{1, 2}
	b.Bools, b.Missing = []bool{true, false}, mask
	f.Floats, f.Missing = []float64{math.Inf(-1), 0}, mask
	d.Texts, d.Missing = []string{"-12.34", ""}, mask
	s.Texts, s.Missing = []string{"it's \"x\"\n", ""}, mask
	day.Ints, day.Missing = []int64{-1, 0}, mask
	at.Ints, at.Missing = []int64{-1, 0}, mask
	tz.Ints, tz.Missing = []int64{1_700_000_000_123_456, 0}, mask
	// The order of the frame's columns is not the table's, and neither is the case of a name.
	table := newFrame(t, 2, tz, s, b, f, d, day, at, id)
	if err := p.Append(t.Context(), name, table); err != nil {
		t.Fatal(err)
	}
	wantRows(t, p, "SELECT * FROM "+name.String()+" ORDER BY id",
		[]string{"1", "true", "-Inf", "-12.34", "it's \"x\"\n", "1969-12-31", "1969-12-31 23:59:59.999999", "2023-11-14 22:13:20.123456", "none"},
		[]string{"2", "∅", "∅", "∅", "∅", "∅", "∅", "∅", "none"})

	// Texts become what the table's column is, and numbers become texts.
	create(t, p, p.name("u"), "SELECT CAST(1 AS INTEGER) AS n, 'x' AS s", 1)
	n, words := column("n", frame.Text), column("s", frame.Int)
	n.Texts, words.Ints = []string{"42"}, []int64{7}
	if err := p.Append(t.Context(), p.name("u"), newFrame(t, 1, n, words)); err != nil {
		t.Fatal(err)
	}
	wantRows(t, p, "SELECT * FROM "+p.name("u").String()+" ORDER BY n", []string{"1", "x"}, []string{"42", "7"})

	// Nothing to write is nothing written.
	for _, empty := range []*frame.Frame{newFrame(t, 0, column("n", frame.Text)), newFrame(t, 0), newFrame(t, 3)} {
		if err := p.Append(t.Context(), p.name("u"), empty); err != nil {
			t.Errorf("appending %d rows of %d columns: %v", empty.Rows(), len(empty.Columns), err)
		}
	}
	wantRows(t, p, "SELECT count(*) AS n FROM "+p.name("u").String(), []string{"2"})
}

// appendErrors holds that a failed append writes no row, however late it fails.
func appendErrors(t *testing.T, p *place) {
	name := p.name("t")
	create(t, p, name, "SELECT CAST(1 AS INTEGER) AS n", 1)
	const many = 10_000
	late, big, half := column("n", frame.Text), column("n", frame.Int), column("n", frame.Float)
	for i := range many {
		late.Texts, big.Ints, half.Floats = append(late.Texts, fmt.Sprint(i)), append(big.Ints, int64(i)), append(half.Floats, float64(i))
	}
	late.Texts[many-1], big.Ints[many-1], half.Floats[many-1] = "x", 1<<40, 0.5
	unknown := column("m", frame.Int)
	unknown.Ints = make([]int64, many)
	for _, c := range []*frame.Column{late, big, half, unknown} {
		if err := p.Append(t.Context(), name, newFrame(t, many, c)); err == nil {
			t.Errorf("a %v column named %s with a cell that does not fit was appended", c.Kind, c.Name)
		}
		wantRows(t, p, "SELECT n FROM "+name.String(), []string{"1"})
	}
	if err := p.Append(t.Context(), p.name("nowhere"), newFrame(t, many, big)); err == nil {
		t.Error("rows were appended to a table that does not exist")
	}
}

func appendMany(t *testing.T, p *place) {
	const many = 100_000
	n, half, word := column("n", frame.Int), column("half", frame.Float), column("word", frame.Text)
	word.Missing = make([]bool, many)
	for i := range many {
		n.Ints, half.Floats, word.Texts = append(n.Ints, int64(i)), append(half.Floats, float64(i)/2), append(word.Texts, fmt.Sprint("w", i%7))
		if word.Missing[i] = i%10 == 0; word.Missing[i] {
			word.Texts[i] = ""
		}
	}
	name := p.name("many")
	p.exec(t, "CREATE TABLE "+name.String()+" (n BIGINT, half DOUBLE PRECISION, word VARCHAR)")
	if err := p.Append(t.Context(), name, newFrame(t, many, n, half, word)); err != nil {
		t.Fatal(err)
	}
	wantRows(t, p, "SELECT count(*) AS a, count(word) AS b, CAST(sum(n) AS BIGINT) AS c, sum(half) AS d FROM "+name.String(),
		[]string{"100000", "90000", "4999950000", "2499975000"})
	f, err := p.Query(t.Context(), "SELECT * FROM "+name.String()+" ORDER BY n")
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 1, 2047, 2048, 4096, many - 1} {
		if f.Columns[0].Ints[i] != int64(i) || f.Columns[1].Floats[i] != float64(i)/2 || f.Columns[2].Texts[i] != word.Texts[i] || f.Columns[2].IsMissing(i) != word.Missing[i] {
			t.Errorf("row %d came back as %d, %g, %q", i, f.Columns[0].Ints[i], f.Columns[1].Floats[i], f.Columns[2].Texts[i])
		}
	}
}
