package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/warehouse"
)

// namedFile sorts the error of working with a file that stands on the command line. A file that is not there, is a folder or
// may not be read is the user's to mend, whether it holds rows, weights, a context or an earlier run: the same problem, and
// the same exit code. Everything else comes back as it is; so does trouble with a file that the user did not name, such as
// one in a cache.
func namedFile(name string, err error) error {
	if err == nil || name == "" {
		return err
	}
	if info, e := os.Stat(name); e == nil && info.IsDir() {
		return diag.New("E1501", diag.Span{}, "%s is a folder, not a file", name).WithHelp("name a file in it")
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok && e.Path == name && (errors.Is(e, fs.ErrNotExist) || errors.Is(e, fs.ErrPermission)) {
		return warehouse.Unreadable(name, e)
	}
	return err
}

// findModels is [tabular.Find] for a name from the command line.
func findModels(ctx context.Context, name string) (tabular.Models, error) {
	m, err := tabular.Find(ctx, name, places(""))
	return m, namedWeights(name, err)
}

// namedWeights is [namedFile] for a name that may also be a model's.
func namedWeights(name string, err error) error {
	if tabular.IsPath(name) {
		return namedFile(name, err)
	}
	return err
}
