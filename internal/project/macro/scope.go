package macro

import (
	"path"
	"strings"
)

// A Scope is where a declaration can be used: in the whole project, in a folder and below it, or in files of the folder itself.
type Scope struct {
	Folder string // "" is the whole project
	Exact  bool   // files below the folder do not count
}

// Holds reports whether a file of the project is in the scope.
func (s Scope) Holds(file string) bool {
	dir := path.Dir(file)
	switch {
	case s.Folder == "":
		return true
	case s.Exact:
		return dir == s.Folder
	}
	return dir == s.Folder || strings.HasPrefix(dir, s.Folder+"/")
}

// String says where the scope is, behind "it is visible".
func (s Scope) String() string {
	switch {
	case s.Folder == "":
		return "everywhere"
	case s.Exact:
		return "to files directly in " + s.Folder + " only"
	}
	return "in " + s.Folder + " and below"
}
