package recheck

import (
	"context"
	"io/fs"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// A Hook adds problems that the analysis does not know of, such as those of rules that a project brings along. Its functions
// must be pure: what they return follows from what they are handed and from what Key stands for, and from nothing else. That
// is what lets their problems be kept and said again.
type Hook struct {
	// Key stands for everything that the functions depend on beside their arguments: the text of the rules, their selection and
	// options. What was kept under another key is not said again. Files of the project that were read through the root handed to
	// [Options.Extra] count by themselves.
	Key string
	// Model is called for each model right after it was bound, while its tree is still there, from several goroutines at once.
	// Its problems are kept with the model: they are said again until the model's text, or what it sees of a relation that it
	// reads, is another. It must therefore look at nothing of other nodes beside what out says of them. Nil: nothing to add.
	Model func(ctx context.Context, m *project.Model, out *analyze.Model) ([]*diag.Problem, error)
	// Project is called once after the analysis, whenever anything at all has changed, and sees all nodes: what they declare, what
	// they mean and who reads whom, but no trees (use Model for those). Nil: nothing to add.
	Project func(ctx context.Context, p *project.Project, r *analyze.Result) ([]*diag.Problem, error)
}

// An Extra makes the hook of a run once the project is read. Whatever it opens below root, the project's folder, belongs to what
// was read: the outcome is said again only while it is as it was. An error ends the run. Whether there is anything to hook must not
// follow from the texts of models: a run that finds only those changed, where there was nothing, does not ask.
type Extra func(ctx context.Context, root fs.FS, p *project.Project) (Hook, error)
