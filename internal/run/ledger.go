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

// StateSchema holds what norn remembers in a target: the ledger, two append-only tables (docs/formats/ledger.md). Without it
// every relation of the project is one that somebody else made, see [Foreign].
const StateSchema = "_norn"

var (
	builds = warehouse.Name{Schema: StateSchema, Relation: "builds"}
	reads  = warehouse.Name{Schema: StateSchema, Relation: "reads"}
)

// An outcome is what a row of the ledger says about its node.
type outcome string

const (
	builtOutcome   outcome = "built"
	failedOutcome  outcome = "failed"
	passedOutcome  outcome = "passed" // a stand-alone audit
	startedOutcome outcome = "started"
)

// refreshKind is the kind of the row that a build of everything begins with. What has a smaller id was not reached by it.
const refreshKind = "refresh"

// buildColumns are the columns of _norn.builds in their order, with their types. The project is NULL in rows that were written
// before the ledger named projects.
var buildColumns = [][2]string{
	{"id", "BIGINT NOT NULL"}, {"project", "VARCHAR"}, {"node", "VARCHAR NOT NULL"}, {"kind", "VARCHAR NOT NULL"}, {"outcome", "VARCHAR NOT NULL"},
	{"schema_name", "VARCHAR NOT NULL"}, {"relation", "VARCHAR NOT NULL"}, {"fingerprint", "VARCHAR NOT NULL"}, {"digest", "VARCHAR NOT NULL"},
	{"edition", "INTEGER NOT NULL"}, {"row_count", "BIGINT"}, {"norn_version", "VARCHAR NOT NULL"}, {"built_at", "TIMESTAMP NOT NULL"},
}

// readColumns are those of _norn.reads.
var readColumns = [][2]string{{"id", "BIGINT NOT NULL"}, {"read_id", "BIGINT NOT NULL"}}

// firstForm shapes the rows of the ledger's first form, which had no ids, no projects and no failures, like those of today. Rows
// were only ever appended, so the order in which they lie is the order in which they were written, whatever the clock said.
var firstForm = `(SELECT row_number() OVER (ORDER BY rowid) AS id, CAST(NULL AS VARCHAR) AS project, node, kind,
	CASE kind WHEN 'audit' THEN 'passed' ELSE 'built' END AS outcome, schema_name, relation, fingerprint, digest, 0 AS edition, row_count, norn_version, built_at
FROM ` + builds.String() + `)`

// A ledgerForm says which form of the ledger a database has.
type ledgerForm uint8

const (
	noLedger ledgerForm = iota
	firstLedger
	ledgerOfToday
)

func formOf(ctx context.Context, s warehouse.Session) (ledgerForm, error) {
	relations, err := s.Relations(ctx, StateSchema)
	if err != nil {
		return noLedger, fmt.Errorf("looking for the ledger of earlier builds: %w", err)
	}
	if !slices.ContainsFunc(relations, func(r warehouse.Relation) bool { return r.Name == builds }) {
		return noLedger, nil
	}
	columns, err := s.Describe(ctx, "SELECT * FROM "+builds.String())
	if err != nil {
		return noLedger, fmt.Errorf("reading the ledger of earlier builds: %w", err)
	}
	if slices.ContainsFunc(columns, func(f frame.Field) bool { return f.Name == "outcome" }) {
		return ledgerOfToday, nil
	}
	return firstLedger, nil
}

// openLedger makes the ledger where there is none, and gives one of the first form the form of today.
func openLedger(ctx context.Context, s warehouse.Session) error {
	form, err := formOf(ctx, s)
	if err != nil {
		return err
	}
	create := "CREATE SCHEMA IF NOT EXISTS " + warehouse.Quote(StateSchema) + ";\n" +
		"CREATE TABLE IF NOT EXISTS " + builds.String() + " (" + definitions(buildColumns) + ");\n" +
		"CREATE TABLE IF NOT EXISTS " + reads.String() + " (" + definitions(readColumns) + ");\n"
	if form != firstLedger {
		return s.Exec(ctx, create)
	}
	old := warehouse.Name{Schema: StateSchema, Relation: "norn old builds"}
	return s.Exec(ctx, "CREATE TABLE "+old.String()+" AS SELECT * FROM "+firstForm+" AS f;\nDROP TABLE "+builds.String()+";\n"+create+
		"INSERT INTO "+builds.String()+" SELECT "+names(buildColumns)+" FROM "+old.String()+";\nDROP TABLE "+old.String())
}

