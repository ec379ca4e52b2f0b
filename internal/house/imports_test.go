package house

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	module = "github.com/norn-data/norn"
	root   = "../.." // of the repository, seen from this package

	// mostDependencies is the budget of modules that norn's own code imports.
	mostDependencies = 25
)

// A pkg is a package as go list tells it.
type pkg struct {
	ImportPath, Dir, Name             string
	Imports, TestImports, XTestImport []string
	IgnoredGoFiles                    []string
}

// listPackages asks the go command for all packages of norn. Files left out on this machine (another system, no cgo)
// count too: their imports are read from the files. Programs behind "go:build ignore" are not part of any package. A
// package that does not build yet (-e) still has imports; the compiler tells about the rest.
func listPackages(t *testing.T) []pkg {
	t.Helper()
	command := exec.Command("go", "list", "-e", "-json=ImportPath,Dir,Name,Imports,TestImports,XTestImports,IgnoredGoFiles", "./...")
	command.Dir = root
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var packages []pkg
	for decoder := json.NewDecoder(&stdout); ; {
		var listed struct {
			pkg
			XTestImports []string
		}
		if err := decoder.Decode(&listed); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatalf("reading the output of go list: %v", err)
		}
		listed.XTestImport = listed.XTestImports
		for _, name := range listed.IgnoredGoFiles {
			addIgnored(t, &listed.pkg, name)
		}
		packages = append(packages, listed.pkg)
	}
}

func addIgnored(t *testing.T, p *pkg, name string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if isProgram(file) {
		return
	}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "_test.go") {
			p.TestImports = append(p.TestImports, path)
		} else {
			p.Imports = append(p.Imports, path)
		}
	}
}

// public are the rooms that stand at the top of the repository, where other modules may import them.
var public = []string{"predict"}

// folderOf is a package's place below internal/, or below the top for a public room; "cmd" for the program, and false for
// anything else.
func folderOf(importPath string) (string, bool) {
	if folder, ok := strings.CutPrefix(importPath, module+"/internal/"); ok {
		return folder, true
	}
	if strings.HasPrefix(importPath, module+"/cmd/") {
		return "cmd", true
	}
	folder := strings.TrimPrefix(importPath, module+"/")
	if first, _, _ := strings.Cut(folder, "/"); slices.Contains(public, first) {
		return folder, true
	}
	return "", false
}

// checkImports returns one complaint for each import that the plan forbids, with the rule that does.
func checkImports(p *plan, packages []pkg) []string {
	var complaints []string
	for _, from := range packages {
		folder, ok := folderOf(from.ImportPath)
		if !ok || p.roomOf(folder) == "" {
			complaints = append(complaints, from.ImportPath+" has no room: the policy does not name it")
			continue
		}
		tests := append(slices.Clone(from.TestImports), from.XTestImport...)
		for _, path := range from.Imports {
			complaints = append(complaints, checkEdge(p, folder, path, false)...)
		}
		for _, path := range tests {
			complaints = append(complaints, checkEdge(p, folder, path, true)...)
		}
	}
	slices.Sort(complaints)
	return slices.Compact(complaints)
}

func checkEdge(p *plan, folder, path string, test bool) []string {
	var complaints []string
	complain := func(rule string) {
		who := folder
		if test {
			who += " (tests)"
		}
		complaints = append(complaints, fmt.Sprintf("%s imports %s: %s", who, strings.TrimPrefix(path, module+"/internal/"), rule))
	}
	room := p.roomOf(folder)
	target, own := folderOf(path)
	low := ""
	if own {
		low = p.roomOf(target)
		if low != room && !mayImport(p, room, low, test) {
			complain(fmt.Sprintf("the order lets %s import %s", room, sentence(p.allowed(room))))
		}
	}
	for _, rule := range p.Never {
		switch {
		case rule.What != nil:
			named := slices.ContainsFunc(rule.What, func(w string) bool { return path == w || strings.HasPrefix(path, w+"/") })
			if named && !inside(folder, test, rule.Outside) {
				complain(rule.Text)
			}
		case !slices.Contains(rule.From, room):
		case rule.To != nil && own && slices.Contains(rule.To, low):
			complain(rule.Text)
		// What only tests need does not reach the user.
		case rule.Only != "" && !test && !own && !standard(path):
			complain(rule.Text)
		case rule.Only == "std" && own && low != room:
			complain(rule.Text)
		}
	}
	return complaints
}

