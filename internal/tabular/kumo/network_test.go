package kumo

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tabular/weights"
	"github.com/norn-data/norn/internal/tensor"
)

func Load(f *weights.File) (*Network, error) { return LoadWith(f, Options{}) }

// Names and shapes at the released sizes, as the reference's constructors make them; the
// sizes themselves are read back from them.
func TestReleasedShapes(t *testing.T) {
	var released struct {
		Tensors map[string]map[string][]int
	}
	readJSON(t, "testdata/weights/released-shapes.json", &released)
	parameters := map[string]int64{"small/classifier.pt": 27_458_250, "small/regressor.pt": 28_466_215, "medium/classifier.pt": 61_485_242,
		"medium/regressor.pt": 62_492_055, "large/classifier.pt": 213_668_218, "large/regressor.pt": 215_683_159}
	for path, want := range released.Tensors {
		size, ok := SizeOf("/models/kumo/" + path)
		if !ok {
			t.Fatalf("no size in %s", path)
		}
		task := forward.Classification
		if strings.HasSuffix(path, "regressor.pt") {
			task = forward.Regression
		}
		c, err := Released(size, task)
		if err != nil {
			t.Fatal(err)
		}
		got := c.Shapes()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: shapes differ (-reference +norn):\n%s", path, diff)
		}
		total := int64(0)
		f := &weights.File{Tensors: map[string]*weights.Tensor{}}
		for name, shape := range got {
			n := int64(1)
			for _, s := range shape {
				n *= int64(s)
			}
			if f.Tensors[name] = (&weights.Tensor{DType: weights.F32, Shape: shape}); !frequencies(name) {
				total += n
			}
		}
		if total != parameters[path] {
			t.Errorf("%s: %d parameters, want %d", path, total, parameters[path])
		}
		if read, err := inspect(f, ""); err != nil || read != c {
			t.Errorf("%s: read %+v (%v), want %+v", path, read, err, c)
		}
	}
}

