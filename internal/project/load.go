package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/macro"
	"github.com/norn-data/norn/internal/project/pack"
	"github.com/norn-data/norn/internal/sql"
	"golang.org/x/sync/errgroup"
)

// Options say what of a project is wanted.
type Options struct {
	Target string            // the target to choose; "" means the project's default
	Vars   map[string]string // variables of the command line; they win over those of the configuration
	// Env looks up a variable of the environment for ${ENV:NAME}. Nil means that none is set.
	Env func(name string) (string, bool)
	// Workers bounds the goroutines that read files; 0 means one per processor.
	Workers int
	// NoFingerprints leaves the fingerprints of models, seeds and sources empty. They are for a build; who only wants to know
	// what a project means saves reading every query a second time.
	NoFingerprints bool
	// MaxTrees bounds the text, in bytes, of the models whose syntax trees are kept; a tree takes some seven times its text. The
	// trees past it are let go once their references are known, and [Model.Reparse] makes them again; those of tests and audits
	// are let go in any case. 0 means no bound.
	MaxTrees int64
	// Memory knows files that an earlier Load read, so that they are neither read nor parsed again. What it knows of a file comes
	// without syntax trees: they are made by [Model.Reparse] and [Test.Reparse], those of audits are missing. Nil: no memory.
	Memory Memory
	// Part restricts what is loaded to some nodes of a project that was loaded before. Nil: all of it.
	Part *Part
}

// Load reads the project that lies at the root of a file system, such as [Dir] of the folder that [Find] returns. Problems are what
// its author has to mend, in the order of [diag.Sort]; the project is returned beside them, as whole as it could be made. The error
// is what the world did: a file that cannot be read, the end of the context; a project without configuration file is a
// *[diag.Problem] of code E0001.
func Load(ctx context.Context, root fs.FS, o Options) (p *Project, problems []*diag.Problem, err error) {
	defer diag.Recover(&err)
	l := &loader{root: root, o: o, p: &Project{root: root, unread: map[*diag.File]bool{}}, dialect: sql.DuckDB()}
	if l.o.Workers <= 0 {
		l.o.Workers = runtime.GOMAXPROCS(0)
	}
	if err := l.load(ctx); err != nil {
		return nil, nil, err
	}
	return l.p, tidy(l.problems), nil
}

// tidy sorts problems and drops repetitions: one line of the configuration can be wrong for every model.
func tidy(ps []*diag.Problem) []*diag.Problem {
	diag.Sort(ps)
	return slices.CompactFunc(ps, func(a, b *diag.Problem) bool {
		return a.Span == b.Span && a.Code == b.Code && a.Message == b.Message
	})
}

type loader struct {
	root     fs.FS
	o        Options
	p        *Project
	dialect  *sql.Dialect
	problems []*diag.Problem
	trees    atomic.Int64 // bytes of text whose trees are kept

	shared     shared
	modelPaths map[string]string // by folded name

	expander     func(file *diag.File, start int, reader macro.Reader) (*macro.Expansion, []*diag.Problem, bool, error)
	expansions   sync.Map // by the file of the text with macros written out
	macroTrouble []*diag.Problem
	missed       func() int // calls of macros that nobody could write out
}

// take adds what was found in one file.
func (l *loader) take(r *report) {
	l.problems = append(l.problems, r.problems...)
	l.p.Ignored = append(l.p.Ignored, r.ignored...)
}

