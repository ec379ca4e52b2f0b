package cli

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/diag"
)

// documents are all that norn writes to stdout as JSON, by the page of docs/formats that describes it.
var documents = map[string][]any{
	"bench.md":         {benchModelJSON{}, graphsJSON{}, stallsJSON{}},
	"build-json.md":    {buildJSON{}},
	"check-json.md":    {checkJSON{}},
	"compare-json.md":  {compareJSON{}},
	"fit-json.md":      {fitJSON{}},
	"fmt-json.md":      {fmtJSON{}},
	"import-json.md":   {importJSON{}},
	"lineage-json.md":  {lineageJSON{}},
	"model-json.md":    {modelsJSON{}, convertJSON{}},
	"predict-json.md":  {predictJSON{}},
	"problems-json.md": {troubleJSON{}},
	"rules-json.md":    {rulesJSON{}},
	"show-json.md":     {showJSON{}},
	"small-json.md":    {newJSON{}, pageDocument{}, codesJSON{}, versionJSON{}, pullJSON{}, helpJSON{}},
	"test-json.md":     {testsJSON{}, inspectJSON{}},
}

// Every member of a document that norn writes stands on its page in docs/formats, so that a field cannot be added
// without a word about it.
func TestFormatsAreDescribed(t *testing.T) {
	for page, written := range documents {
		t.Run(page, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("..", "..", "docs", "formats", page))
			if err != nil {
				t.Fatal(err)
			}
			for _, document := range written {
				for _, member := range undescribed(string(text), reflect.TypeOf(document)) {
					t.Errorf("docs/formats/%s says nothing about %s of %T", page, member, document)
				}
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

// No document escapes the list above: every type of this package whose fields have names in JSON is one of them or a part of
// one, and what is handed to a stream has a name that can be looked for. SARIF is described by its own standard.
func TestEveryDocumentHasAPage(t *testing.T) {
	listed := make(map[string]bool)
	for _, written := range documents {
		for _, document := range written {
			parts(reflect.TypeOf(document), listed)
		}
	}
	sources, err := filepath.Glob("*.go")
	if err != nil || len(sources) == 0 {
		t.Fatalf("%d files, %v", len(sources), err)
	}
	for _, name := range sources {
		if strings.HasSuffix(name, "_test.go") || name == "sarif.go" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, complaint := range withoutPage(t, name, string(text), listed) {
			t.Error(complaint)
		}
	}
	for text, want := range map[string]string{
		"type a struct { X int `json:\"x\"` }":                             "a.go: the document a stands on no page",
		"type known struct { X int `json:\"x\"` }":                         "",
		"type inside struct { X int }":                                     "",
		"func f() { out.JSON(struct{ X int `json:\"x\"` }{1}) }":           "a.go: a document without a name",
		"func f() { json.Marshal(1); var x struct{ Y int `json:\"y\"` } }": "a.go: a document without a name",
	} {
		if got := strings.Join(withoutPage(t, "a.go", "package a\n"+text, map[string]bool{"known": true}), "\n"); got != want {
			t.Errorf("about %s the test says %q, want %q", text, got, want)
		}
	}
}

// withoutPage returns what a source file writes as JSON and no page describes.
func withoutPage(t *testing.T, name, text string, listed map[string]bool) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var complaints []string
	named := make(map[*ast.StructType]string)
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			if s, ok := n.Type.(*ast.StructType); ok {
				named[s] = n.Name.Name
			}
		case *ast.StructType:
			if !slices.ContainsFunc(n.Fields.List, func(f *ast.Field) bool { return f.Tag != nil && strings.Contains(f.Tag.Value, "json:") }) {
				return true
			}
			if what := named[n]; what == "" {
				complaints = append(complaints, name+": a document without a name")
			} else if !listed[what] {
				complaints = append(complaints, fmt.Sprintf("%s: the document %s stands on no page", name, what))
			}
		}
		return true
	})
	return complaints
}

// parts adds the names of a type and of all that it holds.
func parts(typ reflect.Type, names map[string]bool) {
	switch typ.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		parts(typ.Elem(), names)
	case reflect.Struct:
		if names[typ.Name()] {
			return
		}
		names[typ.Name()] = true
		for field := range typ.Fields() {
			parts(field.Type, names)
		}
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
