package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/diag"
)

// boundary runs finish on an error and returns what the user sees.
func boundary(ctx context.Context, asJSON bool, err error) (code int, stdout, stderr string) {
	var o, e bytes.Buffer
	out := newInvocation(Streams{Stdout: &o, Stderr: &e}, asJSON)
	code = out.finish(ctx, err)
	return code, o.String(), e.String()
}

func misspelt() *diag.Problem {
	file := diag.NewFile("models/orders.sql", "SELECT custmer_id FROM raw_orders\n")
	return diag.New("E1003", diag.Span{File: file, Start: 7, End: 17}, "unknown column custmer_id").
		WithHelp("did you mean customer_id?")
}

func TestTroubleForPeople(t *testing.T) {
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	locked := diag.WithHint(fmt.Errorf("opening shop.duckdb: %w", fs.ErrPermission), "close the other program")
	cases := []struct {
		name string
		ctx  context.Context
		err  error
		code int
		want string
	}{
		{name: "nothing"},
		{name: "one problem, wrapped", err: fmt.Errorf("checking: %w", diag.Problems{misspelt()}), code: ExitProblems, want: `
E1003 unknown column custmer_id
  models/orders.sql:1:8
    1 | SELECT custmer_id FROM raw_orders
      |        ^^^^^^^^^^
  help: did you mean customer_id?
1 problem in 1 file    norn explain E1003
`},
		{name: "problems in all branches, sorted", err: errors.Join(misspelt(), diag.Problems{diag.New("E1002", diag.Span{}, "no models")}), code: ExitProblems, want: `
E1002 no models
E1003 unknown column custmer_id
  models/orders.sql:1:8
    1 | SELECT custmer_id FROM raw_orders
      |        ^^^^^^^^^^
  help: did you mean customer_id?
2 problems in 1 file    norn explain E1002
`},
		{name: "the world", err: fmt.Errorf("building: %w", locked), code: ExitEnvironment, want: `
error: building: opening shop.duckdb: permission denied
  help: close the other program
`},
		{name: "the world and a problem", err: errors.Join(diag.New("E1002", diag.Span{}, "no models"), locked), code: ExitEnvironment, want: `
E1002 no models
1 problem    norn explain E1002
error: opening shop.duckdb: permission denied
  help: close the other program
`},
		{name: "partly", err: &partlyDone{err: errors.New("1 of 5 failed")}, code: ExitPartly, want: "\nerror: 1 of 5 failed\n"},
		{name: "interrupted", ctx: stopped, err: stoppedAfter(fmt.Errorf("building orders: %w", context.Canceled), "2 of 5 built", ""), code: ExitInterrupted,
			want: "\ninterrupted: 2 of 5 built; stopped while building orders\n"},
		{name: "interrupted without words", ctx: stopped, err: context.Canceled, code: ExitInterrupted, want: "\ninterrupted: nothing else was started\n"},
		{name: "a driver's own words for it", ctx: stopped, err: errors.New("reading orders: INTERRUPT Error"), code: ExitInterrupted,
			want: "\ninterrupted: nothing else was started; stopped while reading orders: INTERRUPT Error\n"},
		{name: "a deadline of norn's own", err: fmt.Errorf("waiting for the lock: %w", context.DeadlineExceeded), code: ExitEnvironment,
			want: "\nerror: waiting for the lock: context deadline exceeded\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ctx := c.ctx
			if ctx == nil {
				ctx = context.Background()
			}
			code, stdout, stderr := boundary(ctx, false, c.err)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if stdout != "" {
				t.Errorf("trouble on stdout: %q", stdout)
			}
			if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n"), stderr); diff != "" {
				t.Errorf("stderr (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTroubleInJSON(t *testing.T) {
	type document struct {
		Problems []struct {
			Code, File, Message, Help string
			Line, Column              int
		}
		Error *trouble
	}
	read := func(t *testing.T, text string) document {
		t.Helper()
		var d document
		decoder := json.NewDecoder(strings.NewReader(text))
		if err := decoder.Decode(&d); err != nil {
			t.Fatalf("not a document: %v\n%s", err, text)
		}
		if decoder.More() {
			t.Fatalf("more than one document:\n%s", text)
		}
		return d
	}

	code, stdout, stderr := boundary(context.Background(), true, misspelt())
	d := read(t, stdout)
	if code != ExitProblems || stderr != "" || d.Error != nil || len(d.Problems) != 1 || d.Problems[0].Column != 8 {
		t.Errorf("a problem: exit code %d, stderr %q, document %+v", code, stderr, d)
	}

	code, stdout, _ = boundary(context.Background(), true, diag.WithHint(errors.New("disk full"), "make room"))
	d = read(t, stdout)
	want := &trouble{Kind: "environment", Message: "disk full", Help: "make room"}
	if diff := cmp.Diff(want, d.Error); code != ExitEnvironment || diff != "" || d.Problems == nil {
		t.Errorf("the world: exit code %d, problems %v, error (-want +got):\n%s", code, d.Problems, diff)
	}
}

// A command that has its own document tells its problems there; the boundary must not add a second document, and must
// not swallow what else went wrong.
func TestOneDocument(t *testing.T) {
	var stdout, stderr bytes.Buffer
	out := newInvocation(Streams{Stdout: &stdout, Stderr: &stderr}, true)
	if err := out.JSON(map[string]int{"rows": 1}); err != nil {
		t.Fatal(err)
	}
	if err := out.JSON(map[string]int{"rows": 2}); err == nil {
		t.Error("a second document was accepted")
	}
	if code := out.finish(context.Background(), errors.Join(misspelt(), errors.New("disk full"))); code != ExitEnvironment {
		t.Errorf("exit code %d", code)
	}
	if got, want := stdout.String(), "{\n  \"rows\": 1\n}\n"; got != want {
		t.Errorf("stdout %q, want %q", got, want)
	}
	if got, want := stderr.String(), "error: disk full\n"; got != want {
		t.Errorf("stderr %q, want %q", got, want)
	}
}

// A panic anywhere below a command ends as a report with a stack and exit code 70, whoever panicked.
func TestBugsBecomeReports(t *testing.T) {
	for _, broken := range []func(){
		func() { diag.Assert(false, "a graph with a cycle got past check") },
		func() { panic("a graph with a cycle got past check") },
	} {
		err := func() (err error) {
			defer diag.Recover(&err)
			broken()
			return nil
		}()
		code, _, stderr := boundary(context.Background(), false, fmt.Errorf("building: %w", err))
		if code != ExitBug {
			t.Errorf("exit code %d, want %d", code, ExitBug)
		}
		for _, part := range []string{"this is a bug in norn: a graph with a cycle got past check", "please report it", "norn ", "trouble_test.go"} {
			if !strings.Contains(stderr, part) {
				t.Errorf("the report lacks %q:\n%s", part, stderr)
			}
		}
	}
}
