package project

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/norn-data/norn/internal/diag"
)

// CellKind is what the cells of a seed's column are read as when the seed is built.
type CellKind uint8

// The kinds. norn reads the values of the types that it finds out itself, and of those that mean the same; texts go to the
// warehouse as they are, which makes values of a declared type of them.
const (
	TextCells CellKind = iota
	BoolCells
	IntCells
	FloatCells
	DateCells
	TimestampCells
)

// typeName is the name of a written type in capitals, without its parameters, which are what stands between the brackets.
func typeName(written string) (name, params string) {
	name, params, _ = strings.Cut(strings.ToUpper(written), "(")
	return strings.TrimSpace(name), strings.TrimSuffix(strings.TrimSpace(params), ")")
}

// Cells is what the cells of the column are read as. Whatever [accepts] takes for a type can be read as its kind.
func (c *SeedColumn) Cells() CellKind {
	name, params := typeName(c.Type)
	if bounds, ok := integerBounds[name]; ok && params == "" && bounds.high <= math.MaxInt64 {
		return IntCells
	}
	switch {
	case params != "":
		return TextCells
	case booleans[name]:
		return BoolCells
	case floatBits[name] > 0:
		return FloatCells
	case name == "DATE":
		return DateCells
	case timestamps[name]:
		return TimestampCells
	}
	return TextCells
}

// Bool, Int, Float, Day and Moment are the value of a cell that has one and was accepted as a value of its column's type.

// Bool reads a cell of a column of [BoolCells].
func (c Cell) Bool() bool { return len(c.Text) == len("true") }

// Int reads a cell of a column of [IntCells].
func (c Cell) Int() int64 {
	return value(strconv.ParseInt(c.Text, 10, 64))
}

// Float reads a cell of a column of [FloatCells]. A column of 32 bits gets the nearest number of 32 bits, which is not always
// the one nearest to that of 64.
func (c Cell) Float(column *SeedColumn) float64 {
	name, _ := typeName(column.Type)
	return value(strconv.ParseFloat(c.Text, floatBits[name]))
}

// Day reads a cell of a column of [DateCells]: days since 1970-01-01.
func (c Cell) Day() int64 {
	// Midnights divide evenly, so the quotient is right on both sides of 1970.
	return value(time.Parse(time.DateOnly, c.Text)).Unix() / (24 * 60 * 60)
}

// Moment reads a cell of a column of [TimestampCells]: microseconds since 1970-01-01 00:00.
func (c Cell) Moment() int64 {
	at := value(time.Parse(time.DateOnly, c.Text[:len(time.DateOnly)]))
	if len(c.Text) > len(time.DateOnly) {
		clock, ok := parseClock(c.Text[len(time.DateOnly)+1:])
		diag.Assert(ok, "%q was accepted as a timestamp and has no time", c.Text)
		at = at.Add(clock)
	}
	return at.UnixMicro()
}

// value unwraps the reading of a cell that was checked.
func value[T any](v T, err error) T {
	diag.Assert(err == nil, "a cell that was accepted cannot be read: %v", err)
	return v
}

// acceptsWide reads whole numbers of more than 64 bits; no bounds are none.
func acceptsWide(bounds [2]*big.Int, s string) bool {
	digits := strings.TrimPrefix(strings.TrimPrefix(s, "-"), "+")
	n, ok := new(big.Int).SetString(s, 10)
	return ok && strings.Trim(digits, "0123456789") == "" && len(s)-len(digits) <= 1 &&
		(bounds[0] == nil || n.Cmp(bounds[0]) >= 0) && (bounds[1] == nil || n.Cmp(bounds[1]) <= 0)
}

// wideBounds are the smallest and largest values of the integer types beyond 64 bits.
var wideBounds = map[string][2]*big.Int{
	"HUGEINT": {power(-1, 127), below(127)}, "INT128": {power(-1, 127), below(127)},
	"UHUGEINT": {new(big.Int), below(128)}, "UINT128": {new(big.Int), below(128)},
	"BIGNUM": {}, "VARINT": {},
}

// power is sign·2^n, and below the largest number below 2^n.
func power(sign int64, n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(sign), n) }
func below(n uint) *big.Int             { return new(big.Int).Sub(power(1, n), big.NewInt(1)) }
