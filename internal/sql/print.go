package sql

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text writes a node as canonical SQL in one line: keywords in upper case, single spaces, only the
// parentheses that are needed. Parsing the text gives an equal tree, ranges aside. Two expressions
// with the same Text are the same expression, up to the case of names.
func Text(node Node) string {
	p := printer{}
	p.node(node)
	return p.b.String()
}

// printer builds the text. Methods write their node with no space before or after.
type printer struct {
	b strings.Builder
}

func (p *printer) node(n Node) {
	switch n := n.(type) {
	case *Statement:
		if n.Query != nil {
			p.query(n.Query)
		}
	case Expr:
		p.expr(n, 0)
	case TableExpr:
		p.table(n)
	case QueryExpr:
		p.queryExpr(n)
	case *TypeName:
		p.typeName(n)
	case *SelectItem:
		p.selectItem(*n)
	case *OrderItem:
		p.orderItem(*n)
	case *With:
		p.with(n)
	case *CTE:
		p.cte(n)
	case *Window:
		p.window(n)
	}
}

func (p *printer) s(parts ...string) {
	for _, s := range parts {
		p.b.WriteString(s)
	}
}

// list writes the items with commas between them.
func list[T any](p *printer, items []T, item func(T)) {
	for i, x := range items {
		if i > 0 {
			p.s(", ")
		}
		item(x)
	}
}

func (p *printer) exprs(items []Expr) {
	list(p, items, func(x Expr) { p.expr(x, 0) })
}

// parens writes the expressions in parentheses.
func (p *printer) parens(items []Expr) {
	p.s("(")
	p.exprs(items)
	p.s(")")
}

func (p *printer) subquery(q *Query) {
	p.s("(")
	p.query(q)
	p.s(")")
}

func (p *printer) name(n Name) {
	if n.Quoted || !plainName(n.Text) {
		p.s(QuoteName(n.Text))
		return
	}
	p.s(n.Text)
}

// QuoteName writes an identifier in quotes, as every dialect reads it. Quotes keep its case: in PostgreSQL "Id" is not id.
func QuoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// QuoteText writes a text as a constant in plain quotes, as every dialect reads it. It is for UTF-8 without zero bytes.
func QuoteText(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// plainName reports whether a name can stand without quotes, keywords aside.
func plainName(s string) bool {
	for i := range len(s) {
		k := charClass[s[i]]
		if k != charLetter && (i == 0 || k != charDigit && s[i] != '$') {
			return false
		}
	}
	return s != "" && utf8.ValidString(s) && !hasUnicodeSpace(s)
}

func hasUnicodeSpace(s string) bool {
	for i := range s {
		if unicodeSpace(s[i:]) > 0 {
			return true
		}
	}
	return false
}

// path writes a qualified name.
func (p *printer) path(parts []Name) {
	for i, n := range parts {
		if i > 0 {
			p.s(".")
		}
		p.name(n)
	}
}

func (p *printer) names(names []Name) {
	p.s("(")
	list(p, names, p.name)
	p.s(")")
}

// str writes a string constant. Bytes that are not UTF-8 need the escape form.
func (p *printer) str(s string) { p.s(quoteString(s)) }

func quoteString(s string) string {
	if utf8.ValidString(s) {
		return QuoteText(s)
	}
	var b strings.Builder
	b.WriteString("E'")
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(`\x`)
			b.WriteByte("0123456789ABCDEF"[s[0]>>4])
			b.WriteByte("0123456789ABCDEF"[s[0]&15])
		case r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	b.WriteByte('\'')
	return b.String()
}

// typeName writes a type.
func (p *printer) typeName(t *TypeName) {
	switch t.Kind {
	case StructType, UnionType:
		p.s(map[TypeKind]string{StructType: "STRUCT(", UnionType: "UNION("}[t.Kind])
		list(p, t.Fields, func(f TypeField) {
			p.name(f.Name)
			p.s(" ")
			p.typeName(f.Type)
		})
		p.s(")")
	case MapType:
		p.s("MAP(")
		p.typeName(t.Key)
		p.s(", ")
		p.typeName(t.Elem)
		p.s(")")
	case ListType:
		p.typeName(t.Elem)
		p.s("[]")
	case ArrayType:
		p.typeName(t.Elem)
		p.s("[", strconv.Itoa(t.Size), "]")
	case EnumType:
		p.s("ENUM(")
		list(p, t.Values, p.str)
		p.s(")")
	default:
		p.simpleType(t)
	}
}

// simpleType writes a named type. The modifiers of a time stand before its zone, and a type of
// several words must not be quoted.
func (p *printer) simpleType(t *TypeName) {
	zone := ""
	if len(t.Name) == 1 && !t.Name[0].Quoted {
		head := t.Name[0].Text
		if i := strings.Index(head, " WITH"); i > 0 {
			head, zone = head[:i], head[i:]
		}
		p.s(head)
	} else {
		p.path(t.Name)
	}
	if t.Params != nil {
		p.parens(t.Params)
	}
	p.s(zone)
}
