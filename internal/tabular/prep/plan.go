package prep

import (
	"math/bits"

	"github.com/norn-data/norn/internal/tabular/random"
)

// latinLimit is the number of columns from which the reference gives up Latin squares for
// independent orders.
const latinLimit = 4000

// Member is one member of the ensemble: what makes its view of the table its own.
type Member struct {
	Norm Norm
	// Columns is the order in which the member sees the features: its input column i is feature Columns[i].
	Columns []int
	// Classes gives labels new codes: class c is shown as Classes[c], and output Classes[c] belongs to
	// class c. nil for regression.
	Classes []int
}

// Plan draws the members for a table of so many features and classes (0 for regression), in drawn
// order: patterns of columns times patterns of classes, shuffled, dealt to the norms in turn. Fewer
// than o.Members come out if there are fewer combinations.
//
// The reference builds the whole product and, for Latin squares, the whole square by recursion; here
// only the patterns that are used are made, each in time linear in its length.
func Plan(features, classes int, o Options) []Member {
	columns := draw(features, o.FeatureShuffle, o.Members, o.Seed)
	labels := patterns{count: 1, at: func(int) []int { return nil }}
	if classes > 0 {
		labels = draw(classes, o.ClassShuffle, o.Members, o.Seed)
	}
	order := random.NewPython(o.Seed).Perm(columns.count * labels.count)
	norms := len(o.Norms)
	// Compared by division: the product may be larger than any member count.
	total := o.Members
	if len(order) < (o.Members+norms-1)/norms {
		total = len(order) * norms
	}
	members := make([]Member, total)
	for e := range members {
		q := order[e/norms]
		members[e] = Member{
			Norm:    o.Norms[e%norms],
			Columns: columns.at(q / labels.count),
			Classes: labels.at(q % labels.count),
		}
	}
	return members
}

// patterns is a list of permutations, each made when it is asked for.
type patterns struct {
	count int
	at    func(i int) []int
}

// draw returns the patterns of n elements under a method. Each method starts its own generator from
// the seed; a single member always gets the given order.
func draw(n int, method Shuffle, members int, seed uint64) patterns {
	if method == ShuffleLatin && n > latinLimit {
		method = ShuffleRandom
	}
	if members == 1 {
		method = ShuffleNone
	}
	switch method {
	case ShuffleShift:
		return patterns{n, func(i int) []int { return rotation(n, i) }}
	case ShuffleRandom:
		return randomPatterns(n, members, random.NewPython(seed))
	case ShuffleLatin:
		return latinPatterns(n, random.NewPython(seed))
	}
	return patterns{1, func(int) []int { return rotation(n, 0) }}
}

// rotation is 0..n-1 with the last i elements moved to the front.
func rotation(n, i int) []int {
	out := make([]int, n)
	for k := range out {
		out[(k+i)%n] = k
	}
	return out
}

// randomPatterns draws independent orders. Up to five elements they are drawn from the list of all
// orders, so that none comes twice.
func randomPatterns(n, members int, g *random.Python) patterns {
	const listed = 5
	if n > listed {
		out := make([][]int, members)
		for i := range out {
			out[i] = g.Sample(n, n)
		}
		return patterns{members, func(i int) []int { return out[i] }}
	}
	all := 1
	for i := 2; i <= n; i++ {
		all *= i
	}
	chosen := g.Sample(all, min(members, all))
	return patterns{len(chosen), func(i int) []int { return nthOrder(n, chosen[i]) }}
}

// nthOrder is the index-th permutation of 0..n-1 in lexicographic order.
func nthOrder(n, index int) []int {
	rest := rotation(n, 0)
	block := 1 // permutations that share their first elements
	for i := 2; i < n; i++ {
		block *= i
	}
	out := make([]int, 0, n)
	for left := n - 1; left >= 0; left-- {
		k := index / block
		index %= block
		out = append(out, rest[k])
		rest = append(rest[:k], rest[k+1:]...)
		if left > 0 {
			block /= left
		}
	}
	return out
}

// latinPatterns draws a random Latin square: n orders of n elements in which every element meets every
// place once. The reference inserts symbols recursively, then shuffles rows, transposes and shuffles
// again. In closed form: the recursion alone gives the cyclic square of a random sequence base, and
// pattern k is base[(P[k]-R[r]) mod n] at place r for two shuffles R and P.
func latinPatterns(n int, g *random.Python) patterns {
	base := drawOut(n, g)
	rows := g.Perm(n)
	picks := g.Perm(n)
	return patterns{n, func(k int) []int {
		out := make([]int, n)
		for r := range out {
			out[r] = base[(picks[k]-rows[r]+n)%n]
		}
		return out
	}}
}

// drawOut takes the numbers 0..n-1 out one by one, each time the randbelow(left)-th of those left in
// ascending order; the last one needs no draw. A Fenwick tree finds each in O(log n).
func drawOut(n int, g *random.Python) []int {
	tree := make([]int, n+1)
	for i := 1; i <= n; i++ {
		tree[i] = i & -i // every number is still there
	}
	top := 1 << (bits.Len(uint(n)) - 1)
	out := make([]int, n)
	for i := range out {
		k := 0
		if left := n - i; left > 1 {
			k = g.Below(left)
		}
		// at is how many numbers can be passed with no more than k still there among them.
		at := 0
		for step := top; step > 0; step /= 2 {
			if at+step <= n && tree[at+step] <= k {
				at += step
				k -= tree[at]
			}
		}
		out[i] = at
		for j := at + 1; j <= n; j += j & -j {
			tree[j]--
		}
	}
	return out
}
