package tensor

import (
	"sync/atomic"
	"syscall"
	"unsafe"
)

const (
	pagesAtATime   = 8 << 20 // bytes, before stop is asked: some milliseconds
	largePage      = 2 << 20
	adviceCollapse = 25 // MADV_COLLAPSE of <linux/mman.h>, since Linux 6.1
)

// largePages moves what is already there instead of setting a flag on the range: a flag would stay with the address after
// the collector has given the memory to somebody else.
func largePages(data []float32, stop func() bool) {
	base := unsafe.Pointer(unsafe.SliceData(data))
	start := uintptr(base)
	first := (start + largePage - 1) &^ (largePage - 1)
	end := (start + uintptr(len(data))*unsafe.Sizeof(float32(0))) &^ (largePage - 1)
	if first >= end {
		return
	}
	for first < end && !stop() {
		next := min(first+pagesAtATime, end)
		// The system collapses only where there is a page already, and a page that was only read does not count. One write in
		// each large page, which changes nothing, is enough.
		for at := first; at < next; at += largePage {
			atomic.OrUint32((*uint32)(unsafe.Add(base, at-start)), 0)
		}
		// Errors are the wish not granted: an older kernel (EINVAL), no free large page (EAGAIN, ENOMEM).
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, first, next-first, adviceCollapse)
		first = next
	}
}
