// Package dbt reads a dbt project and writes what norn can take over of it as files of a norn project. Nothing is run: no
// Jinja, no Python, no warehouse.
//
// The data goes one way. dbt_project.yml gives the name, the folders, the variables and the settings by folder. The YAML files
// of those folders give properties: descriptions, columns, tests, sources, unit tests. Then every model, seed and singular test
// is looked at by itself. A file in which Jinja only names things (ref, source, config, var with a value that is known, this
// project's own constants, comments) is rewritten by replacing exactly those brackets; layout and comments stay. Everything
// else is a [Left]: what, where, why, and what to do by hand.
//
// Invariants:
//
//   - Nothing is half converted. A model that needs Jinja anywhere, or a setting that norn has no counterpart for, is left as a
//     whole: its text, its header, its tests. What reads it is still converted and says so in [Import.Open].
//   - What a converted file says is what dbt would have said: a reference that a CTE of the same name would catch is written
//     as a call, a variable is its value, a value that only a run knows is never guessed.
//   - Settings that change no rows and have no counterpart are dropped and counted in [Import.Notes], never in silence.
//   - The result does not depend on the order in which a file system lists its files.
package dbt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// ConfigFile is the file that makes a folder a dbt project.
const ConfigFile = "dbt_project.yml"

// The codes of this package; each has a page.
const (
	CodeJinja         = "E2101" // a file needs Jinja to be run
	CodeNoCounterpart = "E2102" // norn has nothing of the kind
	CodeOpen          = "E2103" // a converted file reads what was not converted
	CodeNoProject     = "E2104" // the folder is no dbt project, or its settings cannot be read
)

// Options say how to read a project.
type Options struct {
	// Vars are values for var(); they win over those of dbt_project.yml.
	Vars map[string]string
}

// An Import is a dbt project that was read.
type Import struct {
	Name      string
	Files     []File // of the norn project, sorted by path; norn.toml is one of them
	Converted Counts
	// Left is what was not converted, in the order of the files.
	Left []Left
	// Open are references of converted files to what was not converted: warnings of code E2103.
	Open  []*diag.Problem
	Notes []Note
	// Problems are errors in the project itself. With any of them nothing is to be written: dbt could not read it either.
	Problems []*diag.Problem
}

// A File is a file of the new project. Path is relative to it, with slashes.
type File struct {
	Path string
	Text []byte
}

// Counts counts what was converted. Audits are generic tests of dbt; Singular are its singular ones; Tests its unit tests.
type Counts struct {
	Models, Seeds, Sources, Audits, Singular, Tests int
}

// A Left is something that was not converted. The problem has the place, the reason, and what to do by hand.
type Left struct {
	Kind    string // model, seed, source, test, unit test, singular test, snapshot, macro, exposure, …
	Name    string
	Reason  string // the problem's message without the name
	Problem *diag.Problem
	// Header is what a model's file would begin with, to be used when its query is written by hand; "" for other kinds, and
	// where its settings are the reason.
	Header string
}

// A Note is a setting that was dropped or changed because norn does the thing another way.
type Note struct {
	Text   string
	Places int       // how often it stands in the project
	First  diag.Span // the first place
}

// A spot is a place that keeps a file from being converted.
type spot struct {
	code    string
	span    diag.Span
	message string
	help    string
}

// reader is one project on its way.
type reader struct {
	ctx     context.Context
	root    fs.FS
	o       Options
	out     *Import
	conf    settings
	docs    map[string]string // of {% docs name %}
	models  []*model
	seeds   []*seed
	sources []*source
	// byName finds models and seeds, which share ref(), by their folded names.
	byName     map[string]node
	properties map[string]*properties // of models and seeds, by kind and name
	unitTests  []entry
	// others are names that ref() may mean and that norn has nothing of the kind for, folded, with what they are.
	others  map[string]string
	notes   map[string]*Note
	dialect *sql.Dialect
}

// A node is what ref() can mean.
type node interface {
	nodeName() string
	relation() string // by which SQL qualifies its columns
	converted() bool
	prefix() string // __ref or __seed
}

// Read reads the dbt project at the root of a file system. The error is what the world did, or a *[diag.Problem] of code E2104
// when there is no dbt project.
func Read(ctx context.Context, root fs.FS, o Options) (out *Import, err error) {
	defer diag.Recover(&err)
	r := &reader{ctx: ctx, root: root, o: o, out: &Import{}, docs: map[string]string{}, byName: map[string]node{},
		properties: map[string]*properties{}, others: map[string]string{}, notes: map[string]*Note{}, dialect: sql.DuckDB()}
	if err := r.read(); err != nil {
		return nil, err
	}
	r.finish()
	return r.out, nil
}