func TestSizeOf(t *testing.T) {
	for path, want := range map[string]Size{"hub/large/regressor.pt": Large, "kumo-tabular-small.safetensors": Small, "Medium.PT": Medium, "smaller/x.pt": ""} {
		if got, _ := SizeOf(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// little is a network of made-up weights with fewer key heads for query rows, a few thousand
// numbers.
var little = Config{Cell: 8, Layers: 2, Heads: 2, Inducing: 4, Group: 3, Waves: 3, Readouts: 2, Context: 16, Blocks: 3, BlockHeads: 4, QueryHeads: 2, Classes: 3}

func random(t testing.TB, c Config) *weights.File {
	t.Helper()
	f, err := RandomFile(c, 1)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func loaded(t testing.TB, c Config) *Network {
	t.Helper()
	n, err := Load(random(t, c))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestLoadRefusals(t *testing.T) {
	const name = "icl_block.layers.1.mlp.3.bias"
	replace := func(name string, values []float32, shape ...int) func(*weights.File) {
		return func(f *weights.File) {
			var err error
			if f.Tensors[name], err = weights.NewFloat32(values, shape...); err != nil {
				panic(err)
			}
		}
	}
	config := func(key string, v any) func(*weights.File) {
		return func(f *weights.File) { f.Config = map[string]any{key: v} }
	}
	tests := map[string]struct {
		change func(*weights.File)
		size   Size
		want   string
	}{
		"missing":          {func(f *weights.File) { delete(f.Tensors, name) }, "", "tensor " + name + " is missing"},
		"missing anchor":   {func(f *weights.File) { delete(f.Tensors, readoutToken) }, "", "tensor " + readoutToken + " is missing: this is not a Kumo Tabular network"},
		"missing block":    {func(f *weights.File) { delete(f.Tensors, "icl_block.layers.1"+headScale) }, "", "tensor icl_block.layers.1.attn"},
		"extra":            {func(f *weights.File) { f.Tensors["more"] = f.Tensors[name] }, "", "tensor more is not part"},
		"wrong shape":      {replace(name, make([]float32, 8), 8), "", "tensor " + name + " has shape [8], the rest of the file wants [16]"},
		"wrong rank":       {replace(readoutToken, make([]float32, 16), 16), "", "tensor " + readoutToken + " has shape [16], want 2 axes"},
		"empty":            {replace(readoutToken, nil, 0, 8), "", "no network has such a size"},
		"no labels":        {func(f *weights.File) { delete(f.Tensors, labelTable) }, "", "neither " + labelTable + " nor " + labelLine},
		"NaN":              {replace(name, append(make([]float32, 15), float32(math.NaN())), 16), "", "tensor " + name + " holds NaN or infinity (element 15)"},
		"infinity":         {replace(name, append([]float32{float32(math.Inf(1))}, make([]float32, 15)...), 16), "", "(element 0)"},
		"whole numbers":    {func(f *weights.File) { c := *f.Tensors[name]; c.DType = weights.I32; f.Tensors[name] = &c }, "", "tensor " + name + " holds I32"},
		"two rotations":    {replace("row_embedding.row_blocks.1.attn.key_transform.0.inv_freq", []float32{1, 2}, 2), "", "row_blocks.1.attn.key_transform.0.inv_freq differs"},
		"unknown key":      {config("icl_magic", int64(1)), "", `config key "icl_magic" is not known`},
		"other size":       {config("cell_channels", int64(128)), "", "config cell_channels = 128, and the tensors have 8"},
		"fraction":         {config("icl_channels", 15.5), "", "config icl_channels = 15.5"},
		"too many heads":   {config("num_icl_key_value_heads_for_query", int64(5)), "", "want a whole number from 1 to 4"},
		"heads do not fit": {config("num_icl_key_value_heads_for_query", int64(3)), "", "do not divide among 3"},
		"no size":          {func(f *weights.File) { f.Config = nil }, "", "name the size (small, medium or large)"},
		"unknown size":     {func(f *weights.File) {}, "huge", `size "huge" is not known`},
		"contradiction":    {config("num_icl_key_value_heads_for_query", nil), Large, "the file's configuration has 4"},
	}
	for what, test := range tests {
		t.Run(what, func(t *testing.T) {
			f := random(t, little)
			test.change(f)
			_, err := LoadWith(f, Options{Size: test.size})
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "loading Kumo Tabular: ") {
				t.Errorf("error %v, want it to say %q", err, test.want)
			}
		})
	}
	f := random(t, little)
	f.Config = nil
	if n, err := LoadWith(f, Options{Size: Medium}); err != nil || n.Config() != little {
		t.Errorf("%v", err)
	}
	all := little
	all.QueryHeads = all.BlockHeads
	if n, err := LoadWith(f, Options{Size: Small}); err != nil || n.Config() != all {
		t.Errorf("small uses all heads: %v", err)
	}
	if !Recognises(f) || Recognises(&weights.File{}) {
		t.Error("a file is not told by its tensors")
	}
}

// made is a table of random numbers with gaps, every third column a category.
func made(rows, features, classes int) (Table, Labels) {
	g := rand.New(rand.NewPCG(uint64(rows), uint64(features)))
	t := Table{X: make([]float32, rows*features), Rows: rows, Features: features, Categorical: make([]bool, features)}
	for j := range features {
		t.Categorical[j] = j%3 == 2
	}
	for i := range t.X {
		if t.X[i] = float32(g.NormFloat64()); g.IntN(10) == 0 {
			t.X[i] = float32(math.NaN())
		}
	}
	l := Labels{Y: make([]float32, rows), Classes: classes}
	for i := range l.Y {
		if l.Y[i] = float32(g.NormFloat64()); classes > 0 {
			l.Y[i] = float32(g.IntN(classes))
		}
	}
	return t, l
}

// answers fits and asks in one go.
func answers(t testing.TB, n *Network, x Table, l Labels, asking []float32, s forward.Settings) []float32 {
	t.Helper()
	c, err := n.Fit(t.Context(), x, l, s)
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.Predict(t.Context(), asking, len(asking)/x.Features)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// need is the smallest budget for a table.
func need(t testing.TB, n *Network, x Table, l Labels, s forward.Settings) int64 {
	t.Helper()
	s.MemoryBudget = 1
	_, err := n.Fit(t.Context(), x, l, s)
	var small *forward.BudgetError
	if !errors.As(err, &small) {
		t.Fatalf("a budget of one byte gives %v", err)
	}
	return small.Need
}

// Budget, cache, threads and what is kept of cells are matters of speed: the bits are the
// same.
func TestSameBits(t *testing.T) {
	for _, c := range []Config{little, {Cell: 8, Layers: 3, Heads: 2, Inducing: 3, Group: 2, Waves: 2, Readouts: 4, Context: 16, Blocks: 2, BlockHeads: 2, QueryHeads: 2, Quantiles: 9}} {
		n := loaded(t, c)
		const features = 20
		x, l := made(90, features, c.Classes)
		asking, _ := made(40, features, c.Classes)
		want := answers(t, n, x, l, asking.X, forward.Settings{Threads: 1})
		least := need(t, n, x, l, forward.Settings{Threads: 1, Cache: forward.CacheCompact})
		plans := map[plan]bool{}
		for name, s := range map[string]forward.Settings{
			"threads": {Threads: 3}, "compact": {Cache: forward.CacheCompact, Threads: 2}, "full": {Cache: forward.CacheFull},
			"least": {Threads: 1, Cache: forward.CacheCompact, MemoryBudget: least}, "a little more": {Threads: 1, Cache: forward.CacheCompact, MemoryBudget: least + 2*n.columnBytes(90)},
			"nearly all": {Threads: 1, Cache: forward.CacheCompact, MemoryBudget: least + 4*n.columnBytes(90)},
		} {
			if got := answers(t, n, x, l, asking.X, s); !slices.Equal(got, want) {
				t.Errorf("%s: answers differ by %.2g", name, distance(got, want))
			}
			checked, err := s.Check()
			if err != nil {
				t.Fatal(err)
			}
			p, err := n.plan(90, features, 1, checked)
			if err != nil {
				t.Fatal(err)
			}
			plans[p] = true
		}
		groups := 0
		for p := range plans {
			if !p.keepCells && p.together < features/2 {
				groups++
			}
		}
		if groups < 2 || len(plans) < 4 {
			t.Errorf("planned %v: the test does not go where it should", plans)
		}
		// So are what the caller's settings say about batches and Programs.
		for name, change := range map[string]func(s *tensor.Settings){
			"a batch limit": func(s *tensor.Settings) { s.BatchLimit = 3 }, "eager": func(s *tensor.Settings) { s.Interpret, s.BatchLimit = true, 5 },
		} {
			ctx := tensor.WithSettings(t.Context(), change)
			fitted, err := n.Fit(ctx, x, l, forward.Settings{Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := fitted.Predict(ctx, asking.X, 40); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: answers differ by %.2g (%v)", name, distance(got, want), err)
			}
		}
		// A row's answer is its own: alone, twice, and among others.
		ctx, err := n.Fit(t.Context(), x, l, forward.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		width := ctx.Outputs()
		for _, row := range []int{0, 17, 39} {
			one := asking.X[row*features : (row+1)*features]
			got, err := ctx.Predict(t.Context(), slices.Concat(one, one), 2)
			if err != nil {
				t.Fatal(err)
			}
			if w := want[row*width : (row+1)*width]; !slices.Equal(got[:width], w) || !slices.Equal(got[width:], w) {
				t.Errorf("row %d answers otherwise alone", row)
			}
		}
	}
}

// No number of rows or columns compiles anything after the first table.
func TestOneSetOfGraphs(t *testing.T) {
	n := loaded(t, little)
	w, err := n.Warm(t.Context(), []forward.Family{{Rows: [2]int{1, 200_000}, Features: [2]int{1, 500}, Classes: [2]int{2, 100}}})
	if err != nil {
		t.Fatal(err)
	}
	if w.Graphs == 0 || w.Graphs != n.Compiled().Graphs {
		t.Errorf("warmed up %d graphs of %d", w.Graphs, n.Compiled().Graphs)
	}
	ctx := tensor.WithSettings(t.Context(), func(s *tensor.Settings) { s.Strict = true })
	for _, size := range [][2]int{{1, 1}, {3, 40}, {700, 2}, {5, 200}} {
		x, l := made(size[0], size[1], 3)
		c, err := n.Fit(ctx, x, l, forward.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Predict(ctx, x.X, x.Rows); err != nil {
			t.Fatal(err)
		}
	}
	if got := n.Compiled().Graphs; got != w.Graphs {
		t.Errorf("%d graphs after the warm-up, %d after it was done", got, w.Graphs)
	}
	if _, err := n.Warm(t.Context(), []forward.Family{{Rows: [2]int{2, 1}}}); err == nil {
		t.Error("an empty range is warmed up")
	}
	if _, err := n.Warm(t.Context(), []forward.Family{{Rows: [2]int{1, 2}, Features: [2]int{1, 2}}}); err == nil {
		t.Error("a classifier is warmed up for numbers")
	}
}

func TestManyAtOnce(t *testing.T) {
	n := loaded(t, little)
	x, l := made(60, 5, 3)
	c, err := n.Fit(t.Context(), x, l, forward.Settings{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	want, err := c.Predict(t.Context(), x.X, x.Rows)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			got, err := c.WithThreads(1+i%3).Predict(t.Context(), x.X, x.Rows)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("caller %d: other answers (%v)", i, err)
			}
		})
	}
	group.Wait()
}

func TestCancelled(t *testing.T) {
	n := loaded(t, Config{Cell: 32, Layers: 2, Heads: 2, Inducing: 16, Group: 3, Waves: 8, Readouts: 4, Context: 128, Blocks: 4, BlockHeads: 4, QueryHeads: 4, Classes: 3})
	x, l := made(4000, 20, 3)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := n.Fit(ctx, x, l, forward.Settings{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled fit gives %v", err)
	}
	small, labels := made(30, 20, 3)
	c, err := n.Fit(t.Context(), small, labels, forward.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Predict(ctx, x.X, x.Rows); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled prediction gives %v", err)
	}
}

func TestBadInput(t *testing.T) {
	n := loaded(t, little)
	regressor := little
	regressor.Classes, regressor.Quantiles = 0, 5
	numbers := loaded(t, regressor)
	tests := map[string]struct {
		network *Network
		change  func(x *Table, l *Labels, s *forward.Settings)
		want    string
	}{
		"no rows":         {n, func(x *Table, l *Labels, _ *forward.Settings) { x.X, x.Rows, l.Y = nil, 0, nil }, "0 rows with 0 labels"},
		"no columns":      {n, func(x *Table, _ *Labels, _ *forward.Settings) { x.Features = 0 }, "without feature columns"},
		"sizes":           {n, func(x *Table, _ *Labels, _ *forward.Settings) { x.Rows = 8 }, "values for 8 rows"},
		"kinds":           {n, func(x *Table, _ *Labels, _ *forward.Settings) { x.Categorical = nil }, "0 kinds of columns"},
		"infinite":        {n, func(x *Table, _ *Labels, _ *forward.Settings) { x.X[7] = float32(math.Inf(-1)) }, "the cell of row 2 and column 1 is infinite"},
		"labels":          {n, func(_ *Table, l *Labels, _ *forward.Settings) { l.Y = l.Y[1:] }, "9 rows with 8 labels"},
		"missing label":   {n, func(_ *Table, l *Labels, _ *forward.Settings) { l.Y[3] = float32(math.NaN()) }, "the label of row 3 is NaN"},
		"fraction":        {n, func(_ *Table, l *Labels, _ *forward.Settings) { l.Y[2] = 0.5 }, "the label of row 2 is 0.5, want a class number"},
		"class":           {n, func(_ *Table, l *Labels, _ *forward.Settings) { l.Y[2] = 3 }, "want a class number from 0 to 2"},
		"task":            {n, func(_ *Table, l *Labels, _ *forward.Settings) { l.Classes = 0 }, "0 classes for a network that does classification"},
		"task of numbers": {numbers, func(*Table, *Labels, *forward.Settings) {}, "3 classes for a network that does regression"},
		"no codes":        {n, func(_ *Table, l *Labels, _ *forward.Settings) { l.Classes = 4 }, "4 classes without codes"},
		"needless codes":  {n, func(_ *Table, l *Labels, _ *forward.Settings) { l.Codes = [][]int{{0, 1, 2}} }, "tells apart without"},
		"short code":      {n, func(_ *Table, l *Labels, _ *forward.Settings) { l.Classes, l.Codes = 4, [][]int{{0, 1, 2}} }, "3 codes for 4 classes"},
		"unknown symbol":  {n, func(_ *Table, l *Labels, _ *forward.Settings) { l.Classes, l.Codes = 4, [][]int{{0, 1, 2, 3}} }, "by the symbol 3"},
		"always the rest": {n, func(_ *Table, l *Labels, _ *forward.Settings) {
			l.Classes, l.Codes = 4, [][]int{{0, 1, 2, 2}, {1, 0, 2, 2}}
		}, "class 2 is the rest in all 2 tasks"},
		"precision":        {n, func(_ *Table, _ *Labels, s *forward.Settings) { s.Precision = "fp8" }, `precision "fp8" is not known`},
		"cache":            {n, func(_ *Table, _ *Labels, s *forward.Settings) { s.Cache = "some" }, `cache "some" is not known`},
		"negative threads": {n, func(_ *Table, _ *Labels, s *forward.Settings) { s.Threads = -1 }, "must not be negative"},
	}
	for what, test := range tests {
		t.Run(what, func(t *testing.T) {
			x, l := made(9, 3, 3)
			s := forward.Settings{}
			test.change(&x, &l, &s)
			if _, err := test.network.Fit(t.Context(), x, l, s); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want it to say %q", err, test.want)
			}
		})
	}
	x, l := made(9, 3, 3)
	c, err := n.Fit(t.Context(), x, l, forward.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Predict(t.Context(), x.X[:8], 3); err == nil {
		t.Error("rows of another width are answered")
	}
	if out, err := c.Predict(t.Context(), nil, 0); err != nil || len(out) != 0 {
		t.Errorf("no rows give %v (%v)", out, err)
	}
}

// What a budget error says is enough, and a context is as large as it was said to be.
func TestBudgets(t *testing.T) {
	n := loaded(t, little)
	for _, cache := range []forward.Cache{forward.CacheFull, forward.CacheCompact, ""} {
		x, l := made(50, 6, 3)
		least := need(t, n, x, l, forward.Settings{Threads: 2, Cache: cache})
		if _, err := n.Fit(t.Context(), x, l, forward.Settings{Threads: 2, Cache: cache, MemoryBudget: least - 1}); err == nil {
			t.Errorf("cache %q: %d bytes are called the least, and fewer do", cache, least)
		}
		c, err := n.Fit(t.Context(), x, l, forward.Settings{Threads: 2, Cache: cache, MemoryBudget: least})
		if err != nil {
			t.Fatal(err)
		}
		kept := forward.CacheFull
		if c.parts[0].vectors != nil {
			kept = forward.CacheCompact
		}
		if got, want := c.Bytes(), n.ContextBytes(50, 6, 1, kept); got != want || cache != "" && kept != cache {
			t.Errorf("cache %q keeps %d bytes as %s, planned %d", cache, got, kept, want)
		}
	}
}

// Codes that tell every class apart in one task each are a network run a task; scores are the
// mean log-probabilities of the tasks that know a class.
func TestCodes(t *testing.T) {
	n := loaded(t, little)
	x, l := made(40, 4, 5)
	l.Codes = [][]int{{0, 1, 2, 2, 2}, {2, 2, 0, 1, 2}, {2, 0, 2, 2, 1}}
	got := answers(t, n, x, l, x.X, forward.Settings{})
	if len(got) != 40*5 {
		t.Fatalf("%d scores", len(got))
	}
	var tasks [][]float64 // log-probabilities [rows, symbols]
	for _, code := range l.Codes {
		task := Labels{Y: make([]float32, 40), Classes: 3}
		for i, y := range l.Y {
			task.Y[i] = float32(code[int(y)])
		}
		var logs []float64
		for row := range slices.Chunk(answers(t, n, x, task, x.X, forward.Settings{}), 3) {
			total := 0.0
			for _, v := range row {
				total += math.Exp(float64(v))
			}
			for _, v := range row {
				logs = append(logs, float64(v)-math.Log(total))
			}
		}
		tasks = append(tasks, logs)
	}
	for i := range 40 {
		for class, want := range []float64{tasks[0][3*i], (tasks[0][3*i+1] + tasks[2][3*i]) / 2, tasks[1][3*i], tasks[1][3*i+1], tasks[2][3*i+1]} {
			if d := math.Abs(float64(got[5*i+class]) - want); d > 1e-5 {
				t.Errorf("row %d, class %d: %v, want %v", i, class, got[5*i+class], want)
			}
		}
	}
}

// 16-bit products move answers a little.
func TestHalfPrecision(t *testing.T) {
	n := network(t, Small, forward.Classification, testLevels()[len(testLevels())-1])
	x, l := made(60, 5, 10)
	full := answers(t, n, x, l, x.X, forward.Settings{})
	half := answers(t, n, x, l, x.X, forward.Settings{Precision: forward.BF16})
	if d := distance(full, half); d == 0 || d > 0.1*magnitude(full) {
		t.Errorf("answers in 16 bits differ by %v", d)
	}
}

func ExampleSizeOf() {
	fmt.Println(SizeOf("nvidia/Kumo-Tabular/medium/classifier.pt"))
	// Output: medium true
}
