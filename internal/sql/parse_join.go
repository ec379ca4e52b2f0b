package sql

import "strings"

// joinHead is the words before the right side of a join.
type joinHead struct {
	kind          JoinKind
	natural, asof bool
	words         int // how many tokens; 0 when there is no join here
}

// joinAhead looks at the words of a join without moving.
func (p *parser) joinAhead() joinHead {
	h := joinHead{}
	n := 0
	if p.tok().word == noWord {
		return h
	}
	switch p.peek(n).word {
	case wNatural:
		h.natural = true
		n++
	case wAsof:
		h.asof = true
		n++
	case wCross:
		h.kind = JoinCross
		n++
	case wPositional:
		h.kind = JoinPositional
		n++
	}
	if h.kind == JoinInner {
		switch p.peek(n).word {
		case wInner:
			n++
		case wLeft, wRight, wFull:
			h.kind = JoinLeft
			switch p.peek(n).word {
			case wRight:
				h.kind = JoinRight
			case wFull:
				h.kind = JoinFull
			}
			n++
			if p.peek(n).word == wOuter {
				n++
			}
		case wSemi:
			h.kind = JoinSemi
			n++
		case wAnti:
			h.kind = JoinAnti
			n++
		}
	}
	if n == 0 && !p.at(wJoin) {
		return h
	}
	h.words = n + 1
	return h
}

// joins reads the joins after left. A join that needs a condition may find others before its own:
// a JOIN b JOIN c ON x ON y. inner is set while reading such an inner join.
func (p *parser) joins(start int32, left TableExpr, inner bool) TableExpr {
	for !p.bad {
		if p.at(wPivot) || p.at(wUnpivot) {
			left = p.pivotSuffix(start, left)
			continue
		}
		h := p.joinAhead()
		if h.words == 0 {
			return left
		}
		at := p.tok().Start
		p.i += h.words - 1
		if !p.expect(wJoin) {
			return left
		}
		j := &Join{Kind: h.kind, Natural: h.natural, Asof: h.asof, Op: p.to(at), Left: left}
		conditional := h.kind != JoinCross && h.kind != JoinPositional && !h.natural
		rightStart := p.tok().Start
		j.Right = p.tablePrimary()
		if conditional {
			if !p.bad && (p.joinAhead().words > 0 || p.at(wPivot) || p.at(wUnpivot)) {
				if p.enter() {
					j.Right = p.joins(rightStart, j.Right, true)
				}
				p.depth--
			}
			p.joinCondition(j)
		} else if p.at(wOn) && !inner {
			p.report(CodeUnexpected, "a %s takes no condition", strings.ToUpper(p.text[j.Op.Start:j.Op.End])).
				WithHelp("use JOIN … ON, or move the condition to WHERE")
		}
		j.Range = p.to(start)
		left = j
		// An inner join ends where the outer one's condition begins.
		if inner && (p.at(wOn) || p.at(wUsing)) {
			return left
		}
	}
	return left
}

// joinCondition reads ON or USING.
func (p *parser) joinCondition(j *Join) {
	switch {
	case p.bad:
	case p.accept(wOn):
		j.On = p.expr()
	case p.at(wUsing) && p.peek(1).word != wSample:
		p.i++
		j.Using = p.nameList()
	default:
		words := strings.ToUpper(strings.Join(strings.Fields(p.text[j.Op.Start:j.Op.End]), " "))
		p.reportJoin(j, words)
	}
}

// reportJoin reports a join without a condition, at the token where the condition should stand
// when that token is a mistake of its own, otherwise at the join.
func (p *parser) reportJoin(j *Join, words string) {
	if !p.atEnd() && !p.atKind(Comma) && p.joinAhead().words == 0 && !p.at(wOn) {
		p.unexpectedAfter("ON or USING after the " + words)
		return
	}
	p.reportAt(CodeMissing, j.Op, "this %s has no ON or USING", words).
		WithHelp("say which rows belong together: ON a.id = b.id; for all pairs write CROSS JOIN")
}
