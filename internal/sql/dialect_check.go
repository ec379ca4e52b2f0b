package sql

import (
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// A feature is syntax that the tree can hold and that not every dialect has. The parser reads all of it, because it can say
// more about a thing it has read than about a word it stumbles over; what the dialect lacks is refused afterwards.
type feature uint8

const (
	listLiteral feature = iota
	structLiteral
	mapLiteral
	lambdas
	comprehension
	columnsStar
	starChanges
	positions
	tryCast
	methodCalls
	qualify
	groupByAll
	orderByAll
	usingSample
	percentLimit
	semiJoin
	asofJoin
	positionalJoin
	pivoting
	describing
	fileTables
	timeTravel
	prefixAlias
	unionByName
	nullTreatment
	exportState
	sliceStep
	nestedTypes
	intervalNumber
	globPattern
	postfixOperator
	bareIn
	usingKey
	fromFirst
	featureCount
)

// featureSet is a set of features.
type featureSet uint64

const allFeatures featureSet = 1<<featureCount - 1

func (s featureSet) has(f feature) bool { return s&(1<<f) != 0 }

// featureText says what a feature is called, and what to write instead where the dialect lacks it.
var featureText = [featureCount][2]string{
	listLiteral:     {"list in brackets", "write ARRAY[…]"},
	structLiteral:   {"struct literal", "write ROW(…), or jsonb_build_object('key', value)"},
	mapLiteral:      {"map", "write jsonb_build_object('key', value)"},
	lambdas:         {"lambda", "use unnest(…) and an aggregate in a subquery"},
	comprehension:   {"list comprehension", "write ARRAY(SELECT … FROM unnest(…) AS x)"},
	columnsStar:     {"COLUMNS()", "list the columns"},
	starChanges:     {"EXCLUDE, REPLACE or RENAME behind *", "list the columns"},
	positions:       {"column by number", "write the name of the column"},
	tryCast:         {"TRY_CAST", "check the text with a pattern before the cast: CASE WHEN x ~ '^[0-9]+$' THEN x::int END"},
	methodCalls:     {"call behind a dot", "write f(x) instead of x.f()"},
	qualify:         {"QUALIFY", "compute the window function in a subquery and filter with WHERE around it"},
	groupByAll:      {"GROUP BY ALL", "list the columns to group by"},
	orderByAll:      {"ORDER BY ALL", "list the columns to order by"},
	usingSample:     {"sample without a method", "write TABLESAMPLE BERNOULLI (percent) behind the table"},
	percentLimit:    {"LIMIT in percent", "write a number of rows"},
	semiJoin:        {"SEMI or ANTI JOIN", "write WHERE EXISTS (SELECT … ) or WHERE NOT EXISTS (SELECT … )"},
	asofJoin:        {"ASOF JOIN", "write a LATERAL subquery with ORDER BY and LIMIT 1"},
	positionalJoin:  {"POSITIONAL JOIN", "join on row_number()"},
	pivoting:        {"PIVOT or UNPIVOT", "write sum(x) FILTER (WHERE …) for each column, or a LATERAL (VALUES …)"},
	describing:      {"DESCRIBE, SUMMARIZE or SHOW in a query", "read information_schema.columns"},
	fileTables:      {"file as a table", "load the file as a seed, or declare a source"},
	timeTravel:      {"AT (VERSION or TIMESTAMP)", "leave it out"},
	prefixAlias:     {"alias before its expression", "write expression AS alias"},
	unionByName:     {"UNION BY NAME", "list the columns of both sides in one order"},
	nullTreatment:   {"IGNORE NULLS or RESPECT NULLS", "filter NULL in a subquery, or use a FILTER clause"},
	exportState:     {"EXPORT_STATE", "leave it out"},
	sliceStep:       {"step in a slice", "use generate_series(…) over the subscripts"},
	nestedTypes:     {"STRUCT, MAP, UNION or ENUM as a written type", "use jsonb, or a type that exists in the database"},
	intervalNumber:  {"INTERVAL with a number", "write INTERVAL '3 days', or n * INTERVAL '1 day'"},
	globPattern:     {"GLOB", "use LIKE, or ~ with a regular expression"},
	postfixOperator: {"operator behind its operand", "call a function, such as factorial(x)"},
	bareIn:          {"IN without parentheses", "write = ANY (array)"},
	usingKey:        {"USING KEY", "leave it out"},
	fromFirst:       {"FROM without SELECT before it", "write SELECT * FROM …"},
}

// refuse reports what a tree has and the dialect lacks.
func (p *parser) refuse(root Node) {
	inArray := map[*List]bool{}
	Inspect(root, func(n Node) bool {
		if l, ok := n.(*List); ok {
			// ARRAY[[1, 2], [3, 4]]: inside an array brackets alone are enough.
			if inArray[l] || p.text[l.Start] != '[' {
				for _, item := range l.Items {
					if inner, ok := item.(*List); ok {
						inArray[inner] = true
					}
				}
				return true
			}
		}
		f, at, found := p.featureOf(n)
		if !found || !p.d.lacks.has(f) {
			return true
		}
		text := featureText[f]
		p.problems = append(p.problems, diag.New(CodeUnsupported, at.Span(p.file), "%s has no %s", p.d.Name, text[0]).WithHelp("%s", text[1]))
		return false
	})
}

// featureOf names the feature that a node is, if it is one, and where to point.
func (p *parser) featureOf(n Node) (f feature, at Range, found bool) {
	at = n.Bounds()
	switch n := n.(type) {
	case *List:
		return listLiteral, at, true
	case *Struct:
		return structLiteral, at, true
	case *Map:
		return mapLiteral, at, true
	case *Lambda:
		return lambdas, at, n.AsArrow() == nil
	case *ListComprehension:
		return comprehension, at, true
	case *Columns:
		return columnsStar, at, true
	case *Star:
		return starChanges, at, len(n.Exclude)+len(n.Replace)+len(n.Rename) > 0
	case *PositionRef:
		return positions, at, true
	case *Cast:
		return tryCast, at, n.Try
	case *Call:
		switch {
		case n.Method:
			return methodCalls, at, true
		case n.Nulls != TreatDefault:
			return nullTreatment, at, true
		}
		return exportState, at, n.ExportState
	case *Slice:
		return sliceStep, at, n.Step != nil || n.OpenEnd
	case *Interval:
		lit, ok := n.Value.(*Literal)
		return intervalNumber, at, !ok || lit.Kind != StringLiteral
	case *Like:
		return globPattern, at, n.Kind == LikeGlob
	case *Unary:
		return postfixOperator, n.OpRange, n.Postfix
	case *In:
		return bareIn, at, n.Set != nil
	case *TypeName:
		return nestedTypes, at, n.Kind == StructType || n.Kind == MapType || n.Kind == UnionType || n.Kind == EnumType
	}
	return p.clauseFeature(n, at)
}

// clauseFeature is featureOf for what is no expression.
func (p *parser) clauseFeature(n Node, at Range) (f feature, place Range, found bool) {
	switch n := n.(type) {
	case *Select:
		switch {
		case n.Qualify != nil:
			return qualify, n.Qualify.Bounds(), true
		case n.Sample != nil:
			return usingSample, n.Sample.Range, true
		}
	case *SelectItem:
		return prefixAlias, n.Alias.Range, n.Alias.Given() && n.Expr != nil && n.Alias.Start < n.Expr.Bounds().Start
	case *GroupBy:
		return groupByAll, at, n.All
	case *OrderItem:
		return orderByAll, at, n.All
	case *Limit:
		return percentLimit, at, n.Percent
	case *CTE:
		return usingKey, at, len(n.UsingKey) > 0
	case *SetOp:
		return unionByName, n.Op, n.ByName
	case *Pivot, *Unpivot, *PivotQuery:
		return pivoting, at, true
	case *DescribeQuery:
		return describing, at, true
	case *Join:
		switch {
		case n.Kind == JoinSemi || n.Kind == JoinAnti:
			return semiJoin, n.Op, true
		case n.Asof:
			return asofJoin, n.Op, true
		}
		return positionalJoin, n.Op, n.Kind == JoinPositional && !strings.HasPrefix(strings.ToLower(p.text[n.Op.Start:]), "rows")
	case *TableName:
		switch {
		case n.File:
			return fileTables, at, true
		case n.At != nil:
			return timeTravel, n.At.Range, true
		}
		return usingSample, at, n.Sample != nil && !n.Sample.Method.Given()
	}
	if t, ok := n.(TableExpr); ok {
		if a := AliasOf(t); a != nil {
			return prefixAlias, a.Range, a.Name.Given() && a.Start == at.Start
		}
	}
	return 0, at, false
}
