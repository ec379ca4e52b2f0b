package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/project/dbt"
)

// newImportCommand takes over a project of another tool.
func newImportCommand(out *invocation) *cobra.Command {
	var into string
	var whole bool
	var vars map[string]string
	cmd := &cobra.Command{
		Use:   "import FOLDER --into NEW",
		Short: "Write a norn project from a dbt project, and list what needs a hand",
		Long: `norn import reads a dbt project without running it and writes a norn project: models, seeds, sources, tests. A model in which
Jinja only names things (ref, source, config, var, comments) is taken over with its layout and comments; a model that needs Jinja
is left as a whole and listed with the place, the reason and what to do. What was left is also in NEW/IMPORT.md.

The dbt project is not changed. NEW appears whole or not at all. The exit code is 2 when something was left.`,
		Example: "  norn import jaffle_shop --into shop\n  norn import . --into ../shop --var start_date=2024-01-01",
		Args:    argumentCount("the folder of a dbt project"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if into == "" {
				m := mistake(cmd, "norn import needs the folder to make")
				m.hint = fmt.Sprintf("norn import %s --into NEW", shellWord(args[0]))
				return m
			}
			return importProject(cmd.Context(), out, args[0], into, whole, vars)
		},
	}
	cmd.Flags().StringVar(&into, "into", "", "folder to make (required)")
	cmd.Flags().BoolVar(&whole, "whole", false, "write nothing when anything has to be left")
	cmd.Flags().StringToStringVar(&vars, "var", nil, "value of a variable of dbt, name=value (repeatable)")
	return cmd
}

// importProject reads the dbt project, writes the new one, and says how far it came.
func importProject(ctx context.Context, out *invocation, folder, into string, whole bool, vars map[string]string) error {
	if err := refuseOthers(folder); err != nil {
		return err
	}
	if err := refuseOccupied(filepath.Clean(into)); err != nil {
		return err
	}
	if err := refuseInside(folder, into); err != nil {
		return err
	}
	start := time.Now()
	read, err := interruptible(ctx, func() (*dbt.Import, error) { return dbt.Read(ctx, os.DirFS(folder), dbt.Options{Vars: vars}) })
	if err != nil {
		return fmt.Errorf("reading the dbt project in %s: %w", folder, err)
	}
	if len(read.Problems) > 0 {
		return diag.Problems(read.Problems)
	}
	left := read.Troubles()
	if whole && len(left) > 0 {
		return diag.Problems(left)
	}
	var files []projectFile
	for _, f := range read.Files {
		files = append(files, projectFile{Path: f.Path, Text: f.Text})
	}
	if len(left)+len(read.Notes) > 0 {
		files = append(files, projectFile{Path: dbt.ReportFile, Text: []byte(read.Report())})
	}
	if err := writeProject(ctx, into, files); err != nil {
		return err
	}
	doc := importDocument(read, folder, into)
	doc.Timings["import"] = milliseconds(time.Since(start))
	w, err := openWorkspace(ctx, projectFlags{folder: into})
	if err != nil {
		return stoppedAfter(err, "the project in "+into+" was made, and not checked", "norn check "+shellWord(into))
	}
	for _, p := range w.problems {
		if p.Severity == diag.Error {
			doc.Check.Errors++
		} else {
			doc.Check.Warnings++
		}
	}
	doc.Timings["check"] = milliseconds(w.loaded + w.analysed)
	if out.json {
		if err := out.JSON(doc); err != nil {
			return err
		}
	}
	out.imported(read, into, doc, left)
	if len(left) > 0 {
		return &partlyDone{diag.Problems(firstLeft(read, left))}
	}
	return nil
}

// refuseOthers answers who points at a project that needs no import.
func refuseOthers(folder string) error {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return &usageMistake{message: fmt.Sprintf("there is no folder %s", folder), hint: "norn import FOLDER --into NEW"}
	}
	root := os.DirFS(folder)
	if ok, err := dbt.IsProject(root); ok || err != nil {
		return err
	}
	for name, what := range map[string]string{project.SQLBuildConfigFile: "a SQLBuild project, which norn reads as it is", project.ConfigFile: "a norn project already"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			return &usageMistake{message: fmt.Sprintf("%s is %s: there is nothing to import", folder, what), hint: "norn check -p " + shellWord(filepath.Clean(folder))}
		}
	}
	return nil
}

