package analyze

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// valueWords are functions that SQL calls without parentheses.
var valueWords = map[string]typ{
	"current_date": scalar(kDate), "current_time": scalar(kTimeTZ), "current_timestamp": scalar(kTimestampTZ),
	"localtime": scalar(kTime), "localtimestamp": scalar(kTimestamp), "current_user": scalar(kVarchar),
	"current_catalog": scalar(kVarchar), "current_schema": scalar(kVarchar), "current_role": scalar(kVarchar),
	"session_user": scalar(kVarchar), "user": scalar(kVarchar),
}

// column gives meaning to a name. The order is DuckDB's: lambda parameters, columns of this query, aliases of the select
// list where the clause allows them, columns of the queries around, a relation as a whole, words such as current_date.
func (b *binder) column(e *env, ref *sql.ColumnRef) value {
	if p, ok := b.pinned[ref]; ok && e.scope != nil {
		return b.usedColumn(e, e.scope, p.place, ref.Parts[1], p.value())
	}
	if len(ref.Parts) == 1 {
		return b.plainColumn(e, ref.Parts[0])
	}
	if v, ok := b.outerGroup(e, ref); ok {
		return v
	}
	return b.dottedColumn(e, ref)
}

// plainColumn resolves a name without qualifier. ORDER BY and HAVING look at aliases first, all other clauses at columns
// first; that is DuckDB's order and decides what a name means when an alias hides a column.
func (b *binder) plainColumn(e *env, name sql.Name) value {
	if b.pg {
		return b.pgColumn(e, name)
	}
	f := fold(name.Text)
	if v, ok := e.lambda.find(f); ok {
		return v
	}
	aliasFirst := e.clause == inOrder || e.clause == inHaving
	if aliasFirst && !e.inAgg {
		if v, ok := b.aliasValue(e, f); ok {
			return v
		}
	}
	var around *env
	for s := e.scope; s != nil; s = s.outer {
		at := s.lookup(f)
		switch {
		case at.count == 1:
			return b.columnAt(e, s, at.first, name)
		case at.count > 1:
			return b.ambiguous(name, at)
		}
		if s == e.scope && !aliasFirst && !e.inAgg && at.open != nil {
			if v, ok := b.columnOrAlias(e, at.open, name); ok {
				return v
			}
		} else if s == e.scope && !aliasFirst && !e.inAgg {
			if v, ok := b.aliasValue(e, f); ok {
				return v
			}
		}
		if around != nil && at.open == nil {
			if v, ok := b.outerAlias(around, name); ok {
				return v
			}
		}
		around = s.around
		if at.open != nil {
			// It may be here, so it is not looked for further out.
			if twins, ok := s.selfJoin(at.open); ok {
				return b.ambiguous(name, twins)
			}
			return b.openColumn(at.open, name.Text)
		}
	}
	if v, ok := b.aggregatedAlias(e, name); ok {
		return v
	}
	if aliasFirst {
		if v, ok := b.aliasValue(e, f); ok {
			return v
		}
	}
	if r := e.scope.relation(f); r != nil {
		return b.wholeRow(r)
	}
	if t, ok := valueWords[f]; ok && !name.Quoted {
		switch f {
		case "current_user", "session_user", "current_role", "user":
			return value{typ: scalar(kStringLit), folds: true} // DuckDB puts the text 'duckdb' there
		}
		return value{typ: t}
	}
	if f == "rowid" {
		if v, ok := b.rowID(e, name); ok {
			return v
		}
	}
	return b.unknownColumn(e, name, nil)
}

// rowNumber is the place of rowid among the columns of a table.
const rowNumber = -1

// rowID is the column that every table has and no star shows: the number of the row.
func (b *binder) rowID(e *env, name sql.Name) (value, bool) {
	for s := e.scope; s != nil; s = s.outer {
		var have []*relation
		for _, r := range s.rels {
			if r.hasRowID() {
				have = append(have, r)
			}
		}
		switch {
		case len(have) == 1:
			return b.usedColumn(e, s, place{have[0], rowNumber}, name, value{typ: scalar(kBigint), null: have[0].padded}), true
		case len(have) > 1:
			return b.ambiguous(name, found{count: 2, first: place{rel: have[0]}, second: place{rel: have[1]}}), true
		}
	}
	return value{}, false
}

// numbered is the table of this query whose row number a reference means, nil when it means something else.
func (s *scope) numbered(ref *sql.ColumnRef) *relation {
	if fold(ref.Parts[len(ref.Parts)-1].Text) != "rowid" || len(ref.Parts) > 2 {
		return nil
	}
	for _, r := range s.rels {
		if r.hasRowID() && (len(ref.Parts) == 1 || r.answers(fold(ref.Parts[0].Text))) {
			return r
		}
	}
	return nil
}

