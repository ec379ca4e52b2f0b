package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/tabular/kumo"
	"github.com/norn-data/norn/internal/tabular/weights"
	"github.com/norn-data/norn/internal/warehouse/duckdb"
)

// newConvertCommand copies weights into the other container.
func newConvertCommand(out *invocation) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Copy weights between .ckpt, .pt and .safetensors, bit for bit",
		Long: `norn model convert copies every tensor of a weights file, and its config, into a file of the kind that the name of OUT
ends in: .safetensors, or .ckpt, .pt and .pth for a torch file. Nothing is rounded and no type changes. The digest that it
prints is of what the weights say, so it is the same before and after; what was written is read back and compared before
it gets its name.`,
		Example: "  norn model convert tabicl-classifier-v2-20260212.ckpt classifier.safetensors",
		Args:    argumentCount("the weights file to read", "the weights file to write"),
		RunE: func(cmd *cobra.Command, args []string) error {
			write, format := writerFor(args[1])
			if write == nil {
				m := mistake(cmd, "%s does not end as weights do", args[1])
				m.hint = "the endings are .safetensors, .ckpt, .pt and .pth"
				return m
			}
			if duckdb.SameFile(args[0], args[1]) {
				return mistake(cmd, "%s would be written over itself: nothing was written", args[0])
			}
			if _, err := os.Stat(args[1]); !force && !errors.Is(err, fs.ErrNotExist) {
				m := mistake(cmd, "%s is there already: nothing was written", args[1])
				m.hint = "name another file, or write over it with --force"
				return m
			}
			if fitted.IsContextFile(args[0]) {
				m := mistake(cmd, "%s is a context, not weights: nothing was written", args[0])
				m.hint = "norn predict NEW --context " + shellWord(args[0])
				return m
			}
			return convertModel(cmd.Context(), out, args[0], args[1], format, write)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "write over a file that is there")
	return cmd
}

type weightsWriter func(f *os.File, w *weights.File) error

// writerFor is the writer for a file's ending, and the name of what it writes; nil where norn has none.
func writerFor(path string) (weightsWriter, string) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".safetensors":
		return func(f *os.File, w *weights.File) error { return weights.WriteSafetensors(f, w) }, weights.FormatSafetensors
	case ".ckpt", ".pt", ".pth":
		return func(f *os.File, w *weights.File) error { return weights.WriteTorch(f, w) }, weights.FormatTorch
	}
	return nil, ""
}

func convertModel(ctx context.Context, out *invocation, from, to, format string, write weightsWriter) error {
	start := time.Now()
	in, err := tabular.OpenWeights(ctx, from, places(""))
	if err != nil {
		return weightsHint(namedWeights(from, err))
	}
	content, err := in.Digest()
	if err != nil {
		return err
	}
	doc := convertJSON{In: from, Out: to, From: in.Format, To: format, Tensors: len(in.Tensors), Content: content, Notes: []string{}}
	if in, doc.Notes, err = publishedLayout(in, from, to, doc.Notes); err != nil {
		return err
	}
	for _, t := range in.Tensors {
		doc.Numbers += int64(t.Elements())
	}
	if !out.json {
		out.Line(line{Label: "read", Cells: []string{fmt.Sprintf("%s, %s of %s numbers (%s)", from, count(doc.Tensors, "tensor"), thousands(doc.Numbers), in.Format)}, Took: time.Since(start)})
		for _, note := range doc.Notes {
			out.Line(line{Label: "note", Cells: []string{note}, Took: -1})
		}
	}
	start = time.Now()
	if doc.Bytes, err = writeWeights(ctx, in, content, to, write); err != nil {
		return err
	}
	if out.json {
		return out.JSON(doc)
	}
	out.Line(line{Label: "write", Cells: []string{fmt.Sprintf("%s, %s (%s)", to, size(doc.Bytes), format)}, Took: time.Since(start)})
	out.Answer("content", "%s", content)
	return nil
}

