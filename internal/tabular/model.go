package tabular

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/tabular/weights"
)

// The demo models: small TabICLv2 networks trained on synthetic tables, so that norn answers out of the box. They are a
// demo and are called one everywhere.
//
//go:embed demo/*.safetensors
var demo embed.FS

// Demo is the name of the built-in models.
const Demo = "demo"

// An Info describes weights without loading them further than needed.
type Info struct {
	Name       string
	Family     string // TabICLv2, Kumo Tabular
	Task       Task
	Parameters int64 // numbers stored in the file
	Bytes      int64
	Licence    string
	Where      string // "built in", or the file's path
	Digest     string // SHA-256 of the file, hexadecimal
	Content    string // that of what the file says, which converting it does not change; filled in by [Load] only
	MaxClasses int    // classification: classes told apart in one go
	// MostClasses is the largest number of classes the model answers for: beyond MaxClasses it takes the detour of
	// ManyClasses. 0 for regression.
	MostClasses int
	ManyClasses Detour
	Quantiles   int    // regression: outputs of the head
	Note        string // what a user must know before trusting it
	EnoughRows  int    // more rows that teach bring these weights little; 0 where that is not known
	TreeNote    string // the same for targets with more than MaxClasses classes
}

// A Detour is how a family of networks tells more classes apart than it has outputs for.
type Detour string

// The detours: choices among groups of classes, then among the classes of a group; or one question for each digit of an
// error-correcting code, whose answers together name the class.
const (
	ClassTree Detour = "a tree"
	CodeBook  Detour = "error-correcting codes"
)

// Does ends a sentence about a model with the detour.
func (d Detour) Does() string {
	if d == CodeBook {
		return "combines its answers to several questions by error-correcting codes"
	}
	return "goes down a tree of choices"
}

// A Model is a loaded set of weights, immutable and safe for any number of goroutines.
type Model struct {
	Info    Info
	network network
	content func() (string, error)
}

// Content is the SHA-256 of what the weights say, whatever the file that holds them: converting a file does not change it.
// The file is read again for it, once.
func (m *Model) Content() (string, error) { return m.content() }

// Models is one name that stands for weights: for each task at most one file.
type Models struct {
	Name  string
	files map[Task]*file
}

// A file is where a task's weights lie. It is read and packed when it is first asked for and kept as long as its Models:
// scoring, fitting and describing are one read of a file that may have hundreds of megabytes.
type file struct {
	name, path string // path is inside the binary where embedded is set
	embedded   bool
	load       func() (*Model, error)
}

func newFile(name, path string, embedded bool) *file {
	f := &file{name: name, path: path, embedded: embedded}
	f.load = sync.OnceValues(f.open)
	return f
}