// mayImport follows the order; tests outside the model half may use the adapters and what those know.
func mayImport(p *plan, room, low string, test bool) bool {
	if p.allowed(room)[low] {
		return true
	}
	if !test || low == "" {
		return false
	}
	const adapters = "warehouse/*"
	return !p.allowed(room)["tensor"] && room != "tensor" && (low == adapters || p.allowed(adapters)[low]) ||
		p.allowed(room)["warehouse"] && low == adapters
}

// standard reports whether a path is one of the standard library: its first element has no dot. "C" is cgo.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

func sentence(rooms map[string]bool) string {
	var names []string
	for r := range rooms {
		names = append(names, r)
	}
	slices.Sort(names)
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

func TestImportOrder(t *testing.T) {
	for _, complaint := range checkImports(mustPolicy(t), listPackages(t)) {
		t.Error(complaint)
	}
}

// Each rule sees the violation it was made for, and lets its neighbour pass.
func TestImportOrderCanFail(t *testing.T) {
	in := func(folder string) string { return module + "/internal/" + folder }
	cases := []struct {
		name    string
		pkg     pkg
		imports string
		test    bool
		want    string // part of the complaint, "" for none
	}{
		{name: "up the order", pkg: pkg{ImportPath: in("sql")}, imports: in("project"), want: "the order lets sql import diag"},
		{name: "down the order", pkg: pkg{ImportPath: in("plan")}, imports: in("sql")},
		{name: "a folder belongs to its room", pkg: pkg{ImportPath: in("tabular/prep")}, imports: in("tabular/random")},
		{name: "a folder has no more rights than its room", pkg: pkg{ImportPath: in("tensor/kernel")}, imports: in("diag"), want: "never: tensor"},
		{name: "an adapter outside cli", pkg: pkg{ImportPath: in("run")}, imports: in("warehouse/duckdb"), want: "the order lets run"},
		{name: "an adapter in tests", pkg: pkg{ImportPath: in("run")}, imports: in("warehouse/duckdb"), test: true},
		{name: "an adapter in tests of the SQL half", pkg: pkg{ImportPath: in("analyze")}, imports: in("warehouse/duckdb"), test: true},
		{name: "an adapter in tests of the model half", pkg: pkg{ImportPath: in("tabular")}, imports: in("warehouse/duckdb"), test: true, want: "never: the model half"},
		{name: "SQL half to model half", pkg: pkg{ImportPath: in("analyze")}, imports: in("fitted"), want: "never: the SQL half -> the model half"},
		{name: "the same in tests", pkg: pkg{ImportPath: in("analyze")}, imports: in("fitted"), test: true, want: "never: the SQL half -> the model half"},
		{name: "model half to SQL half", pkg: pkg{ImportPath: in("fitted")}, imports: in("plan"), want: "never: the model half -> the SQL half"},
		{name: "tensor and a module", pkg: pkg{ImportPath: in("tensor")}, imports: "golang.org/x/sync/errgroup", want: "never: tensor"},
		{name: "tensor and a module in tests", pkg: pkg{ImportPath: in("tensor")}, imports: "github.com/google/go-cmp/cmp", test: true},
		{name: "tensor and cgo", pkg: pkg{ImportPath: in("tensor/kernel")}, imports: "C"},
		{name: "sql and a module", pkg: pkg{ImportPath: in("sql")}, imports: "github.com/goccy/go-yaml", want: "never: sql"},
		{name: "http in the wrong room", pkg: pkg{ImportPath: in("tabular")}, imports: "net/http", want: "never: net/http outside"},
		{name: "http in its folder", pkg: pkg{ImportPath: in("tabular/hub")}, imports: "net/http"},
		{name: "http's own folders", pkg: pkg{ImportPath: in("cli")}, imports: "net/http/pprof", want: "never: net/http outside"},
		{name: "a driver in the wrong room", pkg: pkg{ImportPath: in("run")}, imports: "github.com/duckdb/duckdb-go/v2", want: "never: database drivers"},
		{name: "a driver in its folder", pkg: pkg{ImportPath: in("warehouse/duckdb")}, imports: "github.com/duckdb/duckdb-go/v2"},
		{name: "the referee in tests", pkg: pkg{ImportPath: in("analyze/referee")}, imports: "database/sql", test: true},
		{name: "the referee outside tests", pkg: pkg{ImportPath: in("analyze/referee")}, imports: "database/sql", want: "never: database drivers"},
		{name: "the public room down the order", pkg: pkg{ImportPath: module + "/predict"}, imports: in("fitted")},
		{name: "the public room and the SQL half", pkg: pkg{ImportPath: module + "/predict"}, imports: in("plan"), want: "never: the model half -> the SQL half"},
		{name: "the public room and an adapter in tests", pkg: pkg{ImportPath: module + "/predict"}, imports: in("warehouse/duckdb"), test: true, want: "never: the model half"},
		{name: "a folder at the top that is no public room", pkg: pkg{ImportPath: module + "/forecast"}, want: "has no room"},
		{name: "a room nobody planned", pkg: pkg{ImportPath: in("util")}, want: "has no room"},
		{name: "the program below nobody", pkg: pkg{ImportPath: in("serve")}, imports: module + "/cmd/norn", want: "the order lets serve"},
	}
	p := mustPolicy(t)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.imports != "" && c.test {
				c.pkg.XTestImport = []string{c.imports}
			} else if c.imports != "" {
				c.pkg.Imports = []string{c.imports}
			}
			got := strings.Join(checkImports(p, []pkg{c.pkg}), "\n")
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("complaints %q, want %q", got, c.want)
			}
		})
	}
}

