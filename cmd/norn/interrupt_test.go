package main_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// norn listens for Ctrl-C before any of its rooms is initialised: a signal that comes later is never the end of the process
// without a word. When exactly a signal comes cannot be tested; the order of initialisation can.
func TestListensFirst(t *testing.T) {
	cmd := exec.Command(norn, "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	listening := false
	for line := range strings.Lines(string(said)) {
		switch name, isInit := strings.CutPrefix(line, "init github.com/norn-data/norn/"); {
		case isInit && strings.HasPrefix(name, "cmd/norn/interrupt "):
			listening = true
		case isInit && !listening:
			t.Errorf("initialised before norn listens: %s", name)
		}
	}
	if !listening {
		t.Errorf("package interrupt was not initialised:\n%s", said)
	}
}

// Where the system gives a process little, a library says so on stderr before main; norn does without and says nothing.
func TestSmallAddressSpace(t *testing.T) {
	said, err := exec.Command("sh", "-c", `ulimit -v 4000000 && exec "$0" version`, norn).CombinedOutput()
	if err != nil {
		t.Skipf("no limit can be set here: %v\n%s", err, said)
	}
	if text := string(said); !strings.HasPrefix(text, "norn ") || strings.Count(text, "\n") != 1 {
		t.Errorf("norn version says %q", text)
	}
}
