package diag

import "strings"

// Nearest returns the candidate that a misspelt name most likely meant, or "" when none is near. Distance is the
// optimal string alignment distance without regard to case; a name may differ in about a third of its letters, and a name
// of one or two letters in none: every other short name would be as near. Ties go to the candidate that comes first in
// the alphabet, so messages do not depend on map order.
func Nearest(name string, candidates []string) string {
	allowed := max(1, len(name)/3)
	if len(name) < 3 {
		allowed = 0
	}
	best, bestDistance := "", allowed+1
	lower := strings.ToLower(name)
	for _, c := range candidates {
		d := distance(lower, strings.ToLower(c), bestDistance+1)
		if d < bestDistance || d == bestDistance && d <= allowed && c < best {
			best, bestDistance = c, d
		}
	}
	return best
}

// distance is the optimal string alignment distance between two names, cut off at limit.
func distance(a, b string, limit int) int {
	if abs := len(a) - len(b); abs >= limit || -abs >= limit {
		return limit
	}
	before, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev, row = prev, row, before
	}
	return min(prev[len(b)], limit)
}

// Listing names up to ten candidates for a message: "a, b, c and 4 more".
func Listing(names []string) string {
	const most = 10
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + " and " + itoa(len(names)-most) + " more"
}
