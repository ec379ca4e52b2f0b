package dbt

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// settings are what dbt_project.yml says.
type settings struct {
	file    *diag.File
	name    string
	profile string
	paths   map[string][]string      // by key, such as model-paths
	vars    map[string]project.Value // those of the project's own scope win over global ones
	trees   map[string]project.Value // models, seeds: settings by folder
}

// defaultPaths are the folders that dbt looks into when dbt_project.yml does not name them.
var defaultPaths = map[string][]string{
	"model-paths": {"models"}, "seed-paths": {"seeds"}, "test-paths": {"tests"}, "snapshot-paths": {"snapshots"},
	"macro-paths": {"macros"}, "analysis-paths": {"analyses"},
}

// oldPaths are the names that the keys had before dbt 1.0.
var oldPaths = map[string]string{"source-paths": "model-paths", "data-paths": "seed-paths"}

// settings reads dbt_project.yml.
func (r *reader) settings() error {
	file, err := r.text(ConfigFile)
	if errors.Is(err, fs.ErrNotExist) {
		return diag.New(CodeNoProject, diag.Span{}, "there is no %s in this folder", ConfigFile).
			WithHelp("name the folder of a dbt project: norn import FOLDER --into NEW")
	}
	if err != nil {
		return err
	}
	v := r.parse(file)
	whole := len(r.out.Problems) == 0
	c := &r.conf
	c.file, c.paths, c.vars, c.trees = file, map[string][]string{}, map[string]project.Value{}, map[string]project.Value{}
	maps.Copy(c.paths, defaultPaths)
	for _, e := range v.Items {
		key := e.Key.Text
		if now, old := oldPaths[key]; old {
			key = now
		}
		switch {
		case key == "name":
			c.name = scalar(e.Value)
		case key == "profile":
			c.profile = scalar(e.Value)
		case defaultPaths[key] != nil:
			c.paths[key] = r.folders(e)
			if err := r.missingFolders(e, key); err != nil {
				return err
			}
		case key == "vars":
			r.mapping(e, "names and values")
		case key == "models" || key == "seeds" || key == "data_tests":
			c.trees[key] = r.mapping(e, "settings by folder")
		case key == "tests": // the name that data_tests had before dbt 1.8
			c.trees["data_tests"] = r.mapping(e, "settings by folder")
		case key == "on-run-start" || key == "on-run-end":
			r.leave("hook", key, "", noCounterpart(e.Key.Span, "norn runs no statements of its own around a build", "run them before or after norn build"))
		}
	}
	if !usableName(c.name) && whole {
		at := diag.Span{File: file}
		r.out.Problems = append(r.out.Problems, diag.New(CodeNoProject, at, "%s does not name the project", ConfigFile).
			WithHelp("write name: my_project, in letters, digits and underscores"))
	}
	r.out.Name = c.name
	r.readVars(v)
	return nil
}

// mapping demands a mapping. A list or a number there is a mistake that dbt refuses as well: skipped in silence, the settings
// that its author meant would be missing.
func (r *reader) mapping(e project.Entry, of string) project.Value {
	if e.Value.Kind != project.BlockValue && e.Value.Kind != project.NoValue {
		r.out.Problems = append(r.out.Problems, diag.New(CodeNoProject, e.Value.Span, "%s is no mapping of %s", e.Key.Text, of).
			WithHelp("write %s: and, indented below it, NAME: VALUE", e.Key.Text))
		return project.Value{}
	}
	return e.Value
}

// missingFolders notes folders that are named and not there. Every new dbt project names all of its usual folders, also those that
// stay empty; a folder for models that is missing is worth a word in any case.
func (r *reader) missingFolders(e project.Entry, key string) error {
	for _, item := range listed(e.Value) {
		p := path.Clean(scalar(item.Value))
		if !fs.ValidPath(p) || p == "." || key != "model-paths" && slices.Contains(defaultPaths[key], p) {
			continue
		}
		switch info, err := fs.Stat(r.root, p); {
		case errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir():
			r.note(item.Value.Span, "%s names the folder %s, which does not exist: nothing was read there", e.Key.Text, p)
		case err != nil:
			return diag.WithHint(err, "check that the folder can be read by you")
		}
	}
	return nil
}

// readVars reads vars: first those for every package, then those for this one, then those of the command line.
func (r *reader) readVars(v project.Value) {
	vars := get(v, "vars")
	for _, e := range vars.Items {
		if e.Value.Kind != project.BlockValue {
			r.conf.vars[e.Key.Text] = e.Value
		}
	}
	for _, e := range get(vars, r.conf.name).Items {
		r.conf.vars[e.Key.Text] = e.Value
	}
	for name, value := range r.o.Vars {
		r.conf.vars[name] = project.Value{Kind: project.WordValue, Text: value}
	}
}

// folders reads a list of folders. Names that lead out of the project are dropped: nothing outside of it is read.
func (r *reader) folders(e project.Entry) []string {
	items := e.Value.Items
	if e.Value.Kind != project.ListValue {
		items = []project.Entry{{Value: e.Value}}
	}
	var list []string
	for _, item := range items {
		p := path.Clean(scalar(item.Value))
		if !fs.ValidPath(p) || p == "." {
			r.out.Problems = append(r.out.Problems, diag.New(CodeNoProject, item.Value.Span, "%s names no folder of the project", e.Key.Text).
				WithHelp("write names of folders below it, such as [models]"))
			continue
		}
		list = append(list, p)
	}
	return list
}

