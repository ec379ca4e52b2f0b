package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/analyze/recheck"
	"github.com/norn-data/norn/internal/analyze/rules"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/policy"
	"github.com/norn-data/norn/internal/project"
)

// projectRules runs the rules of the project itself beside the analysis: see package policy.
func projectRules(ctx context.Context, _ fs.FS, p *project.Project) (recheck.Hook, error) {
	r, err := policy.New(ctx, p)
	if err != nil {
		return recheck.Hook{}, fmt.Errorf("loading the rules of the project: %w", err)
	}
	if !r.Any() {
		return recheck.Hook{}, nil
	}
	return recheck.Hook{Key: r.Key(), Model: r.Model, Project: r.Project}, nil
}

// newRulesCommand lists rules, those of norn and those of the project, and says of each whether it is on.
func newRulesCommand(out *invocation) *cobra.Command {
	var flags projectFlags
	cmd := &cobra.Command{
		Use:   "rules [RULE]",
		Short: "List the rules about SQL and those of the project, or show one",
		Long: `norn rules lists the rules that norn check applies: those that come with norn, and those that the project has written in
rules/*.star. [rules] in norn.toml turns rules on and off and makes their findings errors.`,
		Example: "  norn rules          list all rules\n  norn rules R004     what it finds, a wrong and a right example\n  norn rules naming   what a rule of the project says about itself",
		Args:    optionalArgument("one rule"),
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := interruptible(cmd.Context(), func() ([]ruleJSON, error) { return listRules(cmd.Context(), flags) })
			if err != nil {
				return err
			}
			if len(args) == 1 {
				return showRule(cmd, out, list, args[0])
			}
			if out.json {
				return out.JSON(rulesJSON{Rules: list})
			}
			width := 0
			for _, r := range list {
				width = max(width, len(r.Name))
			}
			bold := out.stdout.paint(color.Bold)
			for _, r := range list {
				fmt.Fprintf(out.stdout, "%s  %s  %s\n", bold(pad(r.Name, width)), pad(r.State, len("warning")), r.About)
			}
			return nil
		},
	}
	flags.register(cmd)
	return cmd
}

// The document of norn rules --json: docs/formats/rules-json.md.
type rulesJSON struct {
	Rules []ruleJSON `json:"rules"`
}

type ruleJSON struct {
	Name  string `json:"name"`
	State string `json:"state"` // off, warning or error
	About string `json:"about"`
	Path  string `json:"path"` // of a rule of the project; "" for the others
}

// listRules are all rules, first those of norn. Outside of a project there are only these, as they are by default.
func listRules(ctx context.Context, flags projectFlags) ([]ruleJSON, error) {
	selection, _ := rules.Select(nil, nil)
	var own []policy.Rule
	root, err := findProject(flags.folder)
	var missing *diag.Problem
	switch {
	case err == nil:
		p, problems, err := project.Load(ctx, os.DirFS(root), project.Options{Target: flags.target, Env: os.LookupEnv, NoFingerprints: true})
		if err != nil {
			return nil, fmt.Errorf("reading the project in %s: %w", root, err)
		}
		if p == nil || p.Config == nil {
			return nil, diag.Problems(problems)
		}
		var wrong []*diag.Problem
		if selection, wrong = rules.Selected(p.Config.Rules, p.RuleNames()); len(wrong) > 0 {
			return nil, diag.Problems(wrong)
		}
		r, err := policy.New(ctx, p)
		if err != nil {
			return nil, fmt.Errorf("loading the rules of the project: %w", err)
		}
		if problems := r.Problems(); diag.HasErrors(problems) {
			return nil, diag.Problems(problems)
		}
		own = r.List()
	case !errors.As(err, &missing) || flags.folder != ".":
		return nil, err
	}
	var list []ruleJSON
	for _, r := range rules.All() {
		list = append(list, ruleJSON{Name: r.Code, State: state(selection.On(r.Code), selection.Weight(r.Code)), About: r.Name})
	}
	for _, r := range own {
		list = append(list, ruleJSON{Name: r.Name, State: state(r.On, r.Severity), About: orDefault(r.About, r.Path), Path: r.Path})
	}
	return list, nil
}

func state(on bool, severity diag.Severity) string {
	if !on {
		return "off"
	}
	return severity.String()
}

// showRule shows the page of a rule of norn, or what a rule of the project says about itself.
func showRule(cmd *cobra.Command, out *invocation, list []ruleJSON, name string) error {
	names := make([]string, len(list))
	for i, r := range list {
		names[i] = r.Name
		if !strings.EqualFold(r.Name, name) {
			continue
		}
		if out.json {
			return out.JSON(rulesJSON{Rules: []ruleJSON{r}})
		}
		if page, ok := diag.Explain(r.Name); ok {
			fmt.Fprint(out.stdout, strings.TrimRight(page.Text, "\n")+"\n")
			return nil
		}
		fmt.Fprintf(out.stdout, "%s (%s, %s)\n\n%s\n", r.Name, r.Path, r.State, r.About)
		return nil
	}
	m := mistake(cmd, "there is no rule %s", name)
	m.hint = "norn rules lists all rules"
	if near := diag.Nearest(name, names); near != "" {
		m.hint = "did you mean norn rules " + near + "?"
	}
	return m
}
