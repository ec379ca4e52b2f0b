package kumo

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/tabular/weights"
)

// Config holds the sizes of a network. All of them can be read from the shapes of its
// tensors, except QueryHeads.
type Config struct {
	Cell       int // D, channels of a cell
	Layers     int // column and row blocks, taking turns
	Heads      int // of the column and row blocks
	Inducing   int // learned vectors that stand for a whole column
	Group      int // cells of one token
	Waves      int // frequencies for each cell of a token
	Readouts   int // tokens that collect a row
	Context    int // channels of the in-context stage
	Blocks     int // of the in-context stage
	BlockHeads int // of the in-context stage
	// QueryHeads is the number of key and value heads that query rows look at in the
	// in-context stage; labelled rows look at all BlockHeads.
	QueryHeads int
	Classes    int // told apart in one go; 0 for a regressor
	Quantiles  int // outputs of a regressor; 0 for a classifier
}

// outputs is the width of the last layer.
func (c Config) outputs() int { return c.Classes + c.Quantiles }

// row is the width of a row's vector before it is projected.
func (c Config) row() int { return c.Cell * c.Readouts }

// projected reports whether the network has a layer between the two stages.
func (c Config) projected() bool { return c.row() != c.Context }

// queryWidth is the number of channels in the keys that query rows look at.
func (c Config) queryWidth() int { return c.Context / c.BlockHeads * c.QueryHeads }

// Size names a published network.
type Size string

// The published sizes; the default of their publisher is large.
const (
	Small  Size = "small"
	Medium Size = "medium"
	Large  Size = "large"
)

// Sizes lists the published sizes, smallest first.
func Sizes() []Size { return []Size{Small, Medium, Large} }

// released are the sizes of the published networks, classes and quantiles aside.
func (s Size) released() (Config, bool) {
	c := Config{Cell: 256, Layers: 6, Heads: 4, Inducing: 256, Group: 3, Waves: 32, Readouts: 4}
	switch s {
	case Small:
		c.Cell, c.Layers, c.Inducing = 128, 4, 128
		c.Context, c.Blocks, c.BlockHeads, c.QueryHeads = 512, 12, 8, 8
	case Medium:
		c.Context, c.Blocks, c.BlockHeads, c.QueryHeads = 512, 24, 8, 2
	case Large:
		c.Context, c.Blocks, c.BlockHeads, c.QueryHeads = 1024, 24, 16, 2
	default:
		return c, false
	}
	return c, true
}

// SizeOf tells the size by a file's place: the published files lie in folders named after it
// (small/classifier.pt), and converted ones usually have it in their own name.
func SizeOf(path string) (Size, bool) {
	folder := strings.ToLower(filepath.Base(filepath.Dir(path)))
	words := strings.FieldsFunc(strings.ToLower(filepath.Base(path)), func(r rune) bool { return strings.ContainsRune("-_. ", r) })
	for _, s := range Sizes() {
		if folder == string(s) || slices.Contains(words, string(s)) {
			return s, true
		}
	}
	return "", false
}

// Anchors are the tensors that sizes are read from.
const (
	readoutToken = "row_embedding.readout_token"
	waveTable    = "row_embedding.cell_embedding.num_freq"
	contextNorm  = "icl_block.norm.weight"
	lastWeight   = "icl_block.head.2.weight"
	labelTable   = "icl_block.y_emb.weight"
	labelLine    = "icl_block.y_lin.weight"
)

// Bounds of what is taken for a network: far above the published ones, and low enough that
// no product of sizes overflows.
const (
	mostChannels = 1 << 14
	mostLayers   = 1 << 10
)

// inspect reads the sizes from the shapes of a few tensors. What does not fit together is
// found when all tensors are held against [Config.Shapes].
func inspect(f *weights.File, size Size) (Config, error) {
	var failed error
	at := func(name string, rank, axis int) int {
		t := f.Tensors[name]
		switch {
		case failed != nil:
			return 1
		case t == nil:
			failed = fmt.Errorf("tensor %s is missing: this is not a Kumo Tabular network", name)
		case len(t.Shape) != rank:
			failed = fmt.Errorf("tensor %s has shape %v, want %d axes", name, t.Shape, rank)
		case t.Shape[axis] < 1 || t.Shape[axis] > mostChannels:
			failed = fmt.Errorf("tensor %s has shape %v: no network has such a size", name, t.Shape)
		default:
			return t.Shape[axis]
		}
		return 1
	}
	count := func(format string) int {
		n := 0
		for n < mostLayers && f.Tensors[fmt.Sprintf(format, n)] != nil {
			n++
		}
		return n
	}
	c := Config{
		Cell: at(readoutToken, 2, 1), Readouts: at(readoutToken, 2, 0),
		Group: at(waveTable, 2, 0), Waves: at(waveTable, 2, 1),
		Layers: count(columnBlock + ".inducing_points"), Inducing: at(fmt.Sprintf(columnBlock, 0)+".inducing_points", 2, 0),
		Heads:   at(fmt.Sprintf(rowBlock, 0)+headScale, 1, 0),
		Context: at(contextNorm, 1, 0), Blocks: count(contextBlock + headScale), BlockHeads: at(fmt.Sprintf(contextBlock, 0)+headScale, 1, 0),
	}
	outputs := at(lastWeight, 2, 0)
	if c.Quantiles = outputs; f.Tensors[labelTable] != nil {
		c.Classes, c.Quantiles = outputs, 0
	} else if f.Tensors[labelLine] == nil && failed == nil {
		failed = fmt.Errorf("neither %s nor %s is there: this is not a Kumo Tabular network", labelTable, labelLine)
	}
	if failed != nil {
		return c, failed
	}
	var err error
	if c.QueryHeads, err = c.queryHeads(f.Config, size); err != nil {
		return c, err
	}
	return c, c.check()
}

