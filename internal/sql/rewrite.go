package sql

// An Edit replaces a byte range of a text. Whoever has a tree and its text can change the one without printing the other, so
// that comments and layout stay: a build puts relations in the place of references this way.
type Edit struct {
	Range
	Text string
}
