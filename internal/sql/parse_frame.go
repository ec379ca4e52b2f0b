package sql

// frame reads a window frame.
func (p *parser) frame() *Frame {
	f := &Frame{}
	t := p.next()
	f.Range.Start = t.Start
	switch t.word {
	case wRange:
		f.Mode = FrameRange
	case wGroups:
		f.Mode = FrameGroups
	}
	if p.accept(wBetween) {
		f.Start = p.bound()
		p.expect(wAnd)
		end := p.bound()
		f.End = &end
	} else {
		f.Start = p.bound()
	}
	p.checkFrame(f)
	if p.accept(wExclude) {
		switch {
		case p.accept(wNo):
			p.expect(wOthers)
			f.Exclude = ExcludeNoOthers
		case p.accept(wCurrent):
			p.expect(wRow)
			f.Exclude = ExcludeCurrentRow
		case p.accept(wGroup):
			f.Exclude = ExcludeGroup
		case p.accept(wTies):
			f.Exclude = ExcludeTies
		default:
			p.unexpected("CURRENT ROW, GROUP, TIES or NO OTHERS", "current", "group", "ties", "no")
		}
	}
	f.Range.End = max(f.Range.Start, p.prevEnd())
	return f
}

// bound reads one end of a frame.
func (p *parser) bound() Bound {
	t := p.tok()
	b := Bound{}
	switch {
	case p.accept(wUnbounded):
		b.Kind = UnboundedFollowing
		if !p.accept(wFollowing) {
			b.Kind = UnboundedPreceding
			p.expect(wPreceding)
		}
	case t.word == wCurrent && p.peek(1).word == wRow:
		p.i += 2
		b.Kind = CurrentRow
	default:
		b.Offset = p.expr()
		b.Kind = Following
		if !p.accept(wFollowing) {
			b.Kind = Preceding
			if !p.accept(wPreceding) {
				p.unexpected("PRECEDING or FOLLOWING", "preceding", "following")
			}
		}
	}
	b.Range = p.to(t.Start)
	return b
}

// checkFrame refuses frames whose end lies before their start.
func (p *parser) checkFrame(f *Frame) {
	if p.bad {
		return
	}
	end, at := CurrentRow, f.Start.Range
	if f.End != nil {
		end, at = f.End.Kind, f.End.Range
	}
	switch {
	case f.Start.Kind == UnboundedFollowing:
		p.reportAt(CodeUnexpected, f.Start.Range, "a frame can't start at UNBOUNDED FOLLOWING")
	case end == UnboundedPreceding && f.End != nil:
		p.reportAt(CodeUnexpected, at, "a frame can't end at UNBOUNDED PRECEDING")
	case f.Start.Kind > end && !(f.Start.Kind == Following && f.End != nil && end == Following):
		p.reportAt(CodeUnexpected, at, "this frame ends before it starts").
			WithHelp("write BETWEEN start AND end with the earlier bound first")
	}
}
