package dbt

import (
	"path"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// fold is the form in which norn compares names.
func fold(name string) string { return strings.ToLower(name) }

// usableName says whether norn takes a name for a model, a seed or a source: letters, digits and underscores, no digit first.
func usableName(name string) bool {
	for i, c := range name {
		if c != '_' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsDigit(c)) {
			return false
		}
	}
	return name != ""
}

// plainName makes a usable name out of any.
func plainName(name string) string {
	name = strings.Map(func(c rune) rune {
		if c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) {
			return c
		}
		return '_'
	}, name)
	if name == "" || unicode.IsDigit([]rune(name)[0]) {
		name = "_" + name
	}
	return name
}

// stem is a file's name without folder and ending.
func stem(p string) string {
	base := path.Base(p)
	return strings.TrimSuffix(base, path.Ext(base))
}

// place is where a file goes in the new project: below folder as it lay below the folder it was found from. norn does not read
// folders whose names begin with an underscore, so they lose it.
func place(folder string, f located) string {
	parts := strings.Split(strings.TrimPrefix(f.path, f.below+"/"), "/")
	for i := range parts[:len(parts)-1] {
		if parts[i] = strings.TrimLeft(parts[i], "_"); parts[i] == "" {
			parts[i] = "folder"
		}
	}
	return folder + "/" + strings.Join(parts, "/")
}

// folderParts are the folders of a file and its own name: the path along which dbt_project.yml gives settings.
func folderParts(f located) []string {
	parts := strings.Split(strings.TrimPrefix(f.path, f.below+"/"), "/")
	parts[len(parts)-1] = stem(f.path)
	return parts
}

// headerWord holds for names that a header can have without quotes.
var headerWord = pattern(`^[\pL_][\pL\pN_]*$`)

// quoted writes a text for a header.
func quoted(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }

// word writes a name for a header: as it is, or in quotes.
func word(name string) string {
	if headerWord().MatchString(name) {
		return name
	}
	return quoted(name)
}

// pattern compiles an expression when it is first asked for: most runs of norn import nothing.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
