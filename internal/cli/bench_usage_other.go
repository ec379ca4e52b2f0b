//go:build !unix

package cli

import "time"

// processorTime is not known on this system; 0 says so.
func processorTime() time.Duration { return 0 }

// peakMemory is not known on this system; 0 says so.
func peakMemory() int64 { return 0 }
