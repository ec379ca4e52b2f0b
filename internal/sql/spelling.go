package sql

import "iter"

// Spelling gives the tokens of a query one after the other, keywords in upper case and everything else as written: names, types
// and functions keep their case, because it shows in names of columns. Two texts with equal spellings differ in layout,
// comments and the case of keywords only, which is what [Format] may change.
func (s *Statement) Spelling(d *Dialect) iter.Seq[string] {
	return func(yield func(string) bool) {
		f := newFormatter(s.File, d)
		defer f.release()
		l := NewLexer(s.File, int(s.Start), d)
		for {
			t := l.Next()
			f.toks = append(f.toks, t)
			if t.Kind == EOF {
				break
			}
		}
		n := len(f.toks)
		f.n, f.body = n-1, s
		f.word, f.role = make([]wordRole, n), make([]opRole, n)
		f.upper, f.joins, f.window = make([]bool, n), make([]bool, n), make([]bool, n)
		if s.Query != nil {
			Inspect(s, func(node Node) bool {
				f.mark(node)
				return true
			})
		}
		for i := range f.n {
			t := f.toks[i]
			f.upper[i] = s.Query != nil && t.Kind == Ident && t.word != noWord && f.word[i] == plainWord
			if !yield(f.written(i)) {
				return
			}
		}
	}
}