// refuseInside keeps the new project out of the folder of the dbt project, which is not to be changed: dbt would read the new
// files too.
func refuseInside(folder, into string) error {
	outer, err := realPath(folder)
	if err != nil {
		return err
	}
	inner, err := realPath(into)
	if err != nil {
		return err
	}
	if below, err := filepath.Rel(outer, inner); err == nil && filepath.IsLocal(below) {
		return &usageMistake{message: fmt.Sprintf("%s is inside of the dbt project %s, which stays as it is", into, folder),
			hint: "name a folder beside it: --into " + shellWord(filepath.Join(filepath.Dir(outer), filepath.Base(inner)))}
	}
	return nil
}

// realPath is a path in full without links. Its last parts need not exist.
func realPath(path string) (string, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("finding %s: %w", path, err)
	}
	for at, rest := full, ""; ; at, rest = filepath.Dir(at), filepath.Join(filepath.Base(at), rest) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest), nil
		}
		if filepath.Dir(at) == at {
			return full, nil
		}
	}
}

// firstLeft is what is drawn of what was left.
func firstLeft(read *dbt.Import, left []*diag.Problem) []*diag.Problem {
	if first := read.First(shownLeft); len(first) > 0 {
		return first
	}
	return left[:min(len(left), shownLeft)]
}

// shownLeft bounds what is drawn on the terminal; the rest is in the report.
const shownLeft = 20

// imported says what was made.
func (out *invocation) imported(read *dbt.Import, into string, doc importJSON, left []*diag.Problem) {
	c := read.Converted
	counts := []string{count(c.Models, "model"), count(c.Seeds, "seed"), count(c.Sources, "source"), count(c.Audits+c.Singular, "audit"), count(c.Tests, "test")}
	into = filepath.Clean(into)
	out.Answer("created", "%s   %s", filepath.ToSlash(into)+"/", strings.Join(counts, ", "))
	report := filepath.ToSlash(filepath.Join(into, dbt.ReportFile))
	if len(left) > 0 {
		out.Answer("left", "%s", read.Summary())
		out.Answer("", "what it is, why, and what to do: %s", report)
		if shown := len(firstLeft(read, left)); shown < len(left) {
			out.Answer("", "the problems drawn are %d of %d; all of them stand there", shown, len(left))
		}
	}
	if len(read.Notes) > 0 {
		out.Answer("notes", "%s dropped or changed: %s", count(len(read.Notes), "setting"), report)
	}
	if doc.Check.Errors+doc.Check.Warnings == 0 {
		out.Answer("check", "no problems")
		out.Next("cd " + shellWord(into) + " && norn build")
		return
	}
	out.Answer("check", "%s, %s in the new project", count(doc.Check.Errors, "error"), count(doc.Check.Warnings, "warning"))
	out.Next("norn check -p " + shellWord(into))
}

// The document of norn import --json: docs/formats/import-json.md.
type importJSON struct {
	Project   string             `json:"project"`
	From      string             `json:"from"`
	Into      string             `json:"into"`
	Files     []string           `json:"files"`
	Converted map[string]int     `json:"converted"`
	Left      []leftJSON         `json:"left"`
	Notes     []noteJSON         `json:"notes"`
	Check     importCheckJSON    `json:"check"`
	Problems  []*diag.Problem    `json:"problems"`
	Timings   map[string]float64 `json:"timings_ms"`
}

type leftJSON struct {
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Reason string `json:"reason"`
	Help   string `json:"help"`
	Header string `json:"header"`
}

type noteJSON struct {
	Text   string `json:"text"`
	Places int    `json:"places"`
	File   string `json:"file"`
	Line   int    `json:"line"`
}

type importCheckJSON struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
}

func importDocument(read *dbt.Import, folder, into string) importJSON {
	c := read.Converted
	doc := importJSON{Project: read.Name, From: filepath.ToSlash(filepath.Clean(folder)), Into: filepath.ToSlash(filepath.Clean(into)),
		Files: []string{}, Left: []leftJSON{}, Notes: []noteJSON{}, Problems: read.Troubles(), Timings: map[string]float64{},
		Converted: map[string]int{"models": c.Models, "seeds": c.Seeds, "sources": c.Sources, "audits": c.Audits, "singular_audits": c.Singular, "tests": c.Tests}}
	if doc.Problems == nil {
		doc.Problems = []*diag.Problem{}
	}
	for _, f := range read.Files {
		doc.Files = append(doc.Files, f.Path)
	}
	for _, l := range read.Left {
		p := l.Problem
		doc.Left = append(doc.Left, leftJSON{l.Kind, l.Name, p.Span.File.Path, p.Span.Begin().Line, l.Reason, p.Help, l.Header})
	}
	for _, n := range read.Notes {
		doc.Notes = append(doc.Notes, noteJSON{n.Text, n.Places, n.First.File.Path, n.First.Begin().Line})
	}
	return doc
}
