package diag

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
)

// A Failure is what the world did to norn, with what the user can do about it. It wraps the cause: errors.Is and errors.As
// see through it.
type Failure struct {
	Err  error
	Hint string
}

func (f *Failure) Error() string { return f.Err.Error() }
func (f *Failure) Unwrap() error { return f.Err }

// WithHint attaches the next step to an error. A nil error stays nil; an error that has a hint keeps its own, because the
// place nearest to the cause knows best.
func WithHint(err error, format string, args ...any) error {
	if err == nil || Hint(err) != "" {
		return err
	}
	return &Failure{Err: err, Hint: fmt.Sprintf(format, args...)}
}

// Hint returns the next step that somebody attached to err, or "".
func Hint(err error) string {
	if f, ok := errors.AsType[*Failure](err); ok {
		return f.Hint
	}
	return ""
}

// Interrupted reports whether err is the end of a context and not a failure of the work itself.
func Interrupted(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// A Bug is something norn itself broke.
type Bug struct {
	Message string
	Stack   []byte
}

func (b *Bug) Error() string { return "this is a bug in norn: " + b.Message }

// Assert panics with a [Bug] when a condition that norn guarantees to itself does not hold.
func Assert(ok bool, format string, args ...any) {
	if !ok {
		panic(&Bug{Message: fmt.Sprintf(format, args...), Stack: debug.Stack()})
	}
}

// Recover turns a panic of the surrounding function into a *Bug in *err. It stands, deferred, at one boundary per
// subsystem, so that a broken invariant ends one request and not the process.
func Recover(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Bug:
		*err = r
	case error:
		*err = &Bug{Message: r.Error(), Stack: debug.Stack()}
	default:
		*err = &Bug{Message: fmt.Sprint(r), Stack: debug.Stack()}
	}
}
