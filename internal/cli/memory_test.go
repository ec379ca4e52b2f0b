package cli

import "testing"

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"4GiB": 4 << 30, "4 gib": 4 << 30, "4G": 4 << 30, "800MB": 800e6, "1.5k": 1536, "12B": 12, "1TB": 1e12,
		"4": 0, "GB": 0, "-1GB": 0, "0MB": 0, "NaNGB": 0, "infB": 0, "1e30TB": 0, "4 apples": 0, "": 0,
	} {
		got, err := parseSize(text)
		if got != want || (err == nil) != (want > 0) {
			t.Errorf("parseSize(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
}