// Tasks lists what the models can do.
func (m Models) Tasks() []Task {
	var tasks []Task
	for _, t := range []Task{Classification, Regression} {
		if _, ok := m.files[t]; ok {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// For loads the weights of a task, once.
func (m Models) For(task Task) (*Model, error) {
	f, ok := m.files[task]
	if !ok {
		return nil, diag.New("E1620", diag.Span{}, "the model %s does %s, not %s", m.Name, m.Tasks()[0], task).
			WithHelp("leave the model out to use the built-in demo, or name one for %s", task)
	}
	return f.load()
}

// Identity names the weights of all tasks by content where that is cheap and by place, size and time of change where it
// is not: it changes when the answers may change.
func (m Models) Identity() string {
	var parts []string
	for _, t := range m.Tasks() {
		f := m.files[t]
		if f.embedded {
			data, err := demo.ReadFile(f.path)
			diag.Assert(err == nil, "the built-in weights %s are gone: %v", f.path, err)
			sum := sha256.Sum256(data)
			parts = append(parts, hex.EncodeToString(sum[:]))
			continue
		}
		if info, err := os.Stat(f.path); err == nil {
			parts = append(parts, fmt.Sprintf("%s %d %d", f.path, info.Size(), info.ModTime().UnixNano()))
		}
	}
	return strings.Join(parts, "\n")
}

// Places are the folders where weights may lie. They come from the caller, because the environment is the caller's.
type Places struct {
	Dir string // relative paths of weights files start here; "" is the working directory
	Hub string // the Python hub's cache, such as ~/.cache/huggingface/hub; "" where there is none
}

// of is where a file lies.
func (p Places) of(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(p.Dir, name)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// Find gives the models behind a name: "" or "demo" for the built-in ones, a published name such as "tabicl-v2" for weights in
// the hub's cache, or the path of a weights file. The name of one built-in file works too.
func Find(ctx context.Context, name string, places Places) (Models, error) {
	if name == "" || name == Demo {
		return Models{Name: Demo, files: map[Task]*file{Classification: demoFile(Classification), Regression: demoFile(Regression)}}, nil
	}
	for _, task := range []Task{Classification, Regression} {
		if f := demoFile(task); name == f.name {
			return Models{Name: name, files: map[Task]*file{task: f}}, nil
		}
	}
	for _, p := range published {
		if strings.EqualFold(name, p.name) {
			return p.find(places)
		}
	}
	if IsPath(name) {
		f := newFile(name, places.of(name), false)
		m, err := f.load()
		if err != nil {
			return Models{}, err
		}
		return Models{Name: name, files: map[Task]*file{m.Info.Task: f}}, nil
	}
	if isFile(places.of(name)) {
		return Models{}, diag.New("E1306", diag.Span{}, "%s is a file, but its name does not end as weights do", name).
			WithHelp("weights end in .safetensors, .ckpt, .pt or .pth; rename the file after what it holds")
	}
	p := diag.New("E1306", diag.Span{}, "there is no model %s", name)
	if near := diag.Nearest(name, Names()); near != "" {
		return Models{}, p.WithHelp("did you mean %s?", near)
	}
	return Models{}, p.WithHelp("the models are %s; a weights file is named with its path and ending", diag.Listing(Names()))
}

// Names lists the names that [Find] knows, paths aside.
func Names() []string {
	names := []string{Demo}
	for _, p := range published {
		names = append(names, p.name)
	}
	return names
}

// IsPath reports whether a model's name means a weights file.
func IsPath(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".ckpt" || ext == ".safetensors" || ext == ".pt" || ext == ".pth" || strings.ContainsAny(name, `/\`)
}

func demoFile(task Task) *file {
	role := map[Task]string{Classification: "classifier", Regression: "regressor"}[task]
	return newFile("demo-"+role, "demo/norn-demo-"+role+".safetensors", true)
}

// open reads and checks a weights file and packs it for the kernels. The digest, which takes as long as the packing, is
// computed beside it.
func (f *file) open() (*Model, error) {
	data, done, err := f.read()
	if err != nil {
		return nil, diag.WithHint(fmt.Errorf("reading the weights %s: %w", f.name, err), "name a .ckpt or .safetensors file, or leave the model out to use the built-in demo")
	}
	defer done() // nothing that was loaded looks at the bytes any more
	var sum [sha256.Size]byte
	var hashing sync.WaitGroup
	hashing.Go(func() { sum = sha256.Sum256(data) })
	defer hashing.Wait() // also when something breaks: the bytes go after it
	network, stored, err := f.network(data)
	if err != nil {
		return nil, err
	}
	hashing.Wait()
	t := network.traits()
	info := Info{Name: f.name, Family: t.Family, Task: t.Task, Parameters: t.Parameters, Bytes: int64(len(data)),
		Licence: stored.Metadata["license"], Where: f.path, Digest: hex.EncodeToString(sum[:]),
		MaxClasses: t.MaxClasses, MostClasses: t.MostClasses, ManyClasses: t.ManyClasses, Quantiles: t.Quantiles}
	if f.embedded {
		info.Where = "built in"
		info.EnoughRows = demoRows
		info.Note = "a demo, trained on small synthetic tables; not a substitute for full-size weights"
		if info.Task == Classification {
			// Measured when the weights were made: 15 classes, 400 rows that teach.
			info.TreeNote = "it was not trained for that: in a trial with 15 classes it was right in 32 % of the rows, logistic regression in 51 %"
		}
	}
	if info.Licence == "" {
		info.Licence = licenceOf(f.path)
	}
	return &Model{Info: info, network: network, content: sync.OnceValues(f.content)}, nil
}

// content computes [Model.Content].
func (f *file) content() (string, error) {
	data, done, err := f.read()
	if err != nil {
		return "", fmt.Errorf("reading the weights %s: %w", f.name, err)
	}
	defer done()
	stored, err := weights.Read(f.path, data)
	if err != nil {
		return "", err
	}
	return stored.Digest()
}

// demoRows is well above what the demo weights were trained on (48 to 560 rows in all): more rows change their answers
// little, and time grows with all of them.
const demoRows = 2000

// MostClasses is the largest number of classes that a classifier is asked to tell apart: four levels of its tree. A column
// with more different values than that is an identifier, or wants another kind of model.
const MostClasses = 10_000

func mostClasses(atOnce int) int {
	if atOnce < 2 {
		return 0
	}
	return MostClasses
}

// network loads the weights of a file's bytes.
func (f *file) network(data []byte) (network, *weights.File, error) {
	stored, err := weights.Read(f.path, data)
	if err != nil {
		return nil, nil, err // it names the file, the place in it and the next step
	}
	n, err := loadNetwork(stored, f.path)
	if err != nil {
		return nil, nil, diag.WithHint(fmt.Errorf("the weights %s: %w", f.name, err), "norn reads TabICL v1 and v2 and Kumo Tabular weights, as they are published; norn model info demo shows one that works")
	}
	return n, stored, nil
}

// read gives the file's bytes, which are good until done is called.
func (f *file) read() (data []byte, done func(), err error) {
	if f.embedded {
		data, err := demo.ReadFile(f.path)
		return data, func() {}, err
	}
	m, err := weights.OpenMapping(context.Background(), f.path)
	if err != nil {
		return nil, nil, err
	}
	return m.Data, func() { _ = m.Close() }, nil // nothing was written, so its error tells nothing
}

// List describes everything that can predict on this machine, and what norn knows of but does not find here.
func List(ctx context.Context, places Places) ([]Info, error) {
	var infos []Info
	for _, task := range []Task{Classification, Regression} {
		m, err := demoFile(task).load()
		if err != nil {
			return nil, err
		}
		infos = append(infos, m.Info)
	}
	for _, p := range published {
		infos = append(infos, p.describe(places)...)
	}
	return slices.Clip(infos), nil
}

// Load reads one weights file or built-in model, for people who want to know what is in it.
func Load(ctx context.Context, name string, places Places) ([]Info, error) {
	models, err := Find(ctx, name, places)
	if err != nil {
		return nil, err
	}
	var infos []Info
	for _, task := range models.Tasks() {
		m, err := models.For(task)
		if err != nil {
			return nil, err
		}
		info := m.Info
		if info.Content, err = m.Content(); err != nil {
			return nil, err
		}
		infos = append(infos, info)
	}
	return infos, nil
}
