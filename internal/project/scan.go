package project

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unsafe"

	"github.com/norn-data/norn/internal/diag"
)

// A listing is the files of a project that mean something, each list sorted by path.
type listing struct {
	models, sources, seeds, seedYAML, tests, audits []string
	macros, rules                                   []string
	functions, python                               []string   // of SQLBuild projects
	declared                                        []roleFile // of the same
	links                                           []link
}

// A link is a name in a folder that stands for no plain file: a symbolic link to nowhere or to a folder, a pipe, a device.
type link struct {
	path string
	kind fs.FileMode // fs.ModeSymlink: to nowhere; fs.ModeDir: to a folder; else what it is
}

// report says so. Folders behind links are not read, because the same models would be found twice, or without end. Whoever opens a
// pipe waits for somebody to write to it.
func (l link) report(r *report) {
	at := diag.Span{File: diag.NewFile(l.path, "")}
	switch {
	case l.kind == fs.ModeSymlink:
		r.add(diag.New("E0017", at, "%s is a link that leads nowhere", l.path).WithHelp("mend the link, or remove it"))
	case l.kind == fs.ModeDir:
		r.add(diag.New("E0017", at, "%s is a link to a folder, which is not read", l.path).WithHelp("move the folder here, or link single files"))
	default:
		what := "neither a file nor a folder"
		switch {
		case l.kind&fs.ModeNamedPipe != 0:
			what = "a pipe"
		case l.kind&fs.ModeSocket != 0:
			what = "a socket"
		case l.kind&fs.ModeDevice != 0:
			what = "a device"
		}
		r.add(diag.New("E0017", at, "%s is %s, and only plain files are read", l.path, what).WithHelp("put a file in its place, or remove it"))
	}
}

type projectFolder struct {
	name string
	exts []string
	to   func(l *listing, ext string) *[]string
}

// folders are the folders of a project that norn reads, the extensions that count in them, and where their files go.
var folders = []projectFolder{
	{"models", []string{".sql"}, func(l *listing, _ string) *[]string { return &l.models }},
	{"sources", []string{".yml", ".yaml"}, func(l *listing, _ string) *[]string { return &l.sources }},
	{"seeds", []string{".csv", ".yml", ".yaml"}, func(l *listing, ext string) *[]string {
		if ext == ".csv" {
			return &l.seeds
		}
		return &l.seedYAML
	}},
	{"tests", []string{".sql"}, func(l *listing, _ string) *[]string { return &l.tests }},
	{"audits", []string{".sql"}, func(l *listing, _ string) *[]string { return &l.audits }},
	{"macros", []string{".star"}, func(l *listing, _ string) *[]string { return &l.macros }},
	{"rules", []string{".star"}, func(l *listing, _ string) *[]string { return &l.rules }},
}

// A roleFile is a file that declares something.
type roleFile struct {
	path string
	role role
}

// sqlbuildFolders are what SQLBuild projects have beside folders.
var sqlbuildFolders = []string{"constants", "enums", "schemas", "hooks", "functions", "materializations", "python", "adapters", "providers", "sinks"}

// sort puts a file of a SQLBuild project where it belongs; false where the folder's own extensions decide.
func (l *listing) sort(p, ext string, in role) bool {
	switch {
	case ext == ".py":
		l.python = append(l.python, p)
		if strings.HasPrefix(p, "functions/python/") {
			l.functions = append(l.functions, p)
		}
	case in.path != "" && in.name == "audits" && ext == ".sql":
		l.audits = append(l.audits, p)
	case in.path != "" && in.name != "macros":
		if ext == ".sql" {
			l.declared = append(l.declared, roleFile{p, in})
		}
	case strings.HasPrefix(p, "functions/"):
		if ext == ".sql" {
			l.functions = append(l.functions, p)
		}
	default:
		return in.path != "" && strings.Contains(p, "/"+ownerFolder+"/")
	}
	return true
}

// list walks the folders. Names that start with a dot or an underscore are skipped: the first are editors' and systems'
// files, the second hold what belongs to a tool (_scenario_snapshots), but for the declarations of a SQLBuild project.
func list(ctx context.Context, root fs.FS, sqlbuild bool) (*listing, error) {
	l := &listing{}
	all := folders
	if sqlbuild {
		all = slices.Clone(all)
		for _, name := range sqlbuildFolders {
			all = append(all, projectFolder{name, nil, nil})
		}
	}
	var in role // the walk goes through a folder as a whole
	for _, f := range all {
		err := fs.WalkDir(root, f.name, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				if p == f.name && errors.Is(err, fs.ErrNotExist) {
					return fs.SkipAll
				}
				return err
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if in.path != "" && !strings.HasPrefix(p, in.path+"/") {
				in = role{}
			}
			if sqlbuild && d.IsDir() && in.path == "" {
				if r, ok := roleOf(p, true); ok {
					in = r
				}
			}
			if base := d.Name(); base[0] == '.' || base[0] == '_' && d.IsDir() && !(sqlbuild && (base == ownerFolder || in.path == p)) {
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			kind, ext := d.Type(), strings.ToLower(path.Ext(p))
			if kind&fs.ModeSymlink != 0 {
				info, broken := fs.Stat(root, p)
				switch {
				case broken != nil:
					l.links = append(l.links, link{p, fs.ModeSymlink})
					return nil //nolint:nilerr // a broken link is remembered and told with its name
				case info.IsDir():
					l.links = append(l.links, link{p, fs.ModeDir})
					return nil
				}
				kind = info.Mode().Type()
			}
			if kind&^fs.ModeDir != 0 {
				// Others are nobody's, like files of an extension that means nothing here.
				if ext == ".sql" || ext == ".py" || slices.Contains(f.exts, ext) {
					l.links = append(l.links, link{p, kind})
				}
				return nil
			}
			if sqlbuild && !d.IsDir() && l.sort(p, ext, in) {
				return nil
			}
			if !d.IsDir() && slices.Contains(f.exts, ext) {
				to := f.to(l, ext)
				*to = append(*to, p)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("listing %s: %w", f.name, err)
		}
	}
	return l, nil
}

// stem is a file's name without folder and extension.
func stem(p string) string {
	base := path.Base(p)
	return strings.TrimSuffix(base, path.Ext(base))
}

// maxText bounds a text file (SQL, YAML, TOML). Offsets of the syntax tree have 32 bits, and nobody writes 64 MiB of SQL:
// such a file is data that lies in the wrong folder.
const maxText = 64 << 20

var errTooLarge = errors.New("larger than 64 MiB")

// readText reads a text file whole.
func readText(root fs.FS, p string) (string, error) {
	if r, ok := root.(textReader); ok {
		return r.readText(p)
	}
	f, err := root.Open(p)
	if err != nil {
		return "", err
	}
	defer f.Close()
	size := 0
	if info, err := f.Stat(); err == nil && info.Size() < maxText {
		size = int(info.Size())
	}
	// One byte more than the file tells its end without growing the buffer.
	buf := make([]byte, 0, size+1)
	for {
		n, err := f.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case errors.Is(err, io.EOF):
			// The buffer is not written to any more, so it may become the text without a copy.
			return unsafe.String(unsafe.SliceData(buf), len(buf)), nil
		case err != nil:
			return "", err
		case len(buf) > maxText:
			return "", errTooLarge
		case len(buf) == cap(buf):
			buf = slices.Grow(buf, len(buf)+512)
		}
	}
}
