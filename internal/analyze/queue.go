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

// link finds out who waits for whom, and how long a chain of models hangs on each. Members of a cycle see each other as open
// and do not wait.
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
		for _, r := range a.order[i].readers {
			a.order[i].chain = max(a.order[i].chain, r.chain+1)
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
type queue struct {
	mu    sync.Mutex
	more  sync.Cond // a model became ready, or there will be none any more
	ready ready
	left  int   // models that are not bound
	err   error // why nothing more is started
}

// next waits for a model. It returns nil when there is nothing left to do.
func (q *queue) next() *node {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.ready) == 0 && q.left > 0 && q.err == nil {
		q.more.Wait()
	}
	if q.left == 0 || q.err != nil {
		return nil
	}
	return heap.Pop(&q.ready).(*node)
}

// done takes a model off the list and makes its readers ready.
func (q *queue) done(n *node) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, r := range n.readers {
		if r.waiting--; r.waiting == 0 {
			heap.Push(&q.ready, r)
			q.more.Signal()
		}
	}
	if q.left--; q.left == 0 {
		q.more.Broadcast()
	}
}

// stop ends the run; the first reason stays.
func (q *queue) stop(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err == nil {
		q.err = err
	}
	q.more.Broadcast()
}

// dataflow binds every model as soon as what it reads is bound.
func (a *analysis) dataflow(ctx context.Context) error {
	q := &queue{left: len(a.order)}
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
				if err := a.bindNode(ctx, n, spare); err != nil {
					q.stop(err)
					return
				}
				q.done(n)
			}
		})
	}
	group.Wait()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err != nil {
		return q.err
	}
	return ctx.Err()
}

// waves binds the models level by level, one after the other: what could be simpler. It is the reference.
func (a *analysis) waves(ctx context.Context) error {
	wave := make([]*node, 0, len(a.order))
	for _, n := range a.order {
		if n.waiting == 0 {
			wave = append(wave, n)
		}
	}
	for len(wave) > 0 {
		var next []*node
		for _, n := range wave {
			if err := a.bindNode(ctx, n, nil); err != nil {
				return err
			}
			for _, r := range n.readers {
				if r.waiting--; r.waiting == 0 {
					next = append(next, r)
				}
			}
		}
		wave = next
	}
	return ctx.Err()
}
