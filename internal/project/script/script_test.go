package script

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.starlark.net/starlark"

	"github.com/norn-data/norn/internal/diag"
)

func load(t testing.TB, files ...string) (*Modules, []*diag.Problem) {
	t.Helper()
	var list []*diag.File
	for i := 0; i < len(files); i += 2 {
		list = append(list, diag.NewFile("x/"+files[i], files[i+1]))
	}
	m, problems, err := Load(context.Background(), list, Options{Code: "E9999", Folder: "x/"})
	if err != nil {
		t.Fatal(err)
	}
	return m, problems
}

// call runs f() of one file.
func call(t testing.TB, text string, args ...starlark.Value) (starlark.Value, *Failure) {
	t.Helper()
	m, problems := load(t, "a.star", text)
	if len(problems) > 0 {
		t.Fatal(problems[0])
	}
	v, f, err := m.Call(context.Background(), m.Globals("x/a.star")["f"].(starlark.Callable), args, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v, f
}

// What is rewritten for the sake of its budget means what it meant.
func TestMeaning(t *testing.T) {
	for text, want := range map[string]string{
		`return 1 + 2 * 3 - 4 % 3`:                                                           `6`,
		`return "a" + "b" * 3 + "%s %d" % ("c", 4)`:                                          `"abbbc 4"`,
		`return [1] + [2] * 2`:                                                               `[1, 2, 2]`,
		`return (1,) + (2,) + 2 * (3,)`:                                                      `(1, 2, 3, 3)`,
		`return 1.5 * 2 + 1`:                                                                 `4.0`,
		"x = [1]\n    y = x\n    y += [2]\n    return x":                                     `[1, 2]`,
		"x = \"a\"\n    x *= 3\n    x += \"b\"\n    return x":                                `"aaab"`,
		"x = 7\n    x %= 4\n    return x":                                                    `3`,
		"d = {\"n\": 1}\n    d[\"n\"] += 2\n    return d[\"n\"]":                             `3`,
		`return ", ".join(["a", "b"]).replace("a", "x").upper() + "{} {n}".format(1, n = 2)`: `"X, B1 2"`,
		`return [x + 1 for x in range(3) if x % 2 == 0]`:                                     `[1, 3]`,
		`return {k: v * 2 for k, v in {"a": 1}.items()}`:                                     `{"a": 2}`,
		`return (lambda a, b = 1 + 1: a + b)(1)`:                                             `3`,
		`return "yes" if 1 + 1 == 2 else "no"`:                                               `"yes"`,
		`return "abc"[0 + 1:1 + 2] + "abc"[1 + 1]`:                                           `"bcc"`,
		`return str([1, "a"]) + repr("b")`:                                                   `"[1, \"a\"]\"b\""`,
		`return {"a": 1} | {"b": 2}`:                                                         `{"a": 1, "b": 2}`,
		`return -(1 + 2)`:                                                                    `-3`,
		`return max(range(10)), sorted([3, 1]), len("ä")`:                                    `(9, [1, 3], 2)`,
	} {
		v, f := call(t, "def f():\n    "+text+"\n")
		if f != nil {
			t.Errorf("%s: %s", text, f.Message)
		} else if v.String() != want {
			t.Errorf("%s gives %s, want %s", text, v, want)
		}
	}
}

// Everything that could run for ever or fill the memory ends with a failure that says why, at its place.
func TestLimits(t *testing.T) {
	cases := map[string]struct{ text, message, at string }{
		"steps":         {"n = 0\n    for i in range(1000000):\n        for j in range(1000000):\n            n += 1", "more than 1,000,000 steps", ""},
		"doubling":      {"s = \"x\"\n    for i in range(60):\n        s = s + s", "bytes of text and lists", "+"},
		"growing":       {"s = [1]\n    for i in range(60):\n        s += s", "bytes of text and lists", "+"},
		"repeating":     {"return \"x\" * 1000000000000", "bytes of text and lists", "*"},
		"other side":    {"return 1000000000 * [1]", "bytes of text and lists", "*"},
		"numbers":       {"n = 3\n    for i in range(60):\n        n = n * n", "bytes of text and lists", "*"},
		"in place":      {"s = \"x\"\n    for i in range(60):\n        s *= 10", "bytes of text and lists", "*"},
		"range":         {"return max(range(1000000000))", "range has more than", "("},
		"replace":       {"s = \"x\" * 100000\n    return s.replace(\"x\", s)", "bytes of text and lists", "("},
		"a value of it": {"s = \"x\" * 100000\n    g = s.replace\n    return g(\"x\", s)", "bytes of text and lists", "("},
		"join":          {"s = \"x\" * 100000\n    return s.join([\"y\"] * 1000)", "bytes of text and lists", "("},
		"format":        {"s = \"x\" * 100000\n    return (\"{0}\" * 1000).format(s)", "bytes of text and lists", "("},
		"sharing":       {"s = [\"x\" * 1000] * 1000\n    for i in range(5):\n        s = [s] * 1000\n    return str(s)", "bytes of text and lists", "("},
		"percent":       {"s = [\"x\" * 1000] * 1000\n    for i in range(5):\n        s = [s] * 1000\n    return \"%s\" % (s,)", "bytes of text and lists", "%"},
		"recursion":     {"return f()", "called recursively", "f"},
		"fail":          {"fail(\"no\", 1)", "no 1", "("},
		"nothing":       {"return None.x", "NoneType has no .x field or method", "x"},
		"join of what":  {"return [1].join(2)", "no .join", "join"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, f := call(t, "def f():\n    "+c.text+"\n")
			if f == nil {
				t.Fatal("no failure")
			}
			if !strings.Contains(f.Message, c.message) || c.at != "" && f.Span.Text() != c.at || f.Span.Begin().Line < 2 {
				t.Errorf("%q at %q, line %d", f.Message, f.Span.Text(), f.Span.Begin().Line)
			}
		})
	}
}

