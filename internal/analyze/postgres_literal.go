package analyze

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/analyze/postgres"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// pgLiteral is the value of a constant. Quoted text and NULL are of no type until something decides.
func (b *binder) pgLiteral(x *sql.Literal) value {
	if b.national(x) {
		return value{typ: pg(postgres.Lookup("bpchar")), fixed: true}
	}
	switch x.Kind {
	case sql.NullLiteral:
		return value{typ: pg(postgres.Unknown()), null: true, void: true, fixed: true}
	case sql.BoolLiteral:
		return value{typ: pg(postgres.Bool()), fixed: true}
	case sql.BitLiteral:
		return value{typ: pg(postgres.Bit()), fixed: true}
	case sql.StringLiteral:
		return value{typ: pg(postgres.Unknown()), fixed: true}
	}
	return value{typ: pgNumber(x.Text, false), fixed: true}
}

// national reports whether a literal is written N'text', which is a cast to character.
func (b *binder) national(x *sql.Literal) bool {
	return x.Kind == sql.StringLiteral && int(x.Start) < len(b.file.Text) && b.file.Text[x.Start]|0x20 == 'n'
}

// pgNumber is integer, bigint or numeric, whichever is the first that holds a number.
func pgNumber(text string, negative bool) typ {
	text = strings.ReplaceAll(text, "_", "")
	base := 10
	if strings.HasPrefix(strings.ToLower(text), "0x") {
		base = 0
	}
	if negative {
		text = "-" + text
	}
	if n, err := strconv.ParseInt(text, base, 64); err == nil {
		if n == int64(int32(n)) {
			return pg(postgres.Int4())
		}
		return pg(postgres.Int8())
	}
	return pg(postgres.Numeric())
}

// pgTypedLiteral is DATE '2025-01-31'.
func (b *binder) pgTypedLiteral(x *sql.TypedLiteral) value {
	t, wrong := writtenType(x.Type)
	if wrong != "" {
		return poisoned(b.problem("E1102", x.Type.Range, "%s", wrong))
	}
	if t.kind == kUnknown {
		b.pass(x.Range, whyType, typeText(x.Type))
	} else if pgNever(x.Value, t) {
		return poisoned(b.problem("E1101", x.Range, "'%s' can never be a value of type %s", x.Value, t))
	}
	return value{typ: t, fixed: true}
}

// pgConstants reports a quoted literal that can never become what it is taken for: the server reads it while it binds.
func (b *binder) pgConstants(exprs []sql.Expr, values []value, params []*postgres.Type) *diag.Problem {
	for i, x := range exprs {
		text, ok := constantString(x)
		if !ok || i >= len(params) || values[i].typ.pgType() != postgres.Unknown() {
			continue
		}
		if t := pg(params[i]); pgNever(text, t) {
			return b.problem("E1101", x.Bounds(), "'%s' is taken for %s here and can never be one", text, t).
				WithHelp("use a value of type %s, or cast the other side to text", t)
		}
	}
	return nil
}

// Numbers as text: PostgreSQL 16 reads other bases and underscores too, so that norn does not refuse them.
var (
	wholeNumber = regexp.MustCompile(`^[+-]?(0[xob][0-9a-f_]+|[0-9][0-9_]*)$`)
	anyNumber   = regexp.MustCompile(`^[+-]?(0[xob][0-9a-f_]+|([0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(e[+-]?[0-9]+)?|nan|inf|infinity)$`)
)

// Dates as text, lengths of time as text, and bits: enough to tell one from the other.
var (
	isoDate   = regexp.MustCompile(`^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}$`)
	fewDigits = regexp.MustCompile(`^[+-]?[0-9]{1,3}$`)
	duration  = regexp.MustCompile(`^[+-]?[0-9]+ *(years?|months?|mons?|weeks?|days?|hours?|minutes?|mins?|seconds?|secs?)$`)
	bitText   = regexp.MustCompile(`^(b?[01]*|x[0-9a-f]*)$`)
	address   = regexp.MustCompile(`^[0-9a-f.:/]+$`)
)

// pgNever reports whether text can never be read as a type. It errs on the side of "it might".
func pgNever(text string, t typ) bool {
	base := t.pgType()
	if base == nil {
		return false
	}
	s := strings.ToLower(strings.TrimSpace(text))
	digits := strings.ContainsAny(s, "0123456789")
	if base.Elem != nil && base.Name[0] == '_' {
		return s == "" || s[0] != '{' && s[0] != '[' || strings.Contains(s, `":`)
	}
	switch base.Name {
	case "int2", "int4", "int8":
		return !wholeNumber.MatchString(s)
	case "numeric", "float4", "float8":
		return !anyNumber.MatchString(s)
	case "json", "jsonb":
		return !json.Valid([]byte(text))
	case "bool":
		return s == "" || !strings.HasPrefix("true", s) && !strings.HasPrefix("false", s) && !strings.HasPrefix("yes", s) && !strings.HasPrefix("no", s) &&
			s != "on" && s != "of" && s != "off" && s != "0" && s != "1"
	case "time", "timetz":
		return s == "" || strings.ContainsAny(s, "{}[]\"") || !digits && s != "now" && s != "allballs" || isoDate.MatchString(s) || duration.MatchString(s)
	case "interval":
		return s == "" || strings.ContainsAny(s, "{}[]\"") || !digits && strings.TrimLeft(s, "+-") != "infinity" || isoDate.MatchString(s)
	case "bit", "varbit":
		return !bitText.MatchString(s)
	case "inet", "cidr":
		return !address.MatchString(s) || !strings.ContainsAny(s, ".:")
	case "oid":
		return !wholeNumber.MatchString(s)
	case "point", "lseg", "box", "path", "polygon", "circle":
		return !strings.Contains(s, ",")
	case "date", "timestamp", "timestamptz":
		switch strings.TrimLeft(s, "+-") {
		case "epoch", "infinity", "now", "today", "tomorrow", "yesterday":
			return false
		}
		return !digits && !strings.Contains(s, " ") || strings.ContainsAny(s, "{}[]\"") || fewDigits.MatchString(s) || duration.MatchString(s)
	case "uuid":
		return len(s) < 32
	}
	return false
}