// load is the order of things: configuration, list of files, files, seeds, names.
func (l *loader) load(ctx context.Context) error {
	if err := l.config(); err != nil {
		return err
	}
	l.dialect = l.p.Dialect()
	files, err := list(ctx, l.root, l.p.Config.SQLBuild)
	if err != nil {
		return err
	}
	if l.p.Config.SQLBuild {
		l.modelPaths = pathsByName(files.models)
	}
	l.o.Part.restrict(files)
	if err := l.declare(ctx, files); err != nil {
		return err
	}
	if err := l.scripts(ctx, files); err != nil {
		return err
	}
	r := &report{}
	for _, link := range files.links {
		link.report(r)
	}
	l.take(r)
	// Seeds need what YAML says about them, so YAML is read beside the models and CSV after both.
	models := make([]*Model, len(files.models))
	sources := make([][]*Source, len(files.sources))
	declared := make([][]*seedDeclaration, len(files.seedYAML))
	tests := make([]*Test, len(files.tests))
	audits := make([]*SingularAudit, len(files.audits))
	work := slices.Concat(
		l.each(files.sources, func(i int, file *diag.File, r *report) { sources[i] = l.readSources(file, r) },
			func(i int, c *pack.Coder, _ *diag.File) { packSources(c, &sources[i], l.o.Part.source()) }),
		l.each(files.seedYAML, func(i int, file *diag.File, r *report) {
			declared[i] = readSeedYAML(file, stem(file.Path), l.dialect, r)
		}, nil),
		l.each(files.models, func(i int, file *diag.File, r *report) { models[i] = l.model(file, r) },
			func(i int, c *pack.Coder, file *diag.File) {
				if c.Reading() {
					models[i] = &Model{File: file, root: l.root, dialect: l.dialect}
				}
				models[i].pack(c)
			}),
		l.each(files.tests, func(i int, file *diag.File, r *report) { tests[i] = l.test(file, r) },
			func(i int, c *pack.Coder, file *diag.File) {
				if c.Reading() {
					tests[i] = &Test{File: file, root: l.root, dialect: l.dialect}
				} else {
					c.Files[0] = tests[i].File // which is completed where the test left something out
				}
				tests[i].pack(c)
			}),
		l.each(files.audits, func(i int, file *diag.File, r *report) { audits[i] = l.audit(file, r) },
			func(i int, c *pack.Coder, file *diag.File) {
				if c.Reading() {
					audits[i] = &SingularAudit{File: file, root: l.root, dialect: l.dialect}
				}
				audits[i].pack(c)
			}),
	)
	if err := l.parallel(ctx, work); err != nil {
		return err
	}
	l.o.Part.strip(models, sources)
	l.functionBodies()
	if err := ctx.Err(); err != nil {
		return err // a macro may have been cut short
	}
	seeds, err := l.seeds(ctx, files.seeds, slices.Concat(declared...))
	if err != nil {
		return err
	}
	p := l.p
	for _, m := range models {
		l.p.unread[m.File] = true
	}
	p.Models, p.Sources, p.Seeds, p.Tests, p.Audits = models, slices.Concat(sources...), seeds, tests, audits
	sortNodes(p.Models)
	sortNodes(p.Sources)
	sortNodes(p.Seeds)
	l.join()
	l.locate()
	return nil
}

// sortNodes sorts by name without regard to case, then by place, so that duplicates have an order too.
func sortNodes[N Node](nodes []N) {
	slices.SortStableFunc(nodes, func(a, b N) int {
		return cmp.Or(cmp.Compare(fold(a.NodeName()), fold(b.NodeName())), cmp.Compare(a.Place().File.Path, b.Place().File.Path),
			cmp.Compare(a.Place().Start, b.Place().Start))
	})
}

// A job reads one file and reports into its own report.
type job struct {
	run    func(ctx context.Context, j *job) error
	r      report
	unread *diag.File // the file, when memory knew it
}

// each makes a job per text file. What read makes of a file is packed by shelve; nil: nothing remembers it.
func (l *loader) each(paths []string, read func(i int, file *diag.File, r *report), shelve shelf) []*job {
	jobs := make([]*job, len(paths))
	for i, p := range paths {
		jobs[i] = &job{run: func(_ context.Context, j *job) error {
			if file, ok := l.recall(p, i, shelve, &j.r); ok {
				j.unread = file
				return nil
			}
			text, err := fileText(l.root, p)
			if err != nil && !errors.Is(err, errTooLarge) {
				return err
			}
			file := diag.NewFile(p, text)
			if err != nil {
				j.r.add(diag.New("E0013", diag.Span{File: file}, "%s is larger than 64 MiB", p).WithHelp("data belongs into seeds/ or a source"))
			}
			read(i, file, &j.r)
			l.keep(p, i, file, shelve, &j.r)
			return nil
		}}
	}
	return jobs
}

