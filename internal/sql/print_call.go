package sql

// call writes a call with everything that may follow it. The forms with words of their own (EXTRACT,
// TRIM … FROM) were made plain calls by the parser and stay that.
func (p *printer) call(c *Call) {
	args := c.Args
	if c.Method {
		p.methodBase(args[0].Value)
		p.s(".")
		args = args[1:]
	}
	p.path(c.Name)
	p.s("(")
	if c.Distinct {
		p.s("DISTINCT ")
	}
	if c.Star {
		p.s("*")
	}
	list(p, args, p.arg)
	if c.OrderBy != nil {
		if c.Star || len(args) > 0 {
			p.s(" ")
		}
		p.orderBy(c.OrderBy)
	}
	switch c.Nulls {
	case IgnoreNulls:
		p.s(" IGNORE NULLS")
	case RespectNulls:
		p.s(" RESPECT NULLS")
	}
	p.s(")")
	if c.WithinGroup != nil {
		p.s(" WITHIN GROUP (")
		p.orderBy(c.WithinGroup)
		p.s(")")
	}
	if c.Filter != nil {
		p.s(" FILTER (WHERE ")
		p.expr(c.Filter, 0)
		p.s(")")
	}
	if c.ExportState {
		p.s(" EXPORT_STATE")
	}
	if c.Over != nil {
		p.s(" OVER ")
		p.window(c.Over)
	}
}

// methodBase writes what a method is called on.
func (p *printer) methodBase(x Expr) {
	if c, ok := x.(*Call); ok && c.Over == nil && c.Filter == nil && c.WithinGroup == nil {
		p.call(c)
		return
	}
	p.s("(")
	p.expr(x, 0)
	p.s(")")
}

func (p *printer) arg(a Arg) {
	if a.Name.Given() {
		p.name(a.Name)
		p.s(" := ")
	}
	p.expr(a.Value, 0)
}

func (p *printer) window(w *Window) {
	if w.Bare {
		p.name(w.Base)
		return
	}
	p.s("(")
	sep := ""
	part := func() {
		p.s(sep)
		sep = " "
	}
	if w.Base.Given() {
		part()
		p.name(w.Base)
	}
	if w.PartitionBy != nil {
		part()
		p.s("PARTITION BY ")
		p.exprs(w.PartitionBy)
	}
	if w.OrderBy != nil {
		part()
		p.orderBy(w.OrderBy)
	}
	if w.Frame != nil {
		part()
		p.frame(w.Frame)
	}
	p.s(")")
}

func (p *printer) frame(f *Frame) {
	p.s([...]string{FrameRows: "ROWS ", FrameRange: "RANGE ", FrameGroups: "GROUPS "}[f.Mode])
	if f.End != nil {
		p.s("BETWEEN ")
		p.bound(f.Start)
		p.s(" AND ")
		p.bound(*f.End)
	} else {
		p.bound(f.Start)
	}
	p.s([...]string{
		ExcludeDefault: "", ExcludeNoOthers: " EXCLUDE NO OTHERS", ExcludeCurrentRow: " EXCLUDE CURRENT ROW",
		ExcludeGroup: " EXCLUDE GROUP", ExcludeTies: " EXCLUDE TIES",
	}[f.Exclude])
}

func (p *printer) bound(b Bound) {
	switch b.Kind {
	case UnboundedPreceding:
		p.s("UNBOUNDED PRECEDING")
	case CurrentRow:
		p.s("CURRENT ROW")
	case UnboundedFollowing:
		p.s("UNBOUNDED FOLLOWING")
	case Preceding:
		// In BETWEEN … AND …, an AND of the offset must not be taken for the frame's.
		p.expr(b.Offset, precAnd+1)
		p.s(" PRECEDING")
	case Following:
		p.expr(b.Offset, precAnd+1)
		p.s(" FOLLOWING")
	}
}
