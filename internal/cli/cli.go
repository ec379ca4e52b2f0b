// Package cli is the command line: commands, flags and everything a person or a script gets to see. It is the only room
// that writes to standard output and the only one that names adapters.
//
// One run of norn is one [Run]. It makes an invocation, which carries the two streams, the colours and the --json flag
// to the command, and it is the one boundary where trouble becomes output. A command returns what happened as an error
// and never prints it itself:
//
//   - [diag.Problem] and [diag.Problems], what the user wrote: drawn with carets on stderr, exit code 1;
//   - any other error, what the world did: one sentence on stderr with its hint, exit code 3;
//   - [diag.Bug] and panics, what norn broke: the stack and a request for a report, exit code 70;
//   - a context that ended: one line on stderr, with --json too, exit code 130 (interrupt.go).
//
// With --json the same becomes one document on stdout and nothing else goes there. Invariants: stdout carries answers
// only, in a stable order; progress, hints and trouble go to stderr; one invocation writes at most one JSON document.
package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/diag"
)

// The exit codes. They are part of norn's contract with scripts and never change their meaning.
const (
	ExitFine        = 0   // everything asked for was done
	ExitProblems    = 1   // what the user wrote has errors; nothing, or nothing wrong, was published
	ExitPartly      = 2   // some of what was asked for was done
	ExitEnvironment = 3   // the world did not let norn do it: disk, lock, network
	ExitBug         = 70  // norn broke one of its own promises
	ExitInterrupted = 130 // Ctrl-C, or the signal that means the same
)

// Streams are where an invocation writes. Colours and widths are found out from them: a stream that is not a terminal
// gets plain text.
type Streams struct {
	Stdout, Stderr io.Writer
}

// Run executes one command line, without the program's name, and returns the exit code of the process.
func Run(ctx context.Context, args []string, streams Streams) int {
	out := newInvocation(streams, wantsJSON(args))
	err := execute(ctx, out, args)
	return out.finish(ctx, err)
}

// wantsJSON looks for --json before cobra does, so that a mistake in the flags is told in JSON too.
func wantsJSON(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.ContainsFunc(args, func(a string) bool { return a == "--json" || a == "--json=true" })
}

// execute runs the command and recovers what norn broke: this is the outermost boundary of the process.
func execute(ctx context.Context, out *invocation, args []string) (err error) {
	defer diag.Recover(&err)
	root := newRoot(out)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	return stoppedCommand(ctx, cmd, err)
}

// newRoot lists the commands. Adding one is one line here and a file of its own.
func newRoot(out *invocation) *cobra.Command {
	var asked bool // --version, which people try first
	root := &cobra.Command{
		Use:   "norn",
		Short: "SQL models become tables, tables with gaps become predictions",
		Long: `norn turns a folder of SQL models into tables, and tables with gaps into predictions.

Start with:  norn new shop && cd shop && norn build`,
		Args: refuseArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asked {
				return sayVersion(out)
			}
			return cmd.Help()
		},
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	root.PersistentFlags().BoolVar(&out.json, "json", out.json, "print one JSON document on stdout")
	root.Flags().BoolVar(&asked, "version", false, "say which norn this is")
	root.SetOut(out.stdout)
	root.SetErr(out.stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return flagMistake(cmd, err) })

	root.AddCommand(newNewCommand(out))
	root.AddCommand(newImportCommand(out))
	root.AddCommand(newCheckCommand(out))
	root.AddCommand(newLineageCommand(out))
	root.AddCommand(newFmtCommand(out))
	root.AddCommand(newTestCommand(out))
	root.AddCommand(newBuildCommand(out))
	root.AddCommand(newShowCommand(out))
	root.AddCommand(newPredictCommand(out))
	root.AddCommand(newFitCommand(out))
	root.AddCommand(newModelCommand(out))
	root.AddCommand(newPullCommand(out))
	root.AddCommand(newRulesCommand(out))
	root.AddCommand(newExplainCommand(out))
	root.AddCommand(newBenchCommand(out))
	explainCompiles(out, root)
	root.AddCommand(newVersionCommand(out))
	root.SetHelpCommand(newHelpCommand())
	setHelp(out, root)
	return root
}

// refuseArguments stands on commands that take none. On the root it is the unknown command.
func refuseArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !cmd.HasSubCommands() {
		return mistake(cmd, "%s takes no arguments, but was given %s", cmd.CommandPath(), strings.Join(args, " "))
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	m := mistake(cmd, "unknown command %q", args[0])
	if near := diag.Nearest(args[0], names); near != "" {
		m.hint = fmt.Sprintf("did you mean %s %s?", cmd.CommandPath(), near)
	}
	return m
}

// argumentCount is the cobra check for commands with a fixed number of arguments, in norn's words. The names are those
// of the usage line.
func argumentCount(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return mistake(cmd, "%s needs %s", cmd.CommandPath(), names[len(args)])
		case len(args) > len(names):
			return mistake(cmd, "%s takes %s only, but was also given %s",
				cmd.CommandPath(), strings.Join(names, " and "), strings.Join(args[len(names):], " "))
		}
		return nil
	}
}

// optionalArgument is the cobra check for commands that take one argument or none, in norn's words.
func optionalArgument(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return mistake(cmd, "%s takes %s only, but was also given %s", cmd.CommandPath(), name, strings.Join(args[1:], " "))
		}
		return nil
	}
}

// A usageMistake is a command line that norn cannot read: what the user wrote, though not in a file, so exit code 1.
type usageMistake struct {
	message, hint string
}

func (m *usageMistake) Error() string { return m.message }

// mistake says what is wrong with a command line; without a better idea the hint is the command's help.
func mistake(cmd *cobra.Command, format string, args ...any) *usageMistake {
	return &usageMistake{message: fmt.Sprintf(format, args...), hint: helpFor(cmd)}
}

func helpFor(cmd *cobra.Command) string { return cmd.CommandPath() + " --help" }

// partlyDone marks an error after which part of what was asked for stands: exit code 2.
type partlyDone struct{ err error }

func (p *partlyDone) Error() string { return p.err.Error() }
func (p *partlyDone) Unwrap() error { return p.err }
