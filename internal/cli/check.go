package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/analyze/recheck"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/policy"
)

// newCheckCommand says everything that can be known about a project without a database.
func newCheckCommand(out *invocation) *cobra.Command {
	var flags projectFlags
	var sarif string
	var noCache, timings, unanalysed bool
	cmd := &cobra.Command{
		Use:   "check [FOLDER]",
		Short: "Check a project offline: names, types, references, predictions",
		Long: `norn check reads every model of a project and says what is wrong with it, without a database: unknown names with the
nearest right one, types that do not fit, cycles, contracts, and predictions that would learn from their own answer.

What norn does not understand is no problem: it fits everything, and is counted. --unanalysed lists it, with the reasons, and says
which inputs have more columns than norn knows, and how to declare them.

What it said last time is kept in .norn/cache and said again while nothing that was read has changed.`,
		Example: "  norn check\n  norn check --json\n  norn check --sarif norn.sarif",
		Args:    optionalArgument("the folder of a project"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				flags.folder = args[0]
			}
			defer collectLate()()
			c, err := check(cmd.Context(), flags, noCache, out.json || unanalysed)
			if err != nil {
				return err
			}
			if sarif != "" {
				var notes []sarifResult
				if unanalysed {
					notes = sarifUnanalysed(c)
				}
				if err := writeSARIF(sarif, c.Problems, notes...); err != nil {
					return err
				}
			}
			if out.json {
				if err := out.JSON(checkDocument(c)); err != nil {
					return err
				}
			} else if !diag.HasErrors(c.Problems) {
				problems, notes := diag.Divide(c.Problems)
				for _, p := range problems {
					_ = diag.Render(out.stderr, p, out.style())
				}
				text := summed(c.NodeCount, c.ColumnCount, c.Unanalysed, len(problems))
				if c.Unanalysed > 0 && !unanalysed {
					text += " (norn check --unanalysed lists them)"
				}
				out.Answer("checked", "%s", text)
				for _, line := range noted(notes) {
					out.Answer("noted", "%s", line)
				}
			}
			if unanalysed {
				out.sayUnanalysed(c)
			}
			if timings && !out.json {
				how := "computed"
				if c.Replayed {
					how = "nothing changed: said again from .norn/cache"
				}
				out.Line(line{Label: "read", Cells: []string{how}, Took: c.Read})
				out.Line(line{Label: "analyse", Cells: []string{count(c.NodeCount, "node")}, Took: c.Analysed})
			}
			if diag.HasErrors(c.Problems) {
				problems, _ := diag.Divide(c.Problems)
				return diag.Problems(problems)
			}
			return nil
		},
	}
	flags.register(cmd)
	cmd.Flags().StringVar(&sarif, "sarif", "", "also write the problems into this file, as SARIF 2.1.0")
	cmd.Flags().BoolVar(&noCache, "no-cache", false, "neither read nor write .norn/cache")
	cmd.Flags().BoolVar(&unanalysed, "unanalysed", false, "list what norn does not understand, and open inputs; with --sarif also there, as notes")
	cmd.Flags().BoolVar(&timings, "timings", false, "say how long reading and analysing took")
	return cmd
}

// check finds the project and checks it. An interrupt leaves nothing behind, or a whole entry in the cache: its one line says
// which.
func check(ctx context.Context, flags projectFlags, noCache, nodes bool) (*recheck.Outcome, error) {
	root, err := findProject(flags.folder)
	if err != nil {
		return nil, err
	}
	// The entry is stored by who waits for the check and not by the check itself: one that is not waited for writes nothing.
	var store func()
	c, err := interruptible(ctx, func() (*recheck.Outcome, error) {
		return recheck.Run(ctx, root, recheck.Options{Target: flags.target, Vars: flags.vars, Env: os.LookupEnv, Families: families(), NoCache: noCache, Nodes: nodes, Extra: projectRules,
			Store: func(save func()) { store = save }})
	})
	if err == nil && store != nil {
		store()
	}
	if err == nil && ctx.Err() != nil {
		// The interrupt came too late to stop the work and early enough that nothing was printed.
		kept := "norn check says at once what was found"
		if noCache {
			kept = ""
		}
		return nil, &stopped{done: "the project was checked, and nothing was said about it yet", next: kept, err: ctx.Err()}
	}
	if c != nil {
		c.Problems = policy.Merge(c.Problems)
	}
	return c, err
}

// tally is the line that sums up a project that was analysed.
func (w *workspace) tally() string {
	columns, unknown := 0, 0
	for _, m := range w.analysis.Models {
		columns += len(m.Columns)
		unknown += m.Unanalysed
	}
	return summed(len(w.analysis.Models), columns, unknown, len(w.problems))
}

