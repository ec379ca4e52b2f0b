package tabular

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/tabular/hub"
	"github.com/norn-data/norn/internal/tabular/kumo"
)

// A publication is a set of weights that somebody else has published and that norn can read. norn ships none of them.
type publication struct {
	name, family, repository, licence string
	revision                          string // a tag; "" where the files' own names change with their content
	files                             map[Task]string
	parameters                        map[Task]int64
	digests                           map[Task]string // SHA-256 of the published files; where none is known, the hub's own is held against the file
}

// published are the weights norn knows by name. Parameter counts are computed from the released shapes.
var published = [...]publication{
	{
		name: "tabicl-v2", family: "TabICLv2", repository: "jingang/TabICL", licence: "BSD-3-Clause",
		files: map[Task]string{
			Classification: "tabicl-classifier-v2-20260212.ckpt",
			Regression:     "tabicl-regressor-v2-20260212.ckpt",
		},
		parameters: map[Task]int64{Classification: 27_552_258, Regression: 28_544_991},
		digests: map[Task]string{
			Classification: "bdc7dbd5e4ff21f8f0456fcf90c6b7cdf72dbea960f2d05b19bec19f9b3d4ed0",
			Regression:     "0db9cb538f114e79026bf08f45f41ad8dd7ad2de2aaca9a5ca8cd3bd9748ae7a",
		},
	},
	tabICLv1("1.1", "20250506"),
	tabICLv1("1", "20250208"),
	kumoTabular(kumo.Small, 27_458_250, 28_466_215),
	kumoTabular(kumo.Medium, 61_485_242, 62_492_055),
	kumoTabular(kumo.Large, 213_668_218, 215_683_159),
}

// tabICLv1 is the classifier of a version before 2; there is no regressor of it.
func tabICLv1(version, date string) publication {
	return publication{
		name: "tabicl-v" + version, family: "TabICLv1", repository: "jingang/TabICL", licence: "BSD-3-Clause",
		files:      map[Task]string{Classification: "tabicl-classifier-v" + version + "-" + date + ".ckpt"},
		parameters: map[Task]int64{Classification: 27_051_666},
	}
}

// tasks are those that the publication has a file for.
func (p publication) tasks() []Task {
	var tasks []Task
	for _, task := range []Task{Classification, Regression} {
		if p.files[task] != "" {
			tasks = append(tasks, task)
		}
	}
	return tasks
}

// kumoTabular is one of the three sizes of a repository whose files have the same names in a folder for each size.
func kumoTabular(size kumo.Size, classifier, regressor int64) publication {
	return publication{
		name: "kumo-tabular-" + string(size), family: "Kumo Tabular", repository: "nvidia/Kumo-Tabular", licence: "OpenMDW-1.1", revision: "v1.0.1",
		files:      map[Task]string{Classification: string(size) + "/classifier.pt", Regression: string(size) + "/regressor.pt"},
		parameters: map[Task]int64{Classification: classifier, Regression: regressor},
	}
}

// file is what the hub calls the weights of a task.
func (p publication) file(task Task) hub.File {
	return hub.File{Repo: p.repository, Name: p.files[task], Revision: p.revision, SHA256: p.digests[task]}
}

// find looks for the files in the hub's cache, where Python tools share them. One of two is enough for its task.
func (p publication) find(places Places) (Models, error) {
	m := Models{Name: p.name, files: make(map[Task]*file)}
	for task := range p.files {
		if path, ok := p.cached(task, places); ok {
			m.files[task] = newFile(p.name, path, false)
		}
	}
	if len(m.files) == 0 {
		return Models{}, diag.WithHint(fmt.Errorf("the weights of %s are not on this machine", p.name),
			"norn pull %s", p.name)
	}
	return m, nil
}

// cached is where the hub's cache keeps a file.
func (p publication) cached(task Task, places Places) (string, bool) {
	if places.Hub == "" {
		return "", false
	}
	return hub.Find(hub.Settings{Cache: places.Hub}, p.file(task))
}

// describe lists the publication's files without reading them: they are large.
func (p publication) describe(places Places) []Info {
	var infos []Info
	for _, task := range p.tasks() {
		info := Info{Name: p.name, Family: p.family, Task: task, Licence: p.licence, Parameters: p.parameters[task], Where: "not on this machine"}
		if task == Classification {
			info.MaxClasses, info.MostClasses = 10, MostClasses
		} else {
			info.Quantiles = 999
		}
		if path, ok := p.cached(task, places); ok {
			info.Where = path
			if stat, err := os.Stat(path); err == nil {
				info.Bytes = stat.Size()
			}
		}
		infos = append(infos, info)
	}
	return infos
}

// licenceOf is the licence of a file that does not state one itself.
func licenceOf(path string) string {
	for _, p := range published {
		for _, name := range p.files {
			// The last two names, because a name such as classifier.pt says too little on its own.
			if strings.HasSuffix("/"+filepath.ToSlash(path), "/"+name) {
				return p.licence
			}
		}
	}
	return "not stated in the file"
}

// Published names the files behind a model that is on the hub, for [hub.Pull]. The digests are those their publisher's
// users have seen; a file that differs is refused.
func Published(name string) ([]hub.File, bool) {
	for _, p := range published {
		if !strings.EqualFold(p.name, name) {
			continue
		}
		var files []hub.File
		for _, task := range p.tasks() {
			files = append(files, p.file(task))
		}
		return files, true
	}
	return nil, false
}
