package analyze

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// A why is the reason for which something is not understood. Reasons are a vocabulary that people search for and scripts group by:
// they are added to, and not reworded. docs/formats/check-json.md lists them, and a test holds it to this list.
type why string

// The reasons. Those that name a function, an operator or a type have a %s for it.
const (
	// relations
	whyColumns     why = "the columns of %s are known when it runs"
	whyFile        why = "the columns of a file are known when it is read"
	whyPivot       why = "the columns that PIVOT makes are in the data"
	whyPivotOpen   why = "PIVOT or UNPIVOT of columns that are not known"
	whyPivotForm   why = "PIVOT of values that are not constants"
	whyRelation    why = "this form of relation"
	whyQuery       why = "this form of query"
	whyRecords     why = "the columns of the records that %s returns"
	whyOpaque      why = "a query that is not analysed: %s"
	whyHook        why = "a hook, which is a statement of any kind"
	whyDepth       why = "nesting that is too deep"
	whyArrayQuery  why = "ARRAY of a query whose columns are not known"
	whyOrder       why = "ORDER BY of an expression behind a set operation of open relations"
	whyUsing       why = "USING over columns of types without a common one"
	whyPattern     why = "a pattern of column names that is not a constant"
	whyPatternForm why = "a pattern of column names that cannot be read"
	whyChoice      why = "COLUMNS with a choice that is not a constant"
	whyStar        why = "a star in the place of a value"
	// expressions
	whyForm      why = "this form of expression"
	whyParameter why = "a parameter, which has a value when the query runs"
	whyTemplate  why = "a template that was not written out"
	whyPosition  why = "a position that FROM does not have"
	whyArgument  why = "%s of an argument whose type is not known"
	whyArguments why = "%s without arguments"
	whyNamed     why = "%s with arguments by name"
	whyResult    why = "the type that %s returns"
	whyQualified why = "the function %s of a schema"
	whyMissing   why = "the function %s, which norn does not know"
	whyUntyped   why = "the function %s of the project, which does not say what it returns"
	whyCursor    why = "%s in a model without an interval"
	whyState     why = "the state of the aggregate %s"
	whyOperator  why = "the operator %s, which norn does not know"
	whyOperated  why = "the type that the operator %s returns"
	whyMaybeNull why = "%s of a constant that may be NULL, which DuckDB computes first"
	whyNullField why = "a field of a constant that may be NULL, which DuckDB computes first"
	whyPath      why = "%s with a path that is not a constant"
	whyType      why = "the type %s"
	whyLarge     why = "a type of too many parts"
	whyElement   why = "an element of a value whose type is not known"
	whySlice     why = "a slice of a value whose type is not known"
	whyList      why = "a list made from a value whose type is not known"
	whyParts     why = "an element of a value of type %s"
	whyComposite why = "a field of a composite type, which is in the database"
	whyRows      why = "rows that are compared field by field"
	whyDepending why = "a column outside of GROUP BY, which a key of its source may decide"
	whyUnnest    why = "unnest of a value whose type is not known"
	whyUnnested  why = "unnest to a depth that is not a constant"
	whyVoid      why = "a NULL without a type that unnest makes a column of"
	whyCollate   why = "COLLATE on a value of type JSON"
)

// reasons are all there are, in the order above, each with what its reader can do about it; "" where that is nothing. The numbers of
// their places are what a cache holds of them.
var reasons = []struct {
	why  why
	help string
}{
	{whyColumns, "declare a source with this call for its expression, contract: enforced and its columns"},
	{whyFile, "declare a source with read_csv(…), read_parquet(…) or read_json(…) for its expression, contract: enforced and its columns"},
	{whyPivot, "list the values behind IN, or select the columns by name from a subquery around it"},
	{whyPivotOpen, "declare all columns of what is read"},
	{whyPivotForm, "list constants behind IN"},
	{whyRelation, "select its columns by name, each cast to its type"},
	{whyQuery, "select its columns by name, each cast to its type"},
	{whyRecords, "name the columns behind an alias: AS t(a integer, b text)"},
	{whyOpaque, "write contract enforced and the columns with their types into the MODEL header"},
	{whyHook, ""},
	{whyDepth, "move parts of the query into CTEs"},
	{whyArrayQuery, "select one column by name"},
	{whyOrder, "put the set operation into a CTE and order what is selected from it"},
	{whyUsing, "cast one side in a subquery"},
	{whyPattern, "write the pattern as a constant without ESCAPE"},
	{whyPatternForm, "write the pattern in plain letters"},
	{whyChoice, "choose by a constant pattern or a list of names"},
	{whyStar, "name the columns"},
	{whyForm, "cast it to its type"},
	{whyParameter, "cast it to its type"},
	{whyTemplate, ""},
	{whyPosition, "name the column"},
	{whyArgument, "cast the argument, or declare the column that it comes from"},
	{whyArguments, ""},
	{whyNamed, "cast the call to its type"},
	{whyResult, "cast the call to its type"},
	{whyQualified, "cast the call to its type"},
	{whyMissing, "cast the call to its type"},
	{whyUntyped, "let the function say what it returns"},
	{whyCursor, ""},
	{whyState, ""},
	{whyOperator, "cast the expression to its type"},
	{whyOperated, "cast the operands, or the expression, to their types"},
	{whyMaybeNull, "write the constant as it comes out, or cast the expression to its type"},
	{whyNullField, "write the constant as it comes out"},
	{whyPath, "write the path as one constant"},
	{whyType, ""},
	{whyLarge, ""},
	{whyElement, "cast the value to a list, a struct or a map"},
	{whySlice, "cast the value to a list or to text"},
	{whyList, "cast the value to a list"},
	{whyParts, "cast the element to its type"},
	{whyComposite, "cast the field to its type"},
	{whyRows, ""},
	{whyDepending, "put the column into GROUP BY, or into an aggregate"},
	{whyUnnest, "cast the value to a list"},
	{whyUnnested, "write the depth as a constant"},
	{whyVoid, "cast the NULL to a type"},
	{whyCollate, "cast the value to VARCHAR"},
}

