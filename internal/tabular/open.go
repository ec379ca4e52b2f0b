package tabular

import (
	"context"
	"fmt"
	"maps"

	"github.com/norn-data/norn/internal/tabular/kumo"
	"github.com/norn-data/norn/internal/tabular/weights"
)

// kumoSize is the member of a file's metadata that says which published size a Kumo Tabular network is a variant of. The
// tensors do not tell how many key and value heads query rows use; the folder of a published file does, and a copy of it
// elsewhere would not load without.
const kumoSize = "kumo_size"

// A SeveralFilesError says that a name stands for more than one weights file.
type SeveralFilesError struct {
	Name    string
	Choices []string // names or paths of the files
}

func (e *SeveralFilesError) Error() string {
	return fmt.Sprintf("%s is %d files, one for each task", e.Name, len(e.Choices))
}

// OpenWeights opens the one weights file behind a name that [Find] knows or a path, as it is stored. What only the file's
// place says of a network is added to the metadata. A name of several files is a *SeveralFilesError.
func OpenWeights(ctx context.Context, name string, places Places) (*weights.File, error) {
	path := places.of(name)
	if !IsPath(name) && !isFile(path) {
		models, err := Find(ctx, name, places)
		if err != nil {
			return nil, err
		}
		var choices []string
		for _, task := range models.Tasks() {
			f := models.files[task]
			if path = f.path; f.embedded {
				choices = append(choices, f.name)
			} else {
				choices = append(choices, f.path)
			}
		}
		if len(choices) > 1 {
			return nil, &SeveralFilesError{models.Name, choices}
		}
		if f := models.files[models.Tasks()[0]]; f.embedded {
			data, err := demo.ReadFile(f.path)
			if err != nil {
				return nil, fmt.Errorf("reading the built-in weights %s: %w", f.name, err)
			}
			return weights.Read(f.name, data)
		}
	}
	f, err := weights.Open(ctx, path)
	if err != nil || !kumo.Recognises(f) || f.Metadata[kumoSize] != "" {
		return f, err
	}
	size, ok := kumo.SizeOf(path)
	if !ok {
		return f, nil
	}
	if err := checkKumoSize(f, size); err != nil {
		return nil, fmt.Errorf("the weights %s: %w", name, err)
	}
	placed := *f
	if placed.Metadata = maps.Clone(f.Metadata); placed.Metadata == nil {
		placed.Metadata = make(map[string]string)
	}
	placed.Metadata[kumoSize] = string(size)
	return &placed, nil
}

// KumoSize is the published size that a Kumo Tabular file's metadata or its place says; "" where neither does. One that
// contradicts the file's tensors is an error.
func KumoSize(f *weights.File, path string) (kumo.Size, error) {
	place, _ := kumo.SizeOf(path)
	stated := kumo.Size(f.Metadata[kumoSize])
	switch {
	case stated == "":
		return place, checkKumoSize(f, place)
	case place != "" && place != stated:
		return "", fmt.Errorf("the file says that it is %s, and its name or folder says %s: rename it", stated, place)
	}
	return stated, checkKumoSize(f, stated)
}

// checkKumoSize refuses a size that contradicts the tensors of a published network: the answers would look right and be
// wrong. Networks of other sizes are variants, of which a name says only how query rows are treated.
func checkKumoSize(f *weights.File, size kumo.Size) error {
	if size == "" {
		return nil
	}
	if is, ok := kumo.ShapedLike(f); ok && is != size {
		return fmt.Errorf("its tensors are those of the published size %s, and its name or folder says %s: rename it", is, size)
	}
	return nil
}