// hasRowID reports whether a relation is a table; views and queries have no row numbers.
func (r *relation) hasRowID() bool { return r.base != nil && r.base.table }

// columnAt is the value of a column that was found, noting when it stands outside of the groups of its block.
func (b *binder) columnAt(e *env, s *scope, p place, name sql.Name) value {
	v := p.rel.plain(p.col)
	return b.usedColumn(e, s, p, name, v)
}

// usedColumn notes the use of a column: what follows from a mistake is counted, and a column outside of groups and aggregates
// is remembered until it is known whether the block aggregates.
func (b *binder) usedColumn(e *env, s *scope, p place, name sql.Name, v value) value {
	b.follow(v.poison)
	if s.left {
		b.leftward(p.rel)
	}
	if s != e.scope {
		return b.correlated(e, s, p, name, v)
	}
	if e.sel == nil || s != e.sel.scope || e.inAgg {
		return v
	}
	if g := e.sel.groups; g != nil {
		if g.columns[place{p.rel, p.col}] {
			v.null = v.null || g.partial
			return v
		}
	}
	if e.bare != nil {
		*e.bare = append(*e.bare, bareColumn{at: p, span: name.Range, item: e.item, having: e.clause == inHaving})
	}
	return v
}

// dottedColumn is a.b, a.b.c, …: a column of a relation, or fields of a struct column.
func (b *binder) dottedColumn(e *env, ref *sql.ColumnRef) value {
	parts := ref.Parts
	first := fold(parts[0].Text)
	if v, ok := e.lambda.find(first); ok {
		return b.fieldsOf(v, parts[1:])
	}
	for s := e.scope; s != nil; s = s.outer {
		for _, r := range s.rels {
			if !r.answers(first) {
				continue
			}
			if i := r.shape.find(fold(parts[1].Text)); i >= 0 {
				if p := b.twins(s, r, parts); p != nil {
					return poisoned(p)
				}
				if b.pg {
					at := place{r, i}.exact(parts[1])
					if i = at.col; b.pgExact(parts[1], at) != nil {
						return poisoned(b.pgExact(parts[1], at))
					}
				}
				v := b.usedColumn(e, s, place{r, i}, parts[1], r.value(i))
				return b.fieldsOf(v, parts[2:])
			}
			if r.shape.open {
				return b.openColumn(r, parts[1].Text)
			}
			if fold(parts[1].Text) == "rowid" && r.hasRowID() {
				return b.usedColumn(e, s, place{r, rowNumber}, parts[1], value{typ: scalar(kBigint), null: r.padded})
			}
			if other := s.twin(r, first); other != nil && other.shape.find(fold(parts[1].Text)) >= 0 {
				continue
			}
			// A column of that name may hold a struct; the relation's name wins only when it has the column.
			if at := s.lookup(first); at.count == 1 && at.first.rel.plain(at.first.col).typ.kind == kStruct {
				break
			}
			return b.unknownColumn(e, parts[1], r)
		}
	}
	if v, ok := b.schemaColumn(e, parts); ok {
		return v
	}
	for s := e.scope; s != nil; s = s.outer {
		at := s.lookup(first)
		if at.count == 1 {
			return b.fieldsOf(b.columnAt(e, s, at.first, parts[0]), parts[1:])
		}
		if at.count > 1 {
			return b.ambiguous(parts[0], at)
		}
		if at.open != nil {
			return b.openColumn(at.open, parts[0].Text)
		}
	}
	// schema.relation.column; an alias is in no schema
	if len(parts) >= 3 {
		for at := 1; at < len(parts)-1 && at <= 2; at++ {
			if r := e.scope.relation(fold(parts[at].Text)); r != nil && (!r.aliased || b.pg) {
				if i := r.shape.find(fold(parts[at+1].Text)); i >= 0 {
					return b.fieldsOf(r.value(i), parts[at+2:])
				}
				if r.shape.open {
					return unknown()
				}
				return b.unknownColumn(e, parts[at+1], r)
			}
		}
	}
	if v, ok := b.aliasValue(e, first); ok {
		b.follow(v.poison)
		return b.qualifiedAlias(v, parts)
	}
	return b.unknownQualifier(e, parts)
}

