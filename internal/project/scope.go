package project

import (
	"path"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/project/macro"
)

// Declarations can be used where the folder that they lie in says, as SQLBuild has it:
//
//	constants/, enums/, …             the whole project
//	<folder>/_sqlbuild/constants/     files in the folder and below it
//	<folder>/_sqlbuild/_constants/    files in the folder itself
//
// What stands in the header of a model is that model's own.

// A role is what the files of a folder declare: constants, enums, schemas, audits, hooks or macros.
type role struct {
	name  string
	scope macro.Scope
	path  string // of the folder
}

// declarationRoles are the names of roles. The private ones begin with an underscore.
var declarationRoles = []string{"audits", "constants", "enums", "hooks", "macros", "schemas"}

// sharedRoles are those that may stand in a folder without _sqlbuild between them, as older projects have them.
var sharedRoles = []string{"constants", "enums", "macros"}

// ownerFolder is the folder that holds the declarations of the folder it lies in.
const ownerFolder = "_sqlbuild"

// roleOf says what a folder of a SQLBuild project declares.
func roleOf(dir string, sqlbuild bool) (role, bool) {
	parent, base := path.Dir(dir), path.Base(dir)
	name, private := strings.CutPrefix(base, "_")
	switch {
	case !sqlbuild:
		return role{}, false
	case parent == ".":
		return role{name: base, path: dir}, slices.Contains(declarationRoles, base)
	case path.Base(parent) == ownerFolder && path.Dir(parent) != ".":
		return role{name, macro.Scope{Folder: path.Dir(parent), Exact: private}, dir}, slices.Contains(declarationRoles, name)
	case !slices.Contains(declarationRoles, strings.SplitN(dir, "/", 2)[0]) && slices.Contains(sharedRoles, name):
		return role{name, macro.Scope{Folder: parent, Exact: private}, dir}, true
	}
	return role{}, false
}

// inRole finds the role that a file of a role lies in.
func inRole(file string, sqlbuild bool) (role, bool) {
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if r, ok := roleOf(dir, sqlbuild); ok {
			return r, true
		}
	}
	return role{}, false
}

// A declared thing has a name, a place where it is declared and a scope.
type declared[T any] struct {
	name  Word
	scope macro.Scope
	value T
}

// A register holds the declarations of one kind, by name.
type register[T any] struct {
	noun  string
	named map[string]*declared[T]
	fold  bool // names are compared without regard to case
}

func (g *register[T]) key(name string) string {
	if g.fold {
		return fold(name)
	}
	return name
}

// add takes a declaration. Names do not shadow: a second one of a name is a problem wherever it lies.
func (g *register[T]) add(d *declared[T], r *report) {
	if first := g.named[g.key(d.name.Text)]; first != nil {
		r.add(twice(d.name, g.noun, first.name.Span))
		return
	}
	if g.named == nil {
		g.named = map[string]*declared[T]{}
	}
	g.named[g.key(d.name.Text)] = d
}

// names are the names of what any of the files can use, for suggestions.
func (g *register[T]) names(files ...string) []string {
	var names []string
	for _, d := range g.named {
		if slices.ContainsFunc(files, d.scope.Holds) {
			names = append(names, d.name.Text)
		}
	}
	slices.Sort(names)
	return names
}
