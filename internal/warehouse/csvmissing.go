package warehouse

import "strings"

// These words say that there is no value, as R, pandas, spreadsheets and databases write it. Without quotes they are
// missing in every column, whatever its type: R quotes texts and leaves NA bare, pandas leaves the cell empty, so a bare
// word is a gap far more often than a label. In double quotes they are what they spell, which is the way to have Namibia
// (NA) or a level called None in a column of text. The spelling counts, because "none" and "na" in small letters are
// labels in many a survey.
var bareMarkers = map[string]bool{
	"NA": true, "N/A": true, "n/a": true, "NaN": true, "nan": true, "NULL": true, "null": true, "None": true, "#N/A": true, "<NA>": true,
}

// longestMarker bounds the words above, so that most cells are told from them by their length.
const longestMarker = 4

// BareMarker reports whether a cell is missing wherever it stands without quotes.
func BareMarker(value string) bool {
	return len(value) <= longestMarker+2 && bareMarkers[strings.TrimSpace(value)]
}

// MissingMarker reports whether a cell of numbers, dates or truth values says that there is no value. Nothing else can be
// meant there, so quotes and case do not count, and a question mark is a gap as well.
func MissingMarker(value string) bool {
	switch len(value) {
	case 1:
		return value == "?"
	case 2, 3, longestMarker:
		switch strings.ToLower(value) {
		case "na", "n/a", "nan", "null", "none", "#n/a", "<na>":
			return true
		}
	}
	return false
}
