package sql

import "strings"

// layOut writes the tokens with the annotations made. It goes through the gaps once: groups are opened at their first
// gap, where the place on the line is known, and broken when they do not fit from there.
func (f *formatter) layOut() string {
	l := &lines{formatter: f, newline: f.lineEnd()}
	l.measure()
	l.sortGroups()
	for i := range f.toks {
		l.gap(i)
		if i == f.n {
			break
		}
		l.write(f.written(i))
	}
	if l.b.Len() > 0 {
		l.b.WriteString(l.newline)
	}
	return l.b.String()
}

// lineEnd is how the first line of the text ends. Line ends inside of comments and texts do not count: they stay as they are, and
// would be counted the other way when the result is formatted again.
func (f *formatter) lineEnd() string {
	k, start := 0, int32(0)
	for _, t := range f.toks {
		for ; k < len(f.comments) && f.comments[k].Start < t.Start; k++ {
			if end := f.firstLineEnd(start, f.comments[k].Start); end != "" {
				return end
			}
			start = f.comments[k].End
		}
		if end := f.firstLineEnd(start, t.Start); end != "" {
			return end
		}
		start = t.End
	}
	return "\n"
}

// firstLineEnd is the first line end of a stretch of white space, "" where there is none.
func (f *formatter) firstLineEnd(start, end int32) string {
	if start >= end {
		return ""
	}
	i := strings.IndexByte(f.text[start:end], '\n')
	switch at := int(start) + i; {
	case i < 0:
		return ""
	case at > 0 && f.text[at-1] == '\r':
		return "\r\n"
	}
	return "\n"
}

// lines is the text as it grows.
type lines struct {
	*formatter
	b       strings.Builder
	newline string
	col     int32 // characters on the current line
	level   int32 // indentation of the gap at hand, in steps
	lineAt  int   // index of the token that begins the current line

	order []int32 // groups by first gap, outer ones first
	next  int     // the first group of order that is not open yet
	open  []int32 // the groups that are open, outer ones first

	// before[i] is the width of the first i tokens on one line with their gaps in front.
	before []int32
	// breaks[i] counts the forced gaps among the first i.
	breaks []int32
	first  []int32 // index of the first comment of each gap; len is one more than there are gaps
}

// measure computes widths and the gaps that comments force.
func (l *lines) measure() {
	n := len(l.toks)
	ints := make([]int32, 3*n+3)
	l.before, l.breaks, l.first = ints[:n+1], ints[n+1:2*n+2], ints[2*n+2:]
	k := 0
	for i, t := range l.toks {
		l.first[i] = int32(k)
		sum := int32(0)
		start := t.Space
		if i == 0 {
			start = 0
		}
		for ; k < len(l.comments) && (l.comments[k].Start < t.Start || t.Kind == EOF); k++ {
			c := l.comments[k]
			sum += width(l.text[c.Start:c.End]) + 1
			if i > 0 && l.brokenAt(start, c.Start) || !c.Block(l.text) {
				l.forced[i] = true
			}
			start = c.End
			if l.brokenAt(start, t.Start) {
				l.forced[i] = true
			}
		}
		if i > 0 && (sum > 0 || l.space(i)) {
			sum++
		}
		if i < l.n {
			sum += width(l.text[t.Start:t.End])
		}
		l.before[i+1] = l.before[i] + sum
		if i > l.query && t.Kind == String && l.toks[i-1].IsString() && l.toks[i-1].Kind != DollarString && l.brokenAt(t.Space, t.Start) {
			l.forced[i] = true // SQL joins two texts with a line end between them
		}
		if i == l.query && i > 0 && i < l.n {
			l.forced[i] = true // the query begins a line of its own behind the header
		}
		l.breaks[i+1] = l.breaks[i]
		if l.forced[i] {
			l.breaks[i+1]++
		}
	}
	l.first[n] = int32(k)
}

// brokenAt reports whether a line ends in a part of the text.
func (l *lines) brokenAt(start, end int32) bool {
	return start < end && strings.IndexByte(l.text[start:end], '\n') >= 0
}

// sortGroups orders the groups by their first gap, the longer of two first: the order in which they are opened.
func (l *lines) sortGroups() {
	// Counting by first gap keeps this linear; the groups of one gap are few.
	heads := make([]int32, len(l.toks)+1)
	for i := range heads {
		heads[i] = -1
	}
	chain := make([]int32, len(l.groups))
	for g := len(l.groups) - 1; g >= 0; g-- {
		lo := l.groups[g].lo
		// Insert behind the groups of this gap that reach further.
		at := &heads[lo]
		for *at >= 0 && l.groups[*at].hi > l.groups[g].hi {
			at = &chain[*at]
		}
		chain[g] = *at
		*at = int32(g)
	}
	for _, g := range heads {
		for ; g >= 0; g = chain[g] {
			l.order = append(l.order, g)
		}
	}
}

