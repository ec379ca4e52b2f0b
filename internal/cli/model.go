package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// newModelCommand says what can predict here.
func newModelCommand(out *invocation) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "See which models can predict",
		Args:  refuseArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCompareCommand(out))
	cmd.AddCommand(newConvertCommand(out))
	cmd.AddCommand(&cobra.Command{
		Use:   "list",
		Short: "List the models norn knows, and where their weights lie",
		Args:  refuseArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			infos, err := tabular.List(cmd.Context(), places(""))
			if err != nil {
				return err
			}
			return showModels(out, infos)
		},
	}, &cobra.Command{
		Use:     "info NAME|FILE",
		Short:   "Describe a model or a weights file",
		Example: "  norn model info demo\n  norn model info tabicl-classifier-v2-20260212.ckpt",
		Args:    argumentCount("the name of a model or a weights file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			infos, err := tabular.Load(cmd.Context(), args[0], places(""))
			if err != nil {
				return namedWeights(args[0], err)
			}
			if out.json {
				return out.JSON(modelsDocument(infos))
			}
			for i, info := range infos {
				if i > 0 {
					fmt.Fprintln(out.stdout)
				}
				describeModel(out, info)
			}
			return nil
		},
	})
	return cmd
}

func describeModel(out *invocation, info tabular.Info) {
	field := func(label, value string) {
		if value != "" {
			fmt.Fprintf(out.stdout, "%-12s%s\n", label, value)
		}
	}
	field("name", info.Name)
	field("family", info.Family)
	field("task", taskText(info))
	field("parameters", thousands(info.Parameters))
	field("size", size(info.Bytes))
	field("licence", info.Licence)
	field("where", info.Where)
	field("sha256", info.Digest)
	field("content", info.Content)
	field("note", info.Note)
}

func taskText(info tabular.Info) string {
	if info.Task == tabular.Classification {
		return fmt.Sprintf("classification, %d classes at once, up to %s by %s", info.MaxClasses, thousands(int64(info.MostClasses)), info.ManyClasses)
	}
	return fmt.Sprintf("regression, %d quantiles", info.Quantiles)
}

// thousands writes a count with separators, so that 27552258 reads as 27,552,258.
func thousands(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

func showModels(out *invocation, infos []tabular.Info) error {
	if out.json {
		return out.JSON(modelsDocument(infos))
	}
	names := []string{"name", "task", "parameters", "size", "licence", "where"}
	columns := make([]*frame.Column, len(names))
	for i, name := range names {
		columns[i] = &frame.Column{Field: frame.Field{Name: name, Kind: frame.Text, Type: " "}}
	}
	for _, info := range infos {
		bytes := ""
		if info.Bytes > 0 {
			bytes = size(info.Bytes)
		}
		for i, text := range []string{info.Name, string(info.Task), thousands(info.Parameters), bytes, info.Licence, info.Where} {
			columns[i].Texts = append(columns[i].Texts, text)
		}
	}
	table, err := frame.New(len(infos), columns...)
	if err != nil {
		return err
	}
	out.Table(table, len(infos))
	return nil
}

// The document of norn model list and info --json: docs/formats/model-json.md.
type modelsJSON struct {
	Models []modelInfoJSON `json:"models"`
}

type modelInfoJSON struct {
	Name       string `json:"name"`
	Family     string `json:"family"`
	Task       string `json:"task"`
	Parameters int64  `json:"parameters"`
	Bytes      int64  `json:"bytes"` // 0 where the weights are not on this machine
	Licence    string `json:"licence"`
	Where      string `json:"where"`
	SHA256     string `json:"sha256"`  // "" where the file was not read
	Content    string `json:"content"` // the same of what the file says; "" in a list
	MaxClasses int    `json:"max_classes"`
	Quantiles  int    `json:"quantiles"`
	Note       string `json:"note"`
}

func modelsDocument(infos []tabular.Info) modelsJSON {
	doc := modelsJSON{Models: []modelInfoJSON{}}
	for _, i := range infos {
		doc.Models = append(doc.Models, modelInfoJSON{i.Name, i.Family, string(i.Task), i.Parameters, i.Bytes, i.Licence, i.Where, i.Digest, i.Content, i.MaxClasses, i.Quantiles, i.Note})
	}
	return doc
}
