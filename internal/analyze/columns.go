package analyze

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// chosen is a column that COLUMNS(…) stands for: an item of the star behind it, and the groups of the pattern that found
// it, for an alias such as 'max_\1'.
type chosen struct {
	item   item
	groups []string
}

// choose finds the columns that COLUMNS(…) stands for. open says that there may be more, because an input is open or the
// selector is not understood.
func (b *binder) choose(e *env, x *sql.Columns) (columns []chosen, open *selection) {
	if len(x.Qualifier) > 0 {
		p := b.problem("E1005", x.Range, "COLUMNS takes no qualifier in front")
		if p.Help == "" {
			p.WithHelp("write COLUMNS(%s.*)", x.Qualifier[len(x.Qualifier)-1].Text)
		}
		return nil, &selection{open: true, poison: p}
	}
	star := &sql.Star{Range: x.Range}
	groups := func(name string) []string { return []string{name} }
	var wanted []string
	unread := func() *selection {
		b.pass(x.Range, whyChoice)
		return &selection{open: true}
	}
	switch s := x.Selector.(type) {
	case *sql.Star:
		star.Exclude, star.Replace, star.Rename = s.Exclude, s.Replace, s.Rename
		if len(s.Qualifier) > 0 {
			star.Qualifier = s.Qualifier
		}
	case *sql.Literal:
		if s.Kind != sql.StringLiteral {
			return nil, unread()
		}
		// DuckDB's expressions are RE2's, which are Go's; the match may be anywhere in the name.
		re, err := regexp.Compile(s.Text)
		if err != nil {
			return nil, &selection{open: true, poison: b.problem("E1104", s.Range, "COLUMNS cannot read the expression '%s'", s.Text)}
		}
		groups = re.FindStringSubmatch
	case *sql.List:
		for _, entry := range s.Items {
			name, ok := constantString(entry)
			if !ok {
				return nil, unread()
			}
			wanted = append(wanted, fold(name))
		}
		groups = func(name string) []string {
			if slices.Contains(wanted, fold(name)) {
				return []string{name}
			}
			return nil
		}
	case *sql.Lambda:
		keep := nameFilter{param: s.Params, read: true}
		groups = func(name string) []string {
			if v, ok := keep.test(s.Body, name); ok && v {
				return []string{name}
			}
			return nil
		}
		defer func() {
			if !keep.read {
				columns, open = nil, unread()
			}
		}()
	default:
		return nil, unread()
	}
	found := &selection{}
	b.expandStar(e, found, star, func(name string) bool { return groups(name) != nil })
	for _, it := range found.items {
		found := slices.Clone(groups(it.name))
		if len(found) > 0 {
			found[0] = it.name // \0 is the name, whatever part of it the pattern meets
		}
		columns = append(columns, chosen{it, found})
	}
	if len(wanted) > 0 {
		columns = b.wantedOrder(e, x, columns, wanted, found.open)
	}
	if found.open {
		return columns, found
	}
	if len(columns) == 0 && found.poison == nil {
		found.poison = b.noColumns(e, x)
		found.open = true
		return nil, found
	}
	return columns, nil
}

// wantedOrder reports names of a list that no column has; the columns keep the order of FROM.
func (b *binder) wantedOrder(e *env, x *sql.Columns, columns []chosen, wanted []string, open bool) []chosen {
	list := x.Selector.(*sql.List)
	for i, w := range wanted {
		if open || slices.ContainsFunc(columns, func(c chosen) bool { return fold(c.item.name) == w }) {
			continue
		}
		name, _ := constantString(list.Items[i])
		b.unknownColumn(e, sql.Name{Range: list.Items[i].Bounds(), Text: name}, nil)
	}
	return columns
}

// noColumns reports a COLUMNS that chooses nothing.
func (b *binder) noColumns(e *env, x *sql.Columns) *diag.Problem {
	var names []string
	for _, r := range e.scope.rels {
		names = append(names, r.shape.names()...)
	}
	return b.problem("E1003", x.Range, "COLUMNS chooses no column; FROM has %s", diag.Listing(names))
}

