package dbt

import (
	"encoding/csv"
	"slices"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// writeUnitTests converts dbt's unit tests: given rows become stand-ins, expected rows become what must come out.
func (r *reader) writeUnitTests() {
	names := map[string]bool{}
	for _, u := range r.unitTests {
		text, why := r.unitTest(u)
		switch {
		case why != nil:
		case !usableName(u.name):
			s := noCounterpart(u.at, "its name is no plain word", "use letters, digits and underscores")
			why = &s
		case names[fold(u.name)]:
			s := noCounterpart(u.at, "another unit test has its name", "rename one of the two")
			why = &s
		}
		names[fold(u.name)] = true
		if why != nil {
			r.leave("unit test", u.name, "", *why)
			continue
		}
		r.add("tests/"+u.name+".sql", text)
		r.out.Converted.Tests++
	}
}

// unitTest writes one unit test.
func (r *reader) unitTest(u entry) (string, *spot) {
	fail := func(at diag.Span, message, help string) (string, *spot) {
		s := noCounterpart(orPlace(at, u.at), message, help)
		return "", &s
	}
	byHand := "write it as a test of norn: tests/" + plainName(u.name) + ".sql"
	for _, e := range u.value.Items {
		switch e.Key.Text {
		case "overrides", "versions":
			return fail(e.Key.Span, "it has "+e.Key.Text, byHand)
		}
	}
	name := scalar(get(u.value, "model"))
	m, _ := r.byName[fold(name)].(*model)
	if m == nil || !m.converted() {
		return fail(get(u.value, "model").Span, "the model "+name+" is not converted", "bring the model over first, then its test")
	}
	h := header{description: r.description(u.value)}
	var ctes []string
	for _, item := range listed(get(u.value, "given")) {
		input := get(item.Value, "input")
		cte, s := r.inputName(input, u)
		if s != nil {
			return "", s
		}
		rows, s := r.rows(item.Value, u, byHand)
		if s != nil {
			return "", s
		}
		ctes = append(ctes, cte+" AS (\n"+rows+"\n)")
	}
	expect := get(u.value, "expect")
	if list, ok := rowsOf(get(expect, "rows")); ok && len(list) > 0 {
		for _, row := range list[1:] {
			if len(row.Items) != len(list[0].Items) || slices.ContainsFunc(row.Items, func(e project.Entry) bool { return !has(list[0], e.Key.Text) }) {
				return fail(row.Span, "its expected rows have different columns", "give every expected row the same columns")
			}
		}
	}
	rows, s := r.rows(expect, u, byHand)
	if s != nil {
		return "", s
	}
	ctes = append(ctes, "__expected__"+m.name+" AS (\n"+rows+"\n)")
	return h.before("TEST", "WITH "+strings.Join(ctes, ",\n")+"\nSELECT 1\n"), nil
}

func has(row project.Value, key string) bool {
	return slices.ContainsFunc(row.Items, func(e project.Entry) bool { return e.Key.Text == key })
}

// inputName is the CTE that stands in for an input.
func (r *reader) inputName(input project.Value, u entry) (string, *spot) {
	text := strings.TrimSpace(scalar(input))
	e := readExpr(text, 0, len(text))
	if e.kind != call || e.name != "ref" && e.name != "source" || !texts(e) || len(e.args) == 0 || e.name == "source" && len(e.args) != 2 {
		s := noCounterpart(orPlace(input.Span, u.at), "its input "+orWord(text, "of no name")+" is neither ref('…') nor source('…', '…')", "norn's tests have no rows of the run before")
		return "", &s
	}
	to := r.target(e)
	if to.open != "" {
		s := noCounterpart(input.Span, "it gives rows for "+to.name+", but "+to.open, "bring that over first, then the test")
		return "", &s
	}
	return to.call + "__" + to.name, nil
}

// rows writes the rows of given or expect as a query.
func (r *reader) rows(v project.Value, u entry, byHand string) (string, *spot) {
	fail := func(at diag.Span, message, help string) (string, *spot) {
		s := noCounterpart(orPlace(at, u.at), message, help)
		return "", &s
	}
	list := get(v, "rows")
	if f := get(v, "fixture"); f.Kind != project.NoValue {
		return fail(f.Span, "its rows are in a file", byHand)
	}
	switch format := scalar(get(v, "format")); format {
	case "", "dict":
		rows, ok := rowsOf(list)
		if !ok {
			return fail(list.Span, "its rows are no mappings", byHand)
		}
		return r.mappings(rows, list.Span, u)
	case "csv":
		return r.csvRows(list, u)
	case "sql":
		text := strings.TrimSpace(scalar(list))
		if text == "" || len(tags(text)) > 0 {
			return fail(list.Span, "its rows are SQL with Jinja", byHand)
		}
		return text, nil
	default:
		return fail(get(v, "format").Span, "norn does not know rows of the format "+format, byHand)
	}
}

// mappings writes rows that are mappings. A row that leaves a column out has NULL there, as in dbt; no rows at all are the
// empty relation with all of its columns.
func (r *reader) mappings(rows []project.Value, at diag.Span, u entry) (string, *spot) {
	if len(rows) == 0 {
		return "  SELECT * FROM __empty_fixture()", nil
	}
	var names []string
	for _, row := range rows {
		for _, e := range row.Items {
			if !slices.Contains(names, e.Key.Text) {
				names = append(names, e.Key.Text)
			}
		}
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		var cells []string
		for _, name := range names {
			cell, ok := sqlConstant(get(row, name))
			if !ok {
				s := noCounterpart(orPlace(get(row, name).Span, at), "a value is no text, number, true, false or null", "write it as a test of norn: tests/"+plainName(u.name)+".sql")
				return "", &s
			}
			if i == 0 {
				cell += " AS " + r.identifier(name)
			}
			cells = append(cells, cell)
		}
		lines[i] = "  SELECT " + strings.Join(cells, ", ")
	}
	return strings.Join(lines, "\n  UNION ALL\n"), nil
}

// sqlConstant writes a value of YAML as a constant of SQL.
func sqlConstant(v project.Value) (string, bool) {
	switch v.Kind {
	case project.NoValue:
		return "NULL", true
	case project.NumberValue:
		return v.Text, plainNumber().MatchString(v.Text)
	case project.WordValue:
		if yes, ok := truth(v); ok {
			return strconv.FormatBool(yes), true
		}
		return "'" + strings.ReplaceAll(v.Text, "'", "''") + "'", true
	case project.StringValue:
		return "'" + strings.ReplaceAll(v.Text, "'", "''") + "'", true
	}
	return "", false
}

// csvRows writes rows that are CSV in a text. Cells are texts that take the type of their column; an empty cell is NULL.
func (r *reader) csvRows(v project.Value, u entry) (string, *spot) {
	records, err := csv.NewReader(strings.NewReader(strings.TrimSpace(scalar(v)))).ReadAll()
	if err != nil || len(records) == 0 {
		s := noCounterpart(orPlace(v.Span, u.at), "its rows are no CSV", "write rows as mappings")
		return "", &s
	}
	names := records[0]
	var rows []project.Value
	for _, record := range records[1:] {
		row := project.Value{Kind: project.BlockValue, Span: v.Span}
		for i, cell := range record {
			value := project.Value{Kind: project.StringValue, Text: strings.TrimSpace(cell), Span: v.Span}
			if plainNumber().MatchString(value.Text) {
				value.Kind = project.NumberValue
			}
			if value.Text == "" || strings.EqualFold(value.Text, "null") {
				value.Kind = project.NoValue
			}
			row.Items = append(row.Items, project.Entry{Key: project.Word{Text: strings.TrimSpace(names[i])}, Value: value})
		}
		rows = append(rows, row)
	}
	return r.mappings(rows, v.Span, u)
}

var plainNumber = pattern(`^-?(0|[1-9]\d*)(\.\d+)?$`)
