package analyze

import "strings"

// unknownSpecifier is the first part of a format of strftime and strptime that DuckDB does not know, "" when it knows all. Some that
// other systems have, such as %F, %D, %e and %s, are missing.
func unknownSpecifier(format string) string {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		known, length := "%aAbBcdfgGhHIjmMnpSTuUVwWxXyYzZ", 2
		if strings.HasPrefix(format[i+1:], "-") {
			known, length = "dHIjmMSy", 3 // without leading zeros
		}
		if len(format) < i+length || strings.IndexByte(known, format[i+length-1]) < 0 {
			return format[i:min(i+length, len(format))]
		}
		i += length - 1
	}
	return ""
}

// timePart reports whether a part of dates is one of times of day too.
func timePart(name string) bool {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "year", "month", "day", "decade", "century", "millennium", "dow", "isodow", "week", "doy", "quarter", "yearweek", "isoyear", "era", "julian":
		return false
	}
	return true
}

// datePart reports whether DuckDB knows a part of dates by that name.
func datePart(name string) bool {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "year", "yr", "y", "years", "yrs", "month", "mon", "months", "mons", "day", "days", "d", "dayofmonth", "decade", "dec", "decades", "decs", "century",
		"cent", "centuries", "c", "millennium", "mil", "millenniums", "millennia", "mils", "microseconds", "microsecond", "us", "usec", "usecs",
		"millenium", //nolint:misspell // DuckDB takes this spelling too
		"usecond", "useconds", "milliseconds", "millisecond", "ms", "msec", "msecs", "msecond", "mseconds", "nanoseconds", "nanosecond", "ns", "nsec", "nsecs", "second", "sec", "seconds", "secs",
		"s", "minute", "min", "minutes", "mins", "m", "hour", "hr", "hours", "hrs", "h", "epoch", "dow", "dayofweek", "weekday", "isodow", "week", "weeks", "w",
		"weekofyear", "doy", "dayofyear", "quarter", "quarters", "yearweek", "isoyear", "era", "timezone", "timezone_hour", "timezone_minute", "julian", "jd", "q":
		return true
	}
	return false
}
