package analyze_test

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var countSteps = flag.Bool("steps", false, "let TestGrowth count the statements that run, by a program that it builds")

// stepCounter builds the program that counts; "" when nobody asked for it.
func stepCounter(t *testing.T) string {
	t.Helper()
	if !*countSteps {
		return ""
	}
	program := filepath.Join(t.TempDir(), "growth")
	run(t, nil, "go", "build", "-cover", "-covermode=atomic", "-coverpkg=github.com/norn-data/norn/internal/analyze,github.com/norn-data/norn/internal/sql,github.com/norn-data/norn/internal/project,./testdata/growth", "-o", program, "./testdata/growth")
	return program
}

// steps counts the statements of this package, of sql and of project that run while a model is read and analysed. It sees every
// loop of theirs, whether or not it makes objects.
func steps(t *testing.T, program, text string) (n uint64) {
	t.Helper()
	dir, counters := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"norn.toml": configuration, "sources/orders.yml": pathologicalSource, "models/m.sql": text + "\n"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run(t, []string{"GOCOVERDIR=" + counters}, program, dir)
	profile := filepath.Join(dir, "profile")
	run(t, nil, "go", "tool", "covdata", "textfmt", "-i="+counters, "-o="+profile)
	list, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	// A line is a block of statements: where it is, how many they are, and how often they ran. The first line says mode: atomic.
	for s := bufio.NewScanner(bytes.NewReader(list)); s.Scan(); {
		_, numbers, _ := strings.Cut(s.Text(), " ")
		var statements, count uint64
		if _, err := fmt.Sscan(numbers, &statements, &count); err == nil {
			n += statements * count
		}
	}
	if n == 0 {
		t.Fatal("no statement was counted")
	}
	return n
}

func run(t *testing.T, env []string, name string, args ...string) {
	t.Helper()
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), env...)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", c, err, out)
	}
}
