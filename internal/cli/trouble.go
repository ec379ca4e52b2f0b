package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"syscall"

	"github.com/fatih/color"

	"github.com/norn-data/norn/internal/diag"
)

// finish turns what a command returned into output and an exit code. It is the only place that does.
func (out *invocation) finish(ctx context.Context, err error) int {
	code := exitCode(ctx, err)
	if err != nil {
		out.report(code, err)
	}
	// A document or table that did not arrive is a failure even if the work behind it was fine.
	if out.stdout.err != nil && code == ExitFine {
		code = ExitEnvironment
		out.sentence("error:", "writing to standard output: "+out.stdout.err.Error(), "")
	}
	return code
}

// exitCode orders the kinds of trouble by what the caller most needs to know.
func exitCode(ctx context.Context, err error) int {
	if err == nil {
		return ExitFine
	}
	if _, ok := errors.AsType[*diag.Bug](err); ok {
		return ExitBug
	}
	// Whatever failed after the user asked to stop failed because of it: drivers do not always wrap the context's error.
	// A deadline that norn set for itself is not an interruption.
	if ctx.Err() != nil {
		return ExitInterrupted
	}
	if _, ok := errors.AsType[*partlyDone](err); ok {
		return ExitPartly
	}
	if _, ok := errors.AsType[*usageMistake](err); ok {
		return ExitProblems
	}
	if problems, others := split(err); len(problems) > 0 && len(others) == 0 {
		return ExitProblems
	}
	return ExitEnvironment
}

// split takes an error apart into the problems in it and everything else. Joined errors are followed into all of their
// branches; the words wrapped around a problem are dropped, because a problem tells its own place.
func split(err error) (problems []*diag.Problem, others []error) {
	switch e := err.(type) { //nolint:errorlint // it takes the tree of errors apart level by level itself
	case nil:
		return nil, nil
	case *diag.Problem:
		return []*diag.Problem{e}, nil
	case diag.Problems:
		return e, nil
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			p, o := split(inner)
			problems, others = append(problems, p...), append(others, o...)
		}
		return problems, others
	case interface{ Unwrap() error }:
		if problems, others = split(e.Unwrap()); len(problems) > 0 {
			return problems, others
		}
	}
	return nil, []error{err}
}

// A troubleJSON is the document of a run that has no other: docs/formats/problems-json.md.
type troubleJSON struct {
	Problems []*diag.Problem `json:"problems"`
	Error    *trouble        `json:"error,omitempty"`
}

// A trouble is the "error" member of the JSON document: what stopped the run apart from problems.
type trouble struct {
	Kind    string `json:"kind"` // usage, environment, partly_done, interrupted or bug
	Message string `json:"message"`
	Help    string `json:"help"`
}

func (out *invocation) report(code int, err error) {
	if code == ExitInterrupted {
		out.reportInterrupted(err)
		return
	}
	problems, others := split(err)
	diag.Sort(problems)
	if out.json {
		out.reportJSON(code, problems, others)
		return
	}
	for _, p := range problems {
		// The stream keeps the first error of writing itself.
		_ = diag.Render(out.stderr, p, out.style())
	}
	if len(problems) > 0 {
		fmt.Fprintln(out.stderr, summary(problems))
	}
	for _, e := range others {
		out.reportError(code, e)
	}
}

func (out *invocation) reportError(code int, err error) {
	switch code {
	case ExitBug:
		bug, ok := errors.AsType[*diag.Bug](err)
		if !ok {
			out.sentence("error:", err.Error(), diag.Hint(err))
			return
		}
		out.sentence("bug:", bug.Error(), bugHelp)
		fmt.Fprintf(out.stderr, "\n%s %s/%s\n%s", build(), runtime.GOOS, runtime.GOARCH, bug.Stack)
	default:
		out.sentence("error:", err.Error(), hint(err))
	}
}

const bugHelp = "please report it with the lines below; your tables are as they were before this step"

func hint(err error) string {
	if m, ok := errors.AsType[*usageMistake](err); ok {
		return m.hint
	}
	// Whoever opened the file could not know that it is not about the file.
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return "let norn open more files: ulimit -n 1024"
	}
	return diag.Hint(err)
}

func (out *invocation) sentence(label, text, help string) {
	fmt.Fprintf(out.stderr, "%s %s\n", out.stderr.paint(color.FgRed, color.Bold)(label), diag.Visible(text))
	if help != "" {
		fmt.Fprintf(out.stderr, "  %s %s\n", out.stderr.paint(color.FgGreen)("help:"), diag.Visible(help))
	}
}

// style is how problems are painted on stderr.
func (out *invocation) style() diag.Style {
	return diag.Style{
		Code:  out.stderr.paint(color.FgRed, color.Bold),
		Place: out.stderr.paint(color.FgCyan),
		Caret: out.stderr.paint(color.FgRed),
		Help:  out.stderr.paint(color.FgGreen),
	}
}

// summary counts problems: "2 problems in 1 file".
func summary(problems []*diag.Problem) string {
	files := make(map[string]bool)
	for _, p := range problems {
		if !p.Span.IsZero() {
			files[p.Span.File.Path] = true
		}
	}
	text := count(len(problems), "problem")
	if len(files) > 0 {
		text += " in " + count(len(files), "file")
	}
	if _, ok := diag.Explain(problems[0].Code); !ok { // the code is a rule of the project
		return text + "    norn rules " + problems[0].Code
	}
	return text + "    norn explain " + problems[0].Code
}

func (out *invocation) reportJSON(code int, problems []*diag.Problem, others []error) {
	if out.wrote {
		// The command's own document has the problems. What else went wrong must not get lost.
		for _, e := range others {
			out.reportError(code, e)
		}
		return
	}
	doc := troubleJSON{Problems: problems}
	if doc.Problems == nil {
		doc.Problems = []*diag.Problem{}
	}
	if len(others) > 0 {
		var texts []string
		for _, e := range others {
			text := e.Error()
			texts = append(texts, text)
		}
		joined := errors.Join(others...)
		doc.Error = &trouble{Kind: kind(code, joined), Message: strings.Join(texts, "; "), Help: hint(joined)}
		if code == ExitBug {
			doc.Error.Help = bugHelp
		}
	}
	if err := out.JSON(doc); err != nil {
		out.sentence("error:", err.Error(), "")
	}
}

func kind(code int, err error) string {
	if _, ok := errors.AsType[*usageMistake](err); ok {
		return "usage"
	}
	switch code {
	case ExitPartly:
		return "partly_done"
	case ExitBug:
		return "bug"
	}
	return "environment"
}
