package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every command that is interrupted says in one line of norn's own what it has not done, on stderr in every mode and in JSON too.
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
	for _, args := range []string{"fmt --check", "fmt", "fmt --diff", "test", "rules", "check", "build", "lineage orders", "show orders"} {
		t.Run(args, func(t *testing.T) {
			args := append(strings.Fields(args), "-p", dir)
			var stdout, stderr bytes.Buffer
			code := Run(stopped, args, Streams{Stdout: &stdout, Stderr: &stderr})
			said := stderr.String()
			if code != ExitInterrupted || stdout.Len() > 0 || !strings.HasPrefix(said, "interrupted: n") && !strings.HasPrefix(said, "interrupted: 0 of ") || strings.Count(said, "\n") != 1 || strings.Contains(said, "context canceled") {
				t.Errorf("exit code %d, stdout %q, stderr %q", code, &stdout, said)
			}
			stdout.Reset()
			stderr.Reset()
			code = Run(stopped, append(args, "--json"), Streams{Stdout: &stdout, Stderr: &stderr})
			var doc struct{ Error trouble }
			if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil {
				t.Fatalf("%v\n%s", err, &stdout)
			}
			sentence := strings.TrimSuffix(said, "\n")
			if code != ExitInterrupted || doc.Error.Kind != "interrupted" || doc.Error.Message != sentence || stderr.String() != said {
				t.Errorf("exit code %d, error %+v, stderr %q; without --json %q", code, doc.Error, &stderr, said)
			}
		})
	}
}

// Work that does not look at the context is not waited for, and work that ends within the grace is.
func TestInterruptible(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := interruptible(ctx, func() (int, error) { return 7, nil }); got != 7 || err != nil {
		t.Errorf("work that ended: %d, %v", got, err)
	}
	release, ended := make(chan struct{}), make(chan struct{})
	got, err := interruptible(ctx, func() (int, error) {
		defer close(ended)
		<-release
		return 7, nil
	})
	if got != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("work that does not end: %d, %v", got, err)
	}
	close(release)
	<-ended
}

// A folder that is not there is not one without a project.
func TestNoSuchFolder(t *testing.T) {
	var stdout, stderr bytes.Buffer
	missing := filepath.Join(t.TempDir(), "missing")
	if code := Run(t.Context(), []string{"check", missing}, Streams{Stdout: &stdout, Stderr: &stderr}); code != ExitProblems || !strings.Contains(stderr.String(), "there is no folder "+missing) {
		t.Errorf("exit code %d\n%s", code, &stderr)
	}
}

// What norn pull fills is where models are looked for, whichever variable says where that is.
func TestPlaces(t *testing.T) {
	home := t.TempDir()
	for name, c := range map[string]struct{ variable, value, want string }{
		"older name": {"HUGGINGFACE_HUB_CACHE", filepath.Join(home, "old"), filepath.Join(home, "old")},
		"home":       {"HF_HOME", "~/hf", filepath.Join(home, "hf", "hub")},
		"variable":   {"HF_HUB_CACHE", "$HOME/x", filepath.Join(home, "x")},
		"default":    {"HF_HOME", "", filepath.Join(home, ".cache", "huggingface", "hub")},
	} {
		t.Run(name, func(t *testing.T) {
			for _, v := range []string{"HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "XDG_CACHE_HOME"} {
				t.Setenv(v, "")
			}
			t.Setenv("HOME", home)
			t.Setenv(c.variable, c.value)
			if got := places("here"); got.Hub != c.want || got.Dir != "here" {
				t.Errorf("%+v, want %s", got, c.want)
			}
		})
	}
}
