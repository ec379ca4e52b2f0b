package sql

// WordClass says where a keyword may still be used as a name. The classes are those of DuckDB's
// grammar; which word is in which class is data of the [Dialect].
type WordClass uint8

// The classes of words. After AS and after a dot every word is allowed; as an alias without AS only
// words of class NotKeyword are.
const (
	NotKeyword   WordClass = iota
	Reserved               // no name at all without quotes
	ColumnWord             // a column, table or alias, but no function or type
	FunctionWord           // a function, type or named argument, but no column or table
	EitherWord             // both of the above
	Unreserved             // any name
)

// A word is a keyword that the grammar itself mentions; other keywords only have a class.
type word uint16

// The words of the grammar, in the alphabet.
const (
	noWord word = iota
	wAll
	wAnd
	wAnti
	wAny
	wArray
	wAs
	wAsc
	wAsof
	wAsymmetric
	wAt
	wBetween
	wBigint
	wBit
	wBoolean
	wBoth
	wBy
	wCase
	wCast
	wChar
	wCharacter
	wCoalesce
	wCollate
	wColumns
	wCross
	wCube
	wCurrent
	wDec
	wDecimal
	wDefault
	wDesc
	wDescribe
	wDistinct
	wDouble
	wElse
	wEnd
	wEnum
	wEscape
	wExcept
	wExclude
	wExists
	wExportState
	wExtract
	wFalse
	wFetch
	wFilter
	wFirst
	wFloat
	wFollowing
	wFor
	wFrom
	wFull
	wGlob
	wGroup
	wGrouping
	wGroupingID
	wGroups
	wHaving
	wIf
	wIgnore
	wIlike
	wIn
	wInclude
	wInner
	wInt
	wInteger
	wIntersect
	wInterval
	wInto
	wIs
	wIsnull
	wJoin
	wKey
	wLambda
	wLast
	wLateral
	wLeading
	wLeft
	wLike
	wLimit
	wMap
	wMaterialized
	wName
	wNational
	wNatural
	wNchar
	wNext
	wNo
	wNot
	wNotnull
	wNull
	wNullif
	wNulls
	wNumeric
	wOffset
	wOn
	wOnly
	wOr
	wOrder
	wOrdinality
	wOthers
	wOuter
	wOver
	wOverlaps
	wOverlay
	wPartition
	wPercent
	wPivot
	wPivotLonger
	wPivotWider
	wPlacing
	wPosition
	wPositional
	wPreceding
	wPrecision
	wQualify
	wRange
	wReal
	wRecursive
	wRename
	wRepeatable
	wReplace
	wRespect
	wRight
	wRollup
	wRow
	wRows
	wSample
	wSelect
	wSemi
	wSets
	wShow
	wSimilar
	wSmallint
	wSome
	wStruct
	wSubstring
	wSummarize
	wSymmetric
	wTable
	wTablesample
	wThen
	wTies
	wTime
	wTimestamp
	wTo
	wTrailing
	wTrim
	wTrue
	wTryCast
	wUnbounded
	wUnion
	wUnknown
	wUnpack
	wUnpivot
	wUsing
	wValue
	wValues
	wVarchar
	wVariadic
	wVarying
	wWhen
	wWhere
	wWindow
	wWith
	wWithin
	wWithout
	wZone
	wordCount
)

// wordText spells the words, in the order of the constants.
var wordText = [wordCount]string{
	"", "all", "and", "anti", "any", "array", "as", "asc", "asof", "asymmetric", "at", "between",
	"bigint", "bit", "boolean", "both", "by", "case", "cast", "char", "character", "coalesce",
	"collate", "columns", "cross", "cube", "current", "dec", "decimal", "default", "desc", "describe",
	"distinct", "double", "else", "end", "enum", "escape", "except", "exclude", "exists",
	"export_state", "extract", "false", "fetch", "filter", "first", "float", "following", "for",
	"from", "full", "glob", "group", "grouping", "grouping_id", "groups", "having", "if", "ignore",
	"ilike", "in", "include", "inner", "int", "integer", "intersect", "interval", "into", "is",
	"isnull", "join", "key", "lambda", "last", "lateral", "leading", "left", "like", "limit", "map",
	"materialized", "name", "national", "natural", "nchar", "next", "no", "not", "notnull", "null",
	"nullif", "nulls", "numeric", "offset", "on", "only", "or", "order", "ordinality", "others",
	"outer", "over", "overlaps", "overlay", "partition", "percent", "pivot", "pivot_longer", "pivot_wider",
	"placing", "position", "positional", "preceding", "precision", "qualify", "range", "real",
	"recursive", "rename", "repeatable", "replace", "respect", "right", "rollup", "row", "rows",
	"sample", "select", "semi", "sets", "show", "similar", "smallint", "some", "struct", "substring",
	"summarize", "symmetric", "table", "tablesample", "then", "ties", "time", "timestamp", "to",
	"trailing", "trim", "true", "try_cast", "unbounded", "union", "unknown", "unpack", "unpivot",
	"using", "value", "values", "varchar", "variadic", "varying", "when", "where", "window", "with",
	"within", "without", "zone",
}
