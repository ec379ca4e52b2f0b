// Package duckdb is the warehouse inside the process: a DuckDB database in one file, or in memory.
//
// A file belongs to one process at a time; DuckDB holds a lock on it, and a second process is told who has it
// ([warehouse.InUseError]). Inside the process any number of goroutines share one [DB]. Each call borrows a connection,
// and [DB.Atomically] keeps one for the length of its transaction. DuckDB keeps versions of rows, so readers never wait
// for a build and see its tables only when they are complete.
//
// What a database answers must depend on the data and the query alone. So every connection works in UTC, keeps the order
// of rows, and may neither download nor load extensions by itself.
//
// Errors come back from DuckDB as JSON, with the type of the error and its place in the statement; trouble.go turns them
// into the errors of package warehouse. Values come back as columns of frame's kinds (query.go), and the kinds depend on
// the types of a query alone, never on its rows.
package duckdb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	engine "github.com/duckdb/duckdb-go/v2"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/warehouse"
)

// Options are the limits of one database. They hold for all its connections; a second Open of the same file in one
// process shares the database and sets them anew.
type Options struct {
	Threads     int    // 0 for one per core
	Folder      string // where relative names of files in SQL start; "" is the folder the process was started in
	ReadOnly    bool   // the file must exist; other processes may read it at the same time
	MemoryLimit int64  // bytes that DuckDB may hold before it spills to disk, 0 for its own choice of 80% of the memory
}

// DB is an open database.
type DB struct {
	path  string
	pool  *sql.DB
	spill string // folder of its own that a database in memory spills into; "" for one in a file, which spills beside it
}

var _ warehouse.Warehouse = (*DB)(nil)

// Open opens the database in a file, which is created if it does not exist, or a new one in memory if path is "".
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	dsn, err := dataSource(path, o.ReadOnly)
	if err != nil {
		return nil, err
	}
	connector, err := engine.NewConnector(dsn, prepareConnection)
	if err != nil {
		return nil, openTrouble(path, err)
	}
	db := &DB{path: path, pool: sql.OpenDB(connector)}
	if path == "" {
		// DuckDB's own choice is the current folder, which is the user's project. The name cannot be foreseen: in a folder for
		// everybody's temporary files, somebody else could be there first.
		if db.spill, err = os.MkdirTemp("", "norn-*.tmp"); err != nil {
			return nil, closeAfter(db, fmt.Errorf("making room for what does not fit into memory: %w", err))
		}
	}
	if err := db.Exec(ctx, db.settings(o)); err != nil {
		// The settings are ours, so what goes wrong here is the database or the context.
		return nil, closeAfter(db, fmt.Errorf("setting up %s: %w", db.Where(), err))
	}
	return db, nil
}

// dataSource turns a path into the driver's name for it. The driver reads the name as a URL, so a few characters of a
// path would be taken for something else.
func dataSource(path string, readOnly bool) (string, error) {
	if path == "" {
		return "", nil
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("opening %s: %w", path, err)
	}
	if _, err := url.Parse(absolute); err != nil || strings.ContainsAny(absolute, "?") {
		return "", diag.WithHint(fmt.Errorf("opening %s: DuckDB cannot open a path with ?, %% or control characters", path),
			"rename the file or the folder")
	}
	if readOnly {
		absolute += "?access_mode=READ_ONLY"
	}
	return absolute, nil
}

// settings are the statements that hold for the whole database. They run before any other statement.
func (db *DB) settings(o Options) string {
	set := []string{
		"SET GLOBAL autoinstall_known_extensions = false",
		"SET GLOBAL autoload_known_extensions = false",
		"SET GLOBAL preserve_insertion_order = true",
	}
	if o.Threads > 0 {
		set = append(set, fmt.Sprintf("SET GLOBAL threads = %d", o.Threads))
	}
	if o.Folder != "" {
		set = append(set, "SET GLOBAL file_search_path = "+warehouse.Literal(o.Folder))
	}
	if o.MemoryLimit > 0 {
		set = append(set, fmt.Sprintf("SET GLOBAL memory_limit = '%dB'", o.MemoryLimit))
	}
	if db.spill != "" {
		set = append(set, "SET GLOBAL temp_directory = "+warehouse.Literal(db.spill))
	}
	return strings.Join(set, ";\n")
}

