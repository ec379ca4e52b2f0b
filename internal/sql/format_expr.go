package sql

// annotateExpressions finds where expressions may be broken: before AND and OR, before the operators of sums and
// products, and inside CASE. An expression that is broken is broken at its outermost operator first.
func (f *formatter) annotateExpressions() {
	inner := map[*Binary]bool{} // links of a chain whose head was seen
	conditions := map[Expr]bool{}
	Inspect(f.body, func(n Node) bool {
		switch n := n.(type) {
		case *Join:
			if n.On != nil {
				conditions[n.On] = true // its lines are those of ON
			}
		case *Logical:
			f.annotateLogical(n, conditions[n])
		case *Binary:
			if !inner[n] {
				f.annotateChain(n, inner)
			}
		case *Case:
			f.annotateCase(n)
		}
		return true
	})
}

// span returns the tokens of a node, without the parentheses around it.
func (f *formatter) span(n Node) (lo, hi int) {
	r := n.Bounds()
	return f.at(r.Start), f.at(r.End)
}

// before finds the operator in front of an operand, over the parentheses that the operand may stand in.
func (f *formatter) before(x Expr, ok func(int) bool) int {
	for i := f.at(x.Bounds().Start) - 1; i >= f.query; i-- {
		if ok(i) {
			return i
		}
		if f.toks[i].Kind != LParen {
			break
		}
	}
	return -1
}

// annotateLogical breaks a chain of AND or OR before each of the words. Where nothing else moves the lines behind the
// first to the right, the chain does.
func (f *formatter) annotateLogical(n *Logical, level bool) {
	word := wAnd
	if n.Or {
		word = wOr
	}
	lo, hi := f.span(n)
	g := f.newGroup(lo+1, hi-1, false)
	alone := lo > f.query && f.toks[lo-1].Kind == LParen && int(f.match[lo-1]) == hi
	first := -1
	for _, x := range n.Args[1:] {
		i := f.before(x, func(i int) bool { return f.is(i, word) })
		if i < 0 {
			continue
		}
		if first < 0 {
			first = i
		}
		f.claim(i, g)
	}
	if first >= 0 && !alone && !level {
		f.indent(first, hi)
	}
}

// binding is how closely an operator binds, for the operators at which a line may be broken; 0 for all others.
func binding(op string) int {
	switch op {
	case "+", "-":
		return 1
	case "*", "/", "//", "%":
		return 2
	case "||":
		return 3
	}
	return 0
}

// annotateChain breaks a + b - c before each operator.
func (f *formatter) annotateChain(n *Binary, inner map[*Binary]bool) {
	level := binding(n.Op)
	if level == 0 {
		return
	}
	var ops []int
	for x := n; ; {
		ops = append(ops, f.at(x.OpRange.Start))
		// An operand in parentheses begins behind the bracket: it is no link of this chain.
		left, ok := x.Left.(*Binary)
		if !ok || binding(left.Op) != level || left.Start != x.Start {
			break
		}
		inner[left] = true
		x = left
	}
	lo, hi := f.span(n)
	g := f.newGroup(lo+1, hi-1, false)
	for _, i := range ops {
		f.claim(i, g)
	}
	if alone := lo > f.query && f.toks[lo-1].Kind == LParen && int(f.match[lo-1]) == hi; !alone {
		f.indent(ops[len(ops)-1], hi)
	}
}

// annotateCase breaks CASE before WHEN, ELSE and END, and a branch before THEN.
func (f *formatter) annotateCase(n *Case) {
	lo, hi := f.span(n)
	g := f.newGroup(lo+1, hi-1, false)
	f.indent(lo+1, hi-1)
	f.claim(hi-1, g)
	for i := range n.Whens {
		w := &n.Whens[i]
		if i := f.before(w.Cond, func(i int) bool { return f.is(i, wWhen) }); i >= 0 {
			f.claim(i, g)
		}
		then := f.before(w.Then, func(i int) bool { return f.is(i, wThen) })
		if then < 0 {
			continue
		}
		end := then + 1
		for ; end < hi-1 && !f.is(end, wWhen) && !f.is(end, wElse); end = f.after(end) {
			if f.is(end, wCase) {
				end = f.endOfCase(end, hi) - 1
			}
		}
		b := f.newGroup(then, end-1, false)
		f.indent(then, end)
		f.claim(then, b)
	}
	if n.Else != nil {
		if i := f.before(n.Else, func(i int) bool { return f.is(i, wElse) }); i >= 0 {
			f.claim(i, g)
		}
	}
}

// endOfCase is the index behind the END of the CASE at lo.
func (f *formatter) endOfCase(lo, hi int) int {
	depth := 0
	for i := lo; i < hi; i = f.after(i) {
		switch {
		case f.is(i, wCase):
			depth++
		case f.is(i, wEnd):
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return hi
}
