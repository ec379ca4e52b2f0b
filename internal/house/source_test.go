package house

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// mostLines is the length of a Go file, tests too, from which on it is two files. Generated files are not read by
// people and have no limit.
const mostLines = 600

// vagueNames say where code was put and not what it is.
var vagueNames = []string{"util", "utils", "common", "helper", "helpers", "types", "pkg", "base", "misc", "shared", "lib"}

// A source is one Go file of the tree.
type source struct {
	path  string // relative to the tree
	lines int
	file  *ast.File
	set   *token.FileSet
}

// isProgram reports whether a file is a generator behind "go:build ignore": run by hand, part of no package.
func isProgram(file *ast.File) bool {
	for _, group := range file.Comments {
		if group.Pos() > file.Package {
			break
		}
		for _, c := range group.List {
			if !constraint.IsGoBuild(c.Text) {
				continue
			}
			expr, err := constraint.Parse(c.Text)
			if err == nil && !expr.Eval(func(tag string) bool { return tag != "ignore" }) {
				return true
			}
		}
	}
	return false
}

// readSources parses all Go files of a tree but those in testdata, which are data.
func readSources(tree fs.FS) ([]source, error) {
	var sources []source
	for name, err := range files(tree) {
		if err != nil {
			return nil, err
		}
		if !strings.HasSuffix(name, ".go") || slices.Contains(strings.Split(name, "/"), "testdata") {
			continue
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		s := source{path: name, set: token.NewFileSet(), lines: strings.Count(string(text), "\n")}
		if s.file, err = parser.ParseFile(s.set, name, text, parser.ParseComments); err != nil {
			return nil, err
		}
		sources = append(sources, s)
	}
	return sources, nil
}

// checkSources applies the rules that a file or a package alone can break.
func checkSources(sources []source) []string {
	var complaints []string
	comments := make(map[string]string) // by folder; "" where a package has none yet
	names := make(map[string]string)
	for _, s := range sources {
		if s.lines > mostLines && !ast.IsGenerated(s.file) {
			complaints = append(complaints, fmt.Sprintf("%s has %d lines: files end at %d, and hold one concept", s.path, s.lines, mostLines))
		}
		if isProgram(s.file) {
			continue
		}
		complaints = append(complaints, checkPrinting(s)...)
		folder := path.Dir(s.path)
		if strings.HasSuffix(s.path, "_test.go") {
			continue
		}
		names[folder] = s.file.Name.Name
		comments[folder] += s.file.Doc.Text()
		if slices.Contains(vagueNames, s.file.Name.Name) || slices.Contains(vagueNames, path.Base(folder)) {
			complaints = append(complaints, fmt.Sprintf("%s: %s is no name for a package: say what it holds", s.path, s.file.Name.Name))
		}
	}
	for folder, comment := range comments {
		begins := "Package " + names[folder] + " "
		if names[folder] == "main" {
			begins = "Command " + path.Base(folder) + " "
		}
		switch {
		case !strings.HasPrefix(comment, begins):
			complaints = append(complaints, fmt.Sprintf("%s has no opening comment that begins with %q", folder, begins))
		case sentences(comment) < 2:
			complaints = append(complaints, fmt.Sprintf("%s: the opening comment is one sentence; it should tell the story of the data and its invariants", folder))
		}
	}
	slices.Sort(complaints)
	return slices.Compact(complaints)
}

var sentenceEnd = regexp.MustCompile(`[.!?](\s|$)`)

func sentences(text string) int { return len(sentenceEnd.FindAllString(text, -1)) }

// checkPrinting finds writes to the process's own stdout: only cli and the program may do that. Examples in tests print
// because that is what an example is.
func checkPrinting(s source) []string {
	if inside(strings.TrimPrefix(path.Dir(s.path), "internal/"), false, []string{"cli", "cmd"}) {
		return nil
	}
	imported := make(map[string]string) // name in this file -> path
	for _, spec := range s.file.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil || (p != "fmt" && p != "os") {
			continue
		}
		name := p
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = p
	}
	var complaints []string
	ast.Inspect(s.file, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncDecl); ok && strings.HasSuffix(s.path, "_test.go") && strings.HasPrefix(f.Name.Name, "Example") {
			return false
		}
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		id, ok := sel.X.(*ast.Ident)
		if !ok {
			return true
		}
		what := imported[id.Name] + "." + sel.Sel.Name
		if what == "os.Stdout" || strings.HasPrefix(what, "fmt.Print") {
			complaints = append(complaints, fmt.Sprintf("%s:%d: never: fmt.Print*, os.Stdout outside cli, cmd", s.path, s.set.Position(n.Pos()).Line))
		}
		return true
	})
	return complaints
}

