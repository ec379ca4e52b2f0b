package project

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/norn-data/norn/internal/diag"
)

// Find walks up from a folder, or from that of a file, to the one that holds norn.toml or sqlbuild_project.toml and returns its absolute path. When
// there is none, the error is a *[diag.Problem] of code E0001.
func Find(dir string) (root string, err error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("looking for a project from %s: %w", dir, err)
	}
	// Somebody who names the configuration file means its folder.
	if info, err := os.Stat(start); err == nil && info.Mode().IsRegular() {
		start = filepath.Dir(start)
	}
	for at := start; ; at = filepath.Dir(at) {
		for _, name := range []string{ConfigFile, SQLBuildConfigFile} {
			info, err := os.Stat(filepath.Join(at, name))
			if err == nil && info.Mode().IsRegular() {
				return at, nil
			}
			// A folder we may not look into is no project of ours; one that cannot be read at all is trouble of the world.
			if err != nil && !os.IsNotExist(err) && !os.IsPermission(err) {
				return "", fmt.Errorf("looking for a project in %s: %w", at, err)
			}
		}
		if filepath.Dir(at) == at {
			p := noProject(start)
			if _, err := os.Stat(filepath.Join(start, "dbt_project.yml")); err == nil {
				p.WithHelp("this is a project of dbt; make one of norn from it with: norn import %s --into NEW", dir)
			}
			return "", p
		}
	}
}

// noProject is what both Find and Load say, so that the advice is the same wherever norn was started.
func noProject(dir string) *diag.Problem {
	return diag.New("E0001", diag.Span{}, "there is no norn project in %s or above it", dir).
		WithHelp("make one with: norn new NAME")
}