// parallel runs jobs on a bounded number of goroutines and takes their reports in the order of the jobs.
func (l *loader) parallel(ctx context.Context, jobs []*job) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(l.o.Workers)
	// Small batches: a goroutine per file costs as much as reading a small file does.
	const batch = 16
	for start := 0; start < len(jobs); start += batch {
		part := jobs[start:min(start+batch, len(jobs))]
		g.Go(func() (err error) {
			defer diag.Recover(&err)
			for _, j := range part {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err := j.run(ctx, j); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, j := range jobs {
		if l.take(&j.r); j.unread != nil {
			l.p.unread[j.unread] = true
		}
	}
	return nil
}

// config reads the configuration file.
func (l *loader) config() error {
	var found []string
	for _, name := range []string{ConfigFile, SQLBuildConfigFile} {
		if info, err := fs.Stat(l.root, name); err == nil {
			if kind := info.Mode().Type(); kind&^fs.ModeDir != 0 {
				r := &report{}
				link{name, kind}.report(r)
				return r.problems[0]
			}
			found = append(found, name)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("reading %s: %w", name, err)
		}
	}
	if len(found) == 0 {
		return noProject("this folder")
	}
	r := &report{}
	file, tree, whole, err := l.toml(found[0], r)
	if err != nil {
		return err
	}
	if len(found) > 1 {
		r.add(diag.New("E0010", diag.Span{File: file}, "there are both %s and %s", found[0], found[1]).
			WithHelp("keep the one you want and remove the other"))
	}
	c := &configReader{r: r, o: l.o, whole: whole, conf: &Config{File: file, Vars: map[string]Var{}}}
	if found[0] == ConfigFile {
		c.readConfig(tree)
	} else {
		if _, err := fs.Stat(l.root, sqlbuildLocalFile); err == nil {
			_, local, whole, err := l.toml(sqlbuildLocalFile, r)
			if err != nil {
				return err
			}
			c.whole = c.whole && whole
			merge(tree, local)
		}
		c.readSQLBuild(tree)
	}
	l.p.Config, l.p.Name = c.conf, c.conf.Name.Text
	l.p.Target = c.choose()
	l.take(r)
	return nil
}

// toml reads one configuration file into a tree; whole is false when a part of it could not be read.
func (l *loader) toml(name string, r *report) (file *diag.File, tree *tomlValue, whole bool, err error) {
	text, err := readText(l.root, name)
	if err != nil {
		return nil, nil, false, diag.WithHint(fmt.Errorf("reading %s: %w", name, err), "check that the file can be read by you")
	}
	file = diag.NewFile(name, text)
	if !validText(file, len(text), r) {
		return file, &tomlValue{}, false, nil
	}
	tree, whole = readTOML(file, r)
	return file, tree, whole, nil
}

// validText reports the first byte before end that is not UTF-8.
func validText(file *diag.File, end int, r *report) bool {
	text := file.Text[:end]
	if utf8.ValidString(text) {
		return true
	}
	at := strings.IndexFunc(text, func(c rune) bool { return c == utf8.RuneError })
	for at >= 0 {
		// A replacement character that was written as such is valid.
		if _, size := utf8.DecodeRuneInString(text[at:]); size == 1 {
			break
		}
		at += len("\ufffd")
		if n := strings.IndexFunc(text[at:], func(c rune) bool { return c == utf8.RuneError }); n >= 0 {
			at += n
		} else {
			at = -1
		}
	}
	at = max(at, 0)
	r.add(diag.New("E0011", diag.Span{File: file, Start: at, End: at + 1}, "this byte is not UTF-8").WithHelp("save the file as UTF-8"))
	return false
}
