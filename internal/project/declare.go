package project

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/macro"
)

// A SQLBuild project declares things that many files use: constants, enums, schemas, hooks, functions, macros in Python. They are
// read before the models, because they decide what a model's text and header mean.
type shared struct {
	values    *macro.Values
	enums     register[*enum] // the same enums once more, for the types of columns
	schemas   register[*schema]
	hooks     register[*hook]
	functions map[string]*Function // by folded name
	python    register[string]     // macros: the file
	customs   register[string]     // materializations: the file
	// stamp stands for the text and the places of all of them; 0 where there are none. What is remembered of a file holds only under
	// the same stamp.
	stamp uint64
}

// twice is a second declaration of a name.
func twice(name Word, noun string, first diag.Span) *diag.Problem {
	return diag.New("E0103", name.Span, "%s %s is declared twice", noun, name.Text).WithNote(first, "the first one").
		WithHelp("rename one of them: declarations do not hide each other, wherever they stand")
}

// missing reports a name that none of the files can use: one that stands nowhere, or one that is visible elsewhere.
func missing[T any](g *register[T], name string, at diag.Span, files ...string) *diag.Problem {
	if d := g.named[g.key(name)]; d != nil {
		return diag.New("E0141", at, "the %s %s cannot be used here", g.noun, name).WithNote(d.name.Span, "it is visible %s", d.scope).
			WithHelp("move the declaration to the nearest folder that holds all its uses")
	}
	p := diag.New("E0141", at, "there is no %s %s", g.noun, name)
	if near := diag.Nearest(name, g.names(files...)); near != "" {
		return p.WithHelp("did you mean %s?", near)
	}
	return p.WithHelp("declare it in %ss/", g.noun)
}

// find is what one of the files may use under a name; nil when there is no such thing.
func (g *register[T]) find(name string, files ...string) *declared[T] {
	if d := g.named[g.key(name)]; d != nil && slices.ContainsFunc(files, d.scope.Holds) {
		return d
	}
	return nil
}

// declare reads all declarations.
func (l *loader) declare(ctx context.Context, files *listing) error {
	s := &l.shared
	s.enums.noun, s.schemas.noun, s.hooks.noun, s.python.noun, s.customs.noun = "enum", "schema", "hook", "macro", "materialization"
	s.schemas.fold = true
	s.functions = map[string]*Function{}
	if !l.p.Config.SQLBuild {
		return nil
	}
	r := &report{}
	h := sha256.New()
	read := func(p string) (*diag.File, error) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		text, err := fileText(l.root, p)
		if err != nil && !errors.Is(err, errTooLarge) {
			return nil, err
		}
		file := diag.NewFile(p, text)
		h.Write([]byte(p + "\x00"))
		sum := textDigest(file)
		h.Write(sum[:])
		if err != nil {
			r.add(diag.New("E0013", diag.Span{File: file}, "%s is larger than 64 MiB", p).WithHelp("data belongs into seeds/ or a source"))
		} else if validText(file, len(text), r) {
			return file, nil
		}
		return nil, nil //nolint:nilnil // a file that cannot be used was reported
	}
	s.values = &macro.Values{Constants: map[string]macro.Value{}, Enums: map[string]map[string]macro.Value{}, Env: l.o.Env}
	if s.values.Env == nil {
		s.values.Env = func(string) (string, bool) { return "", false }
	}
	d := &declarations{decoder: decoder{r: r, dialect: l.dialect}, to: s.values, arrays: l.p.Config.arrays, places: map[string]diag.Span{}}
	var schemas []*declared[*schema]
	for _, f := range files.declared {
		file, err := read(f.path)
		if err != nil {
			return err
		}
		if d.scope = f.role.scope; file == nil {
			continue
		}
		switch f.role.name {
		case "constants":
			d.file(file, "CONSTANT", d.constant)
		case "enums":
			d.enums = &s.enums
			d.file(file, "ENUM", d.enum)
		case "schemas":
			d.file(file, "SCHEMA", func(h *Header) {
				if one := l.readSchema(h, d.scope, r); one != nil {
					schemas = append(schemas, one)
				}
			})
		case "hooks":
			l.readHook(file, f.role.scope, r)
		}
	}
	// The types of a schema's columns may be enums, so it is settled when all files are read.
	l.settleSchemas(schemas, r)
	for _, p := range files.python {
		to, in := &s.python, macro.Scope{}
		if role, ok := inRole(p, true); ok && role.name == "macros" {
			in = role.scope
		} else if to = &s.customs; !strings.HasPrefix(p, "materializations/") {
			continue
		}
		file, err := read(p)
		if err != nil {
			return err
		}
		if file != nil {
			pythonNames(to, file, in, r)
		}
	}
	for _, p := range files.functions {
		file, err := read(p)
		if err != nil {
			return err
		}
		if file != nil {
			l.functionHead(file, r)
		}
	}
	if len(files.declared)+len(files.python)+len(files.functions) > 0 {
		s.stamp = binary.LittleEndian.Uint64(h.Sum(nil)) | 1
	}
	pythonRemarks(files.python, r)
	l.take(r)
	return nil
}

// reader is the file that a text stands in, for whoever writes out what is in it.
func (l *loader) reader(file string) macro.Reader { return macro.Reader{Files: []string{file}} }

// foreign makes the reader collect the calls of macros in Python.
func (l *loader) foreign(reader *macro.Reader) *[]foreignCall {
	calls := &[]foreignCall{}
	reader.Foreign = func(name string, at diag.Span) bool {
		d := l.shared.python.find(name, reader.Files...)
		if d != nil {
			*calls = append(*calls, foreignCall{name, d.value, at})
		}
		return d != nil
	}
	return calls
}

// expectedModels are the file of a test and those of the models whose rows it writes down: it may use what they may use.
func (l *loader) expectedModels(file *diag.File) []string {
	files := []string{file.Path}
	for _, name := range namesBehind(file.Text, "__expected__") {
		if p, ok := l.modelPaths[name]; ok {
			files = append(files, p)
		}
	}
	return files
}

// namesBehind are the folded names that follow a prefix in a text.
func namesBehind(text, prefix string) []string {
	var names []string
	for {
		_, after, found := strings.Cut(text, prefix)
		if !found {
			return names
		}
		end := 0
		for end < len(after) && (after[end] == '_' || after[end] >= 0x80 || isDigit(after[end]) || after[end]|0x20 >= 'a' && after[end]|0x20 <= 'z') {
			end++
		}
		names = append(names, fold(after[:end]))
		text = after[end:]
	}
}

// pathsByName finds the files of models by the names of the models.
func pathsByName(models []string) map[string]string {
	paths := make(map[string]string, len(models))
	for _, p := range models {
		paths[fold(stem(path.Base(p)))] = p
	}
	return paths
}

// interpolated is a text of a declaration, such as the expression of a source, with what stands in it written out. Problems are at
// the whole of it.
func (l *loader) interpolated(w Word, r *report) string {
	if l.expander == nil || !l.p.Config.SQLBuild || !strings.Contains(w.Text, "@") {
		return w.Text
	}
	reader := l.reader(w.Span.File.Path)
	foreign := l.foreign(&reader)
	e, problems, _, err := l.expander(diag.NewFile(w.Span.File.Path, w.Text), 0, reader)
	for _, p := range problems {
		p.Span, p.Fix = w.Span, nil
		r.add(p)
	}
	for _, c := range *foreign {
		c.span = w.Span
		r.add(c.problem())
	}
	if e == nil || err != nil {
		return w.Text
	}
	return e.File.Text
}
