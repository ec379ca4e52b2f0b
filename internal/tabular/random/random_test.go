package random

import (
	"encoding/json"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/tabular/agreement"
)

// load reads one file of golden streams and refuses an empty one.
func load[T any](t *testing.T, name string) T {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var out T
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatalf("reading %s: %v", name, err)
	}
	return out
}

// same fails the test when two values differ in any bit.
func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// streams is same for a file of golden streams, and tells how many were compared.
func streams(t *testing.T, name string) func(t *testing.T, what string, got, want any) {
	group := agreement.New(t, "random, "+name)
	return func(t *testing.T, what string, got, want any) {
		t.Helper()
		distance := 0.0
		if !cmp.Equal(want, got) {
			distance = math.Inf(1)
		}
		group.See("streams", distance, 0)
		same(t, what, got, want)
	}
}

// draw calls f n times.
func draw[T any](n int, f func() T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = f()
	}
	return out
}

// tuple is a JSON array of unlike things, taken apart by the test that knows them.
type tuple []json.RawMessage

func (p tuple) into(t *testing.T, parts ...any) {
	t.Helper()
	if len(p) != len(parts) {
		t.Fatalf("%d parts where %d were expected", len(p), len(parts))
	}
	for i, part := range parts {
		if err := json.Unmarshal(p[i], part); err != nil {
			t.Fatal(err)
		}
	}
}

// bigBits are k random bits (getrandbits): words are drawn lowest first, the last one is cut.
func bigBits(p *Python, k int) *big.Int {
	out := new(big.Int)
	for at := 0; at < k; at += 32 {
		w := new(big.Int).SetUint64(p.Bits(min(32, k-at)))
		out.Or(out, w.Lsh(w, uint(at)))
	}
	return out
}

func TestPython(t *testing.T) {
	same := streams(t, "cpython")
	type golden struct {
		Seed              string
		Getrandbits32     []uint64
		Getrandbits       []tuple
		Randrange, Choice [][2]int
		Shuffle, Sample   []tuple
	}
	file := load[struct{ Cases []golden }](t, "cpython_random.json")
	if len(file.Cases) == 0 {
		t.Fatal("no golden streams")
	}
	for _, c := range file.Cases {
		t.Run("seed="+c.Seed, func(t *testing.T) {
			seed, ok := new(big.Int).SetString(c.Seed, 10)
			if !ok {
				t.Fatalf("seed %q is no number", c.Seed)
			}
			p := NewPythonBig(seed)
			same(t, "32 bits", draw(len(c.Getrandbits32), func() uint64 { return p.Bits(32) }), c.Getrandbits32)

			p = NewPythonBig(seed)
			for _, pair := range c.Getrandbits {
				var k int
				var want string
				pair.into(t, &k, &want)
				same(t, strconv.Itoa(k)+" bits", bigBits(p, k).String(), want)
			}
			for what, pairs := range map[string][][2]int{"randrange": c.Randrange, "choice": c.Choice} {
				p = NewPythonBig(seed)
				for _, pair := range pairs {
					same(t, what, p.Below(pair[0]), pair[1])
				}
			}
			p = NewPythonBig(seed)
			for _, pair := range c.Shuffle {
				var n int
				var want []int
				pair.into(t, &n, &want)
				same(t, "shuffle of "+strconv.Itoa(n), p.Perm(n), want)
			}
			p = NewPythonBig(seed)
			for _, triple := range c.Sample {
				var n, k int
				var want []int
				triple.into(t, &n, &k, &want)
				same(t, "sample of "+strconv.Itoa(n), p.Sample(n, k), want)
			}
		})
	}
}

// TestPythonSeedForms checks that the two ways to give a seed are one.
func TestPythonSeedForms(t *testing.T) {
	for _, seed := range []uint64{0, 42, 1 << 32, math.MaxUint64} {
		a, b := NewPython(seed), NewPythonBig(new(big.Int).SetUint64(seed))
		for range 700 {
			same(t, "bits", a.Bits(64), b.Bits(64))
		}
	}
}

func TestLegacy(t *testing.T) {
	same := streams(t, "numpy, legacy")
	type golden struct {
		Seed                 uint32
		Words                []uint32
		Shuffle, Permutation [][]int
		Big                  [][]int `json:"shuffle_10500_first_and_last"`
		Ten                  []int   `json:"randint_0_10"`
		Thousand             []int   `json:"randint_0_1000"`
		Choice               []int   `json:"choice_30_of_100"`
		Again                []int   `json:"choice_with_replacement"`
	}
	file := load[struct{ Cases []golden }](t, "numpy_random.json")
	if len(file.Cases) == 0 {
		t.Fatal("no golden streams")
	}
	for _, c := range file.Cases {
		t.Run("seed="+strconv.FormatUint(uint64(c.Seed), 10), func(t *testing.T) {
			fresh := func() *Legacy { return NewLegacy(c.Seed) }
			below := func(n, count int) []int {
				l := fresh()
				return draw(count, func() int { return l.Below(n) })
			}
			same(t, "words", draw(len(c.Words), fresh().mt.word), c.Words)
			l := fresh()
			for _, want := range c.Shuffle {
				same(t, "shuffle", l.Perm(len(want)), want)
			}
			for _, want := range c.Permutation {
				same(t, "permutation", fresh().Perm(len(want)), want)
			}
			big := fresh().Perm(10500)
			same(t, "long shuffle", [][]int{big[:20], big[10480:]}, c.Big)
			same(t, "below 10", below(10, len(c.Ten)), c.Ten)
			same(t, "below 1000", below(1000, len(c.Thousand)), c.Thousand)
			same(t, "choice", fresh().Perm(100)[:30], c.Choice)
			same(t, "choice with replacement", below(10, len(c.Again)), c.Again)
		})
	}
}

