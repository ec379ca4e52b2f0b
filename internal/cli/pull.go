package cli

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/tabular/hub"
)

// newPullCommand downloads published weights into the cache that Python tools share.
func newPullCommand(out *invocation) *cobra.Command {
	var revision, digest string
	cmd := &cobra.Command{
		Use:   "pull NAME | REPO FILE",
		Short: "Download published weights",
		Long: `norn pull brings the weights of a published model onto this machine: their size is shown first, an interrupted download
goes on where it stopped, and the digest is checked before the file gets its name. They lie in the cache of the Python
client, so tools share them; HF_HOME, HF_TOKEN, HF_ENDPOINT and HF_HUB_OFFLINE mean what they mean there.`,
		Example: "  norn pull tabicl-v2\n  norn pull jingang/TabICL tabicl-classifier-v1.1-20250506.ckpt --revision main",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) > 2 {
				return mistake(cmd, "norn pull takes the name of a model, or a repository and a file of it")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := pullFiles(cmd, args, revision, digest)
			if err != nil {
				return err
			}
			return pull(cmd.Context(), out, args[0], files)
		},
	}
	cmd.Flags().StringVar(&revision, "revision", "", "branch, tag or commit of the repository (default: main)")
	cmd.Flags().StringVar(&digest, "sha256", "", "digest that the file must have")
	return cmd
}

// pullFiles reads the command line: a model's name, or a repository and a file of it.
func pullFiles(cmd *cobra.Command, args []string, revision, digest string) ([]hub.File, error) {
	if len(args) == 2 {
		return []hub.File{{Repo: args[0], Name: args[1], Revision: revision, SHA256: digest}}, nil
	}
	files, ok := tabular.Published(args[0])
	switch {
	case ok && (revision != "" || digest != ""):
		return nil, mistake(cmd, "--revision and --sha256 go with a repository and a file; %s has its own", args[0])
	case ok:
		return files, nil
	case strings.Contains(args[0], "/"):
		m := mistake(cmd, "norn pull needs a file of the repository %s", args[0])
		m.hint = fmt.Sprintf("norn pull %s FILE", shellWord(args[0]))
		return nil, m
	}
	m := mistake(cmd, "there is nothing to pull called %s", args[0])
	m.hint = "norn model list shows what norn knows by name"
	if near := diag.Nearest(args[0], tabular.Names()); near != "" && near != tabular.Demo {
		m.hint = "did you mean norn pull " + near + "?"
	}
	return nil, m
}

// The document of norn pull --json: docs/formats/small-json.md.
type pullJSON struct {
	Files []pulledJSON `json:"files"`
}

type pulledJSON struct {
	Repo  string `json:"repo"`
	Name  string `json:"name"`
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
}

func pull(ctx context.Context, out *invocation, name string, files []hub.File) error {
	home, err := os.UserHomeDir()
	if err != nil {
		return fmt.Errorf("looking for the weights cache: %w", err)
	}
	settings := hub.FromEnvironment(os.Getenv, home)
	report := &pullReport{out: out}
	settings.Progress = report.show
	doc := pullJSON{}
	for _, f := range files {
		path, err := hub.Pull(ctx, settings, f)
		if err != nil {
			return err
		}
		info, err := os.Stat(path)
		if err != nil {
			return fmt.Errorf("looking at the weights: %w", err)
		}
		doc.Files = append(doc.Files, pulledJSON{f.Repo, f.Name, path, info.Size()})
		out.Answer("pulled", "%s   %s", path, size(info.Size()))
	}
	if out.json {
		return out.JSON(doc)
	}
	model := name
	if _, known := tabular.Published(name); !known {
		model = doc.Files[0].Path
	}
	out.Next("norn predict FILE --target COLUMN --model " + shellWord(model))
	return nil
}

// A pullReport tells the progress of one download: what and how large before anything is fetched, then a line every few
// seconds. Lines instead of a moving bar read the same in a terminal and in a log.
type pullReport struct {
	out     *invocation
	started time.Time
	last    time.Time
}

const progressEvery = 3 * time.Second

func (r *pullReport) show(p hub.Progress) {
	now := time.Now()
	say := func(format string, args ...any) {
		r.last = now
		r.out.Line(line{Label: "pull", Cells: []string{fmt.Sprintf(format, args...)}, Took: -1})
	}
	switch p.Stage {
	case hub.Resolved:
		r.started = now
		have := ""
		if p.Have > 0 {
			have = fmt.Sprintf(", %s of it are here", size(p.Have))
		}
		say("%s   %s%s", p.File, size(p.Size), have)
	case hub.Waiting:
		say("another process is downloading %s; waiting for it", p.File.Name)
	case hub.Downloading:
		if now.Sub(r.last) >= progressEvery {
			say("%s of %s", size(p.Have), size(p.Size))
		}
	case hub.Retrying:
		say("%v; trying again in %s", p.Err, duration(p.Wait))
	case hub.Checking:
		say("checking the digest")
	case hub.Done:
	}
}
