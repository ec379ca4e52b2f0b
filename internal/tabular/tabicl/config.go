package tabicl

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Softmax names a form of scalable softmax: how queries grow with the number of keys.
type Softmax string

// The forms, in the spelling of the configuration.
const (
	SoftmaxPlain         Softmax = "none"
	SoftmaxScale         Softmax = "ssmax"
	SoftmaxMLP           Softmax = "ssmax-mlp"
	SoftmaxMLPChannel    Softmax = "ssmax-mlp-elementwise"
	SoftmaxGatedMLP      Softmax = "qassmax-mlp"
	SoftmaxGatedMLPByOne Softmax = "qassmax-mlp-elementwise"
)

// Grouping says which cells make one token of the column stage.
type Grouping string

// The groupings: the cell alone (v1); the cells 1, 2, 4, … columns further on, around the
// edge (v2); neighbours without overlap.
const (
	GroupNone  Grouping = "none"
	GroupSame  Grouping = "same"
	GroupValid Grouping = "valid"
)

// Config holds the 26 constructor arguments of the reference implementation. A key that a
// file lacks has the constructor's default, which is close to v2: a v1 file must carry its
// own switches.
type Config struct {
	MaxClasses          int      // max_classes: classes told apart in one go, 0 for a regressor
	NumQuantiles        int      // num_quantiles: outputs of a regressor
	EmbedDim            int      // embed_dim: E, channels of a cell
	ColNumBlocks        int      // col_num_blocks
	ColHeads            int      // col_nhead
	ColInducing         int      // col_num_inds: inducing vectors a block
	ColAffine           bool     // col_affine: cells are scale·x + shift (v1)
	ColFeatureGroup     Grouping // col_feature_group
	ColFeatureGroupSize int      // col_feature_group_size
	ColTargetAware      bool     // col_target_aware: the column stage sees the labels (v2)
	ColSoftmax          Softmax  // col_ssmax
	RowNumBlocks        int      // row_num_blocks
	RowHeads            int      // row_nhead
	RowCLS              int      // row_num_cls: CLS tokens a row
	RowRopeBase         float64  // row_rope_base; the frequencies themselves are stored in the file
	RowRopeInterleaved  bool     // row_rope_interleaved
	ICLNumBlocks        int      // icl_num_blocks
	ICLHeads            int      // icl_nhead
	ICLSoftmax          Softmax  // icl_ssmax
	FFFactor            int      // ff_factor: hidden width of a feed-forward layer over its width
	Dropout             float64  // dropout, training only
	Activation          string   // activation, always gelu (exact)
	NormFirst           bool     // norm_first
	BiasFreeLN          bool     // bias_free_ln: LayerNorms have a weight only
	ZeroInit            bool     // zero_init, training only
	Recompute           bool     // recompute, training only
}

// DefaultConfig is what the reference's constructor assumes.
func DefaultConfig() Config {
	return Config{
		MaxClasses: 10, NumQuantiles: 999, EmbedDim: 128,
		ColNumBlocks: 3, ColHeads: 8, ColInducing: 128, ColFeatureGroup: GroupSame, ColFeatureGroupSize: 3,
		ColTargetAware: true, ColSoftmax: SoftmaxGatedMLPByOne,
		RowNumBlocks: 3, RowHeads: 8, RowCLS: 4, RowRopeBase: 100000, RowRopeInterleaved: true,
		ICLNumBlocks: 12, ICLHeads: 8, ICLSoftmax: SoftmaxGatedMLPByOne,
		FFFactor: 2, Activation: "gelu", NormFirst: true, ZeroInit: true,
	}
}

// field reads one value into the configuration or says what is wrong with it.
type field func(c *Config, v any) error

// whole reads a whole number within bounds. The upper bounds lie far above any published
// model; they keep the shapes of a made-up configuration small enough to multiply.
func whole(at func(*Config) *int, low, high int64) field {
	return func(c *Config, v any) error {
		n, ok := v.(int64)
		if f, isFloat := v.(float64); isFloat && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			n, ok = int64(f), true
		}
		if !ok || n < low || n > high {
			return fmt.Errorf("want a whole number from %d to %d", low, high)
		}
		*at(c) = int(n)
		return nil
	}
}

// number reads a number within bounds; a whole one counts, as a pickle keeps 1000 and
// 1000.0 apart.
func number(at func(*Config) *float64, low, high float64) field {
	return func(c *Config, v any) error {
		f, ok := v.(float64)
		if n, isInt := v.(int64); isInt {
			f, ok = float64(n), true
		}
		if !ok || !(f >= low && f <= high) {
			return fmt.Errorf("want a number from %v to %v", low, high)
		}
		*at(c) = f
		return nil
	}
}

// truth reads a switch. Numbers are not taken for one: 0 where a count is meant should not
// pass.
func truth(at func(*Config) *bool) field {
	return func(c *Config, v any) error {
		b, ok := v.(bool)
		if !ok {
			return errors.New("want true or false")
		}
		*at(c) = b
		return nil
	}
}

// softmax reads the form of scalable softmax. Older files hold a switch: true is the
// released form.
func softmax(at func(*Config) *Softmax) field {
	return func(c *Config, v any) error {
		switch v := v.(type) {
		case nil:
			*at(c) = SoftmaxPlain
			return nil
		case bool:
			if *at(c) = SoftmaxPlain; v {
				*at(c) = SoftmaxGatedMLPByOne
			}
			return nil
		case string:
			switch s := Softmax(v); s {
			case SoftmaxPlain, SoftmaxScale, SoftmaxMLP, SoftmaxMLPChannel, SoftmaxGatedMLP, SoftmaxGatedMLPByOne:
				*at(c) = s
				return nil
			}
		}
		return errors.New("want none, ssmax, ssmax-mlp, ssmax-mlp-elementwise, qassmax-mlp, qassmax-mlp-elementwise, true or false")
	}
}

