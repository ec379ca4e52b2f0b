package analyze

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// unknownColumn reports a name that nothing answers to: of one relation when it was qualified, else of the whole scope.
func (b *binder) unknownColumn(e *env, name sql.Name, in *relation) value {
	if !utf8.ValidString(name.Text) {
		return unknown() // its bytes are a mistake that was reported
	}
	key := mistake{"E1003", int(name.Start), int(name.End)}
	if p, ok := b.reported[key]; ok {
		return poisoned(p)
	}
	var names []string
	b.advice++
	if in != nil {
		if p, ok := b.excused(in.shape, name.Text); ok {
			return poisoned(p)
		}
		names = in.shape.names()
		if b.advice > advised || len(names) == 0 {
			return poisoned(b.problem("E1003", name.Range, "%s has no column %s", in.name, name.Text))
		}
		p := b.problem("E1003", name.Range, "%s has no column %s; it has %s", in.name, name.Text, diag.Listing(names))
		b.mayMean(p, names)
		suggest(p, name.Text, names)
		return poisoned(p)
	}
	if e.scope == nil || len(e.scope.rels) == 0 && e.scope.outer == nil {
		p := b.problem("E1003", name.Range, "unknown column %s: there is no FROM to take it from", name.Text)
		return poisoned(p)
	}
	var relations []string
	for s := e.scope; s != nil; s = s.outer {
		for _, r := range s.rels {
			if p, ok := b.excused(r.shape, name.Text); ok {
				return poisoned(p)
			}
			// A lateral query may read the relation beside it once more: each name is said once.
			if !slices.Contains(relations, r.name) {
				relations = append(relations, r.name)
			}
			if b.advice <= advised {
				names = append(names, r.shape.names()...)
			}
		}
	}
	if len(relations) == 0 {
		return poisoned(b.problem("E1003", name.Range, "unknown column %s: there is no FROM to take it from", name.Text))
	}
	if b.advice > advised || len(names) == 0 {
		return poisoned(b.problem("E1003", name.Range, "unknown column %s", name.Text))
	}
	var p *diag.Problem
	if len(relations) == 1 {
		p = b.problem("E1003", name.Range, "unknown column %s; %s has %s", name.Text, relations[0], diag.Listing(names))
	} else {
		slices.Sort(names)
		names = slices.Compact(names)
		p = b.problem("E1003", name.Range, "unknown column %s; %s have %s", name.Text, listing(relations), diag.Listing(names))
	}
	b.mayMean(p, names)
	if e.sel != nil {
		for i := range e.sel.items {
			if it := &e.sel.items[i]; it.alias != "" && it.state == itemDone {
				names = append(names, it.alias)
			}
		}
	}
	if near := suggest(p, name.Text, names); near == "" && name.Quoted && p.Help == "" && !strings.ContainsAny(name.Text, "'\\") {
		p.WithHelp("a text stands in single quotes: '%s'", name.Text).WithFix(name.Span(b.file), "'"+name.Text+"'")
	} else if near == "" {
		// The right name may be qualified away: say where a column of that name is.
		for s := e.scope; s != nil && p.Help == ""; s = s.outer {
			for _, r := range s.rels {
				if r.shape.find(fold(name.Text)) >= 0 {
					p.WithHelp("write %s.%s", r.name, name.Text)
					break
				}
			}
		}
	}
	return poisoned(p)
}

// unknownQualifier reports the first part of a dotted name that is neither a relation nor a column.
func (b *binder) unknownQualifier(e *env, parts []sql.Name) value {
	var names []string
	for s := e.scope; s != nil; s = s.outer {
		for _, r := range s.rels {
			names = append(names, r.name)
		}
	}
	name := parts[0]
	var p *diag.Problem
	if len(names) == 0 {
		p = b.problem("E1002", name.Range, "unknown relation %s: there is no FROM", name.Text)
	} else {
		p = b.problem("E1002", name.Range, "unknown relation %s; FROM has %s", name.Text, listing(names))
	}
	suggest(p, name.Text, names)
	return poisoned(p)
}

// suggest adds the nearest name as help and as a fix, and returns it.
func suggest(p *diag.Problem, name string, candidates []string) string {
	near := diag.Nearest(name, candidates)
	if near != "" && p.Help == "" && near != name {
		p.WithHelp("did you mean %s?", near).WithFix(p.Span, writeName(near))
	}
	return near
}

// listing writes names for a message: a, b and c.
func listing(names []string) string {
	if len(names) <= 1 || len(names) > 10 {
		return diag.Listing(names)
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// quoteIdentifier writes a name as DuckDB does in names of expressions and types: every keyword in quotes, capitals as they
// are.
func quoteIdentifier(name string) string {
	plain := name != "" && (name[0] < '0' || name[0] > '9')
	for i := 0; i < len(name) && plain; i++ {
		c := name[i]
		plain = c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
	}
	if plain && sql.DuckDB().Class(name) == sql.NotKeyword {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// writeName is a name as it must be written to stand anywhere a name may.
func writeName(name string) string {
	if sql.DuckDB().MakeName(name).Quoted {
		return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	return name
}
