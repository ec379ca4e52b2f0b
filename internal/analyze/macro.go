package analyze

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// macroText is what DuckDB's own macros stand for, written by functions/gen/main.go: name, parameters, body.
//
//go:embed functions/macros.txt
var macroText string

// macroForm is one form of a macro: an expression over its parameters.
type macroForm struct {
	params []string // folded
	body   func() sql.Expr
}

// macroForms are the macros by name. Like the catalogue it is a constant that is only computed late.
var macroForms = sync.OnceValue(func() map[string][]macroForm {
	forms := map[string][]macroForm{}
	for line := range strings.Lines(macroText) {
		parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(parts) != 3 {
			continue
		}
		f := macroForm{body: sync.OnceValue(func() sql.Expr {
			x, problems := sql.ParseExpr(diag.NewFile(parts[0], parts[2]), 0, sql.DuckDB())
			diag.Assert(len(problems) == 0, "the macro %s cannot be read", parts[0])
			return x
		})}
		if parts[1] != "" {
			f.params = strings.Split(fold(parts[1]), ",")
		}
		forms[parts[0]] = append(forms[parts[0]], f)
	}
	return forms
})

// fromCatalog are the macros that ask the catalogue of a database, with what they yield.
var fromCatalog = map[string]kind{
	"format_type": kVarchar, "get_block_size": kBigint, "pg_get_viewdef": kVarchar, "pg_get_constraintdef": kVarchar,
	"current_database": kVarchar, "current_query": kVarchar, "current_schema": kVarchar,
}

// macro binds a call of one of DuckDB's macros as the expression it stands for, as DuckDB does: types, refusals and lineage
// are those of its body. Parts of the body stand at the place of the call.
func (b *binder) macro(e *env, x *sql.Call, name string) value {
	if k, ok := fromCatalog[name]; ok {
		values, _, _ := b.arguments(e, x)
		out := derive(scalar(k), values...)
		out.null = true
		return out
	}
	counts := map[int]bool{}
	for _, f := range macroForms()[name] {
		counts[len(f.params)] = true
		if len(f.params) != len(x.Args) {
			continue
		}
		args := make(map[string]sql.Expr, len(f.params))
		for i, a := range x.Args {
			p := f.params[i]
			if a.Name.Given() {
				p = fold(a.Name.Text)
			}
			args[p] = a.Value
		}
		body := substitution{at: &x.Name[len(x.Name)-1].Range, leaf: func(x sql.Expr) (sql.Expr, bool) {
			if ref, ok := x.(*sql.ColumnRef); ok && len(ref.Parts) == 1 {
				a, ok := args[fold(ref.Parts[0].Text)]
				return a, ok
			}
			return nil, false
		}}
		return b.expr(e, body.expr(f.body()))
	}
	b.arguments(e, x)
	if len(counts) == 0 {
		return b.skip(x.Range, whyResult, x.FuncName())
	}
	return poisoned(b.problem("E1104", x.Name[len(x.Name)-1].Range, "%s takes %s, not %d", x.FuncName(), countList(counts), len(x.Args)))
}