// consequences are the reasons that say of something only that what it is made of is not known. They are not told where what it is
// made of is told itself.
var consequences = []why{whyPivotOpen, whyArgument, whyResult, whyOperated, whyElement, whySlice, whyList, whyUnnest, whyArrayQuery, whyComposite}

func (w why) follows() bool { return slices.Contains(consequences, w) }

// strays reports whether a reason stands for a form that norn has no rule for. In a file with a mistake it is what the mistake left.
func (w why) strays() bool {
	return w == whyRelation || w == whyQuery || w == whyForm || w == whyTemplate
}

// opening are the reasons that say of a relation that it may have more columns than are known.
var opening = []why{whyColumns, whyFile, whyPivot, whyPivotForm, whyRelation, whyQuery, whyRecords, whyOpaque, whyDepth,
	whyPattern, whyPatternForm, whyChoice, whyStar, whyComposite, whyUnnest, whyUnnested}

// number is the place of a reason in the list.
func (w why) number() int {
	for i := range reasons {
		if reasons[i].why == w {
			return i
		}
	}
	return -1
}

// Reasons are all reasons for a [Skip], with … in the place of a name.
func Reasons() []string {
	out := make([]string, len(reasons))
	for i := range reasons {
		out[i] = reasons[i].why.text("…")
	}
	return out
}

// text is the reason with a name in it.
func (w why) text(name string) string {
	return strings.ReplaceAll(string(w), "%s", name)
}

// strange is the reason for an expression that has no meaning of its own where it stands.
func strange(x sql.Expr) why {
	switch x := x.(type) {
	case *sql.Star, *sql.Columns:
		return whyStar
	case *sql.Param:
		return whyParameter
	case *sql.Template:
		if x.Kind == sql.TemplateParam {
			return whyParameter // its value is that of a case of a unit test
		}
		return whyTemplate
	}
	return whyForm
}

// spanning is the place of several expressions that stand in a row.
func spanning(exprs ...sql.Expr) sql.Range {
	at := exprs[0].Bounds()
	for _, x := range exprs[1:] {
		at.Start, at.End = min(at.Start, x.Bounds().Start), max(at.End, x.Bounds().End)
	}
	return at
}

// wholeCall is the place of a call whose name stands at a place.
func (b *binder) wholeCall(name sql.Range, args []sql.Expr) sql.Range {
	for _, x := range args {
		name.Start, name.End = min(name.Start, x.Bounds().Start), max(name.End, x.Bounds().End)
	}
	rest := strings.TrimLeft(b.file.Text[name.End:], " \t\r\n")
	if len(args) > 0 && strings.HasPrefix(rest, ")") {
		name.End = int32(len(b.file.Text)-len(rest)) + 1
	}
	return name
}

// typeText is a type as the query writes it, without its modifiers.
func typeText(t *sql.TypeName) string {
	switch {
	case t == nil:
		return "…"
	case t.Elem != nil && t.Key == nil:
		return typeText(t.Elem) + "[]"
	case len(t.Name) > 0:
		parts := make([]string, len(t.Name))
		for i, n := range t.Name {
			parts[i] = n.Text
		}
		return strings.Join(parts, ".")
	}
	return "…"
}

// opaquePlace is where the reader of a model sees that its query is not analysed: the query, or what stands in its place.
func opaquePlace(m *project.Model, file *diag.File) sql.Range {
	if m.Query != nil && m.Query.Query != nil {
		return m.Query.Query.Range
	}
	for _, w := range m.Unbuilt {
		if w.Span.File == file && w.Span.Start >= 0 {
			return sql.Range{Start: int32(w.Span.Start), End: int32(w.Span.End)}
		}
	}
	return sql.Range{}
}
