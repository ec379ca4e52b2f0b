package prep

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// eachColumn calls do for 0..n-1 on up to workers goroutines and waits for all of them. It stops
// handing out columns when the context ends or a call fails. Of several failures the one of the
// lowest column is returned, so that the message does not depend on timing: columns are handed out in
// order, so whatever fails first in that order has always been started. A panic in a call is raised again
// in the caller's goroutine, where its boundary can catch it, with the stack of the place where it began.
func eachColumn(ctx context.Context, workers, n int, do func(i int) error) error {
	workers = min(max(workers, 1), n) // more than columns would stand idle
	failures := make([]error, n)
	var next atomic.Int64
	var failed atomic.Bool
	var broken atomic.Pointer[string]
	work := func() {
		defer func() {
			if v := recover(); v != nil {
				failed.Store(true)
				text := fmt.Sprintf("%v\n\n%s", v, debug.Stack())
				broken.CompareAndSwap(nil, &text)
			}
		}()
		for ctx.Err() == nil && !failed.Load() {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			if failures[i] = do(i); failures[i] != nil {
				failed.Store(true)
			}
		}
	}
	var all sync.WaitGroup
	for range workers - 1 {
		all.Go(work)
	}
	work() // the caller's goroutine is one of the workers
	all.Wait()
	if text := broken.Load(); text != nil {
		panic(*text)
	}
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