// publishedLayout makes of Kumo Tabular weights that become a .pt file what their publisher writes and reads: a bare state
// dict, which has a place for nothing but tensors. Their number of key and value heads for rows that ask stands in no tensor:
// where neither the published sizes nor the new place tells it, the file would be of no use to anybody and is refused. What
// else is lost is said in notes. A .ckpt and a .safetensors file have a place for all of it.
func publishedLayout(in *weights.File, from, to string, notes []string) (*weights.File, []string, error) {
	if ext := strings.ToLower(filepath.Ext(to)); ext != ".pt" && ext != ".pth" || !kumo.Recognises(in) {
		return in, notes, nil
	}
	bare := weights.File{Tensors: in.Tensors, Format: in.Format}
	refuse := func(why string) (*weights.File, []string, error) {
		return nil, nil, &usageMistake{message: fmt.Sprintf("%s cannot be written as %s: %s; nothing was written", from, to, why),
			hint: "write .ckpt or .safetensors, which keep all of it"}
	}
	if in.Config != nil {
		return refuse("a Kumo Tabular .pt file is a bare state dict, which has no place for the config")
	}
	stated, err := tabular.KumoSize(in, from)
	if err != nil {
		return nil, nil, err
	}
	place, named := kumo.SizeOf(to)
	shaped, published := kumo.ShapedLike(&bare)
	switch {
	case named && stated != "" && place != stated:
		return refuse(fmt.Sprintf("it is of the size %s, and the new name or folder says %s", stated, place))
	case !named && !published && stated != "":
		return refuse(fmt.Sprintf("a bare state dict cannot say that it is of the size %s; the word %[1]s in its name or folder could", stated))
	case named && published && shaped != place:
		return refuse(fmt.Sprintf("its tensors are those of the size %s, and the new name or folder says %s", shaped, place))
	}
	if len(in.Metadata) > 1 || len(in.Metadata) == 1 && in.Metadata["kumo_size"] == "" {
		notes = append(notes, "a bare state dict has no place for the metadata of "+from+": it is left out")
	}
	return &bare, notes, nil
}

// weightsHint says what to name instead of what is no one weights file.
func weightsHint(err error) error {
	if several, ok := errors.AsType[*tabular.SeveralFilesError](err); ok {
		return &usageMistake{message: err.Error(), hint: "name one of them: " + strings.Join(several.Choices, ", ")}
	}
	return diag.WithHint(err, "name a .ckpt, .pt or .safetensors file")
}

// writeWeights writes a file whole or not at all, and reads it back before it gets its name.
func writeWeights(ctx context.Context, in *weights.File, content, to string, write weightsWriter) (int64, error) {
	f, err := openOutput(to)
	if err != nil {
		return 0, fmt.Errorf("writing %s: %w", to, err)
	}
	defer f.Discard()
	if !f.Replaceable() {
		return 0, diag.WithHint(fmt.Errorf("writing %s: it is a device or a pipe, and weights are read back before they are kept", to), "name a regular file")
	}
	if err := write(f.File, in); err != nil {
		return 0, fmt.Errorf("writing %s: %w", to, err)
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	back, err := weights.Open(ctx, f.Name())
	if err != nil {
		return 0, fmt.Errorf("reading %s back: %w", to, err)
	}
	got, err := back.Digest()
	if err != nil {
		return 0, fmt.Errorf("reading %s back: %w", to, err)
	}
	diag.Assert(got == content, "%s was written with the content %s, and %s was read", to, got, content)
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if err := f.Publish(); err != nil {
		return 0, fmt.Errorf("writing %s: %w", to, err)
	}
	return info.Size(), nil
}

// The document of norn model convert --json: docs/formats/model-json.md.
type convertJSON struct {
	In      string   `json:"in"`
	Out     string   `json:"out"`
	From    string   `json:"from"`
	To      string   `json:"to"`
	Tensors int      `json:"tensors"`
	Numbers int64    `json:"numbers"`
	Bytes   int64    `json:"bytes"`
	Content string   `json:"content"`
	Notes   []string `json:"notes"`
}