// noted sums up notes, a line for each code: what of the project is not built, and which files are not run.
func noted(notes []*diag.Problem) []string {
	var lines []string
	said := map[string]bool{}
	for _, p := range notes {
		if said[p.Code] {
			continue
		}
		said[p.Code] = true
		var about []string
		for _, q := range notes {
			if q.Code != p.Code {
				continue
			}
			name, _, _ := strings.Cut(q.Message, " is ")
			about = append(about, strings.TrimPrefix(name, "norn has no rules for "))
		}
		what := map[string]string{
			codeUnbuilt: count(len(about), "part") + " of the project understood and not built",
			"E0151":     count(len(about), "file") + " of Python not run",
			"E0152":     count(len(about), "test") + " not run",
			"E0154":     count(len(about), "part") + " of the project without a description",
			"E0153":     count(len(about), "word") + " of [rules] without a rule of norn",
		}[p.Code]
		lines = append(lines, fmt.Sprintf("%s: %s (norn explain %s)", orDefault(what, count(len(about), "note")), diag.Listing(about), p.Code))
	}
	return lines
}

// summed sums up a check: "5 nodes, 31 columns, 0 problems".
func summed(nodes, columns, unknown, problems int) string {
	text := fmt.Sprintf("%s, %s, %s", count(nodes, "node"), count(columns, "column"), count(problems, "problem"))
	if unknown > 0 {
		text += fmt.Sprintf(", %s not analysed", count(unknown, "expression"))
	}
	return text
}

// The document of norn check --json. docs/formats/check-json.md describes it; fields are added, never changed.
type checkJSON struct {
	Project string     `json:"project"`
	Target  string     `json:"target"`
	Models  []nodeJSON `json:"models"`
	Seeds   []nodeJSON `json:"seeds"`
	Sources []nodeJSON `json:"sources"`
	// Functions are those of the project that yield rows.
	Functions []nodeJSON      `json:"functions"`
	Problems  []*diag.Problem `json:"problems"`
	Notes     []*diag.Problem `json:"notes"`
	// Unanalysed is what norn did not understand, and OpenInputs are what has more columns than are known.
	Unanalysed []skipJSON         `json:"unanalysed"`
	OpenInputs []openJSON         `json:"open_inputs"`
	Timings    map[string]float64 `json:"timings_ms"`
}

type nodeJSON struct {
	Name       string       `json:"name"`
	Kind       string       `json:"kind"`
	File       string       `json:"file"`
	Columns    []columnJSON `json:"columns"`
	Upstream   []string     `json:"upstream"`
	Open       bool         `json:"open"` // the node may have more columns than are known
	Unanalysed int          `json:"unanalysed"`
}

type columnJSON struct {
	Name     string `json:"name"`
	Type     string `json:"type"` // "" where it is not known
	Nullable bool   `json:"nullable"`
}

func checkDocument(c *recheck.Outcome) checkJSON {
	doc := checkJSON{Project: c.Project, Target: c.Target, Models: []nodeJSON{}, Seeds: []nodeJSON{}, Sources: []nodeJSON{}, Functions: []nodeJSON{},
		Timings: map[string]float64{"load": milliseconds(c.Read), "analyze": milliseconds(c.Analysed), "total": milliseconds(c.Read + c.Analysed)}}
	doc.Problems, doc.Notes = diag.Divide(c.Problems)
	if doc.Problems == nil {
		doc.Problems = []*diag.Problem{}
	}
	if doc.Notes == nil {
		doc.Notes = []*diag.Problem{}
	}
	doc.Unanalysed, _ = skipsOf(c)
	doc.OpenInputs = openInputs(c)
	for i := range c.Nodes {
		switch node := nodeDocument(&c.Nodes[i]); node.Kind {
		case "source":
			doc.Sources = append(doc.Sources, node)
		case "seed":
			doc.Seeds = append(doc.Seeds, node)
		case "function":
			doc.Functions = append(doc.Functions, node)
		default:
			doc.Models = append(doc.Models, node)
		}
	}
	return doc
}

func nodeDocument(n *recheck.Node) nodeJSON {
	node := nodeJSON{Name: n.Name, Kind: n.Kind, File: n.File, Columns: make([]columnJSON, len(n.Columns)), Upstream: n.Upstream, Open: n.Open, Unanalysed: n.Unanalysed}
	if node.Upstream == nil {
		node.Upstream = []string{}
	}
	for i, c := range n.Columns {
		node.Columns[i] = columnJSON{Name: c.Name, Type: c.Type, Nullable: c.Nullable}
	}
	return node
}
