package analyze

import (
	"encoding/json"
	"strings"
)

// fromJSON is the type that from_json(j, '{"a": ["INTEGER"]}') makes of JSON: an object is a struct, a list of one is a list,
// a text is the name of a type.
func fromJSON(args []argument) typ {
	if len(args) != 2 {
		return typ{}
	}
	text, ok := constantString(args[1].expr)
	if !ok {
		return typ{}
	}
	d := json.NewDecoder(strings.NewReader(text))
	t, ok := jsonStructure(d, maxDepth)
	if !ok || d.More() {
		return typ{}
	}
	return t
}

// jsonStructure reads one value of a structure; the order of the fields counts, which is why nothing is decoded into a map.
func jsonStructure(d *json.Decoder, depth int) (typ, bool) {
	token, err := d.Token()
	if err != nil || depth == 0 {
		return typ{}, false
	}
	switch token := token.(type) {
	case string:
		if strings.EqualFold(token, "NULL") {
			return scalar(kNull), true
		}
		t := parseType(token)
		return t, t.known()
	case json.Delim:
		if token == '[' {
			elem, ok := jsonStructure(d, depth-1)
			if !ok || d.More() {
				return typ{}, false
			}
			_, err := d.Token()
			return listOf(elem), err == nil
		}
		var fields []field
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return typ{}, false
			}
			t, ok := jsonStructure(d, depth-1)
			if !ok {
				return typ{}, false
			}
			fields = append(fields, field{key.(string), t})
		}
		_, err := d.Token()
		return structOf(fields), err == nil && len(fields) > 0
	}
	return typ{}, false
}
