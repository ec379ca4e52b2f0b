package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// oneShotGC is how much the heap of a check may grow, in percent, before it is collected. A check allocates for a moment and
// ends; at Go's default of 100 a fifth of its processor time goes to collecting what is in use anyway (bench/README.md).
const oneShotGC = 200

// oneShotHeap is how large the heap of a check may grow before it is collected for the first time. Most checks end sooner, and those
// of a thousand models would collect four times on the way there, each time to find nearly all of it in use. Past it a check of
// thousands of models reads its last files, and what is let go of while they are analysed makes collecting worth its time.
const oneShotHeap = 160 << 20

// oneShotMemory is from how many bytes on the collector keeps a check from growing, whatever the percentage says. Only projects of
// thousands of models come near it; what they hold on to is less than half of it, so it costs them little (bench/README.md).
const oneShotMemory = 600 << 20

// smallestHeap is the size at which a heap is first collected at 100 percent; it grows with the percentage.
const smallestHeap = 4 << 20

// collectLate sets the collector up for a command that allocates for a moment and ends. What it returns undoes that.
func collectLate() (restore func()) {
	before := debug.SetGCPercent(oneShotHeap / smallestHeap * 100)
	memory := int64(-1)
	if os.Getenv("GOMEMLIMIT") == "" {
		memory = debug.SetMemoryLimit(oneShotMemory)
	}
	// The percentage that puts off the first collection would put off the second one for good. A value that nothing refers to
	// tells when the first has been.
	var mu sync.Mutex
	restored := false
	first := runtime.AddCleanup(new([64]byte), func(percent int) {
		mu.Lock()
		defer mu.Unlock()
		if !restored {
			debug.SetGCPercent(percent)
		}
	}, oneShotGC)
	return func() {
		first.Stop()
		mu.Lock()
		defer mu.Unlock()
		restored = true
		debug.SetGCPercent(before)
		if memory >= 0 {
			debug.SetMemoryLimit(memory)
		}
	}
}
