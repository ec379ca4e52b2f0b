package analyze

import (
	"regexp"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// expandItem adds an entry of the select list: one item, or the columns a star stands for.
func (b *binder) expandItem(e *env, sel *selection, x *sql.SelectItem) {
	switch star := x.Expr.(type) {
	case *sql.Bad:
		if !x.Alias.Given() {
			sel.open = true // nobody knows which columns were meant
			return
		}
	case *sql.Star:
		b.expandStar(e, sel, star, func(string) bool { return true })
		return
	case *sql.Columns:
		b.expandColumns(e, sel, x)
		return
	case *sql.Like:
		if s, ok := star.X.(*sql.Star); ok {
			b.expandPattern(e, sel, s, star)
			return
		}
	}
	if !b.pg && b.mayContainStar(x.Expr) && containsStar(x.Expr) {
		b.expandColumns(e, sel, x)
		return
	}
	if call, ok := x.Expr.(*sql.Call); ok && !b.pg && b.expandUnnest(e, sel, call) {
		return
	}
	if f, ok := x.Expr.(*sql.Field); ok && b.pg && f.Name.Text == "*" && !f.Name.Quoted {
		b.pgExpandField(e, sel, f)
		return
	}
	it := item{expr: x.Expr, span: x.Expr.Bounds()}
	if x.Alias.Given() {
		it.alias, it.name, it.span = b.written(x.Alias), b.written(x.Alias), x.Alias.Range
	} else {
		it.name = b.exprName(e, x.Expr)
		if ref, ok := x.Expr.(*sql.ColumnRef); ok {
			it.span = ref.Parts[len(ref.Parts)-1].Range
		}
	}
	sel.items = append(sel.items, it)
}

// expandStar adds the columns of all relations, or of the qualified one, in the order of FROM.
func (b *binder) expandStar(e *env, sel *selection, star *sql.Star, keep func(name string) bool) {
	qualifier := ""
	if len(star.Qualifier) > 0 {
		qualifier = fold(star.Qualifier[len(star.Qualifier)-1].Text)
		if e.scope.relation(qualifier) == nil {
			if b.expandStructStar(e, sel, star, keep) {
				return
			}
			b.unknownQualifier(e, star.Qualifier[len(star.Qualifier)-1:])
			sel.open, sel.openBy = true, ""
			return
		}
	} else if len(e.scope.rels) == 0 {
		p := b.problem("E1003", star.Range, "* stands for nothing: there is no FROM")
		sel.open, sel.poison = true, p
		return
	}
	if b.tooWide(e, sel, star, qualifier) {
		return
	}
	start := len(sel.items)
	excluded, replaced, renamed := starChanges(star)
	found := make(map[string]bool)
	var merged map[string]place // columns of USING that were left out of the relation that they are shown in, by name
	for _, r := range e.scope.rels {
		if qualifier != "" && !r.answers(qualifier) {
			continue
		}
		if qualifier != "" && r.counted && !b.pg {
			p := b.problem("E1104", star.Range, "DuckDB finds two relations behind %s.*, because of WITH ORDINALITY", r.name)
			if p.Help == "" {
				p.WithHelp("name the columns")
			}
		}
		if r.shape.open {
			sel.open, sel.openBy = true, r.name
			if sel.poison == nil {
				sel.poison = r.shape.poison
			}
			if r.shape.openBy != "" {
				sel.openBy = r.shape.openBy
			}
		}
		for i := range r.shape.cols {
			c := &r.shape.cols[i]
			if !keep(c.name) {
				continue
			}
			hidden := qualifier == "" && r.hidden[i]
			if ex := excluded[c.fold]; ex.whole && !hidden {
				found[c.fold] = true
				continue
			} else if of := ex.of(r); of != "" {
				found[of+"."+c.fold] = true
				if !hidden && qualifier == "" {
					// Only this side of USING is left out: the column moves to the next one.
					if merged == nil {
						merged = map[string]place{}
					}
					merged[c.fold] = place{r, i}
				}
				continue
			}
			at := place{r, i}
			if hidden {
				moved, ok := merged[c.fold]
				if !ok {
					continue
				}
				delete(merged, c.fold)
				at = moved
			}
			it := item{name: c.name, span: star.Range, star: at, own: qualifier != ""}
			if rep := replaced[c.fold]; rep != nil {
				if found[c.fold] && !b.pg {
					continue // of several columns of one name DuckDB replaces the first and leaves out the others
				}
				found[c.fold] = true
				it = item{expr: rep.Expr, name: c.name, span: rep.Alias.Range}
			}
			if ren := renamed[c.fold]; ren != nil {
				found[c.fold] = true
				it.name, it.span = ren.To.Text, ren.To.Range
			}
			sel.items = append(sel.items, it)
		}
	}
	if b.pg && qualifier == "" {
		b.pgStarOrder(e.scope, sel.items[start:])
	}
	b.checkStarNames(e, star, found)
}

// Columns that a star stands for cost memory, and joins of a query with itself double them at every step. Nobody's tables come near
// these bounds: for one select list, and for all stars of a text together. PostgreSQL's own bound for one list is lower.
const (
	mostColumns     = 100_000
	mostStarColumns = 500_000
	pgMostColumns   = 1664
)

// tooWide reports a star of too many columns, once for a text. What is left of the list is open then.
func (b *binder) tooWide(e *env, sel *selection, star *sql.Star, qualifier string) bool {
	n := 0
	for _, r := range e.scope.rels {
		if qualifier == "" || r.answers(qualifier) {
			n += len(r.shape.cols) - len(r.hidden)
		}
	}
	most := mostColumns
	if b.pg {
		most = pgMostColumns
	}
	if changed := star.Exclude != nil; changed {
		most += n // how many are left is not known yet; they are no more than the table has
	}
	if b.wide == nil {
		b.starred += n
		switch {
		case len(sel.items)+n > most:
			b.wide = b.problem("E1106", star.Range, "the query has more than %d columns here", most)
		case b.starred > mostStarColumns:
			b.wide = b.problem("E1106", star.Range, "the stars of this query stand for more than %d columns in all", mostStarColumns)
		default:
			return false
		}
		b.wide.WithHelp("name the columns that are needed")
	} else {
		b.follow(b.wide)
	}
	sel.open, sel.openBy, sel.poison = true, "", b.wide
	return true
}

// exclusion is from where a star leaves a column out: from all relations, or from those that EXCLUDE names.
type exclusion struct {
	whole bool
	from  []string // folded
}

// of is the name by which EXCLUDE names a relation, "" when it does not.
func (x exclusion) of(r *relation) string {
	for _, name := range x.from {
		if r.answers(name) {
			return name
		}
	}
	return ""
}

// starChanges indexes EXCLUDE, REPLACE and RENAME by folded column name.
func starChanges(star *sql.Star) (excluded map[string]exclusion, replaced map[string]*sql.SelectItem, renamed map[string]*sql.StarRename) {
	if len(star.Exclude) > 0 {
		excluded = make(map[string]exclusion, len(star.Exclude))
		for _, x := range star.Exclude {
			name := fold(x.Parts[len(x.Parts)-1].Text)
			ex := excluded[name]
			if len(x.Parts) > 1 {
				ex.from = append(ex.from, fold(x.Parts[len(x.Parts)-2].Text))
			} else {
				ex.whole = true
			}
			excluded[name] = ex
		}
	}
	if len(star.Replace) > 0 {
		replaced = make(map[string]*sql.SelectItem, len(star.Replace))
		for i := range star.Replace {
			replaced[fold(star.Replace[i].Alias.Text)] = &star.Replace[i]
		}
	}
	if len(star.Rename) > 0 {
		renamed = make(map[string]*sql.StarRename, len(star.Rename))
		for i := range star.Rename {
			renamed[fold(star.Rename[i].Parts[len(star.Rename[i].Parts)-1].Text)] = &star.Rename[i]
		}
	}
	return excluded, replaced, renamed
}

// checkStarNames reports names of EXCLUDE, REPLACE and RENAME that the star does not have.
func (b *binder) checkStarNames(e *env, star *sql.Star, found map[string]bool) {
	var names []sql.Name
	for _, x := range star.Exclude {
		n := x.Parts[len(x.Parts)-1]
		if len(x.Parts) > 1 && found[fold(x.Parts[len(x.Parts)-2].Text)+"."+fold(n.Text)] {
			continue
		}
		names = append(names, n)
	}
	twice := func(n sql.Name, done, clause string) {
		if !slices.ContainsFunc(star.Exclude, func(e sql.StarExclude) bool { return fold(e.Parts[len(e.Parts)-1].Text) == fold(n.Text) }) {
			return
		}
		p := b.problem("E1007", n.Range, "column %s is both left out and %s", n.Text, done)
		if p.Help == "" {
			p.WithHelp("take it out of EXCLUDE or of %s", clause)
		}
	}
	for _, x := range star.Replace {
		names = append(names, x.Alias)
		twice(x.Alias, "replaced", "REPLACE")
		if slices.ContainsFunc(star.Rename, func(r sql.StarRename) bool { return fold(r.Parts[len(r.Parts)-1].Text) == fold(x.Alias.Text) }) && !b.pg {
			p := b.problem("E1007", x.Alias.Range, "column %s is both replaced and renamed", x.Alias.Text)
			if p.Help == "" {
				p.WithHelp("leave it out with EXCLUDE and select the expression under the new name")
			}
		}
	}
	for _, x := range star.Rename {
		names = append(names, x.Parts[len(x.Parts)-1])
		twice(x.Parts[len(x.Parts)-1], "renamed", "RENAME")
	}
	b.namedTwice(star)
	b.renamedToo(star)
	renames := len(names) - len(star.Rename)
	for i, n := range names {
		if found[fold(n.Text)] || e.scope.open() != nil {
			continue
		}
		var have []string
		var relations []string
		follows := false
		for _, r := range e.scope.rels {
			if _, ok := b.excused(r.shape, n.Text); ok {
				follows = true
				break
			}
			if len(star.Qualifier) == 0 || r.answers(fold(star.Qualifier[len(star.Qualifier)-1].Text)) {
				have = append(have, r.shape.names()...)
				relations = append(relations, r.name)
			}
		}
		if follows {
			continue
		}
		verb := map[bool]string{true: "has", false: "have"}[len(relations) == 1]
		p := b.problem("E1003", n.Range, "* has no column %s; %s %s %s", n.Text, listing(relations), verb, diag.Listing(have))
		if i >= renames && !b.pg {
			p.Severity = diag.Warning // DuckDB does not mind to rename nothing
		}
		suggest(p, n.Text, have)
	}
}

// expandStructStar is s.* of a struct column: its fields.
func (b *binder) expandStructStar(e *env, sel *selection, star *sql.Star, keep func(name string) bool) bool {
	name := star.Qualifier[len(star.Qualifier)-1]
	at := e.scope.lookup(fold(name.Text))
	if at.count != 1 {
		if at.open != nil {
			sel.open, sel.openBy = true, at.open.name
		}
		return at.open != nil
	}
	v := at.first.rel.plain(at.first.col)
	if v.typ.kind != kStruct {
		return false
	}
	excluded, replaced, renamed := starChanges(star)
	found := map[string]bool{}
	for _, f := range v.typ.fields() {
		name := fold(f.name)
		if !keep(f.name) {
			continue
		}
		if excluded[name].whole {
			found[name] = true
			continue
		}
		it := item{name: f.name, span: star.Range, state: itemDone, value: value{typ: f.typ, null: true, reach: v.reach.then(Expression), poison: v.poison}}
		if rep := replaced[name]; rep != nil {
			it = item{expr: rep.Expr, name: f.name, span: rep.Alias.Range}
		}
		if ren := renamed[name]; ren != nil {
			it.name, it.span = ren.To.Text, ren.To.Range
		}
		sel.items = append(sel.items, it)
	}
	for _, x := range star.Exclude {
		n := x.Parts[len(x.Parts)-1]
		if !found[fold(n.Text)] && len(v.typ.fields()) > 0 && !v.typ.partial() {
			b.fieldOf(v, n) // which reports it
		}
	}
	return true
}

// expandPattern is * LIKE 'a%' and its relatives.
func (b *binder) expandPattern(e *env, sel *selection, star *sql.Star, like *sql.Like) {
	pattern, ok := constantString(like.Pattern)
	if !ok || like.Escape != nil {
		sel.open = true
		b.pass(like.Range, whyPattern)
		return
	}
	re, err := likeRegexp(like.Kind, pattern)
	if like.Kind == sql.LikeSimilar && !like.Not {
		re, err = regexp.Compile("(?s:" + pattern + ")") // DuckDB: any part of a name may match, while NOT leaves out whole matches
	}
	if err != nil {
		sel.open = true
		b.pass(like.Range, whyPatternForm)
		return
	}
	b.expandStar(e, sel, star, func(name string) bool { return re.MatchString(name) != like.Not })
}

// likeToRegexp writes a LIKE pattern as a regular expression.
func likeToRegexp(pattern string) string {
	out := ""
	for _, r := range pattern {
		switch r {
		case '%':
			out += ".*"
		case '_':
			out += "."
		default:
			out += regexp.QuoteMeta(string(r))
		}
	}
	return out
}

// mayContainStar looks at the text of an expression before anybody walks its tree.
func (b *binder) mayContainStar(x sql.Expr) bool {
	if _, ok := x.(*sql.ColumnRef); ok {
		return false
	}
	r := x.Bounds()
	text := b.file.Text[r.Start:r.End]
	return strings.Contains(text, "*") || strings.Contains(text, "olumns") || strings.Contains(text, "OLUMNS")
}

// containsStar reports whether an expression has a COLUMNS or a star that is not count(*).
func containsStar(x sql.Expr) bool {
	found := false
	walk(x, func(x sql.Expr) bool {
		switch x := x.(type) {
		case *sql.Columns, *sql.Star:
			found = true
		case *sql.Call:
			return !countsRows(x) && !found
		case *sql.Subquery:
			return false
		}
		return !found
	})
	return found
}

// countsRows is count(*) with a qualifier, which counts rows as well.
func countsRows(x *sql.Call) bool {
	if len(x.Args) != 1 || fold(x.FuncName()) != "count" || x.Distinct {
		return false
	}
	s, ok := x.Args[0].Value.(*sql.Star)
	return ok && len(s.Exclude)+len(s.Replace)+len(s.Rename) == 0
}
