package project

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/norn-data/norn/internal/sql"
)

// Types of seed columns are found out by norn itself, over all rows, by rules that fit on a page:
//
//   - an empty cell without quotes is NULL and says nothing about the type; a column of nothing else is VARCHAR;
//   - BOOLEAN: every cell is true or false, in any case;
//   - BIGINT: every cell is a whole number of 64 bits without plus sign, and no cell has leading zeros, because 007 is a
//     code and not the number 7;
//   - DOUBLE: every cell is a decimal number, again without leading zeros, or nan, inf, infinity, and at least one is a
//     number; whole numbers that do not fit 64 bits are not taken, because a double would change their digits;
//   - DATE: every cell is YYYY-MM-DD, a day that exists;
//   - TIMESTAMP: every cell is a date, or a date, a space or T, and HH:MM, HH:MM:SS or HH:MM:SS with up to six decimals;
//   - VARCHAR: everything else.
//
// The first type of this list that fits all cells is the column's. Blanks around a value make it a text.

// typeSet is a set of types that still fit a column, one bit each.
type typeSet uint8

const (
	fitsBoolean typeSet = 1 << iota
	fitsBigint
	fitsDouble
	fitsDate
	fitsTimestamp
	// sawNumber is no type: it keeps a column of nothing but nan from being DOUBLE.
	sawNumber
	fitsAll = fitsBoolean | fitsBigint | fitsDouble | fitsDate | fitsTimestamp
)

// A typeGuess is what is known about a column after some of its cells.
type typeGuess struct {
	fits     typeSet
	seen     bool // a cell with a value
	nullable bool
	number   bool
}

func newGuess() typeGuess { return typeGuess{fits: fitsAll} }

// add narrows the guess by one cell. Once no type is left but VARCHAR, cells are not looked at any more.
func (g *typeGuess) add(text []byte, null bool) {
	if null {
		g.nullable = true
		return
	}
	g.seen = true
	if g.fits == 0 {
		return
	}
	c := classify(text)
	g.number = g.number || c&sawNumber != 0
	g.fits &= c
}

// name is the type's name.
func (g *typeGuess) name() string {
	switch {
	case !g.seen:
		return "VARCHAR"
	case g.fits&fitsBoolean != 0:
		return "BOOLEAN"
	case g.fits&fitsBigint != 0:
		return "BIGINT"
	case g.fits&fitsDouble != 0 && g.number:
		return "DOUBLE"
	case g.fits&fitsDate != 0:
		return "DATE"
	case g.fits&fitsTimestamp != 0:
		return "TIMESTAMP"
	}
	return "VARCHAR"
}

// classify returns all types that a value fits.
func classify(b []byte) typeSet {
	if len(b) == 0 || len(b) > 64 {
		return 0
	}
	switch c := b[0]; {
	case c == '-' || c == '.' || isDigit(c):
		if len(b) >= 10 && b[4] == '-' && b[7] == '-' {
			return classifyTime(string(b))
		}
		return classifyNumber(string(b))
	case c == 't' || c == 'T' || c == 'f' || c == 'F':
		if s := string(b); strings.EqualFold(s, "true") || strings.EqualFold(s, "false") {
			return fitsBoolean
		}
	case c == 'n' || c == 'N' || c == 'i' || c == 'I':
		if s := string(b); strings.EqualFold(s, "nan") || strings.EqualFold(s, "inf") || strings.EqualFold(s, "infinity") {
			return fitsDouble
		}
	}
	return 0
}

// classifyNumber tells whole numbers from others; the text starts with a digit, a point or a minus sign.
func classifyNumber(s string) typeSet {
	digits := strings.TrimPrefix(s, "-")
	if strings.EqualFold(digits, "inf") || strings.EqualFold(digits, "infinity") {
		return fitsDouble
	}
	// ParseFloat also takes hexadecimal numbers, underscores and more signs, which CSV does not have.
	if strings.Trim(digits, "0123456789.eE+-") != "" || digits == "" || !(isDigit(digits[0]) || digits[0] == '.') {
		return 0
	}
	if len(digits) > 1 && digits[0] == '0' && isDigit(digits[1]) {
		return 0
	}
	if strings.Trim(digits, "0123456789") == "" {
		if _, err := strconv.ParseInt(s, 10, 64); err != nil || s == "-0" {
			return 0
		}
		return fitsBigint | fitsDouble | sawNumber
	}
	// An exponent out of range is an infinity to ParseFloat, with an error.
	if _, err := strconv.ParseFloat(s, 64); err != nil {
		return 0
	}
	return fitsDouble | sawNumber
}

// timeLayouts are the forms of a timestamp behind its date.
var timeLayouts = []string{"15:04", "15:04:05", "15:04:05.999999"}

// classifyTime tells dates from timestamps; the text has the dashes of a date.
func classifyTime(s string) typeSet {
	if _, err := time.Parse(time.DateOnly, s[:10]); err != nil {
		return 0
	}
	if len(s) == 10 {
		return fitsDate | fitsTimestamp
	}
	if (s[10] != ' ' && s[10] != 'T') || len(s) < len("2006-01-02 15:04") || s[13] != ':' {
		return 0
	}
	if _, ok := parseClock(s[11:]); ok {
		return fitsTimestamp
	}
	return 0
}