// check refuses sizes that no network can have.
func (c Config) check() error {
	switch {
	case c.Cell%c.Heads != 0 || c.Cell/c.Heads%2 != 0:
		return fmt.Errorf("%d channels of a cell do not divide into %d heads that can be rotated in pairs", c.Cell, c.Heads)
	case c.Context%c.BlockHeads != 0:
		return fmt.Errorf("%d channels of the in-context stage do not divide into %d heads", c.Context, c.BlockHeads)
	case c.QueryHeads < 1 || c.BlockHeads%c.QueryHeads != 0:
		return fmt.Errorf("%d heads of the in-context stage do not divide among %d key and value heads for query rows", c.BlockHeads, c.QueryHeads)
	}
	return nil
}

// queryHeads finds the one size that no tensor tells: from what the caller says, from the
// file's configuration, or because all else is that of a published network. Guessing here
// would give answers that look right.
func (c Config) queryHeads(raw map[string]any, size Size) (int, error) {
	said := 0
	if size != "" {
		released, ok := size.released()
		if !ok {
			return 0, fmt.Errorf("size %q is not known; use small, medium or large", size)
		}
		// Small uses all heads, whatever their number.
		if said = released.QueryHeads; released.QueryHeads == released.BlockHeads {
			said = c.BlockHeads
		}
	}
	stated, err := c.stated(raw)
	switch {
	case err != nil:
		return 0, err
	case said != 0 && stated != 0 && said != stated:
		return 0, fmt.Errorf("the file's configuration has %d key and value heads for query rows, size %s has %d", stated, size, said)
	case stated != 0:
		return stated, nil
	case said != 0:
		return said, nil
	}
	for _, s := range Sizes() {
		r, _ := s.released()
		r.Classes, r.Quantiles = c.Classes, c.Quantiles
		like := c
		if like.QueryHeads = r.QueryHeads; like == r {
			return r.QueryHeads, nil
		}
	}
	return 0, errors.New("the tensors are those of no published size, and they do not tell how many key and value heads query rows use; " +
		"name the size (small, medium or large), for example by the folder of the file")
}

// stated reads the configuration that a converted file may carry: the constructor arguments
// of the reference, which must agree with the tensors. It returns the number of key and value
// heads for query rows, 0 if the configuration does not say.
func (c Config) stated(raw map[string]any) (int, error) {
	sizes := map[string]int{
		"cell_channels": c.Cell, "num_embedding_layers": c.Layers, "num_embedding_heads": c.Heads, "num_inducing_points": c.Inducing,
		"group_size": c.Group, "num_frequencies": c.Waves, "num_readout_tokens": c.Readouts,
		"icl_channels": c.Context, "num_icl_layers": c.Blocks, "num_icl_heads": c.BlockHeads,
		"num_classes": c.Classes, "num_quantiles": c.Quantiles,
	}
	heads := 0
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		n, whole := wholeNumber(raw[key])
		if key == "num_icl_key_value_heads_for_query" {
			switch {
			case raw[key] == nil:
				heads = c.BlockHeads
			case !whole || n < 1 || n > c.BlockHeads:
				return 0, fmt.Errorf("config %s = %v: want a whole number from 1 to %d, or null", key, raw[key], c.BlockHeads)
			default:
				heads = n
			}
			continue
		}
		want, ok := sizes[key]
		if !ok {
			return 0, fmt.Errorf("config key %q is not known; the file may need a newer norn", key)
		}
		if !whole || n != want {
			return 0, fmt.Errorf("config %s = %v, and the tensors have %d", key, raw[key], want)
		}
	}
	return heads, nil
}

// wholeNumber reads a number of a configuration; JSON keeps 3 and 3.0 apart in some writers.
func wholeNumber(v any) (int, bool) {
	switch v := v.(type) {
	case int64:
		return int(v), v >= 0 && v <= math.MaxInt32
	case float64:
		return int(v), v == math.Trunc(v) && v >= 0 && v <= math.MaxInt32
	}
	return 0, false
}
