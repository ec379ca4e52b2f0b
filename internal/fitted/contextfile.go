package fitted

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/tabular/prep"
)

// The format of context files, docs/formats/context.md. A change that an older norn would misread gets a new version.
const (
	fileFormat  = "norn-context"
	fileVersion = "1"
)

// mostMembers is far above any ensemble that is of use.
const mostMembers = 10_000

// noChecksum stands in the file while its checksum is computed.
var noChecksum = strings.Repeat("0", 2*sha256.Size)

// A fileHead is what a context file says about itself, in the metadata of its header.
type fileHead struct {
	Task    tabular.Task
	Rows    int
	Model   fileModel
	Spec    fileSpec
	Columns []fileColumn // the features, then the target
}

// A fileModel names the weights that a context was fitted with. Digest is their SHA-256.
type fileModel struct {
	Name   string `json:"name"`
	Family string `json:"family"`
	Digest string `json:"sha256"`
}

// A fileSpec is what was asked, and every option that an answer depends on. Threads and memory do not, and belong to the
// machine that reads.
type fileSpec struct {
	Target               string            `json:"target"`
	Keys                 []string          `json:"keys"`
	Drop                 []string          `json:"drop"`
	AsOf                 string            `json:"as_of"`
	Members              int               `json:"members"`
	Seed                 uint64            `json:"seed"`
	Precision            tabular.Precision `json:"precision"`
	Levels               []float64         `json:"levels"`
	Norms                []prep.Norm       `json:"norms"`
	FeatureShuffle       prep.Shuffle      `json:"feature_shuffle"`
	ClassShuffle         prep.Shuffle      `json:"class_shuffle"`
	OutlierThreshold     float64           `json:"outlier_threshold"`
	Temperature          float64           `json:"temperature"`
	AverageProbabilities bool              `json:"average_probabilities"`
	Reference            bool              `json:"reference"`
}

// A fileColumn types a column. Its cells are the tensors column.<place>.*.
type fileColumn struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Type    string `json:"type"`
	Missing bool   `json:"missing"` // there is a mask
}

// Write writes the context as one file, from which [Read] makes a context with the same answers to the last bit. The file
// is a safetensors file of the rows that taught, with everything their fit depends on; it holds no weights and no code.
// Equal contexts give equal bytes.
func (c *Context) Write(w io.Writer) error {
	info, o := c.Model().Info, c.Spec.Options
	head := fileHead{Task: c.Task, Rows: c.Rows, Model: fileModel{info.Name, info.Family, info.Digest},
		Spec: fileSpec{c.Spec.Target, c.Spec.Keys, c.Spec.Drop, c.Spec.AsOf, o.Members, o.Seed, o.Precision, o.Levels, o.Norms, o.FeatureShuffle,
			o.ClassShuffle, o.OutlierThreshold, o.Temperature, o.AverageProbabilities, o.Reference}}
	var sections []section
	for i, column := range append(append([]*frame.Column(nil), c.features.Columns...), c.labels) {
		head.Columns = append(head.Columns, fileColumn{column.Name, column.Kind.String(), column.Type, column.Missing != nil})
		sections = append(sections, columnSections(i, column)...)
	}
	metadata, err := head.metadata()
	if err != nil {
		return fmt.Errorf("writing a context: %w", err)
	}
	data, err := encodeSections(metadata, sections)
	if err != nil {
		return fmt.Errorf("writing a context: %w", err)
	}
	if _, err := w.Write(data); err != nil {
		return fmt.Errorf("writing a context: %w", err)
	}
	return nil
}

// metadata writes the head as safetensors metadata, text by text, with the checksum's place left blank.
func (h fileHead) metadata() (map[string]string, error) {
	out := map[string]string{"format": fileFormat, "version": fileVersion, "checksum": noChecksum, "task": string(h.Task), "rows": fmt.Sprint(h.Rows)}
	for key, v := range map[string]any{"model": h.Model, "spec": h.Spec, "columns": h.Columns} {
		text, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		out[key] = string(text)
	}
	return out, nil
}

