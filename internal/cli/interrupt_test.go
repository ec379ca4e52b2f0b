package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every command that is interrupted says so in one sentence of norn's own, on a terminal and in JSON.
func TestInterruptedCommands(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shop")
	var quiet bytes.Buffer
	if code := Run(t.Context(), []string{"new", dir}, Streams{Stdout: &quiet, Stderr: &quiet}); code != ExitFine {
		t.Fatalf("exit code %d\n%s", code, &quiet)
	}
	rule := "def check(model):\n    \"\"\"Says nothing.\"\"\"\n"
	if err := os.MkdirAll(filepath.Join(dir, "rules"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "rules", "quiet.star"), []byte(rule), 0o666); err != nil {
		t.Fatal(err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, args := range []string{"fmt --check", "fmt", "fmt --diff", "test", "rules", "check", "build", "lineage orders"} {
		t.Run(args, func(t *testing.T) {
			args := append(strings.Fields(args), "-p", dir)
			var stdout, stderr bytes.Buffer
			code := Run(stopped, args, Streams{Stdout: &stdout, Stderr: &stderr})
			said := stderr.String()
			if code != ExitInterrupted || stdout.Len() > 0 || !strings.HasPrefix(said, "interrupted: ") || strings.Contains(said, "context canceled") {
				t.Errorf("exit code %d, stdout %q, stderr %q", code, &stdout, said)
			}
			stdout.Reset()
			stderr.Reset()
			code = Run(stopped, append(args, "--json"), Streams{Stdout: &stdout, Stderr: &stderr})
			var doc struct{ Error trouble }
			if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil {
				t.Fatalf("%v\n%s", err, &stdout)
			}
			sentence, _, _ := strings.Cut(said, "\n")
			if code != ExitInterrupted || doc.Error.Kind != "interrupted" || doc.Error.Message != sentence || stderr.Len() > 0 {
				t.Errorf("exit code %d, error %+v, stderr %q; without --json %q", code, doc.Error, &stderr, said)
			}
		})
	}
}
