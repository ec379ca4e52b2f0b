package analyze

import "github.com/norn-data/norn/internal/sql"

// namedTwice reports a column that stands twice in the list behind EXCLUDE, REPLACE or RENAME.
func (b *binder) namedTwice(star *sql.Star) {
	for _, list := range []struct {
		clause string
		length int
		name   func(i int) sql.Name
	}{
		{"EXCLUDE", len(star.Exclude), func(i int) sql.Name { return last(star.Exclude[i].Parts) }},
		{"REPLACE", len(star.Replace), func(i int) sql.Name { return star.Replace[i].Alias }},
		{"RENAME", len(star.Rename), func(i int) sql.Name { return last(star.Rename[i].Parts) }},
	} {
		if list.length < 2 || b.pg {
			continue
		}
		seen := make(map[string]sql.Name, list.length)
		for i := range list.length {
			n := list.name(i)
			first, twice := seen[fold(n.Text)]
			if !twice {
				seen[fold(n.Text)] = n
				continue
			}
			p := b.problem("E1007", n.Range, "%s names the column %s twice", list.clause, n.Text)
			if len(p.Notes) == 0 {
				p.WithNote(first.Span(b.file), "the first time").WithHelp("leave out one of them")
			}
		}
	}
}

// renamedToo reports a column that RENAME names and REPLACE, too.
func (b *binder) renamedToo(star *sql.Star) {
	for _, x := range star.Rename {
		n := last(x.Parts)
		for _, r := range star.Replace {
			if b.pg || fold(r.Alias.Text) != fold(n.Text) {
				continue
			}
			p := b.problem("E1007", n.Range, "column %s is both replaced and renamed", n.Text)
			if len(p.Notes) == 0 {
				p.WithNote(r.Alias.Span(b.file), "replaced here").WithHelp("select the expression under its new name, and leave the column out with EXCLUDE")
			}
		}
	}
}

// last is the last part of a dotted name.
func last(parts []sql.Name) sql.Name { return parts[len(parts)-1] }