// expandColumns adds the items that an item with COLUMNS in it stands for: the whole expression once for each column, called
// like the column or by the alias, in which \1 is what the first group of the pattern found.
func (b *binder) expandColumns(e *env, sel *selection, it *sql.SelectItem) {
	all := columnsIn(it.Expr)
	if len(all) == 0 {
		sel.open, sel.openBy = true, ""
		if p := b.strayStar(it.Expr); p != nil {
			sel.poison = p
			return
		}
		b.pass(it.Expr.Bounds(), whyStar)
		return
	}
	columns, open := b.choose(e, all[0])
	if open != nil {
		sel.open, sel.openBy = true, open.openBy
		if sel.poison == nil {
			sel.poison = open.poison
		}
	}
	if other := b.otherColumns(all); other != nil {
		sel.open, sel.poison = true, other
		return
	}
	if all[0].Unpack && it.Expr != sql.Expr(all[0]) {
		x := b.withColumns(it.Expr, columns, nil)
		name := it.Alias.Text
		if name == "" {
			name = "…" // DuckDB writes the database and schema of every column into it
		}
		sel.items = append(sel.items, item{expr: x, alias: it.Alias.Text, name: name, span: it.Expr.Bounds()})
		return
	}
	for i := range columns {
		c := &columns[i]
		one := c.item
		if it.Expr != sql.Expr(all[0]) {
			one.expr, one.star = b.withColumns(it.Expr, columns, c), place{}
		}
		if it.Alias.Given() {
			one.name, one.span = groupsIn(it.Alias.Text, c.groups), it.Alias.Range
		}
		sel.items = append(sel.items, one)
	}
}

// otherColumns reports a second COLUMNS in an expression that chooses by other words than the first.
func (b *binder) otherColumns(all []*sql.Columns) *diag.Problem {
	text := func(c *sql.Columns) string {
		r := c.Selector.Bounds()
		return b.file.Text[r.Start:r.End]
	}
	for _, c := range all[1:] {
		if text(c) != text(all[0]) {
			return b.problem("E1104", c.Range, "an expression can hold one choice of COLUMNS only")
		}
	}
	return nil
}

// withColumns is an expression with a column in the place of COLUMNS, or with all of them in the place of *COLUMNS.
func (b *binder) withColumns(x sql.Expr, all []chosen, one *chosen) sql.Expr {
	s := substitution{
		leaf: func(x sql.Expr) (sql.Expr, bool) {
			if c, ok := x.(*sql.Columns); ok && one != nil {
				return b.columnExpr(one.item, c.Range), true
			}
			_, query := x.(*sql.Subquery)
			return x, query
		},
		spread: func(c *sql.Columns) []sql.Arg {
			args := make([]sql.Arg, len(all))
			for i := range all {
				args[i] = sql.Arg{Range: c.Range, Name: sql.Name{Range: c.Range, Text: all[i].item.name}, Value: b.columnExpr(all[i].item, c.Range)}
			}
			return args
		},
	}
	return s.expr(x)
}

// columnExpr is an item of a star as an expression. A reference by name could mean something else, so that the place it
// stands for is noted.
func (b *binder) columnExpr(it item, at sql.Range) sql.Expr {
	if it.expr != nil {
		return it.expr
	}
	r := it.star.rel
	ref := &sql.ColumnRef{Range: at, Parts: []sql.Name{{Range: at, Text: r.name}, {Range: at, Text: r.shape.cols[it.star.col].name}}}
	if b.pinned == nil {
		b.pinned = map[*sql.ColumnRef]pin{}
	}
	b.pinned[ref] = pin{it.star, it.own}
	return ref
}

// spreadCondition is a condition with COLUMNS in it, which must hold for each of the columns.
func (b *binder) spreadCondition(e *env, x sql.Expr) sql.Expr {
	if x == nil || !b.mayContainStar(x) {
		return x
	}
	all := columnsIn(x)
	if len(all) == 0 {
		return x
	}
	columns, open := b.choose(e, all[0])
	if open != nil || b.otherColumns(all) != nil || all[0].Unpack {
		return x
	}
	out := &sql.Logical{Range: x.Bounds()}
	for i := range columns {
		out.Args = append(out.Args, b.withColumns(x, columns, &columns[i]))
	}
	return out
}

// columnsIn lists the COLUMNS of an expression, without those of subqueries and of selectors.
func columnsIn(x sql.Expr) []*sql.Columns {
	var all []*sql.Columns
	walk(x, func(x sql.Expr) bool {
		if c, ok := x.(*sql.Columns); ok {
			all = append(all, c)
			return false
		}
		_, query := x.(*sql.Subquery)
		return !query
	})
	return all
}

// groupsIn puts what the groups of a pattern found into an alias: \0 is the whole name.
func groupsIn(alias string, groups []string) string {
	if !strings.Contains(alias, `\`) {
		return alias
	}
	var out strings.Builder
	for i := 0; i < len(alias); i++ {
		if alias[i] != '\\' || i+1 == len(alias) || alias[i+1] < '0' || alias[i+1] > '9' {
			out.WriteByte(alias[i])
			continue
		}
		i++
		if n, _ := strconv.Atoi(alias[i : i+1]); n < len(groups) {
			out.WriteString(groups[n])
		}
	}
	return out.String()
}
