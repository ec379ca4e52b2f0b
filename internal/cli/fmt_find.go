package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// formattedFolders are the folders of a project whose SQL files norn fmt looks after.
var formattedFolders = []string{"models", "tests", "audits"}

// find lists the files that the arguments mean, each once and sorted by name. Without arguments it is the project.
func (f *formatting) find(cmd *cobra.Command, folder string, args []string) error {
	root, err := findProject(folder)
	switch {
	case err == nil:
		f.root = root
	case len(args) == 0:
		return err
	}
	if len(args) == 0 {
		args = []string{root}
	}
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return mistake(cmd, "there is no file or folder %s", arg)
		case err != nil:
			return fmt.Errorf("looking for %s: %w", arg, err)
		case info.IsDir():
			if isProject(arg) {
				err = f.addProject(arg)
			} else {
				err = f.addFolder(arg)
			}
		case !isSQL(arg):
			return mistake(cmd, "%s is not a SQL file", arg)
		default:
			err = f.add(arg)
		}
		if err != nil {
			return err
		}
	}
	slices.SortFunc(f.files, func(a, b *fmtFile) int { return strings.Compare(a.path, b.path) })
	f.files = slices.CompactFunc(f.files, func(a, b *fmtFile) bool { return a.path == b.path })
	return nil
}

func isSQL(name string) bool { return strings.EqualFold(filepath.Ext(name), ".sql") }

func isProject(folder string) bool {
	for _, name := range []string{project.ConfigFile, project.SQLBuildConfigFile} {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			return true
		}
	}
	return false
}

// addProject adds the SQL files of a project. Other files may lie in its folder, such as those under target/, which norn
// writes itself.
func (f *formatting) addProject(root string) error {
	for _, name := range formattedFolders {
		folder := filepath.Join(root, name)
		if _, err := os.Stat(folder); err == nil {
			if err := f.addFolder(folder); err != nil {
				return err
			}
		}
	}
	return nil
}

// addFolder adds the SQL files in a folder and below. Names that start with a dot are skipped, and so are folders that
// start with an underscore: they hold declarations of another language.
func (f *formatting) addFolder(folder string) error {
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch base := d.Name(); {
		case err != nil:
			return err
		case path == folder:
		case d.IsDir() && (base[0] == '.' || base[0] == '_'):
			return fs.SkipDir
		case !d.IsDir() && isSQL(base) && base[0] != '.':
			return f.add(path)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("listing %s: %w", folder, err)
	}
	return nil
}

// add adds one file. A link is followed, so that formatting changes the file and does not replace the link.
func (f *formatting) add(path string) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fmt.Errorf("looking for %s: %w", path, err)
	}
	if real, err = filepath.Abs(real); err != nil {
		return fmt.Errorf("looking for %s: %w", path, err)
	}
	// A pipe is not opened: nobody may write to it.
	if info, err := os.Stat(real); err == nil && !info.Mode().IsRegular() {
		return diag.WithHint(fmt.Errorf("reading %s: it is no plain file", path), "put a file in its place, or remove it (norn explain E0017)")
	}
	name := filepath.ToSlash(path)
	if f.root != "" {
		if below, err := filepath.Rel(f.realRoot(), real); err == nil && filepath.IsLocal(below) {
			name = filepath.ToSlash(below)
		}
	}
	f.files = append(f.files, &fmtFile{name: name, path: real})
	return nil
}

// realRoot is the project's folder without links, as the paths of files are.
func (f *formatting) realRoot() string {
	if f.resolved == "" {
		f.resolved = f.root
		if real, err := filepath.EvalSymlinks(f.root); err == nil {
			f.resolved = real
		}
	}
	return f.resolved
}
