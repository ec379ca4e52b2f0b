package project

import "testing"

// TestKeywordCase holds the fingerprint of a model to what formatting may change: the case of keywords does not count, that of
// names does.
func TestKeywordCase(t *testing.T) {
	of := func(query string) string {
		p, problems := load(t, folder("models/orders.sql", "SELECT 1 AS id", "models/m.sql", query))
		if len(problems) > 0 {
			t.Fatal(problems[0])
		}
		n := p.Model("m")
		return n.Fingerprint
	}
	want := of("SELECT id, sum(id) OVER (PARTITION BY id ROWS UNBOUNDED PRECEDING) AS s FROM orders WHERE id IS NOT NULL")
	same := of("select id,\n  sum(id) over (partition by id rows unbounded preceding) as s -- a comment\nfrom orders where id is not null")
	if want != same {
		t.Error("the case of keywords counts")
	}
	for _, query := range []string{
		"SELECT ID, sum(id) OVER (PARTITION BY id ROWS UNBOUNDED PRECEDING) AS s FROM orders WHERE id IS NOT NULL",
		"SELECT id, sum(id) OVER (PARTITION BY id ROWS UNBOUNDED PRECEDING) AS S FROM orders WHERE id IS NOT NULL",
		"SELECT id, sum(id) OVER (PARTITION BY id ROWS UNBOUNDED PRECEDING) AS s FROM orders WHERE id IS NULL",
	} {
		if of(query) == want {
			t.Errorf("%s is taken for the same", query)
		}
	}
}
