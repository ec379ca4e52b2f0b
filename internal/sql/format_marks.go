package sql

import (
	"slices"
	"strings"
)

// annotate decides everything that does not depend on the width of a line: what each token is, where lines may be
// broken and what belongs together.
func (f *formatter) annotate() {
	n := len(f.toks)
	f.word, f.role = make([]wordRole, n), make([]opRole, n)
	f.upper, f.forced, f.joins, f.window = make([]bool, n), make([]bool, n), make([]bool, n), make([]bool, n)
	ints := make([]int32, 4*n+1)
	f.match, f.inside, f.owner, f.nest = ints[:n], ints[n:2*n], ints[2*n:3*n], ints[3*n:]
	f.pair()
	f.annotateHeader()
	if f.kind != "" {
		f.upper[0] = true
	}
	if f.body == nil {
		return
	}
	Inspect(f.body, func(n Node) bool {
		f.mark(n)
		return true
	})
	for i := f.query; i < f.n; i++ {
		t := f.toks[i]
		f.upper[i] = t.Kind == Ident && t.word != noWord && f.word[i] == plainWord
	}
	f.markLocks()
	f.annotateQuery(f.query, f.n, f.newGroup(f.query+1, f.n, true))
	f.annotateBrackets()
	f.annotateExpressions()
}

// locksRows reports whether FOR UPDATE or one of its relatives begins at a token.
func (f *formatter) locksRows(i int) bool {
	return f.dialect.RowLocks && f.is(i, wFor) && slices.Contains([]string{"update", "share", "no", "key"}, strings.ToLower(f.textOf(i+1)))
}

// markLocks finds the words of FOR UPDATE OF a, b SKIP LOCKED, which are words nowhere else: the grammar has none of them.
func (f *formatter) markLocks() {
	for i := f.query; i < f.n; i++ {
		if !f.locksRows(i) {
			continue
		}
		relations := false
		for i++; i < f.n && !f.locksRows(i) && (f.toks[i].Kind == Ident || f.toks[i].Kind == QuotedIdent || f.toks[i].Kind == Comma || f.toks[i].Kind == Dot); i++ {
			switch word := strings.ToLower(f.textOf(i)); {
			case word == "nowait", word == "skip":
				relations = false
			case word == "of":
				f.upper[i], relations = true, true
				continue
			}
			f.upper[i] = f.toks[i].Kind == Ident && !relations
		}
		i--
	}
}

// pair finds the partners of brackets. Both header and query have been read without problems, so all of them have one.
func (f *formatter) pair() {
	var open []int32
	for i := range f.toks {
		f.match[i], f.owner[i], f.inside[i] = -1, -1, -1
		change := bracket(f.toks[i].Kind)
		if change < 0 && len(open) > 0 {
			o := open[len(open)-1]
			open = open[:len(open)-1]
			f.match[i], f.match[o] = o, int32(i)
		}
		if len(open) > 0 {
			f.inside[i] = open[len(open)-1]
		}
		if change > 0 {
			open = append(open, int32(i))
		}
	}
}

// mark keeps what only the tree knows of the tokens of a node: which words are names, which operators are prefixes.
func (f *formatter) mark(node Node) {
	switch n := node.(type) {
	case *Call:
		f.names(n.Name...)
	case *Arg:
		f.names(n.Name)
	case *Lambda:
		f.names(n.Params...)
	case *Window:
		f.names(n.Base)
		if i := f.at(n.Start); !n.Bare && f.toks[i].Kind == LParen {
			f.window[i] = true
		}
	case *WindowDef:
		f.names(n.Name)
	case *ColumnRef:
		f.names(n.Parts...)
	case *Field:
		f.names(n.Name)
	case *Star:
		f.names(n.Qualifier...)
		for _, x := range n.Exclude {
			f.names(x.Parts...)
		}
		for _, r := range n.Rename {
			f.names(r.Parts...)
			f.names(r.To)
		}
	case *Columns:
		f.names(n.Qualifier...)
		if n.Unpack {
			f.role[f.at(n.Start)] = prefix
		}
	case *Collate:
		f.names(n.Collation...)
	case *StructField:
		f.names(n.Key)
	case *ListComprehension:
		f.names(n.Vars...)
	case *TypeName:
		f.words(n.Range, typeWord)
	case *SelectItem:
		f.names(n.Alias)
	case *CTE:
		f.names(n.Name)
		f.names(n.Columns...)
	case *Unary:
		if i := f.at(n.OpRange.Start); f.toks[i].Kind == Operator {
			f.role[i] = prefix
			if n.Postfix {
				f.role[i] = postfix
			}
		}
	case *Limit:
		f.percent(n.Count, n.Percent)
	case *Sample:
		f.names(n.Method)
		f.percent(n.Size, n.Percent)
	case *At:
		f.names(n.Unit)
	case *PivotColumn:
		f.names(n.Enum)
	case *ProjectCall:
		f.names(n.Name)
	case *Template:
		f.names(n.Member)
	case TableExpr:
		f.markTable(n)
	}
}