func (r *reader) read() error {
	if err := r.settings(); err != nil {
		return err
	}
	if len(r.out.Problems) > 0 {
		return nil
	}
	files, err := r.list()
	if err != nil {
		return err
	}
	if err := r.surroundings(); err != nil {
		return err
	}
	if err := r.readDocs(files.docs); err != nil {
		return err
	}
	for _, f := range files.yaml {
		if err := r.readProperties(f); err != nil {
			return err
		}
	}
	if len(r.out.Problems) > 0 {
		return nil // a file of properties that cannot be read may say anything about any model
	}
	for _, step := range []func(*listing) error{r.findSeeds, r.findModels, r.elsewhere} {
		if err := step(files); err != nil {
			return err
		}
	}
	r.nameSources()
	r.settleModels()
	for _, m := range r.models {
		r.writeModel(m)
	}
	for _, s := range r.sources {
		r.checkSource(s)
	}
	r.writeSources()
	for _, s := range r.seeds {
		r.writeSeed(s)
	}
	if err := r.singularTests(files.tests); err != nil {
		return err
	}
	r.writeUnitTests()
	r.undescribed()
	r.add("norn.toml", r.configuration())
	return nil
}

// configuration is norn.toml: one target, a DuckDB file beside it.
func (r *reader) configuration() string {
	return fmt.Sprintf("name = %q\ndefault_target = \"dev\"\n\n[targets.dev]\nadapter = \"duckdb\"\npath = %q\nschema = \"main\"\n",
		r.out.Name, r.out.Name+".duckdb")
}

// finish puts everything in order.
func (r *reader) finish() {
	out := r.out
	slices.SortFunc(out.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortStableFunc(out.Left, func(a, b Left) int {
		if c := comparePlaces(a.Problem.Span, b.Problem.Span); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	diag.Sort(out.Open)
	diag.Sort(out.Problems)
	for _, n := range r.notes {
		out.Notes = append(out.Notes, *n)
	}
	slices.SortFunc(out.Notes, func(a, b Note) int { return cmp.Compare(a.Text, b.Text) })
}

func comparePlaces(a, b diag.Span) int {
	return cmp.Or(cmp.Compare(a.File.Path, b.File.Path), cmp.Compare(a.Start, b.Start))
}

// add makes a file of the new project.
func (r *reader) add(path, text string) { r.addBytes(path, []byte(text)) }

func (r *reader) addBytes(path string, text []byte) {
	r.out.Files = append(r.out.Files, File{path, text})
}

// leave records what was not converted. The first spot is the reason; the others are places of it.
func (r *reader) leave(kind, name, header string, spots ...spot) {
	first := spots[0]
	p := diag.New(first.code, first.span, "the %s %s is not converted: %s", kind, name, first.message).WithHelp("%s", first.help)
	seen := map[string]bool{first.message: true} // a loop gives the same reason dozens of times
	for _, s := range spots[1:] {
		if !seen[s.message] {
			p.WithNote(s.span, "%s", s.message)
		}
		seen[s.message] = true
	}
	r.out.Left = append(r.out.Left, Left{Kind: kind, Name: name, Reason: first.message, Problem: p, Header: header})
}

// note counts a setting that is dropped or changed.
func (r *reader) note(at diag.Span, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	n := r.notes[text]
	if n == nil {
		n = &Note{Text: text, First: at}
		r.notes[text] = n
	}
	n.Places++
	if comparePlaces(at, n.First) < 0 {
		n.First = at
	}
}

// text reads a file whole, without the byte order mark that editors on Windows leave.
func (r *reader) text(path string) (*diag.File, error) {
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	data, err := fs.ReadFile(r.root, path)
	if err != nil {
		return nil, diag.WithHint(fmt.Errorf("reading %s: %w", path, err), "check that the file can be read by you")
	}
	return diag.NewFile(path, strings.TrimPrefix(string(data), "\ufeff")), nil
}

// yaml reads a YAML file. What is wrong with it goes to the problems of the import.
func (r *reader) yaml(path string) (project.Value, error) {
	file, err := r.text(path)
	if err != nil {
		return project.Value{}, err
	}
	return r.parse(file), nil
}

// parse reads a YAML file that is in memory.
func (r *reader) parse(file *diag.File) project.Value {
	v, twice, problems := project.ParseYAML(file)
	r.out.Problems = append(r.out.Problems, problems...)
	for _, key := range twice {
		r.note(key.Span, "a key is given twice in one mapping; the last one counts")
	}
	return v
}

// IsProject reports whether a folder holds a dbt project.
func IsProject(root fs.FS) (bool, error) {
	_, err := fs.Stat(root, ConfigFile)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