// docLink is a link of a Go comment, such as [diag.Problem].
var docLink = regexp.MustCompile(`\[(\w[\w.]*)\]`)

// openings returns the first sentence of each package of internal/ and of the public rooms, by folder, without the words
// "Package x".
func openings(sources []source) map[string]string {
	found := make(map[string]string)
	for _, s := range sources {
		folder, ok := folderOf(module + "/" + path.Dir(s.path))
		if !ok || folder == "cmd" || strings.HasSuffix(s.path, "_test.go") || isProgram(s.file) {
			continue
		}
		text := new(doc.Package).Synopsis(s.file.Doc.Text())
		if opening, ok := strings.CutPrefix(text, "Package "+s.file.Name.Name+" "); ok {
			found[folder] = docLink.ReplaceAllString(strings.TrimRight(opening, ".:"), "`$1`")
		} else if _, ok := found[folder]; !ok {
			found[folder] = ""
		}
	}
	return found
}

func TestSources(t *testing.T) {
	sources, err := readSources(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, complaint := range checkSources(sources) {
		t.Error(complaint)
	}
}

func TestSourcesCanFail(t *testing.T) {
	const story = "// Package a is a room. It has data.\npackage a\n"
	long := strings.Repeat("//\n", mostLines+1)
	cases := []struct {
		name, path, text string
		want             string // part of the complaint, "" for none
	}{
		{"a good file", "internal/a/a.go", story, ""},
		{"no comment", "internal/a/a.go", "package a\n", "no opening comment"},
		{"a comment about something else", "internal/a/a.go", "// This is a room. It is small.\npackage a\n", "no opening comment"},
		{"a comment that tells nothing", "internal/a/a.go", "// Package a is a room.\npackage a\n", "one sentence"},
		{"a program", "cmd/norn/main.go", "// Command norn runs. It ends.\npackage main\n", ""},
		{"a program without comment", "cmd/norn/main.go", "package main\n", "no opening comment"},
		{"a long file", "internal/a/a.go", story + long, "files end at 600"},
		{"a long test", "internal/a/a_test.go", "package a\n" + long, "files end at 600"},
		{"a long generated file", "internal/a/a_gen.go", "// Code generated by gen.go; DO NOT EDIT.\n\n" + story + long, ""},
		{"a vague name", "internal/util/a.go", "// Package util is a drawer. It has things.\npackage util\n", "no name for a package"},
		{"a vague folder", "internal/a/helpers/a.go", "// Package aid is a drawer. It has things.\npackage aid\n", "no name for a package"},
		{"printing", "internal/a/a.go", story + "import \"fmt\"\nfunc f() { fmt.Println() }\n", "a.go:4: never: fmt.Print"},
		{"printing under another name", "internal/a/a.go", story + "import f \"fmt\"\nvar x = f.Printf\n", "never: fmt.Print"},
		{"printing to a writer", "internal/a/a.go", story + "import \"fmt\"\nvar x = fmt.Fprintln\n", ""},
		{"stdout", "internal/a/a.go", story + "import \"os\"\nvar x = os.Stdout\n", "never: fmt.Print"},
		{"stdout in a test", "internal/a/a_test.go", "package a\nimport \"os\"\nvar x = os.Stdout\n", "never: fmt.Print"},
		{"an example", "internal/a/a_test.go", "package a\nimport \"fmt\"\nfunc Example() { fmt.Println() }\n", ""},
		{"stdout in cli", "internal/cli/a.go", "// Package cli talks. It listens.\npackage cli\nimport \"os\"\nvar x = os.Stdout\n", ""},
		{"stdout in a room that only sounds like cli", "internal/client/a.go", "// Package client talks. It listens.\npackage client\nimport \"os\"\nvar x = os.Stdout\n", "never: fmt.Print"},
		{"a generator", "internal/a/gen.go", "//go:build ignore\n\npackage main\nimport \"fmt\"\nfunc main() { fmt.Println() }\n", ""},
		{"another tag", "internal/a/a.go", "//go:build linux && ignored\n\n" + story + "import \"fmt\"\nfunc f() { fmt.Println() }\n", "never: fmt.Print"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			sources, err := readSources(fstest.MapFS{c.path: {Data: []byte(c.text)}})
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(checkSources(sources), "\n")
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("complaints %q, want %q", got, c.want)
			}
		})
	}
}
