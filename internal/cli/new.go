package cli

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/diag"
)

// The project that norn new writes, as it is written. It lies here as a project that runs, so tests can build it in
// place.
//
//go:embed all:template/shop
var templates embed.FS

// newNewCommand writes a project: no questions, no network. The data comes with it.
func newNewCommand(out *invocation) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "new FOLDER",
		Short:   "Write a small project that runs, with its own data",
		Example: "  norn new shop && cd shop && norn build",
		Args:    argumentCount("the name of a folder to make"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return newProject(cmd.Context(), out, args[0])
		},
	}
	cmd.AddCommand(newFromCommand(out))
	return cmd
}

// projectName is what a project may be called: it names the database file and stands in norn.toml.
var projectName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

func newProject(ctx context.Context, out *invocation, folder string) error {
	name := filepath.Base(filepath.Clean(folder))
	if !projectName.MatchString(name) {
		return &usageMistake{
			message: fmt.Sprintf("%q cannot be the name of a project", name),
			hint:    "use letters, digits, _ and -, starting with a letter: norn new shop",
		}
	}
	files, err := templateFiles("template/shop", name)
	if err != nil {
		return err
	}
	if err := writeProject(ctx, folder, files); err != nil {
		return err
	}
	made := tally(files)
	if out.json {
		return out.JSON(made.document(folder, files))
	}
	out.Answer("created", "%s   %s", filepath.ToSlash(filepath.Clean(folder))+"/", made)
	out.Next(fmt.Sprintf("cd %s && norn build", shellWord(filepath.Clean(folder))))
	return nil
}

// A projectFile is one file of a project to be written; Path is relative to it, with slashes.
type projectFile struct {
	Path string
	Text []byte
}

// templateFiles reads an embedded project and gives it a name. The template is a project called shop, so that it runs
// as it lies; only the settings and the title of the README carry the name.
func templateFiles(root, name string) ([]projectFile, error) {
	var files []projectFile
	err := fs.WalkDir(templates, root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(templates, path)
		if err != nil {
			return err
		}
		relative := strings.TrimPrefix(path, root+"/")
		switch relative {
		case "norn.toml":
			text = []byte(strings.NewReplacer(`"shop"`, `"`+name+`"`, `"shop.duckdb"`, `"`+name+`.duckdb"`).Replace(string(text)))
		case "README.md":
			text = []byte(strings.Replace(string(text), "# shop\n", "# "+name+"\n", 1))
		}
		files = append(files, projectFile{Path: relative, Text: text})
		return nil
	})
	return files, err
}

// writeProject makes a folder that holds the files, whole or not at all: everything is written beside it under another
// name, which is then renamed. A folder that exists and is empty is replaced; any other is refused, untouched.
func writeProject(ctx context.Context, folder string, files []projectFile) error {
	folder = filepath.Clean(folder)
	if err := refuseOccupied(folder); err != nil {
		return err
	}
	parent := filepath.Dir(folder)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return writingProject(folder, err)
	}
	draft, err := os.MkdirTemp(parent, "."+filepath.Base(folder)+"-*")
	if err != nil {
		return writingProject(folder, err)
	}
	defer os.RemoveAll(draft) // does nothing once the draft has its name
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return writingProject(folder, err)
		}
		if err := writeDraft(filepath.Join(draft, filepath.FromSlash(f.Path)), f.Text); err != nil {
			return writingProject(folder, err)
		}
	}
	// MkdirTemp makes folders that only their owner may enter; a project is as open as any other folder.
	if err := os.Chmod(draft, 0o755); err != nil {
		return writingProject(folder, err)
	}
	// Not every system renames onto an empty folder. Remove refuses one that has filled up in the meantime.
	if err := os.Remove(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return writingProject(folder, err)
	}
	if err := os.Rename(draft, folder); err != nil {
		return writingProject(folder, err)
	}
	return nil
}

// writeDraft writes and syncs one file of a folder that has no name yet.
func writeDraft(path string, text []byte) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(text); err != nil {
		return err
	}
	return f.Sync()
}

func writingProject(folder string, err error) error {
	err = fmt.Errorf("making the project %s: %w", folder, err)
	if errors.Is(err, fs.ErrPermission) {
		return diag.WithHint(err, "choose a folder you may write to")
	}
	return err
}

// refuseOccupied is what keeps norn new from ever touching somebody's files.
func refuseOccupied(folder string) error {
	entries, err := os.ReadDir(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && len(entries) == 0:
		return nil
	case err == nil:
		return &usageMistake{
			message: fmt.Sprintf("the folder %s exists and is not empty (it has %s)", folder, entries[0].Name()),
			hint:    "choose another name, or remove the folder first",
		}
	}
	if info, statErr := os.Stat(folder); statErr == nil && !info.IsDir() {
		return &usageMistake{message: folder + " is a file", hint: "choose another name"}
	}
	return writingProject(folder, err)
}

// A projectTally counts what a project holds, for the line that announces it.
type projectTally struct {
	Seeds, Models, Predictions int
	Bytes                      int64
}

var predictBlock = regexp.MustCompile(`(?m)^\s*predict\s*\(`)

func tally(files []projectFile) projectTally {
	var t projectTally
	for _, f := range files {
		t.Bytes += int64(len(f.Text))
		switch {
		case strings.HasPrefix(f.Path, "seeds/") && strings.HasSuffix(f.Path, ".csv"):
			t.Seeds++
		case strings.HasPrefix(f.Path, "models/") && predictBlock.Match(f.Text):
			t.Predictions++
		case strings.HasPrefix(f.Path, "models/"):
			t.Models++
		}
	}
	return t
}

func (t projectTally) String() string {
	return fmt.Sprintf("%s, %s, %s (%s)", count(t.Seeds, "seed"), count(t.Models, "model"), count(t.Predictions, "prediction"), size(t.Bytes))
}

// The document of norn new FOLDER --json: docs/formats/small-json.md.
type newJSON struct {
	Folder      string   `json:"folder"`
	Seeds       int      `json:"seeds"`
	Models      int      `json:"models"`
	Predictions int      `json:"predictions"`
	Bytes       int64    `json:"bytes"`
	Files       []string `json:"files"`
}

func (t projectTally) document(folder string, files []projectFile) newJSON {
	doc := newJSON{filepath.ToSlash(filepath.Clean(folder)), t.Seeds, t.Models, t.Predictions, t.Bytes, []string{}}
	for _, f := range files {
		doc.Files = append(doc.Files, f.Path)
	}
	return doc
}

// shellWord quotes a path where a shell would take it apart, so that the suggested command works as it is.
func shellWord(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return !strings.ContainsRune(plainShell, r) && r < 0x80 }) {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

const plainShell = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./+:@%,"
