package warehouse

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/norn-data/norn/internal/diag"
)

// A class is what a single cell could be. Classes are bits, so that a column is the union of its cells.
type class uint16

const (
	isMarker class = 1 << iota // a word for "no number": see MissingMarker
	isBool
	isInt     // fits 64 bits
	isWide    // whole number of up to 38 digits
	isFloat   // has a point or an exponent, or is infinite
	isHuge    // a number beyond float64
	isComma   // 1,5 in a file whose cells are not separated by commas
	isDate    // 2024-01-31
	isTime    // a date with a time
	isInstant // a date with a time and an offset from UTC
	isText
)

// A verdict is the type of a whole column.
type verdict uint8

const (
	asText verdict = iota
	asBool
	asInt
	asWide
	asFloat
	asComma // a float written with a decimal comma
	asDate
	asTime
	asInstant
)

// name is the type in the words of the SQL standard, which every warehouse reads.
func (v verdict) name() string {
	return [...]string{"VARCHAR", "BOOLEAN", "BIGINT", "DECIMAL(38,0)", "DOUBLE", "DOUBLE", "DATE", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE"}[v]
}

// numeric reports whether the words for "no number" are gaps in such a column.
func (v verdict) numeric() bool { return v >= asInt && v <= asComma }

// columnFacts collects what the cells of a column have been.
type columnFacts struct {
	commas  bool // a comma may be a decimal comma
	classes class
	hugeAt  int // offset of the first number beyond float64
}

// see lets one cell vote. An empty cell is missing and fits every type.
func (f *columnFacts) see(value string, at int) {
	// Once a cell is text, the column is: most cells of real files take this way out.
	if value == "" || f.classes&isText != 0 {
		return
	}
	k := classify(value)
	if k == isComma && !f.commas {
		k = isText
	}
	if k == isHuge && f.classes&isHuge == 0 {
		f.hugeAt = at
	}
	f.classes |= k
}

// verdict finds the narrowest type that holds every cell without loss. A column of markers or of nothing is text: there is
// no number in it that would say otherwise.
func (f *columnFacts) verdict() verdict {
	const number = isInt | isWide | isFloat | isHuge
	only := func(allowed class) bool { return f.classes != 0 && f.classes&^allowed == 0 }
	switch {
	case only(isBool):
		return asBool
	case only(isInt|isMarker) && f.classes&isInt != 0:
		return asInt
	case only(isInt|isWide|isMarker) && f.classes&isWide != 0:
		return asWide
	case only(number|isMarker) && f.classes&number != 0:
		return asFloat
	case only(isInt|isComma|isMarker) && f.classes&isComma != 0:
		// Points and commas in one column would leave open which of them separates thousands.
		return asComma
	case only(isDate):
		return asDate
	case only(isDate | isTime):
		return asTime
	case only(isInstant):
		return asInstant
	}
	return asText
}

// problem refuses a column of numbers in which one is beyond float64: as infinity it would be wrong, as text the whole
// column would silently stop being numeric.
func (f *columnFacts) problem(c *CSV, column int) *diag.Problem {
	if f.classes&isHuge == 0 || f.verdict() != asFloat {
		return nil
	}
	s := scanner{text: c.File.Text, delimiter: c.Delimiter, pos: f.hugeAt}
	cell := s.next()
	return diag.New("E1509", diag.Span{File: c.File, Start: cell.start, End: cell.end}, "%s in column %s is beyond the range of a 64-bit number",
		cell.value(c.File.Text), c.Names[column]).WithHelp("numbers reach to about 1.8e308; leave the cell empty if the value is not known")
}

// MissingMarker reports whether a cell of a numeric column says that there is no number. In other columns these are
// ordinary words.
func MissingMarker(value string) bool {
	if len(value) < 2 || len(value) > 4 {
		return false
	}
	switch strings.ToLower(value) {
	case "nan", "na", "null", "none":
		return true
	}
	return false
}

// classify decides on a cell that is not empty. Spaces around numbers, dates and truth values do not count. Whole numbers
// that begin with a zero (postal codes, article numbers) are text, because as numbers they would lose it.
func classify(value string) class {
	v := strings.TrimSpace(value)
	if v == "" {
		return isText
	}
	switch b := v[0]; {
	case b >= '0' && b <= '9', b == '-', b == '+', b == '.':
		if k := classifyNumber(v); k != isText {
			return k
		}
		return classifyTime(v)
	case MissingMarker(v):
		return isMarker
	case strings.EqualFold(v, "true"), strings.EqualFold(v, "false"):
		return isBool
	case infinite(v) != 0:
		return isFloat
	}
	return isText
}

// classifyNumber follows the grammar sign, digits, fraction, exponent, and returns isText for everything else.
func classifyNumber(v string) class {
	if infinite(v) != 0 {
		return isFloat
	}
	digits := strings.TrimLeft(v, "+-")
	if digits == "" || len(v)-len(digits) > 1 {
		return isText
	}
	whole := 0
	for whole < len(digits) && digits[whole] >= '0' && digits[whole] <= '9' {
		whole++
	}
	if whole > 1 && digits[0] == '0' {
		return isText
	}
	if whole == len(digits) {
		switch {
		// 18 digits fit 64 bits whatever they are, and 38 are the most that DECIMAL holds.
		case whole < 19:
			return isInt
		case whole > 38:
			return isText
		}
		if _, err := strconv.ParseInt(v, 10, 64); err == nil {
			return isInt
		}
		return isWide
	}
	if fraction, ok := strings.CutPrefix(digits[whole:], ","); ok && whole > 0 && fraction != "" && strings.Trim(fraction, "0123456789") == "" {
		return isComma
	}
	return classifyFloat(v, digits[whole:], whole)
}

// classifyFloat looks at what follows the whole digits of a number: ".5", "e10", ".5e-3". The grammar is checked here
// because strconv takes more than a CSV should contain, such as hexadecimal floats.
func classifyFloat(v, rest string, digits int) class {
	if rest[0] == '.' {
		rest = rest[1:]
		for rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			rest, digits = rest[1:], digits+1
		}
	}
	if digits == 0 {
		return isText
	}
	if rest != "" {
		if rest[0] != 'e' && rest[0] != 'E' {
			return isText
		}
		exponent := rest[1:]
		if exponent != "" && (exponent[0] == '+' || exponent[0] == '-') {
			exponent = exponent[1:]
		}
		if exponent == "" || strings.Trim(exponent, "0123456789") != "" {
			return isText
		}
	}
	if f, _ := strconv.ParseFloat(v, 64); math.IsInf(f, 0) {
		return isHuge
	}
	return isFloat
}

