package prep

import "testing"

// What a gap and a category that training had not are coded as: by whether gaps are a level of their own, and by whether
// training had one. The golden table of the encoder has both kinds of columns from the reference.
func TestMissingAndUnseen(t *testing.T) {
	for _, c := range []struct {
		name                 string
		level, seen          bool
		missing, unseen, top float64
	}{
		{"a gap in training, its own level", true, true, 2, -1, 1},
		{"no gap in training, its own level", true, false, -1, -1, 1},
		{"a gap in training, no level", false, true, -1, -1, 1},
		{"no gap in training, no level", false, false, -1, -1, 1},
	} {
		train := Column{Name: "c", Kind: Text, Texts: []string{"b", "a", "b"}, MissingLevel: c.level}
		if c.seen {
			train.Texts, train.Missing = append(train.Texts, ""), []bool{false, false, false, true}
		}
		e, err := FitEncoder(t.Context(), []Column{train}, DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := e.Transform(t.Context(), []Column{{Name: "c", Kind: Text, Texts: []string{"", "zebra", "b"}, Missing: []bool{true, false, false}}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		same(t, c.name, got[0], []float64{c.missing, c.unseen, c.top})
		if e.features[0].levels.count() != 2 {
			t.Errorf("%s: a gap is counted among the levels", c.name)
		}
	}
}
