package project

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"

	"github.com/norn-data/norn/internal/sql"
)

// A fingerprint answers one question: can this node give other rows or other columns than the one that was built? It
// covers the tokens of the query and the decoded settings, so neither layout nor comments nor the order of header keys
// count; descriptions and tags do not either. The leading word carries a version: raising it rebuilds everything once.

// queryFingerprint hashes the tokens of a query, keywords without regard to case. Each token is preceded by its length, so
// that no two token sequences share one byte stream.
func queryFingerprint(h hash.Hash, s *sql.Statement, d *sql.Dialect) {
	buf := make([]byte, 0, 5000)
	for text := range s.Spelling(d) {
		buf = append(buf, byte(len(text)), byte(len(text)>>8), byte(len(text)>>16), byte(len(text)>>24))
		buf = append(buf, text...)
		if len(buf) > 4096 {
			h.Write(buf)
			buf = buf[:0]
		}
	}
	h.Write(buf)
}

// fingerprint hashes decoded settings and not their text: a default that moves from the header into the configuration
// changes nothing.
func (m *Model) fingerprint(d *sql.Dialect) string {
	h := sha256.New()
	fmt.Fprintf(h, "model 1\x00%s\x00%s\x00%s\x00%s\x00%d\x00%d\x00", fold(m.Name), m.Database.Text, m.Schema.Text, m.Relation(),
		m.Materialized, m.Contract)
	hashColumns(h, m.Columns)
	for _, w := range m.UniqueKey {
		fmt.Fprintf(h, "key\x00%s\x00", w.Text)
	}
	if p := m.Predict; p != nil {
		fmt.Fprintf(h, "predict\x00%s\x00%s\x00%s\x00%d\x00%d\x00%t\x00", p.Target.Text, p.Model.Text, p.AsOf.Text, p.Members, p.Seed, p.SeedSpan.IsZero())
		for _, k := range p.Keys {
			fmt.Fprintf(h, "%s\x00", k.Text)
		}
		if p.Task.Given() {
			fmt.Fprintf(h, "task\x00%s\x00", p.Task.Text)
		}
		if o := p.Holdout; o != nil {
			fmt.Fprintf(h, "holdout\x00%g\x00%d\x00%d\x00%t\x00%t\x00", o.Share, o.Rows, o.Seed, o.SeedSpan.IsZero(), o.Off)
		}
	}
	hashAudits(h, m.Audits)
	h.Write([]byte("query\x00"))
	if m.Query != nil {
		queryFingerprint(h, m.Query, d)
	} else {
		h.Write([]byte(m.File.Text)) // broken: never built, and different from all that is
	}
	return hex.EncodeToString(h.Sum(nil))
}

// hashColumns covers what declared columns do: casts, contracts and audits. Types count without regard to case.
func hashColumns(h hash.Hash, columns []Column) {
	for _, c := range columns {
		fmt.Fprintf(h, "column\x00%s\x00%s\x00%d\x00", c.Name.Text, strings.ToUpper(c.Type.Text), c.Nullable)
		hashAudits(h, c.Audits)
	}
}

// hashAudits covers audits because a table that was published under weaker ones has not passed the new ones.
func hashAudits(h hash.Hash, audits []AuditCall) {
	for _, a := range audits {
		fmt.Fprintf(h, "audit\x00%s\x00%d\x00%s\x00%s\x00", fold(a.Name.Text), a.Severity, a.To.Text, a.Field.Text)
		for _, c := range a.Columns {
			fmt.Fprintf(h, "%s\x00", c.Text)
		}
		for _, l := range a.Values {
			fmt.Fprintf(h, "%d %s\x00", l.Kind, l.Text)
		}
		for _, s := range a.Scores {
			fmt.Fprintf(h, "%s%s%g\x00", s.Metric, s.Op, s.Value)
		}
	}
}