// infinite returns the sign of a written infinity and 0 for everything else.
func infinite(v string) int {
	sign := 1
	switch {
	case strings.HasPrefix(v, "-"):
		sign, v = -1, v[1:]
	case strings.HasPrefix(v, "+"):
		v = v[1:]
	}
	if strings.EqualFold(v, "inf") || strings.EqualFold(v, "infinity") {
		return sign
	}
	return 0
}

// Dates are ISO 8601 and nothing else: 01/02/2024 is two different days to two different readers.
var (
	dateLayout     = "2006-01-02"
	timeLayouts    = [...]string{"2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02T15:04"}
	instantLayouts = [...]string{"2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05Z07", "2006-01-02T15:04:05Z07"}
)

// classifyTime asks for the dashes of a date first: trying the layouts in vain would cost more than all else here.
func classifyTime(v string) class {
	if len(v) < len(dateLayout) || v[4] != '-' || v[7] != '-' {
		return isText
	}
	_, k := parseTime(v)
	return k
}

// parseTime reads a date or a time stamp. Fractions of a second beyond microseconds are cut.
func parseTime(v string) (time.Time, class) {
	if len(v) == len(dateLayout) {
		if t, err := time.Parse(dateLayout, v); err == nil {
			return t, isDate
		}
		return time.Time{}, isText
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, v); err == nil {
			return t, isTime
		}
	}
	for _, layout := range instantLayouts {
		if t, err := time.Parse(layout, v); err == nil {
			return t, isInstant
		}
	}
	return time.Time{}, isText
}
