package hub

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// The tests start this binary again as another process that pulls; see process_test.go.
func TestMain(m *testing.M) {
	if os.Getenv(childEndpoint) != "" {
		os.Exit(child())
	}
	goleak.VerifyTestMain(m)
}
