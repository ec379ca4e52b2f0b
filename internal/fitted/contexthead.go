package fitted

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/tabular/prep"
)

// The format of context files, docs/formats/context.md. A change that an older norn would misread gets a new version.
// Version 1 held rows only and was fitted again by whoever read it.
const (
	fileFormat  = "norn-context"
	fileVersion = "2"
)

// A fileHead is what a context file says about itself, in the metadata of its header.
type fileHead struct {
	Task    tabular.Task
	Rows    int
	Cache   tabular.Cache
	Model   fileModel
	Spec    fileSpec
	Columns []fileColumn // the features, then the target
	// With a cache of full or compact: what the family of the model learnt of the columns, and an outline of each context.
	Recipe  json.RawMessage
	Members []json.RawMessage
}

// A fileModel names the weights that a context was fitted with. Digest is the SHA-256 of their file, Content that of what
// they say, which stays when the file is converted.
type fileModel struct {
	Name    string `json:"name"`
	Family  string `json:"family"`
	Digest  string `json:"sha256"`
	Content string `json:"content"`
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
	MissingLevel         bool              `json:"missing_level"`
}

// A fileColumn types a column. Without contexts in the file its cells are the tensors column.<place>.*.
type fileColumn struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Type    string `json:"type"`
	Missing bool   `json:"missing"` // there is a mask
}

// specOf is what a file keeps of a spec.
func specOf(s Spec) fileSpec {
	o := s.Options
	return fileSpec{s.Target, s.Keys, s.Drop, s.AsOf, o.Members, o.Seed, o.Precision, o.Levels, o.Norms, o.FeatureShuffle,
		o.ClassShuffle, o.OutlierThreshold, o.Temperature, o.AverageProbabilities, o.Reference, o.MissingLevel}
}

// options puts a spec's options together with those of the machine that reads. A machine with Levels asks for other
// quantiles than the fit did, which costs nothing.
func (s fileSpec) options(machine tabular.Options) tabular.Options {
	o := tabular.Options{Members: s.Members, Seed: s.Seed, Threads: machine.Threads, Precision: s.Precision, Levels: s.Levels, Memory: machine.Memory,
		Once: machine.Once, Norms: s.Norms, FeatureShuffle: s.FeatureShuffle, ClassShuffle: s.ClassShuffle, OutlierThreshold: s.OutlierThreshold,
		Temperature: s.Temperature, AverageProbabilities: s.AverageProbabilities, Reference: s.Reference, MissingLevel: s.MissingLevel, Progress: machine.Progress}
	if machine.Levels != nil {
		o.Levels = machine.Levels
	}
	return o
}

// metadata writes the head as safetensors metadata, text by text, with the checksum's place left blank.
func (h fileHead) metadata() (map[string]string, error) {
	out := map[string]string{"format": fileFormat, "version": fileVersion, "checksum": noChecksum, "task": string(h.Task), "rows": fmt.Sprint(h.Rows), "cache": string(h.Cache)}
	parts := map[string]any{"model": h.Model, "spec": h.Spec, "columns": h.Columns}
	if h.Cache != tabular.CacheNone {
		parts["recipe"], parts["contexts"] = h.Recipe, h.Members
	}
	for key, v := range parts {
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
		return h, diag.WithHint(fmt.Errorf("it has version %q of the format, and this norn reads version %s", v, fileVersion),
			"fit again with norn fit, or use the norn that wrote it")
	}
	h.Task = tabular.Task(metadata["task"])
	if h.Task != tabular.Classification && h.Task != tabular.Regression {
		return h, fmt.Errorf("it is for the task %q, which does not exist", h.Task)
	}
	if err := strict(metadata["rows"], &h.Rows); err != nil || h.Rows < 1 {
		return h, fmt.Errorf("it claims %q rows", metadata["rows"])
	}
	h.Cache = tabular.Cache(metadata["cache"])
	parts := map[string]any{"model": &h.Model, "spec": &h.Spec, "columns": &h.Columns}
	switch h.Cache {
	case tabular.CacheNone:
	case tabular.CacheFull, tabular.CacheCompact:
		parts["recipe"], parts["contexts"] = &h.Recipe, &h.Members
	default:
		return h, fmt.Errorf("it has the cache %q, which does not exist", h.Cache)
	}
	for key, into := range parts {
		if err := strict(metadata[key], into); err != nil {
			return h, fmt.Errorf("its %s cannot be read: %w", key, err)
		}
	}
	// A checksum proves that a file is whole, not that it is meant well. Options are held to the same rules whatever the file
	// keeps, also those that a file of contexts has no more use for: no fit would have written them.
	if err := h.Spec.options(tabular.Options{}).Check(); err != nil {
		return h, err
	}
	if len(h.Members) > h.Spec.Members {
		return h, fmt.Errorf("it holds %d members, and its spec asks for %d", len(h.Members), h.Spec.Members)
	}
	if len(h.Columns) < 2 {
		return h, errors.New("it has no feature columns")
	}
	if last := h.Columns[len(h.Columns)-1].Name; last != h.Spec.Target {
		return h, fmt.Errorf("its last column is %s and not the target %s", last, h.Spec.Target)
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
