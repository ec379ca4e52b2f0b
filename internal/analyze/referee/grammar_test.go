package referee_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// writer makes up queries over the tables of queries_test.go that mostly make sense: expressions by what they yield, put into
// queries of every shape the language has. A share is made without regard to types, so that refusals are compared as well.
// Everything follows from the seed.
type writer struct {
	*rand.Rand
	wild bool // take any expression where one of a kind is wanted
}

func newWriter(seed uint64) *writer {
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 7))}
	w.wild = w.IntN(4) == 0
	return w
}

func (w *writer) pick(options ...string) string { return options[w.IntN(len(options))] }

// chance is true in one of n cases.
func (w *writer) chance(n int) bool { return w.IntN(n) == 0 }

// kinds are the letters of expressions by what they yield: N a number, I a whole number, Q a decimal, S text, D a date or
// timestamp, V an interval, B a truth value, L a list of whole numbers, X a list of texts, R a struct, M a map, J JSON,
// O anything else.
const kinds = "NIQSDVBLXRMJO"

// forms are the expressions of each kind. {K} is an expression of kind K, {c} a name that nothing else has, {?} any kind.
var forms = map[byte][]string{
	'I': {"i", "b", "si", "ub", "h", "1", "42", "-7", "100000000000", "9223372036854775807", "({I} + {I})", "({I} - {I})", "({I} * {I})", "({I} // {I})", "({I} % {I})", "-({I})", "abs({I})", "sign({N})",
		"length({S})", "len({L})", "len({X})", "strpos({S}, 'a')", "instr({S}, {S})", "year({D})", "month({D})", "dayofweek({D})", "date_diff('day', {D}, {D})", "datediff('month', {D}, {D})", "date_part('hour', {D})",
		"extract(quarter FROM {D})", "epoch_ms(ts)", "hash({?})", "list_position({L}, {I})", "{L}[{I}]", "l[1]", "st.a", "m['a']", "CAST({N} AS INTEGER)", "{N}::BIGINT", "CAST({B} AS INTEGER)", "TRY_CAST({S} AS INTEGER)",
		"CAST({N} AS SMALLINT)", "CAST({I} AS HUGEINT)", "CAST({I} AS UBIGINT)", "CAST({I} AS TINYINT)", "bit_count({I})", "({I} & {I})", "({I} | {I})", "({I} << 2)", "xor({I}, {I})", "gcd({I}, {I})", "factorial(3)", "ascii({S})", "unicode({S})",
		"levenshtein({S}, {S})", "list_count({L})", "array_length({L})", "cardinality(m)", "mod({I}, 3)", "ord({S})", "nullif({I}, {I})", "least({I}, {I})", "greatest({I}, {I}, {I})", "coalesce({I}, {I})", "ifnull({I}, 0)",
		"CASE WHEN {B} THEN {I} ELSE {I} END", "CASE {S} WHEN 'a' THEN {I} WHEN 'b' THEN {I} END", "if({B}, {I}, {I})", "json_array_length(j)", "len({S})", "datesub('day', dt, ts)", "(dt - dt)", "(DATE '2025-01-01' - dt)", "CAST(j ->> 'a' AS BIGINT)",
		"list_sum({L})", "list_max({L})", "list_min({L})", "list_reduce({L}, (a, e) -> a + e)", "list_first({L})", "bit_length({S})", "generate_subscripts({L}, 1)", "rowid", "week({D})", "isodow({D})", "decade({D})", "even({N})", "floor({I})", "round({I}, 1)", "trunc({I})"},
	'Q': {"dc", "1.25", "-0.5", "CAST({N} AS DECIMAL(12,3))", "CAST({I} AS DECIMAL(18,0))", "{I}::DECIMAL(38,10)", "({Q} + {Q})", "({Q} - {I})", "({Q} * {Q})", "({Q} % {Q})", "({Q} + 1.5)", "({Q} * 2)", "-({Q})", "abs({Q})", "round({Q}, 1)", "round({Q})", "floor({Q})",
		"ceil({Q})", "trunc({Q})", "coalesce({Q}, {Q})", "CASE WHEN {B} THEN {Q} ELSE {I} END", "least({Q}, {Q})", "greatest({Q}, {I})", "nullif({Q}, 0)", "if({B}, {Q}, 0)", "CAST({S} AS DECIMAL(4,1))"},
	'N': {"d", "f", "2.5", "1e3", "NULL", "{I}", "{I}", "{Q}", "({N} + {N})", "({N} - {N})", "({N} * {N})", "({N} / {N})", "({N} // {N})", "({N} ** 2)", "({N} ^ 2)", "sqrt(abs({N}))", "power({N}, 2)", "exp({N})", "ln(abs({N}))", "log10({N})", "log({N}, 2)", "sin({N})", "atan2({N}, {N})",
		"round({N}, 2)", "floor({N})", "ceil({N})", "trunc({N})", "abs({N})", "epoch({D})", "julian({D})", "CAST({N} AS DOUBLE)", "CAST({N} AS FLOAT)", "{S}::DOUBLE", "pi()", "coalesce({N}, {N})", "CASE WHEN {B} THEN {N} ELSE {N} END", "CASE WHEN {B} THEN {N} END", "greatest({N}, {N})", "least({N}, {N}, {N})",
		"nullif({N}, 0)", "if({B}, {N}, {N})", "list_avg({L})", "list_median({L})", "list_sum(list_transform({L}, e -> e / 2))", "list_stddev_samp({L})", "jaccard({S}, {S})", "jaro_winkler_similarity({S}, {S})", "degrees({N})", "radians({N})", "cbrt({N})", "isnan(d)::INT", "fmod({N}, {N})", "fdiv({N}, {N})", "gamma({N})", "ls[1].v", "date_part('epoch', {D})",
		"list_aggregate({L}, 'avg')", "ifnull({N}, {I})", "nextafter({N}, {N})", "round_even({N}, 1)", "list_cosine_similarity([1.0, 2.0], [3.0, 4.0])", "list_dot_product({L}, {L})"},
	'S': {"s", "'a'", "'12'", "st.b", "''", "upper({S})", "lower({S})", "trim({S})", "ltrim({S}, 'x')", "rtrim({S})", "concat({S}, {?}, {?})", "({S} || {S})", "({S} || {I})", "CAST({?} AS VARCHAR)", "{N}::VARCHAR", "substring({S}, 1, 2)", "substring({S} FROM 2 FOR 1)", "{S}[1]", "{S}[1:2]", "left({S}, 2)", "right({S}, {I})", "replace({S}, 'a', {S})", "reverse({S})", "repeat({S}, 2)",
		"lpad({S}, 5, ' ')", "rpad({S}, 5, '-')", "coalesce({S}, 'x')", "nullif({S}, '')", "CASE WHEN {B} THEN {S} ELSE {S} END", "CASE WHEN {B} THEN {S} END", "strftime({D}, '%Y-%m')", "dayname({D})", "monthname({D})", "split_part({S}, '-', 1)", "string_split({S}, ',')[1]", "array_to_string({L}, ',')", "array_to_string({X}, ';')", "list_aggregate({X}, 'string_agg', ',')", "regexp_replace({S}, 'a', 'b')", "regexp_replace({S}, 'a', 'b', 'g')", "regexp_extract({S}, 'a(b)', 1)", "md5({S})", "sha256({S})", "hex({S})", "to_base64({S}::BLOB)", "chr(65)", "typeof({?})", "format('{} {}', {?}, {S})", "printf('%s', {S})", "concat_ws('-', {S}, {?})",
		"(j ->> 'a')", "json_extract_string(j, '$.a')", "json_type(j)", "{X}[1]", "greatest({S}, {S})", "least({S}, {S})", "if({B}, {S}, {S})", "ifnull({S}, {S})", "translate({S}, 'a', 'b')", "{S}.upper()", "{S}.substring(1, 2)", "ls[1].k", "list_any_value({X})", "to_hex({I})", "bin({I})", "{S} COLLATE NOCASE", "string_agg_missing", "current_user", "format_bytes({I})", "url_encode({S})", "strip_accents({S})", "nfc_normalize({S})", "bar({N}, 0, 10)", "parse_filename({S})", "uuid()::VARCHAR", "{R}.b", "map_keys(m)[1]", "enum_first('a'::ENUM('a', 'b'))"},
	'D': {"dt", "ts", "DATE '2025-01-01'", "TIMESTAMP '2025-01-01 10:00:00'", "date_trunc('month', {D})", "date_trunc('hour', ts)", "(dt + 1)", "(dt - 7)", "({D} + {V})", "({D} - INTERVAL 2 HOUR)", "coalesce({D}, {D})", "CAST({D} AS DATE)", "{D}::TIMESTAMP", "CAST({D} AS TIMESTAMP_S)", "CAST({D} AS TIMESTAMP_NS)", "CASE WHEN {B} THEN {D} ELSE {D} END", "greatest({D}, {D})", "least(dt, {D})", "last_day({D})", "strptime({S}, '%Y')", "make_date(2025, 1, {I})", "make_timestamp(2025, 1, 1, 0, 0, 0.0)", "current_date", "to_timestamp({I})", "time_bucket(INTERVAL 1 WEEK, {D})", "nullif({D}, {D})",
		"if({B}, {D}, {D})", "TRY_CAST({S} AS DATE)", "date_add({D}, INTERVAL 1 DAY)", "tz", "(ts AT TIME ZONE 'UTC')", "(tz AT TIME ZONE 'UTC')", "now()", "epoch_ms({I})", "today()", "(dt + tm)", "date_trunc('week', tz)", "CAST({D} AS TIMESTAMPTZ)", "{S}::DATE", "range(dt, dt + 7, INTERVAL 1 DAY)[1]"},
	'V': {"iv", "INTERVAL 1 DAY", "INTERVAL '2 hours'", "INTERVAL ({I}) MONTH", "to_days({I}::INTEGER)", "(ts - ts)", "(ts - dt)", "age(ts, ts)", "({V} + {V})", "({V} * 2)", "({V} / 2)", "-({V})", "to_hours(1)", "coalesce({V}, {V})", "date_trunc('day', {V})"},
	'B': {"bo", "true", "false", "({N} > {N})", "({N} = {N})", "({I} <> {Q})", "({S} = {S})", "({S} < {S})", "({D} < {D})", "({D} >= dt)", "({B} AND {B})", "({B} OR {B})", "(NOT {B})", "({S} LIKE 'a%')", "({S} NOT LIKE {S})", "({S} ILIKE 'A_')", "({S} SIMILAR TO 'a.*')", "({S} ~ 'x')", "({S} GLOB 'a*')", "({S} IN ('a', {S}))", "({I} IN (1, 2, 3))", "({I} NOT IN ({I}, NULL))", "({I} IN {L})", "({N} BETWEEN {N} AND {N})", "({D} BETWEEN {D} AND {D})", "({?} IS NULL)", "({?} IS NOT NULL)",
		"({S} IS DISTINCT FROM {S})", "({N} IS NOT DISTINCT FROM {N})", "({B} IS TRUE)", "({B} IS NOT FALSE)", "starts_with({S}, 'a')", "contains({S}, {S})", "ends_with({S}, 'z')", "contains({L}, {I})", "list_contains({X}, {S})", "list_has_any({L}, {L})", "isnan(d)", "isfinite(d)", "regexp_matches({S}, 'x')", "coalesce({B}, false)", "EXISTS (SELECT 1 FROM orders WHERE order_id = {I})", "({I} IN (SELECT customer_id FROM orders))", "({I} > ALL (SELECT order_id FROM orders))", "({I} = ANY (SELECT order_id FROM orders WHERE amount > {N}))",
		"({R} = {R})", "({L} = {L})", "({L} < {L})", "CAST({I} AS BOOLEAN)", "CASE WHEN {B} THEN {B} END", "if({B}, {B}, {B})", "json_valid({S})", "json_exists(j, '$.a')", "list_bool_and([{B}, {B}])", "map_contains(m, {S})", "(i, s) = ({I}, {S})", "({V} > INTERVAL 1 HOUR)", "({J} = {J})", "u = u"},
	'L': {"l", "[{I}, {I}]", "[1, 2]", "list_transform({L}, e -> e + 1)", "list_transform({L}, lambda e: e * 2)", "list_transform({X}, e -> length(e))", "list_transform({L}, (e, k) -> e + k)", "list_filter({L}, e -> e > {I})", "list_sort({L})", "list_sort({L}, 'DESC')", "list_reverse({L})", "list_concat({L}, {L})", "({L} || {L})", "list_append({L}, {I})", "list_prepend({I}, {L})", "{L}[1:2]", "{L}[:-2]", "[e * 2 FOR e IN {L}]", "[e FOR e IN {L} IF e > 1]", "range({I})", "generate_series(1, 5)", "range(1, {I}, 2)", "list_distinct({L})", "flatten([{L}, {L}])",
		"list_value({I}, {I}, {I})", "coalesce({L}, [])", "CASE WHEN {B} THEN {L} ELSE {L} END", "list_slice({L}, 1, 2)", "list_unique_missing", "list_grade_up({L})", "list_intersect({L}, {L})", "list_resize({L}, 3)", "CAST({L} AS BIGINT[])", "{L}::INTEGER[]", "map_values(m)", "ARRAY[{I}]", "ARRAY(SELECT order_id FROM orders)", "list_select({L}, [1])", "list_where({L}, [{B}])", "list_zip({L}, {L}).list_transform(p -> p[1])"},
	'X': {"['a', {S}]", "[{S}]", "string_split({S}, ' ')", "list_transform({L}, e -> e::VARCHAR)", "list_transform({X}, e -> upper(e))", "list_filter({X}, e -> e LIKE 'a%')", "regexp_extract_all({S}, 'a')", "map_keys(m)", "list_sort({X})", "list_concat({X}, {X})", "list_append({X}, {S})", "[p.k FOR p IN ls]", "list_transform(ls, p -> p.k)", "json_keys(j)", "{X}[1:1]", "CAST({L} AS VARCHAR[])", "list_distinct({X})", "struct_keys({R})", "str_split({S}, ',')", "['x', NULL]"},
	'R': {"st", "{'a': {I}, 'b': {S}}", "{a: {N}, b: {S}}", "struct_pack(a := {I}, b := {S})", "row({I}, {S})", "struct_insert({R}, {c} := {?})", "ls[1]", "list_transform({L}, e -> {'a': e, 'b': 'x'})[1]", "CASE WHEN {B} THEN {R} END", "CASE WHEN {B} THEN {'a': {I}, 'b': {S}} ELSE {'a': {N}, 'b': {S}} END", "coalesce({R}, {R})", "{'n': {R}, 'l': {L}}", "CAST({'a': {I}} AS STRUCT(a VARCHAR))", "map_entries(m)[1]", "struct_concat({'x': {I}}, {'y': {S}})", "{'a': NULL}", "struct_update(st, a := {N})"},
	'M': {"m", "MAP {'a': {I}}", "MAP {{S}: {I}, 'b': {I}}", "map(['a'], [{N}])", "map_from_entries([({S}, {I})])", "MAP {}", "map_concat(m, MAP {'z': {I}})", "CAST(MAP {'a': {I}} AS MAP(VARCHAR, DOUBLE))", "coalesce(m, m)"},
	'J': {"j", "'{\"a\": 1}'::JSON", "(j -> 'a')", "to_json({?})", "json_object('k', {?})", "json_array({?}, {?})", "json_extract(j, '$.a')", "j.a", "j['a']", "json_merge_patch(j, j)", "{S}::JSON", "coalesce(j, j)", "row_to_json({R})", "array_to_json({L})"},
	'O': {"u", "bl", "tm", "f", "uuid()", "({S}::BLOB)", "'a'::ENUM('a', 'b')", "union_value(k := {I})", "TIME '10:00'", "ts::TIME", "{I}::BIT", "NULL", "[{L}]", "[{R}]", "{L}::INTEGER[2]", "ls", "encode({S})", "tz::TIMETZ", "array_value({I}, {I})", "t", "(SELECT max(amount) FROM orders)", "(SELECT status FROM orders WHERE order_id = t.i)", "(SELECT {'a': max(placed)} FROM orders)", "[{D}, {D}]", "MAP {{I}: {D}}", "(SELECT list(status) FROM orders o WHERE o.customer_id = {I})", "try({I})", "{N}::INTEGER::VARCHAR::BLOB", "(SELECT {I})"},
}