// twins reports a column that two relations of one name have.
func (b *binder) twins(s *scope, r *relation, parts []sql.Name) *diag.Problem {
	other := s.twin(r, fold(parts[0].Text))
	if other == nil || other.loose || r.loose || other.shape.find(fold(parts[1].Text)) < 0 {
		return nil
	}
	p := b.problem("E1007", other.span, "two relations are called %s", other.name)
	if len(p.Notes) == 0 {
		p.WithNote(r.span.Span(b.file), "the first one").WithHelp("give one of them another alias")
	}
	return p
}

// twin is another relation of the scope that answers to the name.
func (s *scope) twin(r *relation, f string) *relation {
	for _, other := range s.rels {
		if other != r && other.answers(f) {
			return other
		}
	}
	return nil
}

// fieldsOf follows the fields of a struct.
func (b *binder) fieldsOf(v value, fields []sql.Name) value {
	for _, f := range fields {
		v = b.fieldOf(v, f)
	}
	return v
}

// fieldOf is one field of a struct, union, map or JSON value.
func (b *binder) fieldOf(v value, name sql.Name) value {
	out := value{null: true, poison: v.poison, agg: v.agg, win: v.win, yields: mayFoldToNull([]value{v}), reach: v.reach.then(Expression)}
	out.void = v.void && v.folds // a field of a constant NULL is one
	out.folds = v.folds
	switch v.typ.kind {
	case kStruct, kUnion:
		if i := fieldIndex(v.typ.fields(), name.Text); i >= 0 {
			out.typ = v.typ.fields()[i].typ
			if out.void {
				out.typ = scalar(kNull)
			}
			return out
		}
		if len(v.typ.fields()) == 0 || v.typ.partial() {
			return out
		}
		if out.void {
			out.typ = scalar(kNull)
			return out
		}
		if mayFoldToNull([]value{v}) {
			b.pass(name.Range, whyNullField) // a NULL has every field
			return out
		}
		names := make([]string, len(v.typ.fields()))
		for i, f := range v.typ.fields() {
			names[i] = f.name
		}
		p := b.problem("E1003", name.Range, "the struct has no field %s; it has %s", name.Text, diag.Listing(names))
		suggest(p, name.Text, names)
		return poisoned(p)
	case kJSON:
		out.typ = scalar(kJSON)
	case kMap:
		out.typ = v.typ.elem()
	case kNull:
		if v.folds {
			out.typ = scalar(kNull)
		}
	case kUnknown, kVariant:
	default:
		return poisoned(b.problem("E1003", name.Range, "a value of type %s has no field %s", v.typ.settled(), name.Text))
	}
	return out
}

// wholeRow is a relation used as a value: a struct of its columns.
func (b *binder) wholeRow(r *relation) value {
	if r.shape.open {
		b.follow(r.shape.poison)
		return value{null: true, poison: r.shape.poison}
	}
	fields := make([]field, len(r.shape.cols))
	reaches := make([]reach, len(r.shape.cols))
	for i := range r.shape.cols {
		fields[i] = field{r.shape.cols[i].name, r.shape.cols[i].typ}
		reaches[i] = r.value(i).reach
	}
	return value{typ: structOf(fields), null: r.padded, reach: merge(reaches...).then(Expression)}
}

// ambiguous reports a name that two relations have, naming both.
func (b *binder) ambiguous(name sql.Name, at found) value {
	first, second := at.first, at.second
	for _, m := range b.misjoined {
		if m.near == fold(name.Text) && slices.Contains(m.sides, first.rel) && slices.Contains(m.sides, second.rel) {
			b.follow(m.mistake)
			return poisoned(m.mistake)
		}
	}
	p := b.problem("E1004", name.Range, "column %s is ambiguous: both %s and %s have it", name.Text, first.rel.name, second.rel.name)
	if p.Help == "" {
		p.WithHelp("write %s.%s or %s.%s", first.rel.qualifier(), name.Text, second.rel.qualifier(), name.Text)
	}
	return poisoned(p)
}

// qualifier is what a query writes in front of the columns of a relation; one without a name is called something in messages.
func (r *relation) qualifier() string {
	if strings.Contains(r.name, " ") && r.fold != "" && r.fold != fold(r.name) {
		return r.fold
	}
	return writeName(r.name)
}

// qualifiedAlias reports an alias of the select list in front of a dot, where DuckDB looks for relations and columns alone.
func (b *binder) qualifiedAlias(v value, parts []sql.Name) value {
	if v.poison != nil {
		return v
	}
	p := b.problem("E1002", parts[0].Range, "%s is a name of the select list, and only a relation or a column can stand before a dot", parts[0].Text)
	if p.Help == "" {
		p.WithHelp("write (%s).%s", writeName(parts[0].Text), writeName(parts[1].Text))
	}
	return poisoned(p)
}
