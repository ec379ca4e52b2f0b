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
