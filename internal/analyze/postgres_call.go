package analyze

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/analyze/postgres"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// pgCallName is the function that a call means. The grammar's own forms are calls under the names that DuckDB gives them.
func (b *binder) pgCallName(x *sql.Call) string {
	last := x.Name[len(x.Name)-1]
	name := fold(last.Text)
	switch name {
	case "date_part":
		if at := last.Range; int(at.End) <= len(b.file.Text) && strings.EqualFold(b.file.Text[at.Start:at.End], "extract") {
			return "extract"
		}
	case "trim":
		return "btrim"
	}
	return name
}

// pgCall binds a call: a form of the grammar, an aggregate, a window function or a plain function.
func (b *binder) pgCall(e *env, x *sql.Call) value {
	if len(x.Name) > 1 && fold(x.Name[0].Text) != "pg_catalog" {
		b.pgArguments(e, x) // a function of the database's own
		return b.skip(x.Range, whyQualified, x.FuncName())
	}
	name := b.pgCallName(x)
	if x.Over == nil && len(x.Name) == 1 && !x.Name[0].Quoted {
		if v, ok := b.pgForm(e, x, name); ok {
			return v
		}
	}
	overloads := postgres.Functions(name)
	var aggregate, window, plain bool
	for _, f := range overloads {
		aggregate = aggregate || f.Kind == 'a'
		window = window || f.Kind == 'w'
		plain = plain || f.Kind == 'f'
	}
	at := x.Name[len(x.Name)-1].Range
	switch {
	case overloads == nil && takesLambda(name):
		return b.pgUnknownFunction(x, name, nil) // x -> … is no access to a column here, but a function of DuckDB
	case overloads == nil:
		values, exprs := b.pgArguments(e, x)
		if x.Over != nil {
			b.window(e, x.Over, map[string]bool{})
		}
		if t := postgres.Lookup(name); t != nil && len(values) == 1 {
			return b.pgFunction(at, name, values, exprs, nil)
		}
		return b.pgUnknownFunction(x, name, values)
	case x.Over != nil:
		return b.pgWindowCall(e, x, name, aggregate || window)
	case len(x.WithinGroup) > 0 || aggregate && (!plain || x.Star):
		return b.pgAggregate(e, x, name)
	case window && !plain:
		b.pgArguments(e, x)
		return poisoned(b.problem("E1110", at, "the window function %s needs OVER", name).WithHelp("write %s(…) OVER (ORDER BY …)", name))
	}
	values, exprs := b.pgArguments(e, x)
	if name == "normalize" && len(values) == 2 {
		values, exprs = values[:1], exprs[:1] // the form is a word
	}
	if slices.ContainsFunc(overloads, func(f *postgres.Function) bool { return f.Set }) {
		for _, v := range values {
			b.multiply(v)
		}
	}
	if p := b.pgOnlyAggregates(x, name); p != nil {
		return poisoned(p)
	}
	if b.pgNamed(x) {
		return b.pgAnyOverload(x.Range, whyNamed, name, values)
	}
	return b.pgFunction(at, name, values, exprs, func(f *postgres.Function) bool { return f.Kind == 'f' })
}

// pgOnlyAggregates reports what only aggregates take.
func (b *binder) pgOnlyAggregates(x *sql.Call, name string) *diag.Problem {
	what := aggregateClause(x)
	if what == "" && x.Star {
		what = "*"
	}
	if what == "" {
		return nil
	}
	return b.problem("E1104", x.Name[len(x.Name)-1].Range, "%s is no aggregate and takes no %s", name, what)
}

// pgNamed reports arguments by name, or an array in place of several, which the catalogue of signatures does not tell apart.
func (b *binder) pgNamed(x *sql.Call) bool {
	for _, a := range x.Args {
		if a.Name.Given() || a.Start < a.Value.Bounds().Start && len(b.file.Text) >= int(a.Start)+8 && strings.EqualFold(b.file.Text[a.Start:a.Start+8], "variadic") {
			return true
		}
	}
	return false
}