// enter opens the groups that begin at a gap and closes those that have ended.
func (l *lines) enter(i int) {
	for len(l.open) > 0 && int(l.groups[l.open[len(l.open)-1]].hi) < i {
		l.open = l.open[:len(l.open)-1]
	}
	for l.next < len(l.order) && int(l.groups[l.order[l.next]].lo) <= i {
		id := l.order[l.next]
		l.next++
		g := &l.groups[id]
		if int(g.hi) < i {
			continue
		}
		// What stands inside of a group that fits on its line fits too.
		if len(l.open) == 0 || l.groups[l.open[len(l.open)-1]].broken {
			g.broken = g.hard || l.breaks[g.hi+1] > l.breaks[g.lo] || !l.fits(g)
		}
		l.open = append(l.open, id)
	}
}

// fits reports whether a group and what follows it up to the next place where the line may be broken fit on the line.
func (l *lines) fits(g *group) bool {
	room := FormatWidth - l.col
	room -= l.before[g.hi+1] - l.before[g.lo]
	for i := int(g.hi) + 1; i < l.n && room >= 0; i++ {
		if l.forced[i] || l.owner[i] >= 0 {
			break
		}
		room -= l.before[i+1] - l.before[i]
	}
	return room >= 0
}

// gap writes what stands before a token: comments, and a line end, a space or nothing.
func (l *lines) gap(i int) {
	l.level += l.nest[i]
	l.enter(i)
	broken := l.forced[i] || l.owner[i] >= 0 && l.groups[l.owner[i]].broken
	// The comma that had to begin a line is followed on that line.
	if broken && !l.forced[i] && i > 0 && l.toks[i-1].Kind == Comma && l.lineAt == i-1 {
		broken = false
	}
	comments := l.comments[l.first[i]:l.first[i+1]]
	if len(comments) == 0 {
		switch {
		case i == 0 || i == l.n:
		case broken:
			l.breakLine(i, l.level, l.emptyLine(i, l.toks[i].Space, l.toks[i].Start))
		case l.space(i):
			l.write(" ")
		}
		return
	}
	l.writeComments(i, comments, broken)
}

// writeComments writes the comments of a gap. Each stays on the line it was on: behind the token before, or on a line of
// its own, or in front of the token behind.
func (l *lines) writeComments(i int, comments []Comment, broken bool) {
	t := l.toks[i]
	at := t.Space
	if i == 0 {
		at = 0
	}
	lineEnd := make([]bool, len(comments)+1) // a line ends before the comment, or before the token at last
	any := false
	end := at
	for k, c := range comments {
		lineEnd[k] = l.brokenAt(end, c.Start) && (i > 0 || k > 0)
		if k > 0 && !comments[k-1].Block(l.text) {
			lineEnd[k] = true
		}
		any = any || lineEnd[k]
		end = c.End
	}
	last := len(comments)
	lineEnd[last] = l.brokenAt(end, t.Start) || !comments[last-1].Block(l.text)
	any = any || lineEnd[last]
	if broken && !any && i > 0 {
		lineEnd[0] = true // the comments stand in front of the token
	}
	level := l.level
	if i < l.n && bracket(t.Kind) < 0 {
		level++ // what is said last inside of a bracket belongs inside
	}
	end = at
	for k, c := range comments {
		switch {
		case lineEnd[k]:
			l.breakLine(-1, level, l.emptyLine(i, end, c.Start))
		case i > 0 || k > 0:
			l.write(" ")
		}
		l.write(l.text[c.Start:c.End])
		end = c.End
	}
	switch {
	case i == l.n:
	case lineEnd[last]:
		l.breakLine(i, l.level, l.emptyLine(i, end, t.Start))
	case i == 0 || l.space(i) || !isCloser(t.Kind) && t.Kind != Comma && t.Kind != Semicolon:
		l.write(" ")
	}
}

// emptyLine reports whether the author left an empty line in a part of a gap. Behind an opening bracket and before a
// closing one there is none.
func (l *lines) emptyLine(i int, start, end int32) bool {
	if start >= end || strings.Count(l.text[start:end], "\n") < 2 {
		return false
	}
	if i > 0 && bracket(l.toks[i-1].Kind) > 0 && start == l.toks[i].Space {
		return false
	}
	return i >= l.n || bracket(l.toks[i].Kind) >= 0 || end != l.toks[i].Start
}

// breakLine ends the line and indents the next one, which begins with a token or, -1, with a comment.
func (l *lines) breakLine(i int, level int32, empty bool) {
	l.b.WriteString(l.newline)
	if empty {
		l.b.WriteString(l.newline)
	}
	for range level {
		l.b.WriteString("  ")
	}
	l.col, l.lineAt = 2*level, i
}

// write adds text to the line. A text of several lines, such as a long string, ends in a column of its own.
func (l *lines) write(s string) {
	l.b.WriteString(s)
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		l.col = width(s[i+1:])
		return
	}
	l.col += width(s)
}