// dependencies returns the modules outside the standard library that norn's packages and their tests import, given the
// paths of all required modules.
func dependencies(packages []pkg, required []string) []string {
	found := make(map[string]bool)
	for _, p := range packages {
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImport) {
			if standard(path) || path == module || strings.HasPrefix(path, module+"/") {
				continue
			}
			best := path
			for _, m := range required {
				if (path == m || strings.HasPrefix(path, m+"/")) && (best == path || len(m) > len(best)) {
					best = m
				}
			}
			found[best] = true
		}
	}
	var names []string
	for m := range found {
		names = append(names, m)
	}
	slices.Sort(names)
	return names
}

func TestDependencyBudget(t *testing.T) {
	command := exec.Command("go", "mod", "edit", "-json")
	command.Dir = root
	output, err := command.Output()
	if err != nil {
		t.Fatalf("go mod edit: %v", err)
	}
	var mod struct{ Require []struct{ Path string } }
	if err := json.Unmarshal(output, &mod); err != nil {
		t.Fatal(err)
	}
	var required []string
	for _, r := range mod.Require {
		required = append(required, r.Path)
	}
	if direct := dependencies(listPackages(t), required); len(direct) > mostDependencies {
		t.Errorf("%d direct dependencies, the budget is %d:\n%s", len(direct), mostDependencies, strings.Join(direct, "\n"))
	}

	made := []pkg{{Imports: []string{"fmt", "a.example/x/one", "a.example/x", module + "/internal/diag"}, TestImports: []string{"a.example/y/v2/z"}}}
	if got := dependencies(made, []string{"a.example/x", "a.example/y/v2", "a.example/z"}); !slices.Equal(got, []string{"a.example/x", "a.example/y/v2"}) {
		t.Errorf("the dependencies of a made-up package are %v", got)
	}
}