// prepareConnection runs on every new connection.
func prepareConnection(c driver.ExecerContext) error {
	_, err := c.ExecContext(context.Background(), "SET errors_as_json = true; SET TimeZone = 'UTC'", nil)
	return err
}

// Dialect is "duckdb".
func (db *DB) Dialect() string { return "duckdb" }

// Where is the path of the file as it was given to Open.
func (db *DB) Where() string {
	if db.path == "" {
		return "the database in memory"
	}
	return db.path
}

// Close waits for running statements and closes the file. A database in memory is gone.
func (db *DB) Close() error {
	err := db.pool.Close()
	if db.spill != "" {
		// What lies there is of no use to anybody any more; that it cannot be removed is no trouble of who closes.
		_ = os.RemoveAll(db.spill)
	}
	if err != nil {
		return fmt.Errorf("closing %s: %w", db.Where(), err)
	}
	return nil
}

// closeAfter closes a database that could not be set up.
func closeAfter(db *DB, err error) error {
	// The first error says why; a second one from closing what never opened would hide it.
	_ = db.Close()
	return err
}

// with borrows a connection for one call.
func (db *DB) with(ctx context.Context, do func(*session) error) error {
	conn, err := db.pool.Conn(ctx)
	if err != nil {
		return trouble{ctx: ctx, doing: "connecting to " + db.Where()}.wrap(err)
	}
	defer conn.Close()
	return do(&session{db: db, conn: conn})
}

// Exec runs statements, each in a transaction of its own unless they say otherwise.
func (db *DB) Exec(ctx context.Context, statements string) error {
	return db.with(ctx, func(s *session) error { return s.Exec(ctx, statements) })
}

// Query reads all rows of a query.
func (db *DB) Query(ctx context.Context, query string) (f *frame.Frame, err error) {
	err = db.with(ctx, func(s *session) error { f, err = s.Query(ctx, query); return err })
	return f, err
}

// Describe returns the columns of a query.
func (db *DB) Describe(ctx context.Context, query string) (fields []frame.Field, err error) {
	err = db.with(ctx, func(s *session) error { fields, err = s.Describe(ctx, query); return err })
	return fields, err
}

// Relations lists the tables and views of a schema.
func (db *DB) Relations(ctx context.Context, schema string) (found []warehouse.Relation, err error) {
	err = db.with(ctx, func(s *session) error { found, err = s.Relations(ctx, schema); return err })
	return found, err
}

// CreateTableAs replaces a relation by a table, in one transaction.
func (db *DB) CreateTableAs(ctx context.Context, name warehouse.Name, query string) (rows int64, err error) {
	err = db.Atomically(ctx, func(ctx context.Context, s warehouse.Session) error {
		rows, err = s.CreateTableAs(ctx, name, query)
		return err
	})
	return rows, err
}

// CreateView replaces a relation by a view, in one transaction.
func (db *DB) CreateView(ctx context.Context, name warehouse.Name, query string) error {
	return db.Atomically(ctx, func(ctx context.Context, s warehouse.Session) error { return s.CreateView(ctx, name, query) })
}

// Drop removes a relation.
func (db *DB) Drop(ctx context.Context, name warehouse.Name) error {
	return db.Atomically(ctx, func(ctx context.Context, s warehouse.Session) error { return s.Drop(ctx, name) })
}

// Rename moves a relation, in one transaction.
func (db *DB) Rename(ctx context.Context, from, to warehouse.Name) error {
	return db.Atomically(ctx, func(ctx context.Context, s warehouse.Session) error { return s.Rename(ctx, from, to) })
}

// Append writes all rows or none.
func (db *DB) Append(ctx context.Context, name warehouse.Name, rows *frame.Frame) error {
	return db.Atomically(ctx, func(ctx context.Context, s warehouse.Session) error { return s.Append(ctx, name, rows) })
}
