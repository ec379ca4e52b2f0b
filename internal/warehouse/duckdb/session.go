package duckdb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	engine "github.com/duckdb/duckdb-go/v2"

	"github.com/norn-data/norn/internal/warehouse"
)

// A session is one connection. Outside Atomically it lives for one call.
type session struct {
	db   *DB
	conn *sql.Conn
}

// Atomically runs do in a transaction on a connection of its own. It commits when do returns nil and its context has not
// ended, and rolls back in every other case, a panic included.
func (db *DB) Atomically(ctx context.Context, do func(context.Context, warehouse.Session) error) error {
	return db.with(ctx, func(s *session) (err error) {
		if err := s.Exec(ctx, "BEGIN TRANSACTION"); err != nil {
			return err
		}
		committed := false
		defer func() {
			if !committed {
				s.rollback(ctx)
			}
		}()
		if err := do(ctx, s); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		// From here on the work is done, and a commit that is broken off tells nobody whether it happened.
		if err := s.Exec(context.WithoutCancel(ctx), "COMMIT"); err != nil {
			return err
		}
		committed = true
		return nil
	})
}

// rollback ends the transaction. It runs when the context may have ended, so it does not listen to it. If even that fails,
// for example because the user's own statements ended the transaction, the connection is thrown away.
func (s *session) rollback(ctx context.Context) {
	if err := s.Exec(context.WithoutCancel(ctx), "ROLLBACK"); err != nil {
		_ = s.conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}

// raw hands the driver's connection to do.
func (s *session) raw(do func(*engine.Conn) error) error {
	return s.conn.Raw(func(c any) error { return do(c.(*engine.Conn)) })
}

// exec runs statements that norn wrote around a piece of the user's SQL. part is that piece and before the length of what
// precedes it, so that an error points into the piece.
func (s *session) exec(ctx context.Context, statements, part string, before int) error {
	err := s.raw(func(c *engine.Conn) error {
		_, err := c.ExecContext(ctx, statements, nil)
		return err
	})
	return trouble{ctx: ctx, doing: "writing to " + s.db.Where(), statement: part, before: before}.wrap(err)
}

func (s *session) Exec(ctx context.Context, statements string) error {
	if blank(statements) {
		return nil
	}
	return s.exec(ctx, statements, statements, 0)
}

func (s *session) Relations(ctx context.Context, schema string) ([]warehouse.Relation, error) {
	// Temporary tables live on one connection and are nobody else's business.
	where := " WHERE database_name = current_database() AND NOT temporary AND lower(schema_name) = lower(" + schemaValue(schema) + ")"
	f, err := s.Query(ctx, "SELECT schema_name, table_name AS relation, false AS is_view FROM duckdb_tables()"+where+
		" UNION ALL SELECT schema_name, view_name, true FROM duckdb_views()"+where+" ORDER BY relation, schema_name")
	if err != nil {
		return nil, err
	}
	found := make([]warehouse.Relation, f.Rows())
	for i := range found {
		found[i].Name = warehouse.Name{Schema: f.Columns[0].Texts[i], Relation: f.Columns[1].Texts[i]}
		if f.Columns[2].Bools[i] {
			found[i].Kind = warehouse.View
		}
	}
	return found, nil
}

// schemaValue is the SQL expression for a schema's name; "" is the connection's own.
func schemaValue(schema string) string {
	if schema == "" {
		return "current_schema()"
	}
	return warehouse.Literal(schema)
}

// kind looks up what stands under a name.
func (s *session) kind(ctx context.Context, name warehouse.Name) (kind warehouse.RelationKind, exists bool, err error) {
	relations, err := s.Relations(ctx, name.Schema)
	if err != nil {
		return 0, false, err
	}
	for _, r := range relations {
		if strings.EqualFold(r.Name.Relation, name.Relation) {
			return r.Kind, true, nil
		}
	}
	return 0, false, nil
}

func (s *session) Drop(ctx context.Context, name warehouse.Name) error {
	kind, exists, err := s.kind(ctx, name)
	if err != nil || !exists {
		return err
	}
	return s.Exec(ctx, "DROP "+kind.String()+" "+name.String())
}

// CreateTableAs leaves the old relation in place while the query runs, because the query may read it.
func (s *session) CreateTableAs(ctx context.Context, name warehouse.Name, query string) (int64, error) {
	kind, exists, err := s.kind(ctx, name)
	if err != nil {
		return 0, err
	}
	target := name
	if exists && kind == warehouse.View {
		// DuckDB replaces a table by a table only, so the new table waits under another name until the view is gone.
		target.Relation = "norn new " + name.Relation
	}
	before := "CREATE OR REPLACE TABLE " + target.String() + " AS\n"
	if err := s.exec(ctx, before+query, query, len(before)); err != nil {
		return 0, err
	}
	if target != name {
		if err := s.Exec(ctx, "DROP VIEW "+name.String()+"; ALTER TABLE "+target.String()+" RENAME TO "+warehouse.Quote(name.Relation)); err != nil {
			return 0, err
		}
	}
	return s.count(ctx, name)
}

// count asks the table itself: DuckDB's CREATE TABLE AS does not report its rows, and a table knows its number without a
// scan.
func (s *session) count(ctx context.Context, name warehouse.Name) (int64, error) {
	f, err := s.Query(ctx, "SELECT count(*) AS n FROM "+name.String())
	if err != nil {
		return 0, err
	}
	return f.Columns[0].Ints[0], nil
}

// CreateView removes the old relation first. DuckDB would accept a view that reads itself and fail whenever somebody
// selects from it; without the old relation the mistake is found here.
func (s *session) CreateView(ctx context.Context, name warehouse.Name, query string) error {
	if err := s.Drop(ctx, name); err != nil {
		return err
	}
	before := "CREATE VIEW " + name.String() + " AS\n"
	return s.exec(ctx, before+query, query, len(before))
}

func (s *session) Rename(ctx context.Context, from, to warehouse.Name) error {
	if !strings.EqualFold(from.Schema, to.Schema) {
		return fmt.Errorf("renaming %s to %s: a relation cannot move to another schema", from, to)
	}
	if from.Relation == to.Relation {
		return nil
	}
	kind, exists, err := s.kind(ctx, from)
	if err != nil {
		return err
	}
	if !exists {
		return fmt.Errorf("renaming %s to %s: there is no table or view of that name", from, to)
	}
	if strings.EqualFold(from.Relation, to.Relation) {
		// To DuckDB both are the same name, and it refuses to rename onto itself.
		between := warehouse.Name{Schema: from.Schema, Relation: "norn new " + to.Relation}
		return errors.Join(s.rename(ctx, kind, from, between), s.rename(ctx, kind, between, to))
	}
	// Only now, when it is certain that there is something to move in, the old relation goes.
	if err := s.Drop(ctx, to); err != nil {
		return err
	}
	return s.rename(ctx, kind, from, to)
}

// rename is the statement itself, which refuses if the new name is taken.
func (s *session) rename(ctx context.Context, kind warehouse.RelationKind, from, to warehouse.Name) error {
	return s.Exec(ctx, "ALTER "+kind.String()+" "+from.String()+" RENAME TO "+warehouse.Quote(to.Relation))
}
