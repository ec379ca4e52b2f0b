package prep

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"
	"time"
)

// cells makes a column out of JSON values, null being a gap, under the kind that pandas gave it.
func cells(t *testing.T, name, kind string, values []any) Column {
	t.Helper()
	c := Column{Name: name, Missing: make([]bool, len(values))}
	numbers := false
	for _, v := range values {
		_, isNumber := v.(float64)
		numbers = numbers || isNumber
	}
	switch kind {
	case "bool", "nullable bool":
		c.Kind, c.Nullable = Bool, kind == "nullable bool"
	case "datetime":
		c.Kind = Datetime
	case "string":
		c.Kind = Text
	case "category":
		c.Kind = Category
	case "object": // pandas' untyped column: a null is a level of its own
		c.Kind, c.MissingLevel = Category, true
	case "float", "int", "nullable int":
		c.Kind, numbers = Numeric, true
	default:
		t.Fatalf("column %s has unknown kind %q", name, kind)
	}
	for r, v := range values {
		gap := v == nil
		c.Missing[r] = gap
		switch {
		case c.Kind == Bool:
			c.Bools = append(c.Bools, !gap && v.(bool))
		case c.Kind == Datetime:
			at := time.Time{}
			if !gap {
				at = date(t, v.(string))
			}
			c.Micros = append(c.Micros, at.UnixMicro())
		case numbers && gap:
			c.Floats = append(c.Floats, math.NaN())
		case numbers:
			c.Floats = append(c.Floats, v.(float64))
		case gap:
			c.Texts = append(c.Texts, "")
		default:
			c.Texts = append(c.Texts, v.(string))
		}
	}
	return c
}

func date(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// keys are the keys of a JSON object in the order in which they were written: that of the table.
func keys(t *testing.T, object json.RawMessage) []string {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(object))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	var out []string
	for d.More() {
		key, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, key.(string))
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// readCSV reads a table by the kinds of its columns; an empty cell is a gap.
func readCSV(t *testing.T, path string, kinds map[string]string) []Column {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []Column
	for i, name := range rows[0] {
		var values []any
		for _, row := range rows[1:] {
			var v any
			switch kind := kinds[name]; {
			case row[i] == "":
			case kind == "float" || kind == "int":
				if v, err = strconv.ParseFloat(row[i], 64); err != nil {
					t.Fatal(err)
				}
			case kind == "bool" || kind == "nullable bool":
				v = row[i] == "true"
			default:
				v = row[i]
			}
			values = append(values, v)
		}
		out = append(out, cells(t, name, kinds[name], values))
	}
	return out
}
