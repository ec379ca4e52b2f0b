package script

import (
	"context"
	"errors"
	"strings"

	"go.starlark.net/starlark"

	"github.com/norn-data/norn/internal/diag"
)

// A Failure is a call that gave no answer. It is the script's author who has to act.
type Failure struct {
	Span    diag.Span // in the file of the script; the innermost place of the project's own
	Message string
	// Calls are the places from which the failing function was called, the innermost first.
	Calls []diag.Span
}

// Call calls a function of a module. The failure is the script's; the error is the end of the context.
func (m *Modules) Call(ctx context.Context, fn starlark.Callable, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, *Failure, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	thread, done := m.thread(ctx)
	defer done()
	v, err := starlark.Call(thread, fn, args, kwargs)
	if err == nil {
		return v, nil, nil
	}
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	var file *diag.File
	if f, ok := fn.(*starlark.Function); ok {
		file = m.files[f.Position().Filename()]
		if e := (*starlark.EvalError)(nil); !errors.As(err, &e) || len(e.CallStack) == 0 {
			return nil, &Failure{Span: place(file, f.Position()), Message: plainError(err.Error())}, nil
		}
	}
	return nil, m.failure(err, file), nil
}

// Place is where a function is defined: its name.
func (m *Modules) Place(fn *starlark.Function) diag.Span {
	file := m.files[fn.Position().Filename()]
	if file == nil {
		return diag.Span{}
	}
	// Position is that of the word def.
	at := place(file, fn.Position())
	rest := file.Text[at.End:]
	start := at.End + len(rest) - len(strings.TrimLeft(rest, " \t"))
	if !strings.HasPrefix(file.Text[start:], fn.Name()) {
		return at
	}
	return diag.Span{File: file, Start: start, End: start + len(fn.Name())}
}

// tooLong is what a thread is told when its steps are spent.
const tooLong = "too many steps"

// thread makes a thread with its limits; done must be called when it is not used any more.
func (m *Modules) thread(ctx context.Context) (t *starlark.Thread, done func()) {
	// What a script prints has nowhere to go: answers are the same with and without it.
	t = &starlark.Thread{Print: func(*starlark.Thread, string) {}}
	t.SetMaxExecutionSteps(m.o.Limits.Steps)
	t.OnMaxSteps = func(t *starlark.Thread) { t.Cancel(tooLong) }
	t.SetLocal(budgetKey, &budget{left: m.o.Limits.Bytes, whole: m.o.Limits.Bytes})
	stop := context.AfterFunc(ctx, func() { t.Cancel(context.Cause(ctx).Error()) })
	return t, func() { stop() }
}

// failure finds the place of an error of Starlark.
func (m *Modules) failure(err error, file *diag.File) *Failure {
	f := &Failure{Span: diag.Span{File: file}, Message: plainError(err.Error())}
	var e *starlark.EvalError
	if !errors.As(err, &e) {
		return f
	}
	f.Message = plainError(e.Msg)
	if strings.Contains(f.Message, tooLong) {
		f.Message = "this takes more than " + grouped(m.o.Limits.Steps) + " steps"
	}
	found := false
	for i := range e.CallStack {
		at := e.CallStack.At(i).Pos
		in := m.files[at.Filename()]
		switch {
		case in == nil || !at.IsValid():
		case !found:
			f.Span, found = place(in, at), true
		default:
			f.Calls = append(f.Calls, place(in, at))
		}
	}
	return f
}

// plainError drops the words that Starlark puts before every message.
func plainError(msg string) string {
	msg = strings.TrimPrefix(msg, "Starlark computation cancelled: ")
	return strings.TrimPrefix(msg, "fail: ")
}

// grouped writes a number with commas.
func grouped(n uint64) string {
	digits := []byte(starlark.MakeUint64(n).String())
	var out []byte
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out = append(out, ',')
		}
		out = append(out, d)
	}
	return string(out)
}
