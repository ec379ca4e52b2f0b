package project

import (
	"regexp"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/macro"
)

// Python is listed and never run. Of a file of macros norn knows the names of the functions, so that it can tell a call of one
// from a slip of the pen; of all others, that they are there and what they would do.

// pythonFunction finds the functions of a file that begin in the first column.
var pythonFunction = regexp.MustCompile(`(?m)^def[ \t]+([A-Za-z][A-Za-z0-9_]*)[ \t]*\(`)

// pythonNames takes the names of the functions in a file.
func pythonNames(to *register[string], file *diag.File, s macro.Scope, r *report) {
	for _, m := range pythonFunction.FindAllStringSubmatchIndex(file.Text, -1) {
		at := diag.Span{File: file, Start: m[2], End: m[3]}
		to.add(&declared[string]{Word{at.Text(), at}, s, file.Path}, r)
	}
}

// A foreignCall is the call of a macro in Python.
type foreignCall struct {
	name, file string
	span       diag.Span
}

// problem says that a macro in Python is not run.
func (c foreignCall) problem() *diag.Problem {
	return diag.New("E0140", c.span, "the macro %s is written in Python, which norn does not run: %s", c.name, c.file).
		WithHelp("port it to macros/%s.star: the same function in Starlark, with \"…\" %% (a, b) in place of f\"…\"", stem(c.file))
}

// pythonFolders are the folders of a SQLBuild project that hold Python, and what of the project is missing without it.
var pythonFolders = []struct{ path, what string }{
	{"macros/", "macros: models that call them are not analysed"},
	{"functions/python/", "functions: their bodies are not looked at"},
	{"hooks/python/", "hooks, which are not run"},
	{"materializations/", "materializations: models that use them are not built"},
	{"rules/", "rules, which are not applied: write them in Starlark"},
	{"audits/", "audit factories: the audits that they make are not known"},
	{"python/", "loaders, tasks, assets and checks, which are not run"},
	{"adapters/", "adapters, which are not used"},
	{"providers/", "providers, which are not used"},
	{"sinks/", "sinks, which are not told of anything"},
}

// pythonRemarks say which files of Python there are and what that means, a remark for each file.
func pythonRemarks(paths []string, r *report) {
	for _, p := range paths {
		what := "Python, which has no place here"
		for _, f := range pythonFolders {
			folder := f.path
			if strings.HasPrefix(p, folder) || strings.Contains(p, "/"+ownerFolder+"/") && inOwned(p, strings.TrimSuffix(folder, "/")) {
				what = f.what
				break
			}
		}
		remark := diag.New("E0151", diag.Span{File: diag.NewFile(p, "")}, "%s is Python, which norn does not run: %s", p, what)
		remark.Severity = diag.Remark
		r.add(remark)
	}
}

// inOwned reports whether a file below _sqlbuild has the role of a folder.
func inOwned(p, folder string) bool {
	role, ok := inRole(p, true)
	return ok && role.name == strings.SplitN(folder, "/", 2)[0]
}