func TestPCG(t *testing.T) {
	same := streams(t, "numpy, PCG64")
	type golden struct {
		Seed       uint64
		State, Inc string
		Raw        []string
		Random     []float64
		Normal     []float64 `json:"standard_normal"`
		Long       struct {
			Sum, Min, Max, Last float64
			Some                []float64 `json:"every_1000th"`
		} `json:"standard_normal_20000"`
	}
	file := load[struct{ PCG64 []golden }](t, "numpy_random.json")
	if len(file.PCG64) == 0 {
		t.Fatal("no golden streams")
	}
	decimal := func(v uint128) string {
		n := new(big.Int).SetUint64(v.hi)
		return n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(v.lo)).String()
	}
	for _, c := range file.PCG64 {
		t.Run("seed="+strconv.FormatUint(c.Seed, 10), func(t *testing.T) {
			p := NewPCG(c.Seed)
			same(t, "state", decimal(p.state), c.State)
			same(t, "increment", decimal(p.step), c.Inc)
			same(t, "raw", draw(len(c.Raw), func() string { return strconv.FormatUint(p.Uint64(), 10) }), c.Raw)
			same(t, "units", draw(len(c.Random), NewPCG(c.Seed).Float64), c.Random)
			same(t, "normals", draw(len(c.Normal), NewPCG(c.Seed).Normal), c.Normal)

			// Long enough to meet the wedge and the tail of the ziggurat.
			long := draw(20000, NewPCG(c.Seed).Normal)
			some := make([]float64, 0, 20)
			low, high := long[0], long[0]
			var sum float64
			for i, v := range long {
				if i%1000 == 0 {
					some = append(some, v)
				}
				low, high, sum = min(low, v), max(high, v), sum+v
			}
			same(t, "every 1000th", some, c.Long.Some)
			same(t, "ends", []float64{low, high, long[len(long)-1]}, []float64{c.Long.Min, c.Long.Max, c.Long.Last})
			// NumPy adds pairwise; one wrong draw would show far above this bound.
			if math.Abs(sum-c.Long.Sum) > 1e-9 {
				t.Errorf("sum is %v, want %v", sum, c.Long.Sum)
			}
		})
	}
}

func TestTorch(t *testing.T) {
	same := streams(t, "torch")
	type golden struct {
		Seed     string
		Random   []uint64
		Randperm []tuple
		Mixed    []tuple
		Rand     []float32 `json:"rand_float32"`
		Rand20   []float32 `json:"rand_20_float32"`
		Coin64   []int     `json:"bernoulli_float64"`
		Coin32   []int     `json:"bernoulli_float32"`
		Coin03   []int     `json:"bernoulli_p03"`
		Randint  []int     `json:"randint_3"`
	}
	file := load[struct{ Cases []golden }](t, "torch_random.json")
	if len(file.Cases) == 0 {
		t.Fatal("no golden streams")
	}
	coin := func(g *Torch, p float64) func() int {
		return func() int {
			if g.Bernoulli(p) {
				return 1
			}
			return 0
		}
	}
	for _, c := range file.Cases {
		t.Run("seed="+c.Seed, func(t *testing.T) {
			seed, err := strconv.ParseUint(c.Seed, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			fresh := func() *Torch { return NewTorch(seed) }
			g := fresh()
			same(t, "random_", draw(len(c.Random), func() uint64 { return g.Uint64() % (1 << 32) }), c.Random)
			for _, pair := range c.Randperm {
				var n int
				var want []int
				pair.into(t, &n, &want)
				same(t, "randperm", fresh().Perm(n), want)
			}
			same(t, "rand", draw(len(c.Rand), fresh().Float32), c.Rand)
			same(t, "rand of 20", draw(len(c.Rand20), fresh().Float32), c.Rand20)
			same(t, "bernoulli in float64", draw(len(c.Coin64), coin(fresh(), 0.5)), c.Coin64)
			same(t, "bernoulli in float32", draw(len(c.Coin32), coin(fresh(), 0.5)), c.Coin32)
			same(t, "bernoulli of 0.3", draw(len(c.Coin03), coin(fresh(), 0.3)), c.Coin03)
			g = fresh()
			same(t, "randint", draw(len(c.Randint), func() int { return int(g.mt.word() % 3) }), c.Randint)

			g = fresh()
			for _, triple := range c.Mixed {
				var kind string
				var n int
				var want []float64
				triple.into(t, &kind, &n, &want)
				var got []float64
				switch kind {
				case "randperm":
					for _, v := range g.Perm(n) {
						got = append(got, float64(v))
					}
				case "rand":
					got = draw(n, func() float64 { return float64(g.Float32()) })
				case "bernoulli":
					got = draw(n, func() float64 { return float64(coin(g, 0.5)()) })
				default:
					t.Fatalf("unknown draw %q", kind)
				}
				same(t, "mixed "+kind, got, want)
			}
		})
	}
}
