package analyze

import (
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// refusedCall reports a call that no overload takes: at the argument no overload takes at that place, else at the name.
func (b *binder) refusedCall(x *sql.Call, f *function, types []typ) *diag.Problem {
	at := x.Name[len(x.Name)-1].Range
	counts := map[int]bool{}
	fits := false
	for _, o := range f.overloads {
		if len(types) == len(o.params) || len(types) >= len(o.params) && o.rest != nil {
			fits = true
		}
		counts[len(o.params)] = true
	}
	if !fits {
		p := b.problem("E1104", at, "%s takes %s, not %d", x.FuncName(), countList(counts), len(types))
		return p
	}
	for i := range types {
		possible := false
		for _, o := range f.overloads {
			if i < len(o.params) || o.rest != nil {
				possible = possible || implicitCost(types[i], o.param(i)) != never
			}
		}
		if !possible && i < len(x.Args) {
			p := b.problem("E1104", x.Args[i].Value.Bounds(), "%s does not take %s here", x.FuncName(), types[i].settled())
			if p.Help == "" {
				p.WithHelp("it takes %s; cast the argument", signatures(f))
			}
			return p
		}
	}
	p := b.problem("E1104", at, "%s does not take %s", x.FuncName(), typeList(types))
	if p.Help == "" {
		p.WithHelp("it takes %s", signatures(f))
	}
	return p
}

// typeList writes the types of a call for a message.
func typeList(types []typ) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.settled().String()
	}
	if len(names) == 0 {
		return "no arguments"
	}
	return listing(names)
}

// signatures lists up to four ways to call a function.
func signatures(f *function) string {
	var out []string
	for _, o := range f.overloads {
		if len(out) == 4 {
			return strings.Join(out, " or ") + " or …"
		}
		parts := make([]string, len(o.params))
		for i, p := range o.params {
			parts[i] = p.String()
		}
		if o.rest != nil {
			parts = append(parts, o.rest.String()+" …")
		}
		out = append(out, "("+strings.Join(parts, ", ")+")")
	}
	return strings.Join(out, " or ")
}

// countList writes the numbers of arguments a function takes for a message.
func countList(counts map[int]bool) string {
	var out []string
	for n := range 20 {
		if counts[n] {
			out = append(out, []string{"no arguments", "one argument", "two arguments", "three arguments", "four arguments", "five arguments"}[min(n, 5)])
		}
	}
	return strings.Join(out, " or ")
}

// undeduced reports arguments that must share a type and have none in common.
func (b *binder) undeduced(x *sql.Call, o *overload, args []argument, types []typ) *diag.Problem {
	_, fault := o.bindTemplates(types)
	if fault < 0 {
		return nil
	}
	at := x.Name[len(x.Name)-1].Range
	if args[fault].expr != nil {
		at = args[fault].expr.Bounds()
	}
	p := b.problem("E1104", at, "%s takes arguments of one type, not %s", x.FuncName(), typeList(types))
	if p.Help == "" {
		p.WithHelp("cast one of them")
	}
	return p
}
