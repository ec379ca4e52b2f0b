package sql

// Inspect calls f for node and, where f returns true, for everything below it, in the order of the
// text (aside from the few spellings that are reordered, see the package comment). Clauses are
// visited too: *With, *CTE, *SelectItem, *OrderItem, *Window, *TypeName and so on. Names are not.
func Inspect(node Node, f func(Node) bool) {
	if node == nil || !f(node) {
		return
	}
	children(node, func(n Node) { Inspect(n, f) })
}

// expr visits an expression that may be absent.
func visitExpr(x Expr, visit func(Node)) {
	if x != nil {
		visit(x)
	}
}

func visitExprs(xs []Expr, visit func(Node)) {
	for _, x := range xs {
		visitExpr(x, visit)
	}
}

// children calls visit for each direct child of node.
func children(node Node, visit func(Node)) {
	switch n := node.(type) {
	case *Statement:
		if n.Query != nil {
			visit(n.Query)
		}
	case Expr:
		exprChildren(n, visit)
	case TableExpr:
		tableChildren(n, visit)
	case QueryExpr:
		queryChildren(n, visit)
	default:
		clauseChildren(n, visit)
	}
}

// queryChildren visits in the order of the text, so that FROM comes before the select list exactly
// where it was written so.
func queryChildren(node QueryExpr, visit func(Node)) {
	switch n := node.(type) {
	case *Query:
		if n.With != nil {
			visit(n.With)
		}
		visit(n.Body)
		visitOrder(n.OrderBy, visit)
		if n.Limit != nil {
			visit(n.Limit)
		}
	case *Select:
		if n.FromFirst && n.From != nil {
			visit(n.From)
		}
		if n.Distinct != nil {
			visit(n.Distinct)
		}
		for i := range n.Items {
			visit(&n.Items[i])
		}
		if !n.FromFirst && n.From != nil {
			visit(n.From)
		}
		visitExpr(n.Where, visit)
		if n.GroupBy != nil {
			visit(n.GroupBy)
		}
		visitExpr(n.Having, visit)
		for i := range n.Windows {
			visit(&n.Windows[i])
		}
		visitExpr(n.Qualify, visit)
		if n.Sample != nil {
			visit(n.Sample)
		}
	case *SetOp:
		visit(n.Left)
		visit(n.Right)
	case *Values:
		for _, row := range n.Rows {
			visit(row)
		}
	case *TableQuery:
		visit(n.Table)
	case *PivotQuery:
		visit(n.Table)
	case *DescribeQuery:
		if n.Table != nil {
			visit(n.Table)
		}
		if n.Query != nil {
			visit(n.Query)
		}
	}
}

func visitOrder(items []OrderItem, visit func(Node)) {
	for i := range items {
		visit(&items[i])
	}
}

// clauseChildren handles the nodes that are neither expressions, relations nor queries.
func clauseChildren(node Node, visit func(Node)) {
	switch n := node.(type) {
	case *With:
		for _, c := range n.CTEs {
			visit(c)
		}
	case *CTE:
		visitExprs(n.UsingKey, visit)
		visit(n.Query)
	case *Distinct:
		visitExprs(n.On, visit)
	case *SelectItem:
		visit(n.Expr)
	case *GroupBy:
		for i := range n.Items {
			visit(&n.Items[i])
		}
	case *GroupItem:
		visitExprs(n.Exprs, visit)
		for i := range n.Sets {
			visit(&n.Sets[i])
		}
	case *OrderItem:
		visitExpr(n.Expr, visit)
	case *Limit:
		visitExpr(n.Count, visit)
		visitExpr(n.Offset, visit)
	case *Sample:
		visitExpr(n.Size, visit)
		visitExpr(n.Seed, visit)
	case *WindowDef:
		visit(n.Spec)
	case *Window:
		visitExprs(n.PartitionBy, visit)
		visitOrder(n.OrderBy, visit)
		if n.Frame != nil {
			visit(n.Frame)
		}
	case *Frame:
		visit(&n.Start)
		if n.End != nil {
			visit(n.End)
		}
	case *Bound:
		visitExpr(n.Offset, visit)
	case *Arg:
		visit(n.Value)
	case *When:
		visit(n.Cond)
		visit(n.Then)
	case *StructField:
		visit(n.Value)
	case *MapEntry:
		visit(n.Key)
		visit(n.Value)
	case *PivotColumn:
		visitExprs(n.Exprs, visit)
		for i := range n.In {
			visit(&n.In[i])
		}
		if n.Query != nil {
			visit(n.Query)
		}
	case *UnpivotColumn:
		visitExprs(n.Exprs, visit)
	case *At:
		visit(n.Value)
	case *TypeName:
		visitExprs(n.Params, visit)
		for i := range n.Fields {
			visit(n.Fields[i].Type)
		}
		if n.Key != nil {
			visit(n.Key)
		}
		if n.Elem != nil {
			visit(n.Elem)
		}
	}
}