// readGroup reads the grouping of columns; v1 files hold false.
func readGroup(c *Config, v any) error {
	switch v {
	case false:
		c.ColFeatureGroup = GroupNone
		return nil
	case true, "same":
		c.ColFeatureGroup = GroupSame
		return nil
	case "valid":
		c.ColFeatureGroup = GroupValid
		return nil
	}
	return errors.New("want same, valid or false")
}

// readActivation refuses what the kernels do not compute.
func readActivation(c *Config, v any) error {
	if v != "gelu" {
		return errors.New("norn knows gelu only")
	}
	c.Activation = "gelu"
	return nil
}

// fields are the 26 keys with what reads them: a table of constants, never changed.
var fields = map[string]field{
	"max_classes":            whole(func(c *Config) *int { return &c.MaxClasses }, 0, 1<<12),
	"num_quantiles":          whole(func(c *Config) *int { return &c.NumQuantiles }, 1, 1<<16),
	"embed_dim":              whole(func(c *Config) *int { return &c.EmbedDim }, 1, 1<<14),
	"col_num_blocks":         whole(func(c *Config) *int { return &c.ColNumBlocks }, 1, 1<<10),
	"col_nhead":              whole(func(c *Config) *int { return &c.ColHeads }, 1, 1<<10),
	"col_num_inds":           whole(func(c *Config) *int { return &c.ColInducing }, 1, 1<<14),
	"col_affine":             truth(func(c *Config) *bool { return &c.ColAffine }),
	"col_feature_group":      readGroup,
	"col_feature_group_size": whole(func(c *Config) *int { return &c.ColFeatureGroupSize }, 1, 16),
	"col_target_aware":       truth(func(c *Config) *bool { return &c.ColTargetAware }),
	"col_ssmax":              softmax(func(c *Config) *Softmax { return &c.ColSoftmax }),
	"row_num_blocks":         whole(func(c *Config) *int { return &c.RowNumBlocks }, 1, 1<<10),
	"row_nhead":              whole(func(c *Config) *int { return &c.RowHeads }, 1, 1<<10),
	"row_num_cls":            whole(func(c *Config) *int { return &c.RowCLS }, 1, 64),
	"row_rope_base":          number(func(c *Config) *float64 { return &c.RowRopeBase }, 1, 1e12),
	"row_rope_interleaved":   truth(func(c *Config) *bool { return &c.RowRopeInterleaved }),
	"icl_num_blocks":         whole(func(c *Config) *int { return &c.ICLNumBlocks }, 1, 1<<10),
	"icl_nhead":              whole(func(c *Config) *int { return &c.ICLHeads }, 1, 1<<10),
	"icl_ssmax":              softmax(func(c *Config) *Softmax { return &c.ICLSoftmax }),
	"ff_factor":              whole(func(c *Config) *int { return &c.FFFactor }, 1, 64),
	"dropout":                number(func(c *Config) *float64 { return &c.Dropout }, 0, 1),
	"activation":             readActivation,
	"norm_first":             truth(func(c *Config) *bool { return &c.NormFirst }),
	"bias_free_ln":           truth(func(c *Config) *bool { return &c.BiasFreeLN }),
	"zero_init":              truth(func(c *Config) *bool { return &c.ZeroInit }),
	"recompute":              truth(func(c *Config) *bool { return &c.Recompute }),
}

// ParseConfig reads the configuration of a weights file. An unknown key is an error: it may
// change the architecture.
func ParseConfig(raw map[string]any) (Config, error) {
	c := DefaultConfig()
	if raw == nil {
		return c, errors.New("the file has no config; norn needs the constructor arguments beside the tensors")
	}
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		read, ok := fields[key]
		if !ok {
			return c, fmt.Errorf("config key %q is not known; the file may need a newer norn", key)
		}
		if err := read(&c, raw[key]); err != nil {
			return c, fmt.Errorf("config %s = %v: %w", key, raw[key], err)
		}
	}
	return c, c.check()
}

// check refuses combinations that no network can have.
func (c Config) check() error {
	divides := func(what string, width, heads int) error {
		if width%heads != 0 {
			return fmt.Errorf("config: %s: %d channels do not divide into %d heads", what, width, heads)
		}
		return nil
	}
	err := errors.Join(divides("col_nhead", c.EmbedDim, c.ColHeads), divides("row_nhead", c.EmbedDim, c.RowHeads), divides("icl_nhead", c.width(), c.ICLHeads))
	if err != nil {
		return err
	}
	if c.EmbedDim/c.RowHeads%2 != 0 {
		return fmt.Errorf("config: row_nhead: heads of %d channels cannot be rotated in pairs", c.EmbedDim/c.RowHeads)
	}
	if c.ColAffine && c.ColFeatureGroup != GroupNone {
		return errors.New("config: col_affine wants one cell a token, so col_feature_group must be false")
	}
	return nil
}

// width is D, the channels of the in-context stage.
func (c Config) width() int { return c.EmbedDim * c.RowCLS }

// groupWidth is the number of cells in one token.
func (c Config) groupWidth() int {
	if c.ColFeatureGroup == GroupNone {
		return 1
	}
	return c.ColFeatureGroupSize
}

// outputs is the width of the last layer.
func (c Config) outputs() int {
	if c.MaxClasses == 0 {
		return c.NumQuantiles
	}
	return c.MaxClasses
}

// targets is the number of channels a label is encoded from: one for each class, or the
// value itself.
func (c Config) targets() int { return max(c.MaxClasses, 1) }
