package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
)

// newCheckCommand says everything that can be known about a project without a database.
func newCheckCommand(out *invocation) *cobra.Command {
	var flags projectFlags
	cmd := &cobra.Command{
		Use:   "check [FOLDER]",
		Short: "Check a project offline: names, types, references, predictions",
		Long: `norn check reads every model of a project and says what is wrong with it, without a database: unknown names with the
nearest right one, types that do not fit, cycles, contracts, and predictions that would learn from their own answer.`,
		Example: "  norn check\n  norn check --json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				flags.folder = args[0]
			}
			w, err := openWorkspace(cmd.Context(), flags)
			if err != nil {
				return err
			}
			if out.json {
				if err := out.JSON(checkDocument(w)); err != nil {
					return err
				}
			} else if !diag.HasErrors(w.problems) {
				for _, p := range w.problems {
					_ = diag.Render(out.stderr, p, out.style())
				}
				out.Answer("checked", "%s", w.tally())
			}
			return w.refuse()
		},
	}
	flags.register(cmd)
	return cmd
}

// tally is the line that sums up a project: "5 nodes, 31 columns, 0 problems".
func (w *workspace) tally() string {
	nodes, columns, unknown := 0, 0, 0
	if w.analysis != nil {
		for _, m := range w.analysis.Models {
			nodes++
			columns += len(m.Columns)
			unknown += m.Unanalysed
		}
	}
	text := fmt.Sprintf("%s, %s, %s", count(nodes, "node"), count(columns, "column"), count(len(w.problems), "problem"))
	if unknown > 0 {
		text += fmt.Sprintf(", %s not analysed", count(unknown, "expression"))
	}
	return text
}

// The document of norn check --json. docs/formats/check-json.md describes it; fields are added, never changed.
type checkJSON struct {
	Project  string             `json:"project"`
	Target   string             `json:"target"`
	Models   []nodeJSON         `json:"models"`
	Seeds    []nodeJSON         `json:"seeds"`
	Sources  []nodeJSON         `json:"sources"`
	Problems []*diag.Problem    `json:"problems"`
	Timings  map[string]float64 `json:"timings_ms"`
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

func checkDocument(w *workspace) checkJSON {
	doc := checkJSON{Models: []nodeJSON{}, Seeds: []nodeJSON{}, Sources: []nodeJSON{}, Problems: w.problems, Timings: map[string]float64{
		"load": milliseconds(w.loaded), "analyze": milliseconds(w.analysed), "total": milliseconds(w.loaded + w.analysed),
	}}
	if doc.Problems == nil {
		doc.Problems = []*diag.Problem{}
	}
	if w.project == nil {
		return doc
	}
	doc.Project = w.project.Name
	if w.project.Target != nil {
		doc.Target = w.project.Target.Name
	}
	for _, m := range w.analysis.Models {
		node := nodeDocument(m)
		switch m.Kind {
		case "source":
			doc.Sources = append(doc.Sources, node)
		case "seed":
			doc.Seeds = append(doc.Seeds, node)
		default:
			doc.Models = append(doc.Models, node)
		}
	}
	return doc
}

func nodeDocument(m *analyze.Model) nodeJSON {
	node := nodeJSON{Name: m.Name, Kind: m.Kind, File: m.File, Columns: []columnJSON{}, Upstream: m.Upstream, Open: m.Open, Unanalysed: m.Unanalysed}
	if node.Upstream == nil {
		node.Upstream = []string{}
	}
	for _, c := range m.Columns {
		node.Columns = append(node.Columns, columnJSON{Name: c.Name, Type: c.Type, Nullable: c.Nullable})
	}
	return node
}