func definitions(columns [][2]string) string {
	parts := make([]string, len(columns))
	for i, c := range columns {
		parts[i] = c[0] + " " + c[1]
	}
	return strings.Join(parts, ", ")
}

func names(columns [][2]string) string {
	parts := make([]string, len(columns))
	for i, c := range columns {
		parts[i] = c[0]
	}
	return strings.Join(parts, ", ")
}

// record appends a row to the ledger and returns its id, which is the next number: one process at a time writes to a database.
// It is part of the transaction that it is about, so that a build that was not published was not recorded. read are the builds
// that a node's rows were made from; rows below zero are not known.
func (b *builder) record(ctx context.Context, s warehouse.Session, step *plan.Step, kind string, o outcome, read []int64, rows int64) (int64, error) {
	next, err := s.Query(ctx, "SELECT CAST(coalesce(max(id), 0) + 1 AS BIGINT) AS id FROM "+builds.String())
	if err != nil {
		return 0, fmt.Errorf("reading the ledger: %w", err)
	}
	id := next.Columns[0].Ints[0]
	written := "NULL"
	if rows >= 0 {
		written = strconv.FormatInt(rows, 10)
	}
	values := []string{strconv.FormatInt(id, 10)}
	for _, text := range []string{b.project.Name, step.Node, kind, string(o), step.Relation.Schema, step.Relation.Relation, step.Fingerprint, step.Digest} {
		values = append(values, warehouse.Literal(text))
	}
	values = append(values, strconv.Itoa(plan.Edition), written, warehouse.Literal(b.options.Version), "CAST(CURRENT_TIMESTAMP AS TIMESTAMP)")
	text := "INSERT INTO " + builds.String() + " (" + names(buildColumns) + ") VALUES (" + strings.Join(values, ", ") + ")"
	if len(read) > 0 {
		pairs := make([]string, len(read))
		for i, r := range read {
			pairs[i] = fmt.Sprintf("(%d, %d)", id, r)
		}
		text += ";\nINSERT INTO " + reads.String() + " (" + names(readColumns) + ") VALUES " + strings.Join(pairs, ", ")
	}
	return id, s.Exec(ctx, text)
}

// recordBuild says that a step was built. The id takes effect for the step's readers when its transaction has ended, which is
// before any of them begins.
func (b *builder) recordBuild(ctx context.Context, s warehouse.Session, step *plan.Step, result *Result) error {
	id, err := b.record(ctx, s, step, step.Kind.String(), builtOutcome, b.readIDs(step), result.Rows)
	result.id = id
	return err
}

// recordFailure says that a step failed, so that the next build tries it again whatever else it finds.
func (b *builder) recordFailure(ctx context.Context, step *plan.Step) error {
	err := b.warehouse.Atomically(ctx, func(ctx context.Context, s warehouse.Session) error {
		_, err := b.record(ctx, s, step, step.Kind.String(), failedOutcome, nil, -1)
		return err
	})
	if err != nil {
		return fmt.Errorf("recording that %s failed: %w", step.Node, err)
	}
	return nil
}

// readIDs are the builds whose rows stand in what a step reads.
func (b *builder) readIDs(step *plan.Step) []int64 {
	ids := make([]int64, len(step.Reads))
	for i, up := range step.Reads {
		ids[i] = up.Stands
		if r := b.ended[up]; r != nil && r.Status == Built {
			ids[i] = r.id
		}
	}
	slices.Sort(ids)
	return ids
}

// cell reads a text cell of a frame whose columns norn named itself.
func cell(f *frame.Frame, column string, row int) string {
	c, _ := f.Column(column)
	return c.Text(row)
}
