package run

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/plan"
	"github.com/norn-data/norn/internal/warehouse"
)

// History reads what the ledger says about a project and whether it is still there. A target that was never built into has an
// empty history. Rows from before the ledger named projects count for every project that asks, until it has rows of its own.
func History(ctx context.Context, w warehouse.Session, project string) (*plan.History, error) {
	h := &plan.History{Nodes: make(map[string]plan.Built), Audits: make(map[string]plan.Built), Refresh: make(map[string]int64), Makers: make(map[plan.Name]plan.Maker)}
	form, err := formOf(ctx, w)
	if err != nil || form == noLedger {
		return h, err
	}
	l := ledgerReader{session: w, from: builds.String(), form: form, history: h, exists: make(map[string]map[string]bool)}
	if form == firstLedger {
		l.from = firstForm
	}
	if err := l.makers(ctx, project); err != nil {
		return nil, err
	}
	return h, l.nodes(ctx, project)
}

type ledgerReader struct {
	session warehouse.Session
	from    string // the rows of the ledger, in the form of today
	form    ledgerForm
	history *plan.History
	exists  map[string]map[string]bool // relations by folded schema and folded name, as far as they were listed
}

func (l *ledgerReader) query(ctx context.Context, text string) (*frame.Frame, error) {
	rows, err := l.session.Query(ctx, text)
	if err != nil {
		return nil, fmt.Errorf("reading the ledger of earlier builds: %w", err)
	}
	return rows, nil
}

// newest reads the newest row of each group of rows.
func (l *ledgerReader) newest(ctx context.Context, where, group string) (*frame.Frame, error) {
	return l.query(ctx, "SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY "+group+" ORDER BY id DESC) AS age FROM "+l.from+" AS b WHERE "+where+
		") AS b WHERE age = 1 ORDER BY id")
}

// makers finds out who made each relation last, of whichever project.
func (l *ledgerReader) makers(ctx context.Context, project string) error {
	rows, err := l.newest(ctx, "outcome = 'built'", "lower(schema_name), lower(relation)")
	if err != nil {
		return err
	}
	for i := range rows.Rows() {
		name := plan.Name{Schema: cell(rows, "schema_name", i), Relation: cell(rows, "relation", i)}
		maker := plan.Maker{ID: number(rows, "id", i), Project: cell(rows, "project", i), Node: cell(rows, "node", i)}
		l.history.Makers[name.Fold()] = maker
		there, err := l.there(ctx, name)
		if err != nil {
			return err
		}
		if there && maker.Project == project {
			l.history.Made = append(l.history.Made, name)
		}
	}
	return nil
}

// there reports whether a relation is in the database.
func (l *ledgerReader) there(ctx context.Context, name plan.Name) (bool, error) {
	schema := strings.ToLower(name.Schema)
	if l.exists[schema] == nil {
		names, err := relationNames(ctx, l.session, name.Schema)
		if err != nil {
			return false, err
		}
		l.exists[schema] = names
	}
	return l.exists[schema][strings.ToLower(name.Relation)], nil
}

// relationNames lists the relations of a schema, folded.
func relationNames(ctx context.Context, s warehouse.Session, schema string) (map[string]bool, error) {
	relations, err := s.Relations(ctx, schema)
	if err != nil {
		return nil, fmt.Errorf("listing the relations of %s: %w", schema, err)
	}
	names := make(map[string]bool, len(relations))
	for _, r := range relations {
		names[strings.ToLower(r.Name.Relation)] = true
	}
	return names, nil
}

// nodes reads the newest rows of the project's nodes, audits and builds of everything.
func (l *ledgerReader) nodes(ctx context.Context, project string) error {
	rows, err := l.newest(ctx, "project IS NULL OR project = "+warehouse.Literal(project), "lower(node), lower(schema_name), kind = 'audit', outcome")
	if err != nil {
		return err
	}
	keys := make(map[int64]string) // nodes and audits by the id of their build
	h := l.history
	for i := range rows.Rows() { // older rows come first
		id, key := number(rows, "id", i), plan.Key(cell(rows, "node", i), cell(rows, "schema_name", i))
		switch outcome(cell(rows, "outcome", i)) {
		case startedOutcome:
			h.Refresh[strings.ToLower(cell(rows, "schema_name", i))] = id
		case failedOutcome:
			if b, ok := h.Nodes[key]; ok {
				b.Failed = cell(rows, "digest", i)
				h.Nodes[key] = b
			}
		case passedOutcome:
			b := l.built(rows, i)
			b.Exists = true
			h.Audits[key] = b
			keys[id] = key
		case builtOutcome:
			b := l.built(rows, i)
			if b.Exists, err = l.there(ctx, b.Relation); err != nil {
				return err
			}
			if last := h.Makers[b.Relation.Fold()]; b.Exists && last.ID != id {
				b.Exists, b.Over = false, last.Node
			}
			h.Nodes[key] = b
			keys[id] = key
		}
	}
	return l.reads(ctx, keys)
}

func (l *ledgerReader) built(rows *frame.Frame, i int) plan.Built {
	return plan.Built{ID: number(rows, "id", i), Fingerprint: cell(rows, "fingerprint", i), Digest: cell(rows, "digest", i), Edition: int(number(rows, "edition", i)),
		Version: cell(rows, "norn_version", i), Relation: plan.Name{Schema: cell(rows, "schema_name", i), Relation: cell(rows, "relation", i)}}
}

// reads fills in what the builds were made from.
func (l *ledgerReader) reads(ctx context.Context, keys map[int64]string) error {
	if l.form == firstLedger || len(keys) == 0 {
		return nil
	}
	var ids []string
	for id := range keys {
		ids = append(ids, strconv.FormatInt(id, 10))
	}
	slices.Sort(ids)
	rows, err := l.query(ctx, "SELECT id, read_id FROM "+reads.String()+" WHERE id IN ("+strings.Join(ids, ", ")+") ORDER BY id, read_id")
	if err != nil {
		return err
	}
	for i := range rows.Rows() {
		id := number(rows, "id", i)
		for _, nodes := range []map[string]plan.Built{l.history.Nodes, l.history.Audits} {
			if b := nodes[keys[id]]; b.ID == id {
				b.Reads = append(b.Reads, number(rows, "read_id", i))
				nodes[keys[id]] = b
			}
		}
	}
	return nil
}

// number reads a whole number of a frame whose columns norn named itself.
func number(f *frame.Frame, column string, row int) int64 {
	c, _ := f.Column(column)
	return c.Ints[row]
}