func (f *formatter) markTable(t TableExpr) {
	if a := AliasOf(t); a != nil {
		f.names(a.Name)
		f.names(a.Columns...)
	}
	switch n := t.(type) {
	case *TableName:
		f.names(n.Parts...)
	case *RefTable:
		f.names(n.Name)
	case *Join:
		f.names(n.Using...)
		if i := f.at(n.Op.Start); n.Op.Len() > 0 && f.toks[i].Kind != Comma {
			f.joins[i] = true
		}
	case *Unpivot:
		f.names(n.Name)
		f.names(n.Values...)
		for _, c := range n.On {
			if c.Alias != nil {
				f.words(c.Alias.Bounds(), nameWord)
			}
		}
	}
}

func (f *formatter) names(names ...Name) {
	for _, n := range names {
		f.words(n.Range, nameWord)
	}
}

// words gives a role to the tokens of a range. Names that the parser made up have no range.
func (f *formatter) words(r Range, role wordRole) {
	if r.Len() == 0 {
		return
	}
	for i := f.at(r.Start); i < f.n && f.toks[i].End <= r.End; i++ {
		f.word[i] = role
	}
}

// percent ties the sign of LIMIT 10% to its number.
func (f *formatter) percent(count Expr, percent bool) {
	if !percent || count == nil {
		return
	}
	if i := f.at(count.Bounds().End); i < f.n && f.toks[i].Kind == Operator {
		f.role[i] = postfix
	}
}

func (f *formatter) newGroup(lo, hi int, hard bool) int32 {
	f.groups = append(f.groups, group{lo: int32(lo), hi: int32(hi), hard: hard})
	return int32(len(f.groups) - 1)
}

// claim gives a gap to a group, unless an outer one has it.
func (f *formatter) claim(gap int, g int32) {
	if f.owner[gap] < 0 {
		f.owner[gap] = g
		f.forced[gap] = f.groups[g].hard
	}
}

// indent moves the lines that begin with the tokens from lo up to hi one step to the right.
func (f *formatter) indent(lo, hi int) {
	if lo < hi {
		f.nest[lo]++
		f.nest[hi]--
	}
}

// commas returns the indexes of the commas from lo up to hi that stand in no bracket inside.
func (f *formatter) commas(lo, hi int) []int {
	var found []int
	for i := lo; i < hi; i = f.after(i) {
		if f.toks[i].Kind == Comma {
			found = append(found, i)
		}
	}
	return found
}

// after is the index of the token behind a token, or behind the bracket that it opens.
func (f *formatter) after(i int) int {
	if c := int(f.match[i]); c > i {
		return c + 1
	}
	return i + 1
}

// startsBody reports whether a query begins at a token.
func (f *formatter) startsBody(i int) bool {
	switch {
	case f.is(i, wSelect), f.is(i, wWith), f.is(i, wTable), f.is(i, wPivot), f.is(i, wUnpivot):
		return true
	case f.is(i, wFrom):
		// trim(FROM x) is an old way to call a function.
		return i < 2 || f.toks[i-1].Kind != LParen || !strings.EqualFold(f.textOf(i-2), "trim")
	case f.is(i, wValues):
		return f.toks[i+1].Kind == LParen
	}
	return false
}

// annotateBrackets makes a group of every bracket of the query: its contents stand on its line, or one part a line.
func (f *formatter) annotateBrackets() {
	for o := f.query; o < f.n; o++ {
		c := int(f.match[o])
		if c <= o+1 {
			continue
		}
		f.indent(o+1, c)
		if c == o+2 {
			continue // a single token is not worth a line of its own
		}
		hard := f.forced[o+1] // the query of a CTE
		g := f.newGroup(o+1, c, hard)
		f.owner[o+1] = g
		f.claim(c, g)
		switch {
		case f.startsBody(o + 1):
			f.annotateQuery(o+1, c, g)
		case f.window[o]:
			f.annotateWindow(o+1, c, g)
		default:
			for _, i := range f.commas(o+1, c) {
				if i+1 < c {
					f.claim(i+1, g)
				}
			}
			f.annotateJoins(o+1, c, g)
		}
	}
}
