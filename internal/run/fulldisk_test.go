package run

import (
	"context"
	"errors"

	"github.com/norn-data/norn/internal/warehouse"
)

var errFull = errors.New("the disk is full")

// A fullDisk is a warehouse that writes a few statements more and then no other. Reading goes on.
type fullDisk struct {
	warehouse.Warehouse
	spare int
}

func (d *fullDisk) use() error {
	if d.spare--; d.spare < 0 {
		return errFull
	}
	return nil
}

// Atomically implements [warehouse.Warehouse].
func (d *fullDisk) Atomically(ctx context.Context, do func(context.Context, warehouse.Session) error) error {
	return d.Warehouse.Atomically(ctx, func(ctx context.Context, s warehouse.Session) error {
		if err := do(ctx, fullSession{s, d}); err != nil {
			return err
		}
		return d.use() // the commit writes as well
	})
}

type fullSession struct {
	warehouse.Session
	disk *fullDisk
}

// Exec implements [warehouse.Session].
func (s fullSession) Exec(ctx context.Context, statements string) error {
	return errors.Join(s.disk.use(), s.Session.Exec(ctx, statements))
}

// CreateTableAs implements [warehouse.Session].
func (s fullSession) CreateTableAs(ctx context.Context, name warehouse.Name, query string) (int64, error) {
	if err := s.disk.use(); err != nil {
		return 0, err
	}
	return s.Session.CreateTableAs(ctx, name, query)
}

// CreateView implements [warehouse.Session].
func (s fullSession) CreateView(ctx context.Context, name warehouse.Name, query string) error {
	return errors.Join(s.disk.use(), s.Session.CreateView(ctx, name, query))
}
