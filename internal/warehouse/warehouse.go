// Package warehouse is what norn needs of a database: one interface, and one conformance suite that every
// implementation passes. The implementations live in folders below and are leaves: only the command line names them.
//
// A node of a project is built inside [Warehouse.Atomically]: what a session does there becomes visible as a whole when
// the function returns nil, and not at all when it returns an error, panics, or its context ends. Readers see the old
// tables until that moment.
package warehouse

import (
	"context"
	"fmt"
	"strings"

	"github.com/norn-data/norn/internal/frame"
)

// A Name is a relation's place: schema and relation, both as written, without quotes.
type Name struct {
	Schema, Relation string
}

// String quotes both parts, so that any name is safe inside a statement.
func (n Name) String() string {
	if n.Schema == "" {
		return Quote(n.Relation)
	}
	return Quote(n.Schema) + "." + Quote(n.Relation)
}

// Quote writes an identifier in standard SQL quotes.
func Quote(identifier string) string {
	return `"` + strings.ReplaceAll(identifier, `"`, `""`) + `"`
}

// Literal writes a string as a standard SQL literal.
func Literal(text string) string {
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// A RelationKind says what stands behind a name.
type RelationKind uint8

// What a name can stand for.
const (
	Table RelationKind = iota
	View
)

func (k RelationKind) String() string {
	if k == View {
		return "view"
	}
	return "table"
}

// A Relation is an entry of the catalog.
type Relation struct {
	Name Name
	Kind RelationKind
}

// A Session runs statements. All methods obey their context: when it ends, the statement is cancelled and the context's
// error is returned. Sessions are not safe for concurrent use; a Warehouse is.
type Session interface {
	// Exec runs one or more statements that return nothing.
	Exec(ctx context.Context, statements string) error
	// Query reads all rows of a query, in the order in which the warehouse gives them. It is one statement, and its columns
	// have different names. The kinds of the columns depend on their types alone, never on the rows.
	Query(ctx context.Context, query string) (*frame.Frame, error)
	// Describe returns the columns of a query without running it.
	Describe(ctx context.Context, query string) ([]frame.Field, error)
	// Relations lists the tables and views of a schema, by name. A schema that does not exist has none.
	Relations(ctx context.Context, schema string) ([]Relation, error)
	// CreateTableAs and CreateView replace what stood under the name, whichever kind it was. CreateTableAs returns the
	// number of rows written.
	CreateTableAs(ctx context.Context, name Name, query string) (rows int64, err error)
	CreateView(ctx context.Context, name Name, query string) error
	// Drop removes a table or view if it exists.
	Drop(ctx context.Context, name Name) error
	// Rename moves a table within its schema, replacing what stood under the new name.
	Rename(ctx context.Context, from, to Name) error
	// Append writes the rows of a frame behind those of an existing table, matching columns by name. Columns of the table
	// that the frame lacks get their default; values that the table's types cannot hold without loss are errors.
	Append(ctx context.Context, name Name, rows *frame.Frame) error
}

// A Warehouse is a connection to a database that a project is built in.
type Warehouse interface {
	Session
	// Atomically runs do in one transaction. The session is good until do returns. The other methods of a Warehouse that
	// change something are atomic one by one, but for Exec.
	Atomically(ctx context.Context, do func(context.Context, Session) error) error
	// Dialect names the SQL the warehouse speaks, as the sql package calls it: "duckdb" or "postgres".
	Dialect() string
	// Where describes the place for a person, such as the path of the database file.
	Where() string
	Close() error
}

// InUseError says that another process holds the database.
type InUseError struct {
	Where string // the database
	PID   int    // 0 where it is not known
	Owner string // program of that process, "" where it is not known
}

func (e *InUseError) Error() string {
	by := "another process"
	if e.PID != 0 {
		by = fmt.Sprintf("process %d", e.PID)
		if e.Owner != "" {
			by = fmt.Sprintf("%s (process %d)", e.Owner, e.PID)
		}
	}
	return fmt.Sprintf("%s is in use by %s", e.Where, by)
}

// A StatementError is a statement that the warehouse refused, with the warehouse's own words. What the world did (a full
// disk, a lost connection) is another error with a hint, see diag.WithHint.
type StatementError struct {
	Statement string // the SQL as the caller gave it, without what the warehouse wrote around it
	Offset    int    // byte offset into Statement, -1 where the warehouse gives none
	Message   string
	Err       error
}

func (e *StatementError) Error() string { return e.Message }
func (e *StatementError) Unwrap() error { return e.Err }
