//go:build unix

package cli

import (
	"runtime"
	"syscall"
	"time"
)

// processorTime is what all threads of the process have used, in user and system mode.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peakMemory is the largest resident memory of the process so far, in bytes.
func peakMemory() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(u.Maxrss) //nolint:unconvert // bytes there, kibibytes elsewhere; 32 bits on some machines
	}
	return int64(u.Maxrss) << 10 //nolint:unconvert // 32 bits on some machines
}
