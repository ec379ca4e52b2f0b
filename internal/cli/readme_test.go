package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What the README shows is what happens: every fenced block that starts with "$ " is a session at a prompt, and this
// test types it in. All blocks of a page are one session, in order, in an empty folder that has a copy of examples/.
//
// Lines that start with "$ " are commands; they go to a shell, and the folder they end in is the folder of the next.
// The lines below are what the command writes, both streams together. Times and sizes differ from machine to machine
// and are masked, and so is the number of spaces in front of them; a line that is "..." stands for any lines. A command
// that is meant to fail says so: "$ norn check   # exit 1".

// A promptStep is one command of a page and the lines shown for it, which start at line first (from 0) of the page.
type promptStep struct {
	command string
	exit    int
	first   int
	want    []string
}

var exitNote = regexp.MustCompile(`#.*\bexit (\d+)\s*$`)

// promptSteps finds the commands of a page of Markdown.
func promptSteps(page string) []promptStep {
	var steps []promptStep
	fenced, session := false, false
	lines := strings.Split(page, "\n")
	for i, text := range lines {
		switch {
		case strings.HasPrefix(text, "```"):
			fenced = !fenced
			session = fenced && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "$ ")
		case !session:
		case strings.HasPrefix(text, "$ "):
			step := promptStep{command: strings.TrimPrefix(text, "$ "), first: i + 1}
			if m := exitNote.FindStringSubmatch(text); m != nil {
				step.exit, _ = strconv.Atoi(m[1])
			}
			steps = append(steps, step)
		default:
			last := &steps[len(steps)-1]
			last.want = append(last.want, text)
		}
	}
	// An empty line before the next prompt is layout, not output.
	for i := range steps {
		for n := len(steps[i].want); n > 0 && steps[i].want[n-1] == ""; n-- {
			steps[i].want = steps[i].want[:n-1]
		}
	}
	return steps
}

var masks = []struct {
	pattern *regexp.Regexp
	mask    string
}{
	{regexp.MustCompile(`<1 ms|\d+ min \d+ s|\d+(\.\d+)? m?s\b`), "TIME"},
	{regexp.MustCompile(`\d+(\.\d+)? [KMG]?B\b`), "SIZE"},
	{regexp.MustCompile(` {2,}`), "  "},
}

func masked(lines []string) []string {
	out := make([]string, len(lines))
	for i, text := range lines {
		for _, m := range masks {
			text = m.pattern.ReplaceAllString(text, m.mask)
		}
		out[i] = strings.TrimRight(text, " ")
	}
	return out
}

// matches compares shown lines with real ones, both masked; "..." stands for any lines, none included.
func matches(want, got []string) bool {
	for i, text := range want {
		if text == "..." {
			for skip := range len(got) - i + 1 {
				if matches(want[i+1:], got[i+skip:]) {
					return true
				}
			}
			return false
		}
		if i >= len(got) || got[i] != text {
			return false
		}
	}
	return len(want) == len(got)
}

// A prompt is a shell session: a folder, an environment and what they become.
type prompt struct {
	folder string
	env    []string
}

// run types a command and returns its output as lines and its exit code.
func (p *prompt) run(command string) ([]string, int, error) {
	after := filepath.Join(p.folder, ".where")
	shell := exec.Command("sh", "-c", command+"\ncode=$?\npwd > \"$WHERE\"\nexit $code")
	shell.Dir = p.folder
	shell.Env = append(slices.Clone(p.env), "WHERE="+after)
	var output bytes.Buffer
	shell.Stdout, shell.Stderr = &output, &output
	err := shell.Run()
	code := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code, err = exit.ExitCode(), nil
	}
	if err != nil {
		return nil, 0, err
	}
	if where, readErr := os.ReadFile(after); readErr == nil {
		p.folder = strings.TrimSpace(string(where))
		if err := os.Remove(after); err != nil {
			return nil, 0, err
		}
	}
	text := strings.TrimRight(output.String(), "\n")
	if text == "" {
		return nil, code, nil
	}
	return strings.Split(text, "\n"), code, nil
}

// replay types the steps of a page and returns what was different, and the page as it should be.
func replay(page string, p *prompt) (differences []string, corrected string, err error) {
	lines := strings.Split(page, "\n")
	moved := 0
	for _, step := range promptSteps(page) {
		got, code, err := p.run(step.command)
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", step.command, err)
		}
		if code != step.exit {
			differences = append(differences, fmt.Sprintf("$ %s\nexit code %d, want %d; it wrote:\n%s", step.command, code, step.exit, strings.Join(got, "\n")))
			continue
		}
		if matches(masked(step.want), masked(got)) {
			continue
		}
		differences = append(differences, fmt.Sprintf("$ %s\nshown:\n%s\nreal:\n%s", step.command, strings.Join(step.want, "\n"), strings.Join(got, "\n")))
		from := step.first + moved
		lines = slices.Replace(lines, from, from+len(step.want), got...)
		moved += len(got) - len(step.want)
	}
	return differences, strings.Join(lines, "\n"), nil
}

// TestReadme builds the real program and types the README. With -update the README is corrected instead.
func TestReadme(t *testing.T) {
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if len(promptSteps(string(page))) == 0 {
		t.Fatal("the README has no block that starts with $")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command is not in PATH, so the program cannot be built")
	}
	bin, folder := t.TempDir(), t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(bin, "norn"), "./cmd/norn")
	build.Dir = root
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building norn: %v\n%s", err, output)
	}
	if err := os.CopyFS(filepath.Join(folder, "examples"), os.DirFS(filepath.Join(root, "examples"))); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "NO_COLOR=1", "COLUMNS=")
	differences, corrected, err := replay(string(page), &prompt{folder: folder, env: env})
	if err != nil {
		t.Fatal(err)
	}
	if *update && len(differences) > 0 {
		if err := os.WriteFile(filepath.Join(root, "README.md"), []byte(corrected), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, d := range differences {
		t.Errorf("README.md and the program differ:\n%s", d)
	}
}

// TestReplay holds the runner itself to its rules, on pages that are right and pages that are wrong.
func TestReplay(t *testing.T) {
	page := "# A page\n\n```sh\nmake demo\n```\n\n```\n" +
		"$ mkdir -p a && cd a\n$ echo built in 12 ms, 9 KB; pwd | sed 's/.*\\///'\nbuilt in 1.5 s, 10 KB\na\n\n" +
		"$ seq 5\n1\n...\n5\n$ false   # exit 1\n```\n"
	differences, corrected, err := replay(page, &prompt{folder: t.TempDir(), env: os.Environ()})
	if err != nil || len(differences) > 0 || corrected != page {
		t.Errorf("a page that is right: %v, %q", err, differences)
	}
	for _, c := range []struct{ page, corrected string }{
		{"```\n$ echo one\ntwo\nthree\n$ echo four\nfour\n```\n", "```\n$ echo one\none\n$ echo four\nfour\n```\n"},
		{"```\n$ echo one\n```\n", "```\n$ echo one\none\n```\n"},
		{"```\n$ seq 3\n1\n...\n4\n```\n", "```\n$ seq 3\n1\n2\n3\n```\n"},
		{"```\n$ true   # exit 1\n```\n", "```\n$ true   # exit 1\n```\n"},
	} {
		differences, corrected, err := replay(c.page, &prompt{folder: t.TempDir(), env: os.Environ()})
		if err != nil || len(differences) != 1 || corrected != c.corrected {
			t.Errorf("%q: %v, differences %q, corrected %q", c.page, err, differences, corrected)
		}
	}
}