// pgAnyOverload is the result of a function of which any overload may be meant: known when they agree.
func (b *binder) pgAnyOverload(at sql.Range, w why, name string, values []value) value {
	out := derive(typ{}, values...)
	out.null = true
	var t *postgres.Type
	for i, f := range postgres.Functions(name) {
		if i > 0 && f.Result != t || f.Result.Kind == 'p' {
			b.pass(at, w, name)
			return out
		}
		t = f.Result
	}
	out.typ = pg(t)
	return out
}

// pgArguments binds all arguments of a call.
func (b *binder) pgArguments(e *env, x *sql.Call) (values []value, exprs []sql.Expr) {
	form := fold(x.FuncName()) == "normalize"
	for i, a := range x.Args {
		if form && i == 1 {
			values, exprs = append(values, unknown()), append(exprs, a.Value)
			continue
		}
		values = append(values, b.argument(e, a.Value))
		exprs = append(exprs, a.Value)
	}
	return values, exprs
}

// pgUnknownFunction is a call of a function that PostgreSQL itself does not have. It may be one of an extension or of the
// database's own, so that it is never an error; where it looks like a slip or like DuckDB, there is a warning.
func (b *binder) pgUnknownFunction(x *sql.Call, name string, values []value) value {
	at := x.Name[len(x.Name)-1].Range
	if sql.Postgres().OpaqueCalls[name] {
		// a form of the grammar, such as xmlelement, whose arguments are not read
	} else if help, ok := duckFunctions[name]; ok || catalogue().find(name, false) != nil {
		p := b.problem("E1005", at, "PostgreSQL itself has no function %s; DuckDB has", name)
		if p.Severity = diag.Warning; help != "" && p.Help == "" {
			p.WithHelp("write %s", help)
		}
	} else if near := diag.Nearest(name, postgres.FunctionNames()); near != "" {
		p := b.problem("E1005", at, "PostgreSQL itself has no function %s", name)
		if p.Severity = diag.Warning; p.Help == "" {
			p.WithHelp("did you mean %s?", near).WithFix(p.Span, near)
		}
	}
	out := derive(typ{}, values...)
	out.null = true
	b.pass(x.Range, whyMissing, name)
	return out
}

// duckFunctions says what to write in place of functions that people bring along from DuckDB.
var duckFunctions = map[string]string{
	"strftime": "to_char(x, 'YYYY-MM-DD')", "strptime": "to_timestamp(x, 'YYYY-MM-DD')", "date_diff": "extract(epoch FROM b - a), or b - a for two dates",
	"datediff": "extract(epoch FROM b - a), or b - a for two dates", "date_add": "x + INTERVAL '1 day'", "epoch": "extract(epoch FROM x)",
	"year": "extract(year FROM x)", "month": "extract(month FROM x)", "day": "extract(day FROM x)", "hour": "extract(hour FROM x)",
	"ifnull": "coalesce(x, y)", "if": "CASE WHEN x THEN y ELSE z END", "len": "length(x)", "list_value": "ARRAY[x, y]", "arg_max": "(array_agg(x ORDER BY y DESC))[1]",
	"arg_min": "(array_agg(x ORDER BY y))[1]", "any_value": "min(x)", "first": "(array_agg(x ORDER BY y))[1]", "list": "array_agg(x)", "median": "percentile_cont(0.5) WITHIN GROUP (ORDER BY x)",
	"regexp_matches": "x ~ pattern", "contains": "strpos(x, y) > 0", "today": "current_date", "group_concat": "string_agg(x, ',')",
}

