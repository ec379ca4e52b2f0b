package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/norn-data/norn/internal/diag"
)

// newHelpCommand is cobra's help with norn's manners: an unknown topic is a mistake with the nearest name, not a page.
func newHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show what a command does and takes",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || (found == cmd.Root() && len(rest) > 0) {
				return refuseArguments(cmd.Root(), args)
			}
			// Help of a command lists --help among its flags only once cobra has added it.
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// setHelp makes help one document where documents are asked for: norn help, a command that only has commands below it, and
// --help all come here.
func setHelp(out *invocation, root *cobra.Command) {
	plain := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if !out.json {
			plain(cmd, args)
			return
		}
		if err := out.JSON(helpDocument(cmd)); err != nil {
			out.sentence("error:", err.Error(), "")
		}
	})
}

// The document of norn help --json: docs/formats/small-json.md.
type helpJSON struct {
	Command  string        `json:"command"`
	Usage    string        `json:"usage"`
	Short    string        `json:"short"`
	Long     string        `json:"long"`
	Example  string        `json:"example"`
	Commands []commandJSON `json:"commands"`
	Flags    []flagJSON    `json:"flags"`
}

type commandJSON struct {
	Name  string `json:"name"`
	Short string `json:"short"`
}

type flagJSON struct {
	Name    string `json:"name"`
	Short   string `json:"short"`
	Type    string `json:"type"`
	Default string `json:"default"`
}

// helpDocument is a command's help for programs: completion, editors, wrappers.
func helpDocument(cmd *cobra.Command) helpJSON {
	doc := helpJSON{Command: cmd.CommandPath(), Usage: cmd.UseLine(), Short: cmd.Short, Long: cmd.Long, Example: cmd.Example, Commands: []commandJSON{}, Flags: []flagJSON{}}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			doc.Commands = append(doc.Commands, commandJSON{c.Name(), c.Short})
		}
	}
	add := func(f *pflag.Flag) {
		if !f.Hidden {
			doc.Flags = append(doc.Flags, flagJSON{f.Name, f.Usage, f.Value.Type(), f.DefValue})
		}
	}
	cmd.LocalFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	return doc
}

// allowed says what a flag takes, in words.
func allowed(f *pflag.Flag) string {
	switch f.Name {
	case "members", "rows":
		return "a whole number from 1 on"
	case "splits", "max-rows":
		return "a whole number from 2 on"
	case "threads":
		return "a whole number from 0 on"
	case "vars":
		return "name=value, or a JSON object of texts, numbers and truths"
	case "levels":
		return "a list of numbers between 0 and 1, such as 0.05,0.5,0.95"
	}
	switch f.Value.Type() {
	case "uint64":
		return "a whole number from 0 to 18446744073709551615"
	case "int", "int64":
		return "a whole number"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "duration":
		return "a time, such as 30s or 5m"
	}
	return "a " + f.Value.Type()
}

// flagMistake turns the flag library's words into a mistake with the nearest flag.
func flagMistake(cmd *cobra.Command, err error) error {
	text := err.Error()
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return mistake(cmd, "--%s is %s, not %q", bad.GetFlag().Name, allowed(bad.GetFlag()), bad.GetValue())
	}
	if bad, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return mistake(cmd, "--%s needs a value", bad.GetSpecifiedName())
	}
	m := mistake(cmd, "%s", text)
	name, unknown := strings.CutPrefix(text, "unknown flag: --")
	if !unknown {
		return m
	}
	m.message = cmd.CommandPath() + " has no flag --" + name
	var flags []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, f.Name) })
	if near := diag.Nearest(name, flags); near != "" {
		m.hint = "did you mean --" + near + "?"
	}
	return m
}
