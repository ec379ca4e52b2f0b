package run

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/plan"
	"github.com/norn-data/norn/internal/warehouse"
)

// StateSchema holds what norn remembers in a target. It is safe to drop: the next build then builds everything.
const StateSchema = "_norn"

var builds = warehouse.Name{Schema: StateSchema, Relation: "builds"}

// createState makes the append-only table of builds. One row says that a node was built: when, from what, how many rows.
func createState(ctx context.Context, s warehouse.Session) error {
	return s.Exec(ctx, `
CREATE SCHEMA IF NOT EXISTS `+warehouse.Quote(StateSchema)+`;
CREATE TABLE IF NOT EXISTS `+builds.String()+` (
	built_at TIMESTAMP NOT NULL,
	node VARCHAR NOT NULL,
	kind VARCHAR NOT NULL,
	schema_name VARCHAR NOT NULL,
	relation VARCHAR NOT NULL,
	fingerprint VARCHAR NOT NULL,
	digest VARCHAR NOT NULL,
	row_count BIGINT,
	norn_version VARCHAR NOT NULL
);`)
}

// record appends a step's row. It is part of the step's transaction, so a build that was not published was not recorded.
func record(ctx context.Context, s warehouse.Session, step *plan.Step, result *Result, version string) error {
	return s.Exec(ctx, recordStatement(step.Kind.String(), step.Node, step.Relation, step.Fingerprint, step.Digest, result.Rows, version))
}

// recordStatement writes one row of the state table; rows below zero are not known.
func recordStatement(kind, node string, at plan.Name, fingerprint, digest string, rows int64, version string) string {
	written := "NULL"
	if rows >= 0 {
		written = strconv.FormatInt(rows, 10)
	}
	values := []string{"CAST(CURRENT_TIMESTAMP AS TIMESTAMP)"}
	for _, text := range []string{node, kind, at.Schema, at.Relation, fingerprint, digest} {
		values = append(values, warehouse.Literal(text))
	}
	values = append(values, written, warehouse.Literal(version))
	return "INSERT INTO " + builds.String() + " VALUES (" + strings.Join(values, ", ") + ")"
}

// History reads what was built before and whether it is still there, by [plan.Key]. A target that was never built into
// has no history.
func History(ctx context.Context, w warehouse.Session) (map[string]plan.Built, error) {
	known, err := w.Relations(ctx, StateSchema)
	if err != nil {
		return nil, fmt.Errorf("looking for the state of earlier builds: %w", err)
	}
	if len(known) == 0 {
		return nil, nil
	}
	rows, err := w.Query(ctx, `
SELECT node, schema_name, relation, fingerprint, digest
FROM (SELECT *, row_number() OVER (PARTITION BY lower(node), schema_name ORDER BY built_at DESC) AS newest FROM `+builds.String()+`) AS b
WHERE newest = 1
ORDER BY node, schema_name`)
	if err != nil {
		return nil, fmt.Errorf("reading the state of earlier builds: %w", err)
	}
	exists := make(map[warehouse.Name]bool)
	listed := make(map[string]bool)
	history := make(map[string]plan.Built, rows.Rows())
	for i := range rows.Rows() {
		schema, relation := cell(rows, "schema_name", i), cell(rows, "relation", i)
		if !listed[schema] {
			listed[schema] = true
			relations, err := w.Relations(ctx, schema)
			if err != nil {
				return nil, fmt.Errorf("listing %s: %w", schema, err)
			}
			for _, r := range relations {
				exists[r.Name] = true
			}
		}
		history[plan.Key(cell(rows, "node", i), schema)] = plan.Built{
			Fingerprint: cell(rows, "fingerprint", i),
			Digest:      cell(rows, "digest", i),
			Relation:    plan.Name{Schema: schema, Relation: relation},
			Exists:      exists[warehouse.Name{Schema: schema, Relation: relation}],
		}
	}
	return history, nil
}

// cell reads a text cell of a frame whose columns norn named itself.
func cell(f *frame.Frame, column string, row int) string {
	c, _ := f.Column(column)
	return c.Text(row)
}