// config is the settings of one model, seed or test: by name, without plus sign and with underscores. A later layer replaces an
// earlier one, except for tags and hooks, which add up.
type config map[string]project.Entry

func (c config) merge(entries []project.Entry) {
	for _, e := range entries {
		key := configKey(e.Key.Text)
		if first, twice := c[key]; twice && (key == "tags" || key == "pre_hook" || key == "post_hook") {
			both := project.Value{Kind: project.ListValue, Span: e.Value.Span}
			both.Items = append(both.Items, listed(first.Value)...)
			both.Items = append(both.Items, listed(e.Value)...)
			e.Value = both
		}
		c[key] = e
	}
}

// listed is the items of a list; anything else is a list of one.
func listed(v project.Value) []project.Entry {
	switch v.Kind {
	case project.ListValue:
		return v.Items
	case project.NoValue:
		return nil
	}
	return []project.Entry{{Value: v}}
}

func configKey(key string) string { return strings.ReplaceAll(strings.TrimPrefix(key, "+"), "-", "_") }

// dictSettings are the settings whose value is a mapping, so that they are not taken for folders.
var dictSettings = []string{"persist_docs", "meta", "docs", "grants", "contract", "column_types", "quoting", "partition_by", "freshness"}

// folderConfig walks a tree of settings of dbt_project.yml along a node's folders: first what is set for all packages, then for
// this project, then folder by folder, then for the node itself.
func (r *reader) folderConfig(tree string, parts []string) config {
	c := config{}
	at := r.conf.trees[tree]
	for _, part := range append([]string{r.conf.name}, parts...) {
		c.merge(ownSettings(at))
		at = get(at, part)
	}
	c.merge(ownSettings(at))
	return c
}

// ownSettings are the entries of a level that are settings, not folders.
func ownSettings(v project.Value) []project.Entry {
	return slices.DeleteFunc(slices.Clone(v.Items), func(e project.Entry) bool {
		return e.Value.Kind == project.BlockValue && !strings.HasPrefix(e.Key.Text, "+") && !slices.Contains(dictSettings, configKey(e.Key.Text))
	})
}

// get returns the value of a key of a mapping, or no value.
func get(v project.Value, key string) project.Value {
	for _, e := range v.Items {
		if e.Key.Text == key {
			return e.Value
		}
	}
	return project.Value{}
}

// scalar is the text of a word, a text or a number; "" for anything else.
func scalar(v project.Value) string {
	switch v.Kind {
	case project.WordValue, project.StringValue, project.NumberValue:
		return v.Text
	}
	return ""
}

func noCounterpart(at diag.Span, message, help string) spot {
	return spot{CodeNoCounterpart, at, message, help}
}

// A listing is the files of a project by what they are for; each list is sorted.
type listing struct {
	yaml, docs                   []string
	models, python, seeds, tests []located
	snapshots, macros, analyses  []string
}

// A located file knows the folder it was found from: its place in the new project is the rest of its path.
type located struct{ path, below string }

// list walks the folders of the project.
func (r *reader) list() (*listing, error) {
	l := &listing{}
	seen := map[string]bool{} // a folder may stand in two lists
	for _, walk := range []struct {
		key  string
		file func(base, p, ext string)
	}{
		{"model-paths", func(base, p, ext string) {
			switch ext {
			case ".sql":
				l.models = append(l.models, located{p, base})
			case ".py":
				l.python = append(l.python, located{p, base})
			}
		}},
		{"seed-paths", func(base, p, ext string) {
			if ext == ".csv" {
				l.seeds = append(l.seeds, located{p, base})
			}
		}},
		{"test-paths", func(base, p, ext string) {
			switch {
			case ext != ".sql":
			case strings.HasPrefix(p, base+"/generic/"):
				l.macros = append(l.macros, p)
			default:
				l.tests = append(l.tests, located{p, base})
			}
		}},
		{"snapshot-paths", func(_, p, ext string) {
			if ext == ".sql" {
				l.snapshots = append(l.snapshots, p)
			}
		}},
		{"macro-paths", func(_, p, ext string) {
			if ext == ".sql" {
				l.macros = append(l.macros, p)
			}
		}},
		{"analysis-paths", func(_, p, ext string) {
			if ext == ".sql" {
				l.analyses = append(l.analyses, p)
			}
		}},
	} {
		for _, base := range r.conf.paths[walk.key] {
			err := fs.WalkDir(r.root, base, func(p string, d fs.DirEntry, err error) error {
				switch {
				case p == base && errors.Is(err, fs.ErrNotExist):
					return fs.SkipAll
				case err != nil:
					return err
				case r.ctx.Err() != nil:
					return r.ctx.Err()
				case d.IsDir() && strings.HasPrefix(d.Name(), "."):
					return fs.SkipDir
				case d.IsDir() || strings.HasPrefix(d.Name(), ".") || seen[p]:
					return nil
				}
				seen[p] = true
				switch ext := strings.ToLower(path.Ext(p)); ext {
				case ".yml", ".yaml":
					l.yaml = append(l.yaml, p)
				case ".md":
					l.docs = append(l.docs, p)
				default:
					walk.file(base, p, ext)
				}
				return nil
			})
			if err != nil {
				return nil, diag.WithHint(err, "check that the folder can be read by you")
			}
		}
	}
	slices.Sort(l.yaml)
	slices.Sort(l.docs)
	return l, nil
}
