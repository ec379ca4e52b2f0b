package cli

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/diag"
)

// What an interrupt does. The context of the command ends; the parts that are at work look at it and return. A command that can
// tell how far it came says so with [stoppedAfter]; for all others [untouched] says what they leave as it was. [interruption]
// makes the one line of it, for all commands and for a terminal and a script alike, and [invocation.report] writes it.

// A stopped error is the end of a command that was asked to stop, with what its user has now. It reads like the error in it.
type stopped struct {
	done string // what was done and what was not
	next string // the way on; "" where there is none but to begin again
	err  error
}

func (s *stopped) Error() string { return s.err.Error() }
func (s *stopped) Unwrap() error { return s.err }

// stoppedAfter adds to an error how far the command had come, if it is that of an interrupt. The place nearest to the work knows
// best, so an error that has it keeps its own.
func stoppedAfter(err error, done, next string) error {
	if _, told := errors.AsType[*stopped](err); told || err == nil || !diag.Interrupted(err) {
		return err
	}
	return &stopped{done: done, next: next, err: err}
}

// untouched is what a command that was stopped has not done, by the command's name: those that write do it at their very end and
// whole. Commands that write before their end, and those with more to say, use [stoppedAfter].
var untouched = map[string]string{
	"new":     "no project was made",
	"import":  "no project was made",
	"check":   "nothing was said about the project, and nothing was written",
	"lineage": "nothing was said about the project, and nothing was written",
	"fmt":     "nothing was said about the files, and none was changed",
	"test":    "no test was run, and no table was touched",
	"build":   "no node was built, and all tables are as they were",
	"show":    "no rows were read to their end, and nothing was written",
	"predict": "no prediction was written",
	"fit":     "no context was written",
	"compare": "nothing was compared to its end",
	"rules":   "nothing was said about the rules, and nothing was written",
	"pull":    "the weights are not all here; norn pull goes on from there",

	"new from":      "no project was made",
	"model list":    "nothing was said about the models, and nothing was written",
	"model info":    "nothing was said about the model, and nothing was written",
	"model convert": "no weights were written",
	"bench model":   "nothing was measured to its end",
	"bench graphs":  "nothing was measured to its end",
	"bench stalls":  "nothing was measured to its end",
}

// stoppedCommand adds to the error of a command that was stopped, and did not say how far it came, what it left as it was. Whatever
// fails once the context has ended fails because of that, except for what norn broke.
func stoppedCommand(ctx context.Context, cmd *cobra.Command, err error) error {
	if err == nil || ctx.Err() == nil || exitCode(ctx, err) != ExitInterrupted {
		return err
	}
	if _, told := errors.AsType[*stopped](err); told {
		return err
	}
	if problems, others := split(err); len(others) == 0 {
		// They may be all there is to say, or follow from the interrupt; nobody can tell.
		return &stopped{done: "what is known by now, " + count(len(problems), "problem") + ", was not said", next: "begin again", err: context.Canceled}
	}
	_, name, _ := strings.Cut(cmd.CommandPath(), " ")
	if done, known := untouched[name]; known {
		return &stopped{done: done, err: err}
	}
	return err
}

// grace is how long work that was asked to stop may take to do so by itself before nobody waits for it any more.
const grace = 100 * time.Millisecond

// interruptible does work that only reads and computes, and gives up waiting for it when the context has ended and it has not
// within [grace]. Nearly all of norn looks at the context; what cannot, or not often enough, is the reader of YAML behind
// package project and the one statement, of a hundred thousand columns, that is parsed or bound as a whole.
//
// Who is given up works on until the process ends, which is next. So it must not write: neither files, which would be torn, nor
// to the streams. What is to be written comes back as the value, and is written by who waited.
func interruptible[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() { done <- r }()
		defer diag.Recover(&r.err)
		r.value, r.err = work()
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r.value, r.err
	case <-time.After(grace):
		var none T
		return none, ctx.Err()
	}
}

// reportInterrupted writes the one line, on stderr in every mode: it is for who pressed the keys. A script that asked for JSON has
// it in its document too. Problems that are known by now are left out of both, because more of them may be unknown.
func (out *invocation) reportInterrupted(err error) {
	line := interruption(err)
	out.sentence("interrupted:", line, "")
	if !out.json || out.wrote {
		return
	}
	err = out.JSON(troubleJSON{Problems: []*diag.Problem{}, Error: &trouble{Kind: "interrupted", Message: "interrupted: " + line}})
	if err != nil {
		out.sentence("error:", err.Error(), "")
	}
}

// interruption is what an interrupted command says: what was done and what was not, what it was at, and the way on.
func interruption(err error) string {
	s, told := errors.AsType[*stopped](err)
	if !told {
		s = &stopped{done: "nothing else was started", err: err}
	}
	parts := []string{s.done}
	// The library's name for what happened is left out: the word before the line says it.
	at := strings.TrimRight(strings.TrimSuffix(err.Error(), context.Canceled.Error()), ": ")
	// The text of problems does not say where the command was.
	if problems, _ := split(err); at != "" && len(problems) == 0 {
		parts = append(parts, "stopped while "+at)
	}
	if next := cmp.Or(s.next, diag.Hint(err)); next != "" {
		parts = append(parts, next)
	}
	// It is one line, whatever a driver says.
	return strings.Join(strings.Fields(strings.Join(parts, "; ")), " ")
}