// readHead is the other direction. It refuses other formats and versions before it looks at anything else.
func readHead(metadata map[string]string) (fileHead, error) {
	var h fileHead
	if metadata["format"] != fileFormat {
		return h, errors.New("it is no context file: its header does not say " + fileFormat)
	}
	if v := metadata["version"]; v != fileVersion {
		return h, diag.WithHint(fmt.Errorf("it has version %q of the format, and this norn reads version %s", v, fileVersion), "fit again, or use the norn that wrote it")
	}
	h.Task = tabular.Task(metadata["task"])
	if h.Task != tabular.Classification && h.Task != tabular.Regression {
		return h, fmt.Errorf("it is for the task %q, which does not exist", h.Task)
	}
	if err := strict(metadata["rows"], &h.Rows); err != nil || h.Rows < 1 {
		return h, fmt.Errorf("it claims %q rows", metadata["rows"])
	}
	for key, into := range map[string]any{"model": &h.Model, "spec": &h.Spec, "columns": &h.Columns} {
		if err := strict(metadata[key], into); err != nil {
			return h, fmt.Errorf("its %s cannot be read: %w", key, err)
		}
	}
	// A checksum proves that a file is whole, not that it is meant well: what costs time or memory out of proportion to the
	// file's size is refused.
	if m := h.Spec.Members; m < 1 || m > mostMembers {
		return h, fmt.Errorf("it asks for %d members, and %d are the most", m, mostMembers)
	}
	if len(h.Columns) < 2 {
		return h, errors.New("it has no feature columns")
	}
	return h, nil
}

// strict decodes one JSON value and refuses members that it does not know.
func strict(text string, into any) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return errors.New("something follows the value")
	}
	return nil
}

// options puts a spec's options together with those of the machine that reads.
func (s fileSpec) options(machine tabular.Options) tabular.Options {
	return tabular.Options{Members: s.Members, Seed: s.Seed, Threads: machine.Threads, Precision: s.Precision, Levels: s.Levels, Memory: machine.Memory,
		Once: machine.Once, Norms: s.Norms, FeatureShuffle: s.FeatureShuffle, ClassShuffle: s.ClassShuffle, OutlierThreshold: s.OutlierThreshold,
		Temperature: s.Temperature, AverageProbabilities: s.AverageProbabilities, Reference: s.Reference}
}

// Read makes a context from the bytes of a context file. The models must hold the weights that it was fitted with: other
// weights would answer, and differently. Of machine only Threads, Memory and Once are used. name is for messages.
//
// The rows are fitted again, which is what makes the file small and independent of the machine; data is not kept.
func Read(ctx context.Context, models tabular.Models, name string, data []byte, machine tabular.Options) (*Context, error) {
	head, features, labels, err := decodeContext(data)
	if err != nil {
		return nil, diag.WithHint(fmt.Errorf("reading the context %s: %w", name, err), "the file is damaged or of another kind; fit again and write it anew")
	}
	model, err := models.For(head.Task)
	if err != nil {
		return nil, err
	}
	if model.Info.Digest != head.Model.Digest {
		return nil, diag.WithHint(fmt.Errorf("the context %s was fitted with other weights: %s with the digest %.12s…, and %s has %.12s…",
			name, head.Model.Name, head.Model.Digest, model.Info.Name, model.Info.Digest), "name the weights that it was fitted with")
	}
	spec := Spec{Target: head.Spec.Target, Keys: head.Spec.Keys, Drop: head.Spec.Drop, AsOf: head.Spec.AsOf, Task: head.Task, Options: head.Spec.options(machine)}
	return teach(ctx, model, spec, head.Task, features, labels, nil)
}

// decodeContext takes a file apart and holds every part of it to what Write promises.
func decodeContext(data []byte) (fileHead, *frame.Frame, *frame.Column, error) {
	metadata, sections, err := decodeSections(data)
	if err != nil {
		return fileHead{}, nil, nil, err
	}
	// The version comes before the checksum: another version may compute it in another way.
	head, err := readHead(metadata)
	if err != nil {
		return head, nil, nil, err
	}
	if err := verify(data, metadata["checksum"]); err != nil {
		return head, nil, nil, err
	}
	columns := make([]*frame.Column, len(head.Columns))
	for i, c := range head.Columns {
		if columns[i], err = readColumn(i, c, head.Rows, sections); err != nil {
			return head, nil, nil, err
		}
	}
	for left := range sections {
		return head, nil, nil, fmt.Errorf("the tensor %s belongs to no column", left)
	}
	// All columns together first: the target's name must not be a feature's.
	if _, err := frame.New(head.Rows, columns...); err != nil {
		return head, nil, nil, err
	}
	last := len(columns) - 1
	if columns[last].Name != head.Spec.Target {
		return head, nil, nil, fmt.Errorf("its last column is %s and not the target %s", columns[last].Name, head.Spec.Target)
	}
	features, err := frame.New(head.Rows, columns[:last]...)
	return head, features, columns[last], err
}

// verify compares the file with its checksum: SHA-256 of all bytes, the checksum's own 64 digits read as zeros.
func verify(data []byte, checksum string) error {
	if len(checksum) != len(noChecksum) {
		return errors.New("it has no checksum")
	}
	blank, ok := replaceChecksum(data, checksum, noChecksum)
	if sum := sha256.Sum256(blank); !ok || hex.EncodeToString(sum[:]) != checksum {
		return errors.New("its checksum does not fit: bytes were changed since it was written")
	}
	return nil
}