// expr is an expression of a kind; a wild writer forgets the kind now and then.
func (w *writer) expr(kind byte, depth int) string {
	if kind == '?' || w.wild && w.chance(12) {
		kind = kinds[w.IntN(len(kinds))]
	}
	options := forms[kind]
	if w.chance(3) {
		options = furtherForms[kind]
	}
	for {
		form := options[w.IntN(len(options))]
		if strings.Contains(form, "missing") || depth <= 0 && strings.Contains(form, "{") && strings.ContainsAny(holes(form), kinds+"?") {
			continue
		}
		return w.fill(form, depth-1)
	}
}

// holes are the letters in braces of a form.
func holes(form string) string {
	var out []byte
	for i := 0; i+2 < len(form); i++ {
		if form[i] == '{' && form[i+2] == '}' {
			out = append(out, form[i+1])
		}
	}
	return string(out)
}

// fill puts expressions into the holes of a form.
func (w *writer) fill(form string, depth int) string {
	var b strings.Builder
	for i := 0; i < len(form); i++ {
		if i+2 < len(form) && form[i] == '{' && form[i+2] == '}' && strings.IndexByte(kinds+"?c", form[i+1]) >= 0 {
			if form[i+1] == 'c' {
				fmt.Fprintf(&b, "c%d", w.IntN(1000))
			} else {
				b.WriteString(w.expr(form[i+1], depth))
			}
			i += 2
			continue
		}
		b.WriteByte(form[i])
	}
	return b.String()
}

// any is an expression of any kind, the common ones more often.
func (w *writer) any(depth int) string {
	const common = "NIQSDBNIQSDBVLXRMJO"
	return w.expr(common[w.IntN(len(common))], depth)
}
