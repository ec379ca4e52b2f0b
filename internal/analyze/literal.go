package analyze

import (
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/sql"
)

// literal is the value of a constant. Text and whole numbers keep kinds of their own until something decides their type.
func literal(x *sql.Literal) value {
	switch x.Kind {
	case sql.NullLiteral:
		return value{typ: scalar(kNull), null: true, void: true, fixed: true, folds: true}
	case sql.BoolLiteral:
		return value{typ: scalar(kBoolean), fixed: true, folds: true}
	case sql.StringLiteral, sql.BitLiteral:
		// DuckDB reads x'41' and b'01' as the texts x41 and b01.
		return value{typ: scalar(kStringLit), fixed: true, folds: true}
	}
	return value{typ: numberType(x.Text, false), fixed: true, folds: true}
}

// numberType is the type of a number as written: the smallest of INTEGER, BIGINT and HUGEINT, a DECIMAL of exactly its
// digits, or DOUBLE with an exponent or more digits than a DECIMAL has.
func numberType(text string, negative bool) typ {
	text = strings.ReplaceAll(text, "_", "")
	if len(text) > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X' || text[1] == 'b' || text[1] == 'B') {
		return numberType0(text, negative)
	}
	if strings.ContainsAny(text, "eE") {
		return scalar(kDouble)
	}
	if whole, fraction, ok := strings.Cut(text, "."); ok {
		if len(fraction) == 0 && len(whole) <= 38 {
			return decimal(uint8(max(1, len(whole))), 0)
		}
		if width := len(whole) + len(fraction); width <= 38 {
			return decimal(uint8(width), uint8(len(fraction)))
		}
		return scalar(kDouble)
	}
	return numberType0(text, negative)
}

// numberType0 is numberType for whole numbers.
func numberType0(text string, negative bool) typ {
	n, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		if n, err = strconv.ParseUint(strings.TrimLeft(text, "0"), 10, 64); err != nil {
			if len(strings.TrimLeft(text, "0")) > 39 {
				return scalar(kDouble) // more digits than any integer type has; to compute them takes the square of their number
			}
			big, ok := new(big.Int).SetString(text, 10)
			if !ok {
				return scalar(kDouble)
			}
			switch bits := big.BitLen(); {
			case bits <= 127 || negative && bits == 128 && big.TrailingZeroBits() == 127:
				return typ{kind: kIntLit, width: uint8(kHugeint), scale: 126}
			case bits == 128 && !negative:
				return scalar(kUHugeint)
			}
			return scalar(kDouble)
		}
	} else if len(text) > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9' {
		n, _ = strconv.ParseUint(strings.TrimLeft(text, "0"), 10, 64) // leading zeros are not octal
	}
	if negative && n > 0 {
		t := intLiteral(n - 1)
		t.scale |= 0x80
		return t
	}
	return intLiteral(n)
}

// intLiteral is the type of a whole number: INTEGER unless it needs more, remembering how many bits it needs, because a
// constant converts to every integer type it fits in.
func intLiteral(n uint64) typ {
	size := bits.Len64(n)
	k := kInteger
	if size > 63 {
		k = kHugeint
	} else if size > 31 {
		k = kBigint
	}
	return typ{kind: kIntLit, width: uint8(k), scale: uint8(size)}
}
