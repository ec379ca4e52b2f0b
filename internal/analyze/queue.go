package analyze

import (
	"container/heap"
	"context"
	"sync"
)

// bindAll binds every model. The two schedules give the same result; waves is the plain one that the other is held against.
func (a *analysis) bindAll(ctx context.Context, s Schedule) error {
	a.link()
	if s == Waves {
		return a.waves(ctx)
	}
	return a.dataflow(ctx)
}

// link finds out who waits for whom, and how long a chain of models hangs on each. A reference that closes a cycle is not waited
// for: its model comes first in the project's order and sees what it reads as open. All others of the cycle are bound as ever.
func (a *analysis) link() {
	for _, n := range a.order {
		n.deps = map[*node]bool{}
		for _, ref := range n.model.References {
			if ref.To == nil {
				continue
			}
			from := a.nodes[fold(ref.To.NodeName())]
			if from == nil || from.model == nil || n.deps[from] || from.index >= n.index {
				continue
			}
			n.deps[from] = true
			from.readers = append(from.readers, n)
			n.waiting++
		}
	}
	for i := len(a.order) - 1; i >= 0; i-- {
		n := a.order[i]
		n.gated, n.left = n.model.Predict != nil, len(n.readers)
		for _, r := range n.readers {
			n.chain, n.gated = max(n.chain, r.chain+1), n.gated || r.gated
		}
	}
}

// ready holds the models that can be bound now. The one with the longest chain of models behind it goes first: it decides when
// the whole is done. Equal ones go in the project's order.
type ready []*node

// The methods of heap.Interface.
func (r ready) Len() int { return len(r) }
func (r ready) Less(i, j int) bool {
	if r[i].chain != r[j].chain {
		return r[i].chain > r[j].chain
	}
	return r[i].index < r[j].index
}
func (r ready) Swap(i, j int) { r[i], r[j] = r[j], r[i] }
func (r *ready) Push(x any)   { *r = append(*r, x.(*node)) }
func (r *ready) Pop() any {
	old := *r
	n := old[len(old)-1]
	old[len(old)-1] = nil
	*r = old[:len(old)-1]
	return n
}

// queue is the state of a dataflow run. As many models are in flight as there are workers, and no more.
//
// A model that fails does not end the run at once: which one fails first in time is chance, and two runs would say two things.
// The models before it in the project's order are still bound, because the error among them that comes first in that order is
// the one to report. All that such a model waits for stands before it, so none waits for ever.
type queue struct {
	mu      sync.Mutex
	more    sync.Cond // a model became ready, or there will be none any more
	ready   ready
	flight  int   // models that are being bound
	stopped error // why nothing more is started: the end of the context
	failed  *node // the first model, in the project's order, that failed
	err     error // its error
}

// next waits for a model. It returns nil when there is nothing left to do.
func (q *queue) next() *node {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		for len(q.ready) > 0 && q.stopped == nil {
			n := heap.Pop(&q.ready).(*node)
			// What stands behind a model that failed is not bound any more: its result could change nothing.
			if q.failed == nil || n.index < q.failed.index {
				q.flight++
				return n
			}
		}
		if q.stopped != nil || q.flight == 0 {
			// Nothing is ready and nothing in flight can make anything ready: the others need not wait either.
			q.more.Broadcast()
			return nil
		}
		q.more.Wait()
	}
}

// done takes a model off the list and makes its readers ready.
func (q *queue) done(n *node, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.flight--; q.flight == 0 {
		q.more.Broadcast()
	}
	if err != nil {
		if q.failed == nil || n.index < q.failed.index {
			q.failed, q.err = n, err
		}
		return
	}
	for _, r := range n.readers {
		if r.waiting--; r.waiting == 0 {
			heap.Push(&q.ready, r)
			q.more.Signal()
		}
	}
	// Under the lock, because several readers of one model may end at once.
	n.forget()
	for from := range n.deps {
		from.left--
		from.forget()
	}
}

// forget lets go of a shape that nobody will read any more, where the record has all that is said of it.
func (n *node) forget() {
	if n.left == 0 && n.out.packed {
		n.out.shape = nil
	}
}

// stop ends the run.
func (q *queue) stop(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stopped = err
	q.more.Broadcast()
}

// dataflow binds every model as soon as what it reads is bound.
func (a *analysis) dataflow(ctx context.Context) error {
	q := &queue{}
	q.more.L = &q.mu
	for _, n := range a.order {
		if n.waiting == 0 {
			q.ready = append(q.ready, n)
		}
	}
	heap.Init(&q.ready)
	release := context.AfterFunc(ctx, func() { q.stop(context.Cause(ctx)) })
	defer release()
	var group sync.WaitGroup
	for range min(a.workers, len(a.order)) {
		group.Go(func() {
			spare := &spare{}
			for n := q.next(); n != nil; n = q.next() {
				q.done(n, a.bindNode(ctx, n, spare))
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return q.err
}

// waves binds the models level by level, one after the other: what could be simpler. It is the reference.
func (a *analysis) waves(ctx context.Context) error {
	wave := make([]*node, 0, len(a.order))
	for _, n := range a.order {
		if n.waiting == 0 {
			wave = append(wave, n)
		}
	}
	// The rule about errors is that of the other schedule: the first one in the project's order, whichever comes first in time.
	var failed *node
	var first error
	for len(wave) > 0 {
		var next []*node
		for _, n := range wave {
			if failed != nil && n.index > failed.index {
				continue
			}
			if err := a.bindNode(ctx, n, nil); err != nil {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				failed, first = n, err
				continue
			}
			for _, r := range n.readers {
				if r.waiting--; r.waiting == 0 {
					next = append(next, r)
				}
			}
		}
		wave = next
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return first
}
