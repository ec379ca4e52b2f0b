package analyze

import "github.com/norn-data/norn/internal/sql"

// describeColumns are what DESCRIBE, SUMMARIZE and SHOW yield, by what they are about. They are read off DuckDB's answers.
var describeColumns = map[string][]field{
	"DESCRIBE": {{"column_name", scalar(kVarchar)}, {"column_type", scalar(kVarchar)}, {"null", scalar(kVarchar)}, {"key", scalar(kVarchar)},
		{"default", scalar(kVarchar)}, {"extra", scalar(kVarchar)}},
	"SUMMARIZE": {{"column_name", scalar(kVarchar)}, {"column_type", scalar(kVarchar)}, {"min", scalar(kVarchar)}, {"max", scalar(kVarchar)},
		{"approx_unique", scalar(kBigint)}, {"avg", scalar(kVarchar)}, {"std", scalar(kVarchar)}, {"q25", scalar(kVarchar)}, {"q50", scalar(kVarchar)},
		{"q75", scalar(kVarchar)}, {"count", scalar(kBigint)}, {"null_percentage", decimal(9, 2)}},
	"TABLES":    {{"name", scalar(kVarchar)}},
	"DATABASES": {{"database_name", scalar(kVarchar)}},
	"VARIABLES": {{"name", scalar(kVarchar)}, {"value", scalar(kVarchar)}, {"type", scalar(kVarchar)}},
	"ALL TABLES": {{"database", scalar(kVarchar)}, {"schema", scalar(kVarchar)}, {"name", scalar(kVarchar)}, {"column_names", listOf(scalar(kVarchar))},
		{"column_types", listOf(scalar(kVarchar))}, {"temporary", scalar(kBoolean)}},
}

// describe is FROM (DESCRIBE t): a relation about a relation. What is described is bound, so that its mistakes are found; its
// values do not reach the result, except through SUMMARIZE, which counts and compares them.
func (b *binder) describe(e *env, q *sql.DescribeQuery) *shape {
	var about *shape
	switch {
	case q.Query != nil:
		about = b.query(&env{scope: e.scope, ctes: e.ctes, lambda: e.lambda}, q.Query)
	case q.Table != nil && q.List == "":
		r := b.tableName(e, q.Table)
		about = &shape{cols: make([]column, len(r.shape.cols)), open: r.shape.open}
		for i := range about.cols {
			about.cols[i].value = r.value(i)
		}
	}
	what := q.Word
	switch {
	case q.List == "ALL" || q.List == "" && about == nil:
		what = "ALL TABLES"
	case q.List != "":
		what = q.List
	case what == "SHOW":
		what = "DESCRIBE"
	}
	fields, ok := describeColumns[what]
	if !ok {
		b.pass(q.Range, whyQuery)
		return &shape{open: true}
	}
	var made reach
	if about != nil && what == "SUMMARIZE" {
		reaches := make([]reach, len(about.cols))
		for i := range about.cols {
			reaches[i] = about.cols[i].reach
		}
		made = reached(merge(reaches...).then(Aggregation).apply(), nil)
	}
	s := &shape{}
	for i, f := range fields {
		v := value{typ: f.typ, null: true}
		if about != nil && what == "SUMMARIZE" {
			v.typ = summarized(about, f)
		}
		if i > 1 {
			v.reach = made
		}
		s.cols = append(s.cols, column{name: f.name, fold: fold(f.name), value: v, span: q.Range})
	}
	return s
}

// summarized is the type of a column of SUMMARIZE. A statistic that no column has is a NULL without a type, which DuckDB hands out as
// INTEGER: means and quantiles are taken of numbers and moments, deviations of numbers.
func summarized(about *shape, f field) typ {
	deviation := f.name == "std"
	switch f.name {
	case "avg", "std", "q25", "q50", "q75":
	default:
		return f.typ
	}
	known := !about.open
	for i := range about.cols {
		switch t := about.cols[i].typ.settled(); {
		case t.kind == kUnknown:
			known = false
		case t.numeric() || t.kind == kNull:
			return f.typ
		case !deviation && (t.kind == kDate || t.kind == kTime || t.kind == kTimeTZ || t.kind == kTimestamp || t.kind == kTimestampTZ ||
			t.kind == kTimestampNS || t.kind == kTimestampMS || t.kind == kTimestampS):
			return f.typ
		}
	}
	if !known {
		return typ{}
	}
	return scalar(kInteger)
}
