package recheck

import (
	"io/fs"
	"syscall"
)

// stampOf takes the change time too: it cannot be set back, as the time of modification can.
func stampOf(info fs.FileInfo) stamp {
	s := stamp{Size: info.Size(), Modified: info.ModTime().UnixNano()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.Other, s.Inode = st.Ctim.Nano(), st.Ino
	}
	return s
}

// stampAt is the stamp of the file at a path. It asks the system itself, because a [fs.FileInfo] is four times as much memory as the
// path, and thousands of files are looked at before anything else is known.
func stampAt(path string) (stamp, error) {
	var st syscall.Stat_t
	err := syscall.Stat(path, &st)
	for err == syscall.EINTR {
		err = syscall.Stat(path, &st)
	}
	if err != nil {
		return stamp{}, err
	}
	return stamp{Size: st.Size, Modified: st.Mtim.Nano(), Other: st.Ctim.Nano(), Inode: st.Ino}, nil
}
