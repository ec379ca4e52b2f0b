//go:build unix

package cli

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe with a name is written into and stays a pipe: so do devices, which a test run by root must not put at risk.
func TestWriteFilePipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	got := make(chan string)
	go func() {
		data, err := os.ReadFile(path)
		got <- string(data)
		if err != nil {
			t.Error(err)
		}
	}()
	if err := writeFile(path, []byte("through")); err != nil {
		t.Fatal(err)
	}
	if text := <-got; text != "through" {
		t.Errorf("the reader got %q", text)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe is %v now (%v)", info.Mode(), err)
	}
}

// A link stays a link, and the file it leads to is replaced whole, also through a linked folder and before the file exists.
func TestWriteFileLinks(t *testing.T) {
	dir := t.TempDir()
	deep := filepath.Join(dir, "a", "deep")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(deep, 0o777))
	must(os.WriteFile(filepath.Join(dir, "real"), []byte("old"), 0o640))
	must(os.Symlink("real", filepath.Join(dir, "link")))
	must(os.Symlink("link", filepath.Join(dir, "twice")))
	must(os.Symlink(deep, filepath.Join(dir, "folder")))
	must(os.Symlink("../later", filepath.Join(deep, "dangling")))
	must(os.Symlink("round", filepath.Join(dir, "round")))

	before, err := os.Open(filepath.Join(dir, "real"))
	must(err)
	defer before.Close()
	must(writeFile(filepath.Join(dir, "twice"), []byte("new")))
	must(writeFile(filepath.Join(dir, "folder", "dangling"), []byte("made")))
	if err := writeFile(filepath.Join(dir, "round"), nil); err == nil {
		t.Error("a link to itself was written to")
	}
	for _, link := range []string{"link", "twice", "folder/dangling"} {
		if info, err := os.Lstat(filepath.Join(dir, link)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more (%v)", link, err)
		}
	}
	for path, want := range map[string]string{"real": "new", "a/later": "made"} {
		if text, err := os.ReadFile(filepath.Join(dir, path)); err != nil || string(text) != want {
			t.Errorf("%s holds %q (%v), want %q", path, text, err, want)
		}
	}
	was, _ := before.Stat()
	is, err := os.Stat(filepath.Join(dir, "real"))
	must(err)
	if os.SameFile(was, is) || is.Mode().Perm() != 0o640 {
		t.Errorf("the file was written in place, or lost its permissions: %v", is.Mode())
	}
}

// What cannot be written leaves nothing behind, neither beside the file nor among the temporary files of the system.
func TestWriteFileRefusals(t *testing.T) {
	temporary, dir := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temporary)
	folder := filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := writeFile(folder, nil); !errors.Is(err, errOutputFolder) {
		t.Errorf("writing a folder gave %v", err)
	}
	for _, path := range []string{filepath.Join(dir, "gone", "file"), filepath.Join(dir, "new") + "/"} {
		if err := writeFile(path, nil); err == nil {
			t.Errorf("%s was written", path)
		}
	}
	old := syscall.Umask(0o022)
	err := writeFile(filepath.Join(dir, "plain"), []byte("x"))
	syscall.Umask(old)
	if info, statErr := os.Stat(filepath.Join(dir, "plain")); err != nil || statErr != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("the new file: %v, %v, %v", info.Mode(), err, statErr)
	}
	for place, want := range map[string]int{temporary: 0, folder: 0, dir: 2} {
		if entries, err := os.ReadDir(place); err != nil || len(entries) != want {
			t.Errorf("%s holds %v (%v)", place, entries, err)
		}
	}
}