// parseClock reads what stands behind the date and its separator in a timestamp: the time since midnight.
func parseClock(s string) (time.Duration, bool) {
	if len(s) > len("15:04:05.999999") || strings.Contains(s, ",") {
		return 0, false
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Sub(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)), true
		}
	}
	return 0, false
}

// booleans, timestamps and floatBits are the names of types that norn reads the values of; floatBits says how wide they are.
var (
	booleans   = map[string]bool{"BOOLEAN": true, "BOOL": true, "LOGICAL": true}
	timestamps = map[string]bool{"TIMESTAMP": true, "DATETIME": true, "TIMESTAMP WITHOUT TIME ZONE": true, "TIMESTAMP_US": true}
	floatBits  = map[string]int{"FLOAT": 32, "FLOAT4": 32, "REAL": 32, "FLOAT8": 64, "DOUBLE": 64, "DOUBLE PRECISION": 64}
)

// accepts reports whether a value can be read as a declared type without loss. Types it does not know accept everything: the
// warehouse has the last word on them.
func accepts(declared string, dialect *sql.Dialect, b []byte) bool {
	name, params := typeName(declared)
	switch {
	case booleans[name]:
		return classify(b)&fitsBoolean != 0
	case name == "DATE":
		return classify(b)&fitsDate != 0
	case timestamps[name]:
		return classify(b)&fitsTimestamp != 0
	case floatBits[name] > 0:
		// ParseFloat also takes hexadecimal numbers, which CSV does not have.
		if bytes.ContainsAny(b, "xX_") {
			return false
		}
		_, err := strconv.ParseFloat(string(b), floatBits[name])
		return err == nil
	case name == "DECIMAL" || name == "NUMERIC" || name == "DEC":
		return acceptsDecimal(params, dialect, string(b))
	}
	if bounds, ok := integerBounds[name]; ok {
		return acceptsInteger(bounds, string(b))
	}
	if bounds, ok := wideBounds[name]; ok {
		return acceptsWide(bounds, string(b))
	}
	return true
}

// integerBounds are the smallest and largest values of the integer types, the largest as an unsigned number.
var integerBounds = map[string]struct {
	low  int64
	high uint64
}{
	"TINYINT": {math.MinInt8, math.MaxInt8}, "INT1": {math.MinInt8, math.MaxInt8},
	"SMALLINT": {math.MinInt16, math.MaxInt16}, "INT2": {math.MinInt16, math.MaxInt16}, "INT16": {math.MinInt16, math.MaxInt16}, "SHORT": {math.MinInt16, math.MaxInt16},
	"INTEGER": {math.MinInt32, math.MaxInt32}, "INT": {math.MinInt32, math.MaxInt32}, "INT4": {math.MinInt32, math.MaxInt32}, "INT32": {math.MinInt32, math.MaxInt32},
	"SIGNED": {math.MinInt32, math.MaxInt32}, "INTEGRAL": {math.MinInt32, math.MaxInt32},
	"BIGINT": {math.MinInt64, math.MaxInt64}, "INT8": {math.MinInt64, math.MaxInt64}, "INT64": {math.MinInt64, math.MaxInt64}, "LONG": {math.MinInt64, math.MaxInt64},
	"UTINYINT": {0, math.MaxUint8}, "UINT8": {0, math.MaxUint8}, "USMALLINT": {0, math.MaxUint16}, "UINT16": {0, math.MaxUint16},
	"UINTEGER": {0, math.MaxUint32}, "UINT32": {0, math.MaxUint32}, "UBIGINT": {0, math.MaxUint64}, "UINT64": {0, math.MaxUint64},
}

// acceptsInteger reads signed numbers first, because only UBIGINT needs the upper half of 64 bits.
func acceptsInteger(bounds struct {
	low  int64
	high uint64
}, s string) bool {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n >= bounds.low && (n < 0 || uint64(n) <= bounds.high)
	}
	n, err := strconv.ParseUint(s, 10, 64)
	return err == nil && n <= bounds.high
}

// acceptsDecimal reports whether a number fits DECIMAL(width, scale) without losing digits on either side of the point. What is
// not said of width and scale is what the dialect makes of it: PostgreSQL then takes every number.
func acceptsDecimal(params string, dialect *sql.Dialect, s string) bool {
	width, scale := 18, 3
	if params == "" && dialect == sql.Postgres() {
		width, scale = math.MaxInt32, math.MaxInt16
	}
	if params != "" {
		first, second, two := strings.Cut(params, ",")
		w, err := strconv.Atoi(strings.TrimSpace(first))
		if err != nil {
			return true
		}
		width, scale = w, 0
		if two {
			if scale, err = strconv.Atoi(strings.TrimSpace(second)); err != nil {
				return true
			}
		}
	}
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 || digits == "" || strings.Trim(digits, "0123456789.") != "" {
		return false
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	if strings.Contains(fraction, ".") || whole+fraction == "" {
		return false
	}
	return len(strings.TrimLeft(whole, "0")) <= width-scale && len(strings.TrimRight(fraction, "0")) <= scale
}