// pgFunction chooses the overload of a function and yields its result; keep says which overloads come into question.
func (b *binder) pgFunction(at sql.Range, name string, values []value, exprs []sql.Expr, keep func(*postgres.Function) bool) value {
	out := derive(typ{}, values...)
	out.null = out.null || !keepsValue(name) && !pgConversion(name)
	if neverNull[name] || name == "concat_ws" || name == "jsonb_build_object" || name == "json_build_object" {
		out.null = false
	}
	out.void = out.void && keepsValue(name)
	types := make([]*postgres.Type, len(values))
	for i, v := range values {
		if v.poison != nil {
			return out
		}
		if types[i] = v.typ.pgType(); types[i] == nil {
			guess := b.pgAnyOverload(b.wholeCall(at, exprs), whyArgument, name, values)
			out.typ = guess.typ
			return out
		}
	}
	call, match := postgres.ResolveFunction(name, types, keep)
	switch {
	case match == postgres.Ambiguous:
		out.poison = b.problem("E1104", at, "%s fits several ways for %s", name, pgTypeList(values))
		if out.poison.Help == "" {
			out.poison.WithHelp("cast the literals to say which is meant, such as '…'::text")
		}
		return out
	case match == postgres.None:
		out.poison = b.pgRefusedCall(at, name, values, exprs, keep)
		return out
	}
	if out.poison = b.pgConstants(exprs, values, call.Params); out.poison != nil {
		return out
	}
	out.typ = pg(call.Result)
	if call.Result == nil {
		out.poison = b.problem("E1104", at, "%s cannot tell its type from literals alone", name)
		if out.poison.Help == "" {
			out.poison.WithHelp("cast one of them, such as '…'::text")
		}
		return out
	}
	if call.Result.Name == "record" && len(call.Columns(types)) == 0 {
		out.typ = typ{}
		b.pass(b.wholeCall(at, exprs), whyRecords, name)
	}
	if call.Function != nil && call.Set {
		out.null, out.void = true, false
	}
	return out
}

// pgConversion lists functions beside those of keepsValue that have a value whenever their arguments have one.
func pgConversion(name string) bool {
	switch name {
	case "btrim", "to_char", "timezone", "date", "text", "int4", "int8", "numeric", "float8", "initcap", "generate_series", "make_date", "make_interval", "to_jsonb", "to_json":
		return true
	}
	return false
}

// pgTypeList writes types for a message.
func pgTypeList(values []value) string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = v.typ.String()
	}
	if len(names) == 0 {
		return "no arguments"
	}
	return "(" + strings.Join(names, ", ") + ")"
}

// pgRefusedCall reports a call that no overload takes: at the argument where only one is at fault, else at the name.
func (b *binder) pgRefusedCall(at sql.Range, name string, values []value, exprs []sql.Expr, keep func(*postgres.Function) bool) *diag.Problem {
	var fits []*postgres.Function
	for _, f := range postgres.Functions(name) {
		if (keep == nil || keep(f)) && (len(values) >= len(f.Args)-f.Defaults && len(values) <= len(f.Args) || f.Variadic != nil && len(values) >= len(f.Args)) {
			fits = append(fits, f)
		}
	}
	if len(fits) == 0 {
		p := b.problem("E1104", at, "%s does not take %s", name, pgCount(len(values)))
		return p
	}
	if len(fits) == 1 {
		for i, v := range values {
			if i >= len(fits[0].Args) || exprs[i] == nil {
				break
			}
			if want := fits[0].Args[i]; !postgres.Coercible(v.typ.pgType(), want, postgres.Implicit) {
				p := b.problem("E1104", exprs[i].Bounds(), "%s takes %s here, not %s", name, pg(want), v.typ)
				if p.Help == "" {
					p.WithHelp("cast it: x::%s", pg(want))
				}
				return p
			}
		}
	}
	p := b.problem("E1104", at, "%s does not take %s", name, pgTypeList(values))
	if p.Help == "" {
		if name == "round" && len(values) == 2 {
			p.WithHelp("only numeric is rounded to digits: round(x::numeric, 2)")
		} else {
			p.WithHelp("cast an argument")
		}
	}
	return p
}

// pgCount writes a number of arguments for a message.
func pgCount(n int) string {
	switch n {
	case 0:
		return "no arguments"
	case 1:
		return "one argument"
	}
	return itoa(n) + " arguments"
}
