package analyze

import "github.com/norn-data/norn/internal/sql"

// schemaColumn is schema.relation.column of a relation that FROM names with its schema. It comes before a column that has the name of the
// schema.
func (b *binder) schemaColumn(e *env, parts []sql.Name) (value, bool) {
	if len(parts) < 3 {
		return value{}, false
	}
	for s := e.scope; s != nil; s = s.outer {
		if at, ok := s.schemaPlace(parts[:3]); ok {
			return b.fieldsOf(b.usedColumn(e, s, at, parts[2], at.rel.value(at.col)), parts[3:]), true
		}
	}
	return value{}, false
}

// schemaPlace is the column of this scope that schema.relation.column names.
func (s *scope) schemaPlace(parts []sql.Name) (place, bool) {
	schema, relation, column := fold(parts[0].Text), fold(parts[1].Text), fold(parts[2].Text)
	for _, r := range s.rels {
		if r.schema == schema && r.answers(relation) {
			if i := r.shape.find(column); i >= 0 {
				return place{r, i}, true
			}
		}
	}
	return place{}, false
}
