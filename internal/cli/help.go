package cli

import (
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

// flagMistake turns the flag library's words into a mistake with the nearest flag.
func flagMistake(cmd *cobra.Command, err error) error {
	text := err.Error()
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
