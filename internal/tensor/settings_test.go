package tensor

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
)

// Settings nest, end with their context whatever panics, and are invisible to other
// callers.
func TestSettingsTravelWithTheCall(t *testing.T) {
	c := NewCompiler("test")
	var group sync.WaitGroup
	for caller := range 8 {
		group.Go(func() {
			ctx := WithSettings(context.Background(), func(s *Settings) { s.BatchLimit, s.RecompileLimit = caller+1, 100+caller })
			f := c.Func(fmt.Sprint("f", caller), Rows, func(o Ops, in []Value) []Value {
				if e, ok := o.(*Eager); ok {
					if s := e.run.settings; s.RecompileLimit != 100+caller && s.RecompileLimit != 7 {
						t.Errorf("caller %d sees the settings %+v", caller, s)
					}
					if n := in[0].(*Array).Size(Rows); n > caller+1 {
						t.Errorf("caller %d is handed %d rows", caller, n)
					}
				}
				return double(o, in)
			})
			for i := range 50 {
				inner := WithSettings(ctx, func(s *Settings) { s.RecompileLimit = 7 })
				run := NewRun(inner, Settings{Threads: 2, Interpret: i%2 == 0})
				err := run.Split(3, 1, func(o *Eager, lo, _ int) error {
					if f.Call(o, filled(1, Dim{Rows, 20}, Dim{Channels, 4})); lo == 1 {
						panic("a bug")
					}
					return nil
				})
				if _, ok := errors.AsType[*Fault](err); !ok {
					t.Errorf("a panic gives %v", err)
				}
				if s := SettingsOf(ctx); s.RecompileLimit != 100+caller || s.BatchLimit != caller+1 {
					t.Errorf("after a nested call caller %d has %+v", caller, s)
				}
				if s := NewRun(ctx, Settings{}).settings; s.RecompileLimit != 100+caller || s.AccumulatedLimit != DefaultAccumulatedLimit {
					t.Errorf("a run of caller %d has %+v", caller, s)
				}
			}
		})
	}
	group.Wait()
}