func tableChildren(node TableExpr, visit func(Node)) {
	switch n := node.(type) {
	case *TableName:
		if n.At != nil {
			visit(n.At)
		}
	case *TableFunc:
		visit(n.Call)
	case *Subselect:
		visit(n.Query)
	case *Join:
		visit(n.Left)
		visit(n.Right)
		visitExpr(n.On, visit)
	case *Pivot:
		visit(n.Source)
		for i := range n.On {
			visit(&n.On[i])
		}
		for i := range n.Using {
			visit(&n.Using[i])
		}
		visitExprs(n.GroupBy, visit)
	case *Unpivot:
		visit(n.Source)
		for i := range n.On {
			visit(&n.On[i])
		}
	case *TemplateTable:
		visit(n.Template)
	}
	if a := AliasOf(node); a != nil {
		for _, t := range a.Types {
			visit(t)
		}
	}
	if s, ok := node.(interface{ suffix() *Suffix }); ok && s.suffix().Sample != nil {
		visit(s.suffix().Sample)
	}
}

func exprChildren(node Expr, visit func(Node)) {
	switch n := node.(type) {
	case *TypedLiteral:
		visit(n.Type)
	case *Interval:
		visit(n.Value)
	case *Field:
		visit(n.X)
	case *Star:
		for i := range n.Replace {
			visit(&n.Replace[i])
		}
	case *Columns:
		visit(n.Selector)
	case *Unary:
		visit(n.X)
	case *Binary:
		visit(n.Left)
		visit(n.Right)
	case *Logical:
		visitExprs(n.Args, visit)
	case *Between:
		visit(n.X)
		visit(n.Low)
		visit(n.High)
	case *In:
		visit(n.X)
		visitExprs(n.List, visit)
		if n.Query != nil {
			visit(n.Query)
		}
		visitExpr(n.Set, visit)
	case *Like:
		visit(n.X)
		visit(n.Pattern)
		visitExpr(n.Escape, visit)
	case *Is:
		visit(n.X)
	case *Collate:
		visit(n.X)
	case *AtTimeZone:
		visit(n.X)
		visit(n.Zone)
	case *Case:
		visitExpr(n.Operand, visit)
		for i := range n.Whens {
			visit(&n.Whens[i])
		}
		visitExpr(n.Else, visit)
	case *Cast:
		visit(n.X)
		visit(n.Type)
	case *List:
		visitExprs(n.Items, visit)
	case *ListComprehension:
		visit(n.Elem)
		visit(n.List)
		visitExpr(n.Cond, visit)
	case *Struct:
		for i := range n.Fields {
			visit(&n.Fields[i])
		}
	case *Map:
		for i := range n.Entries {
			visit(&n.Entries[i])
		}
	case *Row:
		visitExprs(n.Items, visit)
	case *Index:
		visit(n.X)
		visit(n.At)
	case *Slice:
		visit(n.X)
		visitExpr(n.Low, visit)
		visitExpr(n.High, visit)
		visitExpr(n.Step, visit)
	case *Subquery:
		visit(n.Query)
	case *Quantified:
		visit(n.X)
		if n.Query != nil {
			visit(n.Query)
		}
		visitExpr(n.Set, visit)
	case *Call:
		visitArgs(n.Args, visit)
		visitOrder(n.OrderBy, visit)
		visitOrder(n.WithinGroup, visit)
		visitExpr(n.Filter, visit)
		if n.Over != nil {
			visit(n.Over)
		}
	case *Lambda:
		visit(n.Body)
	case *ProjectCall:
		visitArgs(n.Args, visit)
	case *RefExpr:
		visit(n.Ref)
	case *Template:
		visitArgs(n.Args, visit)
	}
}

func visitArgs(args []Arg, visit func(Node)) {
	for i := range args {
		visit(&args[i])
	}
}
