package cli

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/diag"
)

// Every member of a document that norn writes stands on its page in docs/formats, so that a field cannot be added
// without a word about it.
func TestFormatsAreDescribed(t *testing.T) {
	for page, document := range map[string]any{
		"check-json.md":   checkJSON{},
		"build-json.md":   buildJSON{},
		"show-json.md":    showJSON{},
		"predict-json.md": predictJSON{},
		"import-json.md":  importJSON{},
		"test-json.md": struct {
			Ran       testsJSON   `json:"tests"`
			Inspected inspectJSON `json:"given"`
		}{},
		"fit-json.md": fitJSON{},
		"model-json.md": struct {
			Models  modelsJSON  `json:"models"`
			Convert convertJSON `json:"to"`
		}{},
		"rules-json.md":    rulesJSON{},
		"problems-json.md": struct{ Error *trouble }{},
		"small-json.md": struct {
			Help helpJSON `json:"name"`
			Pull pullJSON `json:"files"`
		}{},
	} {
		t.Run(page, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("..", "..", "docs", "formats", page))
			if err != nil {
				t.Fatal(err)
			}
			for _, member := range undescribed(string(text), reflect.TypeOf(document)) {
				t.Errorf("docs/formats/%s says nothing about %s", page, member)
			}
		})
	}
	made := reflect.TypeFor[struct {
		Known   int                  `json:"known"`
		Unknown []struct{ Deep int } `json:"unknown,omitempty"`
		Hidden  int                  `json:"-"`
	}]()
	if got := undescribed("| `x[].known`, `deeper` |", made); !slices.Equal(got, []string{"unknown", "Deep"}) {
		t.Errorf("the undescribed members of a made-up document are %v", got)
	}
}

var described = regexp.MustCompile("`([^`]*)`")

// undescribed returns the members of a document, and of what it holds, that a page does not have in code quotes.
func undescribed(page string, document reflect.Type) []string {
	words := make(map[string]bool)
	for _, m := range described.FindAllStringSubmatch(page, -1) {
		for word := range strings.FieldsFuncSeq(m[1], func(r rune) bool { return strings.ContainsRune(".[], ", r) }) {
			words[word] = true
		}
	}
	var missing []string
	seen := make(map[reflect.Type]bool)
	var visit func(reflect.Type)
	visit = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			visit(typ.Elem())
			return
		case reflect.Struct:
		default:
			return
		}
		// A problem has a page of its own.
		if seen[typ] || typ == reflect.TypeFor[diag.Problem]() {
			return
		}
		seen[typ] = true
		for field := range typ.Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "-" {
				continue
			}
			if name == "" {
				name = field.Name
			}
			if !words[name] && !words[strings.ToLower(name)] {
				missing = append(missing, name)
			}
			visit(field.Type)
		}
	}
	visit(document)
	return missing
}