// Nothing of the world can be reached: what Starlark does not have, a file does not get.
func TestHermetic(t *testing.T) {
	for _, text := range []string{
		"import os", "x = open(\"/etc/passwd\")", "x = time.now()", "x = random()", "load(\"/etc/passwd\", \"x\")", "load(\"../norn.toml\", \"x\")",
		"load(\"other.star\", \"x\")", "while True:\n    pass", "def f(:\n    pass", "x = y", "x = 1\nx = 2", "x = [1]\nx[0] *= 2",
	} {
		if _, problems := load(t, "a.star", text+"\n"); len(problems) != 1 || problems[0].Code != "E9999" || problems[0].Span.File == nil || problems[0].Span.Begin().Line == 0 {
			t.Errorf("%q: %v", text, problems)
		}
	}
	if v, f := call(t, "def f():\n    print(\"nobody sees this\")\n    return 1\n"); f != nil || v.String() != "1" {
		t.Errorf("%v %v", v, f)
	}
}

func TestLoad(t *testing.T) {
	m, problems := load(t, "a.star", "load(\"sub/b.star\", \"g\")\ndef f():\n    return g() + 1\n", "sub/b.star", "n = 1\ndef g():\n    return n\n")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if v, f, err := m.Call(context.Background(), m.Globals("x/a.star")["f"].(starlark.Callable), nil, nil); f != nil || err != nil || v.String() != "2" {
		t.Errorf("%v %v %v", v, f, err)
	}
	_, problems = load(t, "a.star", "load(\"b.star\", \"g\")\n", "b.star", "load(\"a.star\", \"f\")\n")
	if len(problems) != 2 || !strings.Contains(problems[0].Message+problems[1].Message, "x/a.star, x/b.star, x/a.star") {
		t.Errorf("%v", problems)
	}
	_, problems = load(t, "a.star", "load(\"money.sta\", \"g\")\n", "money.star", "g = 1\n")
	if len(problems) != 1 || !strings.Contains(problems[0].Message, "did you mean money.star?") {
		t.Errorf("%v", problems)
	}
}

// What a file defines is frozen: a call leaves nothing behind for the next.
func TestFrozen(t *testing.T) {
	_, f := call(t, "seen = []\ndef f():\n    seen.append(1)\n")
	if f == nil || !strings.Contains(f.Message, "frozen") {
		t.Errorf("%v", f)
	}
}

func TestParallelAndInterrupted(t *testing.T) {
	m, problems := load(t, "a.star", "def f(n):\n    return len([i for i in range(n)])\ndef g():\n    for i in range(1000000):\n        max(range(1000))\n")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	globals := m.Globals("x/a.star")
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			v, f, err := m.Call(context.Background(), globals["f"].(starlark.Callable), starlark.Tuple{starlark.MakeInt(i * 100)}, nil)
			if f != nil || err != nil || v.String() != starlark.MakeInt(i*100).String() {
				t.Errorf("%v %v %v", v, f, err)
			}
		})
	}
	wg.Wait()
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(time.Millisecond, cancel)
	if _, f, err := m.Call(ctx, globals["g"].(starlark.Callable), nil, nil); f != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v %v", f, err)
	}
}

func TestRecord(t *testing.T) {
	made := 0
	r := NewRecord("model", diag.Span{}, Field{Name: "name", Value: Text("orders")}, Field{Name: "columns", Make: func() starlark.Value {
		made++
		return Texts([]string{"a", "b"})
	}})
	v, f := call(t, "def f(m):\n    return m.name, m.columns, m.columns, str(m), type(m), hasattr(m, \"colums\")\n", r)
	if f != nil || v.String() != `("orders", ["a", "b"], ["a", "b"], "orders", "model", False)` || made != 1 {
		t.Errorf("%v %v, made %d times", v, f, made)
	}
	for text, want := range map[string]string{
		"m.colums":            "a model has no colums; did you mean columns?",
		"m.zzz":               "a model has no zzz; it has columns, name",
		"m.columns.append(1)": "cannot append to frozen list",
		"{m: 1}":              "a model cannot be a key",
	} {
		if _, f := call(t, "def f(m):\n    return "+text+"\n", r); f == nil || !strings.Contains(f.Message, want) {
			t.Errorf("%s: %+v", text, f)
		}
	}
	if _, f := call(t, "def f(m):\n    m.name = 1\n", r); f == nil {
		t.Error("a record was changed")
	}
}

// FuzzLoad: no text crashes the loader or runs on.
func FuzzLoad(f *testing.F) {
	for _, s := range []string{"def f(x):\n    return x + 1\n", "x = [i * 2 for i in range(3)]\nx[0] *= 2", "load(\"a.star\", \"b\")", "d = {1: {}[2:3]}\nd.a.join += (1, *a, **b)", "lambda x = 1 % 2, *a: x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, _, err := Load(context.Background(), []*diag.File{diag.NewFile("x/a.star", text)}, Options{Code: "E9999", Folder: "x/", Limits: Limits{Steps: 10_000, Bytes: 1 << 20}})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// BenchmarkCall is what a rule costs beside its own work.
func BenchmarkCall(b *testing.B) {
	m, _ := load(b, "a.star", "def f(n):\n    return None\n")
	fn := m.Globals("x/a.star")["f"].(starlark.Callable)
	for b.Loop() {
		v, _, _ := m.Call(context.Background(), fn, starlark.Tuple{starlark.None}, nil)
		runtime.KeepAlive(v)
	}
}
