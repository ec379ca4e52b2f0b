package cli

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// newFmtCommand lays SQL files out in one style.
func newFmtCommand(out *invocation) *cobra.Command {
	var flags projectFlags
	var check, showDiff bool
	cmd := &cobra.Command{
		Use:   "fmt [PATH...]",
		Short: "Lay out models, tests and audits in one style",
		Long: `norn fmt changes the white space and the case of keywords of SQL files, header and query, and nothing else. It proves
that the tokens and comments of each file are the same afterwards; a file for which it cannot do so stays as it is.

Without a path it formats models/, tests/ and audits/ of the project. A path is a file or a folder, as seen from the folder
that norn was started in, whatever --project says: that is where the dialect is taken from.`,
		Example: "  norn fmt\n  norn fmt --check\n  norn fmt models/staging --diff",
		RunE: func(cmd *cobra.Command, args []string) error {
			f := &formatting{write: !check && !showDiff, check: check}
			if err := f.find(cmd, flags.folder, args); err != nil {
				return err
			}
			if err := f.run(cmd.Context()); err != nil {
				return err
			}
			return f.report(out, showDiff)
		},
	}
	cmd.Flags().StringVarP(&flags.folder, "project", "p", ".", "folder of the project, or one inside it")
	cmd.Flags().BoolVar(&check, "check", false, "change no file; exit with 1 when one would change")
	cmd.Flags().BoolVar(&showDiff, "diff", false, "change no file; show what would change")
	return cmd
}

// The ends of a file in norn fmt.
const (
	fmtFormatted = "formatted"    // written
	fmtWould     = "would_format" // it would change, but --check or --diff was given
	fmtUnchanged = "unchanged"
	fmtRefused   = "refused"  // it has a mistake in its syntax
	fmtUnsafe    = "unsafe"   // the result could not be proved to be the same
	fmtTemplate  = "template" // a generic audit whose placeholders stand where no query can have them
	fmtMacros    = "macros"   // it is a query only with what its macros write
	fmtUnread    = "unread"   // its project says that norn need not read it, as by sql_analysis false
)

// formatting is one run of norn fmt.
type formatting struct {
	root     string // the project's folder; "" where there is none
	resolved string // the same without links
	files    []*fmtFile
	write    bool // change the files
	check    bool // a file that would change is a problem
	dialect  *sql.Dialect
	started  time.Time
}

// A fmtFile is a file and what became of it.
type fmtFile struct {
	name     string // as people see it: below the project where there is one
	path     string // as the system finds it
	status   string
	before   string
	after    string
	problems []*diag.Problem
	why      string // of an unread file: why norn need not read it
}

