package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the linker (-X) from the Makefile. A build without it names the module's version or the commit.
var version string

// newVersionCommand says exactly which norn this is: what a bug report needs.
func newVersionCommand(out *invocation) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which norn this is",
		Args:  refuseArguments,
		RunE:  func(*cobra.Command, []string) error { return sayVersion(out) },
	}
}

func sayVersion(out *invocation) error {
	if out.json {
		return out.JSON(versionJSON{releaseName(), revision(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH})
	}
	fmt.Fprintf(out.stdout, "%s %s/%s\n", build(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// The document of norn version --json: docs/formats/small-json.md.
type versionJSON struct {
	Version  string `json:"version"`
	Revision string `json:"revision"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// build is the one line that names this binary: "norn 0.1.0 (1a2b3c4d5e6f) go1.26.8".
func build() string {
	text := "norn " + releaseName()
	if r := revision(); r != "" {
		text += " (" + r + ")"
	}
	return text + " " + runtime.Version()
}

func releaseName() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "development"
}

// revision is the commit the binary was built from, short, with a plus where the tree had other changes. It is "" where
// the build did not know.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	commit, changed := "", ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			if s.Value == "true" {
				changed = "+"
			}
		}
	}
	if commit == "" {
		return ""
	}
	return commit + changed
}
