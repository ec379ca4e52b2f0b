package warehouse

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/norn-data/norn/internal/diag"
)

// A class is what a single cell could be. Classes are bits, so that a column is the union of its cells.
type class uint32

const (
	isMarker class = 1 << iota // a word for "no value": see MissingMarker
	isBool
	isInt          // fits 64 bits
	isWide         // whole number of up to 38 digits
	isFloat        // has an exponent and no point, or is infinite
	isPoint        // 2.5, 0.125, 1234.567: the point can only be a decimal point
	isPoint3       // 1.234: a thousand or about one
	isHuge         // a number beyond float64
	isComma        // 2,5: the comma can only be a decimal comma
	isComma3       // 1,234: about one or a thousand
	isGrouped      // 1.234.567
	isGroupedComma // 1.234,5
	isDate         // 2024-01-31
	isTime         // a date with a time
	isInstant      // a date with a time and an offset from UTC
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

// numeric reports whether the cells of such a column are numbers.
func (v verdict) numeric() bool { return v >= asInt && v <= asComma }

// columnFacts collects what the cells of a column have been.
type columnFacts struct {
	commas       bool // a comma may be a decimal comma
	decimalComma bool // it is, in the whole file: see decimalMark
	long         bool // a number of a thousand or more is written without separators
	classes      class
	hugeAt       int // offset of the first number beyond float64
}

// see lets one cell vote. An empty cell is missing and fits every type.
func (f *columnFacts) see(value string, at int) {
	// Once a cell is text, the column is: most cells of real files take this way out.
	if value == "" || f.classes&isText != 0 {
		return
	}
	k := classify(value)
	if !f.commas && k&(isComma|isComma3|isGrouped|isGroupedComma) != 0 {
		k = isText
	}
	if f.commas && !f.long && k&(isInt|isWide|isComma) != 0 {
		digits := strings.TrimLeft(strings.TrimSpace(value), "+-")
		f.long = len(digits) > 3 && strings.IndexByte(digits[:4], ',') < 0
	}
	if k == isHuge && f.classes&isHuge == 0 {
		f.hugeAt = at
	}
	f.classes |= k
}

// verdict finds the narrowest type that holds every cell without loss. A column of markers or of nothing is text: there is
// no value in it that would say otherwise.
func (f *columnFacts) verdict() verdict {
	// Every type but text takes the words for a gap.
	only := func(allowed, some class) bool { return f.classes&^(allowed|isMarker) == 0 && f.classes&some != 0 }
	switch {
	case only(isBool, isBool):
		return asBool
	case only(isInt, isInt):
		return asInt
	case only(isInt|isWide, isWide):
		return asWide
	case f.decimalComma && only(commaNumber, commaNumber&^(isInt|isWide|isFloat)):
		return asComma
	case only(pointNumber, pointNumber):
		return asFloat
	case only(isDate, isDate):
		return asDate
	case only(isDate|isTime, isTime):
		return asTime
	case only(isInstant, isInstant):
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
	whole := leadingDigits(digits)
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
	rest := digits[whole:]
	// Groups of three behind up to three digits that do not begin with a zero: 1.234, 12.345.678, and 1,234.
	mayGroup := whole > 0 && whole <= 3 && digits[0] != '0'
	groups := 0
	for tail := rest; mayGroup && tail != "" && tail[0] == '.'; groups++ {
		if leadingDigits(tail[1:]) != 3 {
			groups = 0
			break
		}
		tail = tail[4:]
	}
	fraction, comma := strings.CutPrefix(rest[4*groups:], ",")
	switch {
	case comma && whole > 0 && fraction != "" && leadingDigits(fraction) == len(fraction):
		switch {
		case groups > 0:
			return isGroupedComma
		case mayGroup && len(fraction) == 3:
			return isComma3
		}
		return isComma
	case groups > 1 && rest[4*groups:] == "":
		return isGrouped
	case groups == 1 && len(rest) == 4:
		return isPoint3
	}
	return classifyFloat(v, rest, whole)
}

// leadingDigits counts the digits that a text begins with.
func leadingDigits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// classifyFloat looks at what follows the whole digits of a number: ".5", "e10", ".5e-3". The grammar is checked here
// because strconv takes more than a CSV should contain, such as hexadecimal floats.
func classifyFloat(v, rest string, digits int) class {
	k := isFloat
	if rest[0] == '.' {
		k = isPoint
		n := leadingDigits(rest[1:])
		rest, digits = rest[1+n:], digits+n
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
		if exponent == "" || leadingDigits(exponent) != len(exponent) {
			return isText
		}
	}
	if f, _ := strconv.ParseFloat(v, 64); math.IsInf(f, 0) {
		return isHuge
	}
	return k
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
