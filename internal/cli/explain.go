package cli

import (
	"fmt"
	"strings"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/diag"
)

// newExplainCommand shows the page of a code, or the list of all codes. A page has a wrong and a right example, both of
// which a test runs through the compiler.
func newExplainCommand(out *invocation) *cobra.Command {
	return &cobra.Command{
		Use:   "explain [CODE]",
		Short: "Explain a problem code, or list them all",
		Example: `  norn explain          list all codes
  norn explain E1003    what it means, a wrong and a right example`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return mistake(cmd, "norn explain takes one code, but was also given %s", strings.Join(args[1:], " "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listCodes(out)
			}
			page, ok := diag.Explain(args[0])
			if !ok {
				return unknownCode(cmd, args[0])
			}
			if out.json {
				return out.JSON(pageDocument{Code: page.Code, Title: page.Title, Text: page.Text})
			}
			fmt.Fprint(out.stdout, strings.TrimRight(page.Text, "\n")+"\n")
			return nil
		},
	}
}

// The document of norn explain --json without a code.
type codesJSON struct {
	Codes []pageDocument `json:"codes"`
}

// The document of norn explain CODE --json: docs/formats/small-json.md.
type pageDocument struct {
	Code  string `json:"code"`
	Title string `json:"title"`
	Text  string `json:"text,omitempty"`
}

func listCodes(out *invocation) error {
	codes := diag.Codes()
	pages := make([]pageDocument, len(codes))
	width := 0
	for i, code := range codes {
		page, ok := diag.Explain(code)
		diag.Assert(ok, "code %s is listed but has no page", code)
		pages[i] = pageDocument{Code: page.Code, Title: page.Title}
		width = max(width, len(page.Code))
	}
	if out.json {
		return out.JSON(codesJSON{pages})
	}
	bold := out.stdout.paint(color.Bold)
	for _, p := range pages {
		fmt.Fprintf(out.stdout, "%s  %s\n", bold(pad(p.Code, width)), p.Title)
	}
	return nil
}

// unknownCode suggests a code that differs in one digit; numbers have no other kind of nearness.
func unknownCode(cmd *cobra.Command, code string) error {
	m := mistake(cmd, "there is no code %s", code)
	m.hint = "norn explain lists all codes"
	if near := diag.Nearest(code, diag.Codes()); near != "" {
		m.hint = "did you mean norn explain " + near + "?"
	}
	return m
}
