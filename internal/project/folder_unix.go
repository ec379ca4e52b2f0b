//go:build unix

package project

import (
	"errors"
	"io/fs"
	"sync"
	"syscall"
)

// readBuffers are what files are read into before their size is known. A text is copied out of one at its own length.
var readBuffers = sync.Pool{New: func() any {
	b := make([]byte, 64<<10)
	return &b
}}

// readText opens, reads and closes. An [os.File] would be asked for its kind and its size, and be handed to a poller that takes no plain
// files. A pipe that took the place of a file a moment ago is empty to it, where others would wait for its writer.
func (d diskFolder) readText(name string) (string, error) {
	if !fs.ValidPath(name) {
		return "", &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	path := d.dir + "/" + name
	fail := func(op string, err error) (string, error) {
		return "", &fs.PathError{Op: op, Path: path, Err: err}
	}
	fd, err := again(func() (int, error) {
		return syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	})
	if err != nil {
		return fail("open", err)
	}
	defer syscall.Close(fd)
	lent := readBuffers.Get().(*[]byte)
	defer readBuffers.Put(lent)
	buf, n := *lent, 0
	for {
		if n == len(buf) {
			// The pool keeps its small buffers: few files are larger.
			buf = append(buf, make([]byte, len(buf))...)
		}
		got, err := again(func() (int, error) { return syscall.Read(fd, buf[n:]) })
		if err != nil {
			return fail("read", err)
		}
		if n += max(got, 0); n > maxText {
			return "", errTooLarge
		}
		if got <= 0 {
			return string(buf[:n]), nil
		}
	}
}

// again makes a call to the system until no signal cuts it short.
func again(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
