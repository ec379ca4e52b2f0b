package recipe

import (
	"math"
	"slices"
	"sort"

	"github.com/norn-data/norn/internal/tabular/random"
)

// Everything about members that is drawn comes from one generator in a fixed order: the
// target's turns, the signs of numbers member by member, the order of columns, the code books.

// Member is what one member of the ensemble sees.
type Member struct {
	Norm Norm `json:"norm"`
	// Columns are the features that it sees, in its order.
	Columns []int `json:"columns"`
	// Turned are the features whose sign is turned, by feature.
	Turned []bool `json:"turned"`
	// Classes are the classes in its order: its output i is about class Classes[i].
	Classes []int `json:"classes,omitempty"`
	// Mirrored says that the sign of a regression's target is turned.
	Mirrored bool `json:"mirrored,omitempty"`
	// Codes are what each task calls the classes, in the member's order; nil where the network
	// tells all classes apart in one go.
	Codes [][]int `json:"codes,omitempty"`
}

// networkClasses is the number of classes the network tells apart in one go.
const networkClasses = 10

// mostColumns is the number of columns that a member sees at most: the first of its order.
const mostColumns = 500

// plan draws the members for features, of which turns says whether their signs are turned at
// random. classes is 0 for a regression.
func plan(o Options, turns []bool, classes int) []Member {
	g := random.NewTorch(o.Seed)
	members := make([]Member, o.Members)
	var offsets []int // not used yet
	for e := range members {
		m := &members[e]
		m.Norm = o.Norms[e%len(o.Norms)]
		if classes == 0 {
			m.Mirrored = g.Bernoulli(0.5)
			continue
		}
		// Each turn of the classes is used once before any is used again.
		offset := 0
		if classes > 1 {
			if len(offsets) == 0 {
				offsets = g.Perm(classes)
			}
			offset, offsets = offsets[0], offsets[1:]
		}
		m.Classes = make([]int, classes)
		for i := range m.Classes {
			m.Classes[i] = (i + offset) % classes
		}
	}
	for e := range members {
		members[e].Turned = make([]bool, len(turns))
		for j, turns := range turns {
			members[e].Turned[j] = turns && g.Bernoulli(0.5)
		}
	}
	// A Latin square: over as many members as columns every column stands in every place once.
	width := len(turns)
	base, rows := g.Perm(width), g.Perm(width)
	for e := range members {
		columns := make([]int, width)
		for j := range columns {
			columns[j] = base[((e-rows[j])%width+width)%width]
		}
		members[e].Columns = columns[:min(width, mostColumns)]
	}
	if classes > networkClasses {
		for e := range members {
			members[e].Codes = codeBook(classes, networkClasses, g)
		}
	}
	return members
}

// Sizes of the draw of a code book.
const (
	bookDraws  = 50  // candidates
	bookLimit  = 200 // classes beyond which there is one candidate: distances of pairs cost their square
	bookFactor = 4   // tasks for each digit of the classes
	bookNoise  = 0.1 // breaks ties of coverage
)

// codeBook draws what each task calls the classes. A task tells the symbols-1 classes apart
// that were told apart least so far and calls the others the rest, symbols-1. Of several
// candidates the one wins whose two most alike classes differ in most tasks, then the one
// whose classes differ most in all.
func codeBook(classes, symbols int, g *random.Torch) [][]int {
	rest := symbols - 1
	tasks := max((classes+rest-1)/rest, bookFactor*int(math.Ceil(math.Log(float64(classes))/math.Log(float64(symbols)))))
	draws := bookDraws
	if classes > bookLimit {
		draws = 1
	}
	books := make([][][]int, draws)
	coverage := make([][]float32, draws)
	for d := range books {
		books[d], coverage[d] = make([][]int, tasks), make([]float32, classes)
	}
	// Candidates are drawn side by side: all of them take their noise for a task, then all
	// their symbols.
	for t := range tasks {
		noise, symbolNoise := make([][]float32, draws), make([][]float32, draws)
		for d := range books {
			noise[d] = floats(g, classes)
		}
		for d := range books {
			symbolNoise[d] = floats(g, rest)
		}
		for d := range books {
			priority := noise[d]
			for c := range priority {
				priority[c] = coverage[d][c] + float32(float32(bookNoise)*priority[c])
			}
			code := slices.Repeat([]int{rest}, classes)
			chosen := ascending(priority)[:rest]
			for i, symbol := range ascending(symbolNoise[d]) {
				code[chosen[i]] = symbol
				coverage[d][chosen[i]]++
			}
			books[d][t] = code
		}
	}
	if draws == 1 {
		return books[0]
	}
	best, bestScore := 0, -1
	for d, book := range books {
		if s := separation(book); s > bestScore {
			best, bestScore = d, s
		}
	}
	return books[best]
}

// floats draws numbers in [0, 1).
func floats(g *random.Torch, n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = g.Float32()
	}
	return out
}

// ascending lists positions by rising value, equal ones in their order.
func ascending(x []float32) []int {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return x[order[a]] < x[order[b]] })
	return order
}

// separation scores a book: the least number of tasks that two classes differ in counts before
// the sum over all pairs.
func separation(book [][]int) int {
	classes, least, total, pairs := len(book[0]), len(book), 0, 0
	for a := range classes {
		for b := a + 1; b < classes; b++ {
			distance := 0
			for _, code := range book {
				if code[a] != code[b] {
					distance++
				}
			}
			least, total, pairs = min(least, distance), total+distance, pairs+1
		}
	}
	return least*(pairs*len(book)+1) + total
}
