package sql

// annotateQuery lays out the query of the tokens from lo up to hi: one clause a line where the group is broken. Only
// the tokens that stand in no bracket inside are looked at; brackets have groups of their own.
func (f *formatter) annotateQuery(lo, hi int, g int32) {
	lo = f.annotateWith(lo, hi, g)
	var starts []int
	limited := false
	for i := lo; i < hi; i = f.after(i) {
		if f.startsFormatClause(i, lo, limited) {
			starts = append(starts, i)
			limited = limited || f.is(i, wLimit)
		}
	}
	for k, i := range starts {
		end := hi
		if k+1 < len(starts) {
			end = starts[k+1]
		}
		if end > i && f.toks[end-1].Kind == Semicolon {
			end--
		}
		if i > lo {
			f.claim(i, g)
		}
		f.annotateClause(i, end, g)
	}
}

// annotateWith lays out the WITH clause and returns where the query behind it begins.
func (f *formatter) annotateWith(lo, hi int, g int32) int {
	if !f.is(lo, wWith) {
		return lo
	}
	for i := lo + 1; i < hi; i = f.after(i) {
		if !f.is(i, wAs) {
			continue
		}
		o := i + 1
		for f.is(o, wNot) || f.is(o, wMaterialized) {
			o++
		}
		c := int(f.match[o])
		if c < 0 {
			return hi
		}
		// The body of a CTE always has lines of its own: people read a query CTE by CTE.
		f.forced[o+1], f.forced[c] = true, true
		i = c
		next := c + 1
		if f.toks[next].Kind == Comma {
			next++
		} else if next < hi {
			f.claim(next, g)
			f.forced[next] = true
			return next
		}
		if next < hi {
			f.claim(next, g)
			f.forced[next] = true
		}
	}
	return hi
}

// startsFormatClause reports whether a token begins a clause that has a line of its own.
func (f *formatter) startsFormatClause(i, lo int, limited bool) bool {
	if i < f.query || f.toks[i].Kind != Ident || f.word[i] != plainWord {
		return false
	}
	statement := f.is(lo, wPivot) || f.is(lo, wUnpivot)
	switch f.toks[i].word {
	case wSelect, wWhere, wHaving, wWindow, wQualify, wLimit, wFetch, wOrder, wUnion, wIntersect, wExcept:
		return true
	case wFrom: // IS DISTINCT FROM
		return !f.is(i-1, wDistinct)
	case wGroup: // WITHIN GROUP
		return !f.is(i-1, wWithin)
	case wOffset:
		return !limited
	case wFor:
		return f.locksRows(i)
	case wUsing:
		return f.is(i+1, wSample) || statement
	case wOn:
		return statement
	case wValues, wTable, wPivot, wUnpivot:
		return i == lo
	}
	return false
}

// annotateClause lays out one clause.
func (f *formatter) annotateClause(lo, hi int, g int32) {
	switch f.toks[lo].word {
	case wSelect:
		f.annotateItems(lo, hi, g)
	case wFrom:
		f.annotateJoins(lo+1, hi, g)
		f.annotateList(lo+1, hi)
	case wUnion, wIntersect, wExcept:
		// The operator has a line of its own, between two queries that do not share one either.
		i := lo + 1
		for f.is(i, wAll) || f.is(i, wDistinct) || f.is(i, wBy) || f.is(i, wName) {
			i++
		}
		if i < hi || i < f.n && hi == i {
			f.claim(i, g)
		}
	case wGroup, wOrder:
		if f.is(lo+1, wBy) {
			f.annotateList(lo+2, hi)
		}
	case wWindow, wValues, wUsing:
		f.annotateList(lo+1, hi)
	}
}

// annotateItems puts the entries of a select list on lines of their own; a single one stays behind SELECT.
func (f *formatter) annotateItems(lo, hi int, g int32) {
	i := lo + 1
	if f.is(i, wAll) {
		i++
	}
	if f.is(i, wDistinct) {
		i++
		if f.is(i, wOn) {
			i = f.after(i + 1)
		}
	}
	commas := f.commas(i, hi)
	if len(commas) == 0 || len(commas) == 1 && commas[0] == hi-1 {
		return
	}
	f.indent(i, hi)
	f.claim(i, g)
	for _, c := range commas {
		if c+1 < hi {
			f.claim(c+1, g)
		}
	}
}

// annotateList makes a group of a list behind a keyword: all entries on the line of the keyword, or one a line.
func (f *formatter) annotateList(lo, hi int) {
	commas := f.commas(lo, hi)
	if len(commas) == 0 || len(commas) == 1 && commas[0] == hi-1 {
		return
	}
	g := f.newGroup(lo, hi-1, false)
	f.indent(lo, hi)
	f.claim(lo, g)
	for _, c := range commas {
		if c+1 < hi {
			f.claim(c+1, g)
		}
	}
}

// annotateJoins gives each join from lo up to hi a line. Its condition stays on that line, or stands below it.
func (f *formatter) annotateJoins(lo, hi int, g int32) {
	last := -1
	on := func(end int) {
		if last < 0 {
			return
		}
		for i := last; i < end; i = f.after(i) {
			if f.is(i, wOn) || f.is(i, wUsing) && f.toks[i+1].Kind == LParen {
				c := f.newGroup(i, end-1, false)
				f.indent(i, end)
				f.claim(i, c)
				return
			}
		}
	}
	for i := lo; i < hi; i = f.after(i) {
		if f.joins[i] {
			on(i)
			f.claim(i, g)
			last = i
		}
	}
	on(hi)
}

// annotateWindow lays out the inside of OVER (…): PARTITION BY, ORDER BY and the frame a line each.
func (f *formatter) annotateWindow(lo, hi int, g int32) {
	var starts []int
	for i := lo; i < hi; i = f.after(i) {
		switch {
		case f.is(i, wPartition), f.is(i, wOrder), f.is(i, wRows), f.is(i, wRange), f.is(i, wGroups):
			starts = append(starts, i)
		}
	}
	for k, i := range starts {
		end := hi
		if k+1 < len(starts) {
			end = starts[k+1]
		}
		if i > lo {
			f.claim(i, g)
		}
		if f.is(i+1, wBy) {
			f.annotateList(i+2, end)
		}
	}
}