// run formats all files on every processor. A file is independent of all others, so their order does not matter.
func (f *formatting) run(ctx context.Context) error {
	f.started = time.Now()
	f.dialect = sql.DuckDB()
	if f.root != "" {
		f.dialect = project.DialectOf(os.DirFS(f.root), project.Options{Env: os.LookupEnv})
	}
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	const batch = 16 // a goroutine per file would cost as much as formatting it
	for start := 0; start < len(f.files); start += batch {
		part := f.files[start:min(start+batch, len(f.files))]
		g.Go(func() (err error) {
			defer diag.Recover(&err)
			for _, file := range part {
				if inner.Err() != nil {
					return inner.Err()
				}
				if err := f.format(inner, file); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return f.interrupted(err)
	}
	if err := f.explainRefused(ctx); err != nil {
		return f.interrupted(err)
	}
	return nil
}

// interrupted says how far an interrupted run came. Other errors stay what they are.
func (f *formatting) interrupted(err error) error {
	if !diag.Interrupted(err) {
		return err
	}
	if !f.write {
		return err
	}
	written := 0
	for _, file := range f.files {
		if file.status == fmtFormatted {
			written++
		}
	}
	return stoppedAfter(err, fmt.Sprintf("%d of %s were changed, each of them whole", written, count(len(f.files), "file")), "norn fmt goes on from here")
}

// format formats one file and writes it whole or not at all.
func (f *formatting) format(ctx context.Context, file *fmtFile) error {
	data, err := os.ReadFile(file.path)
	if err != nil {
		return diag.WithHint(fmt.Errorf("reading %s: %w", file.name, err), "check that the file can be read by you")
	}
	file.before = string(data)
	type laidOut struct {
		text     string
		problems []*diag.Problem
		unsafe   error
	}
	result, err := interruptible(ctx, func() (r laidOut, _ error) {
		r.text, r.problems, r.unsafe = sql.Format(diag.NewFile(file.name, file.before), f.dialect)
		return r, nil
	})
	if err != nil {
		return err
	}
	text, problems, err := result.text, result.problems, result.unsafe
	switch {
	case err != nil:
		file.status = fmtUnsafe
		file.problems = []*diag.Problem{diag.New("E1902", diag.Span{File: diag.NewFile(file.name, file.before)}, "%s was left as it is: %v", file.name, err).
			WithHelp("please report the file: it shows a mistake of norn fmt")}
	case len(problems) > 0 && (strings.HasPrefix(file.name, "audits/generic/") || strings.Contains(file.name, "/audits/generic/") || strings.Contains(file.name, "/_audits/generic/")):
		file.status = fmtTemplate
	case len(problems) > 0:
		file.status, file.problems = fmtRefused, problems
	case text == file.before:
		file.status = fmtUnchanged
	case !f.write:
		file.status, file.after = fmtWould, text
	default:
		file.status, file.after = fmtFormatted, text
		// The new file takes the place of the old one and its permissions.
		if err := writeFile(file.path, []byte(text)); err != nil {
			return diag.WithHint(fmt.Errorf("writing %s: %w", file.name, err), "make the folder writable")
		}
	}
	return nil
}

// explainRefused holds the files that the formatter cannot read to what norn check says of them: the room that reads headers has
// the words for what is wrong with one, and what norn need not read is left alone. Reading the whole project is worth it only now.
func (f *formatting) explainRefused(ctx context.Context) error {
	var told map[string][]*diag.Problem
	var unread, written map[string]string
	for _, file := range f.files {
		if file.status != fmtRefused || f.root == "" {
			continue
		}
		if told == nil {
			var err error
			if told, unread, written, err = f.readProject(ctx); err != nil {
				return err
			}
		}
		problems, why := told[file.name], unread[file.name]
		switch {
		case len(problems) == 0 && why != "":
			file.status, file.why, file.problems = fmtUnread, why, nil
		case len(problems) > 0:
			file.problems = problems
		case written[file.name] != "" && written[file.name] != file.before:
			file.status, file.problems = fmtMacros, nil
		}
	}
	return nil
}

// readProject reads the project. It returns the mistakes of syntax in each file; of each file whose query norn need not read, why;
// and the texts of all queries with their macros written out.
func (f *formatting) readProject(ctx context.Context) (told map[string][]*diag.Problem, unread, written map[string]string, err error) {
	type read struct {
		project  *project.Project
		problems []*diag.Problem
	}
	r, err := interruptible(ctx, func() (r read, err error) {
		r.project, r.problems, err = project.Load(ctx, os.DirFS(f.root), project.Options{Env: os.LookupEnv})
		return r, err
	})
	if err != nil {
		return nil, nil, nil, fmt.Errorf("reading the project in %s: %w", f.root, err)
	}
	told, unread, written = make(map[string][]*diag.Problem), make(map[string]string), make(map[string]string)
	for _, p := range r.problems {
		if syntaxCode(p.Code) && !p.Span.IsZero() {
			told[p.Span.File.Path] = append(told[p.Span.File.Path], p)
		}
	}
	if r.project == nil {
		return told, unread, written, nil
	}
	for _, m := range r.project.Models {
		unread[m.File.Path], written[m.File.Path] = m.Opaque, m.File.Text
	}
	for _, t := range r.project.Tests {
		unread[t.File.Path], written[t.File.Path] = t.Unrun, t.File.Text
	}
	for _, a := range r.project.Audits {
		written[a.File.Path] = a.File.Text
		if len(a.Unrun) > 0 {
			unread[a.File.Path] = a.Unrun[0].Text
		}
	}
	return told, unread, written, nil
}

// syntaxCode tells problems of reading a text from problems of what it means.
func syntaxCode(code string) bool {
	return code == sql.CodeHeader || code == "E0108" || code == "E0011" || strings.HasPrefix(code, "E02")
}

// report says what became of the files.
func (f *formatting) report(out *invocation, showDiff bool) error {
	doc := fmtJSON{Files: []fmtFileJSON{}, Counts: make(map[string]int), Problems: []*diag.Problem{}}
	for _, status := range []string{fmtFormatted, fmtWould, fmtUnchanged, fmtRefused, fmtUnsafe, fmtTemplate, fmtMacros, fmtUnread} {
		doc.Counts[status] = 0
	}
	var changed []string
	for _, file := range f.files {
		doc.Counts[file.status]++
		doc.Problems = append(doc.Problems, file.problems...)
		entry := fmtFileJSON{File: file.name, Status: file.status}
		if file.status == fmtFormatted || file.status == fmtWould {
			changed = append(changed, file.name)
			if showDiff {
				entry.Diff = string(diff.Diff("a/"+file.name, []byte(file.before), "b/"+file.name, []byte(file.after)))
			}
		}
		if !out.json {
			switch {
			case entry.Diff != "":
				fmt.Fprint(out.stdout, entry.Diff)
			case file.status == fmtFormatted || file.status == fmtWould:
				fmt.Fprintln(out.stdout, file.name)
			case file.status == fmtMacros:
				out.Line(line{Label: "left", Cells: []string{file.name + " as it is: it is a query only with what its macros write"}, Took: -1})
			case file.status == fmtUnread:
				out.Line(line{Label: "left", Cells: []string{file.name + " as it is: it is not SQL that norn reads, and " + file.why}, Took: -1})
			}
		}
		doc.Files = append(doc.Files, entry)
	}
	if f.check && len(changed) > 0 {
		doc.Problems = append(doc.Problems, diag.New("E1901", diag.Span{}, "%s not in norn's style: %s", countAre(len(changed), "file"), diag.Listing(changed)).
			WithHelp("norn fmt"))
	}
	diag.Sort(doc.Problems)
	if out.json {
		doc.Timings = map[string]float64{"total": milliseconds(time.Since(f.started))}
		if err := out.JSON(doc); err != nil {
			return err
		}
	} else if !showDiff && len(doc.Problems) == 0 {
		out.Answer("done", "%s formatted, %d unchanged", count(len(changed), "file"), doc.Counts[fmtUnchanged]+doc.Counts[fmtTemplate]+doc.Counts[fmtMacros]+doc.Counts[fmtUnread])
	}
	if len(doc.Problems) > 0 {
		return diag.Problems(doc.Problems)
	}
	return nil
}

func countAre(n int, noun string) string {
	if n == 1 {
		return count(n, noun) + " is"
	}
	return count(n, noun) + " are"
}

// The document of norn fmt --json: docs/formats/fmt-json.md.
type fmtJSON struct {
	Files    []fmtFileJSON      `json:"files"`
	Counts   map[string]int     `json:"counts"`
	Problems []*diag.Problem    `json:"problems"`
	Timings  map[string]float64 `json:"timings_ms"`
}

type fmtFileJSON struct {
	File   string `json:"file"`
	Status string `json:"status"`
	Diff   string `json:"diff,omitempty"`
}
