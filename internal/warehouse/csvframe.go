package warehouse

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
)

// fill brings every cell to the builder of its column.
func (c *CSV) fill(ctx context.Context, columns []columnBuilder) (*frame.Frame, error) {
	s := scanner{text: c.File.Text, delimiter: c.Delimiter}
	for row, start := range c.starts {
		if row%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.pos = start
		for i := range columns {
			cell := s.next()
			columns[i].set(row, cell.value(c.File.Text), cell.quoted)
		}
	}
	out := make([]*frame.Column, len(columns))
	for i := range columns {
		out[i] = columns[i].column
	}
	f, err := frame.New(len(c.starts), out...)
	diag.Assert(err == nil, "the checked file %s is not a table: %v", c.File.Path, err)
	return f, nil
}

// internLimit bounds the distinct texts that a column shares. Categories repeat and then cost one string each; free text
// does not, and a map of it would cost more than it saves.
const internLimit = 4096

// A columnBuilder converts the cells of one column. The syntax of each cell was checked by the vote on the type, so a
// conversion cannot fail.
type columnBuilder struct {
	column  *frame.Column
	verdict verdict
	shared  map[string]string
	markers map[string]int // how often each word for a gap was read as missing
}

func newColumnBuilder(name string, v verdict, rows int) columnBuilder {
	kinds := [...]frame.Kind{asText: frame.Text, asBool: frame.Bool, asInt: frame.Int, asWide: frame.Decimal, asFloat: frame.Float, asComma: frame.Float,
		asDate: frame.Date, asTime: frame.Timestamp, asInstant: frame.Timestamp}
	b := columnBuilder{column: &frame.Column{Field: frame.Field{Name: name, Kind: kinds[v], Type: v.name()}}, verdict: v}
	switch b.column.Kind {
	case frame.Bool:
		b.column.Bools = make([]bool, rows)
	case frame.Int, frame.Date, frame.Timestamp:
		b.column.Ints = make([]int64, rows)
	case frame.Float:
		b.column.Floats = make([]float64, rows)
	default:
		b.column.Texts = make([]string, rows)
		b.shared = map[string]string{}
	}
	return b
}

func (b *columnBuilder) set(row int, value string, quoted bool) {
	gap := value == ""
	if b.verdict != asText {
		// Spaces belong to a text; around anything else they are layout.
		value = strings.TrimSpace(value)
		gap = gap || MissingMarker(value)
	} else if !quoted {
		gap = gap || BareMarker(value)
	}
	if gap {
		// Columns without gaps, which are most, carry no mask.
		if b.column.Missing == nil {
			b.column.Missing = make([]bool, b.column.Len())
		}
		b.column.Missing[row] = true
		if value != "" {
			if b.markers == nil {
				b.markers = map[string]int{}
			}
			b.markers[strings.Clone(strings.TrimSpace(value))]++
		}
		return
	}
	switch b.verdict {
	case asBool:
		b.column.Bools[row] = strings.EqualFold(value, "true")
	case asInt:
		b.column.Ints[row] = must(strconv.ParseInt(value, 10, 64))
	case asWide:
		b.column.Texts[row] = b.share(canonicalInteger(value))
	case asFloat:
		if sign := infinite(value); sign != 0 {
			b.column.Floats[row] = math.Inf(sign)
			return
		}
		b.column.Floats[row] = must(strconv.ParseFloat(value, 64))
	case asComma:
		if sign := infinite(value); sign != 0 {
			b.column.Floats[row] = math.Inf(sign)
			return
		}
		b.column.Floats[row] = must(strconv.ParseFloat(plainNumber(value), 64))
	case asDate:
		// Midnights divide evenly, so the quotient is right on both sides of 1970.
		t, _ := parseTime(value)
		b.column.Ints[row] = t.Unix() / 86400
	case asTime, asInstant:
		t, _ := parseTime(value)
		b.column.Ints[row] = t.UnixMicro()
	default:
		b.column.Texts[row] = b.share(value)
	}
}

// share returns a copy of value that does not keep the whole file in memory, and the same copy for the same value.
func (b *columnBuilder) share(value string) string {
	if known, ok := b.shared[value]; ok {
		return known
	}
	own := strings.Clone(value)
	if len(b.shared) < internLimit {
		b.shared[own] = own
	}
	return own
}

// canonicalInteger drops what a database would not write back: a plus sign, and the minus of zero.
func canonicalInteger(v string) string {
	v = strings.TrimPrefix(v, "+")
	if v == "-0" {
		return "0"
	}
	return v
}

// must unwraps a conversion whose syntax the first pass has checked.
func must[T any](v T, err error) T {
	diag.Assert(err == nil, "a checked cell does not convert: %v", err)
	return v
}

// Moments reads a text column whose every cell is an ISO 8601 date or time stamp as what it says, by the rules for CSV
// cells, and returns any other column as it is. Formats without a type for time, such as JSON, need it.
func Moments(c *frame.Column) *frame.Column {
	if c.Kind != frame.Text {
		return c
	}
	var facts columnFacts
	for i, text := range c.Texts {
		if c.IsMissing(i) {
			continue
		}
		if facts.classes |= classifyTime(strings.TrimSpace(text)); facts.classes&isText != 0 {
			return c
		}
	}
	v := facts.verdict()
	if v != asDate && v != asTime && v != asInstant {
		return c
	}
	b := newColumnBuilder(c.Name, v, c.Len())
	for i := range c.Texts {
		b.set(i, c.Text(i), true)
	}
	return b.column
}
