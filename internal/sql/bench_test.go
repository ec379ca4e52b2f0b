package sql

import (
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/diag"
)

// model is a typical model of 1.6 kB: a few CTEs, joins, an aggregate, CASE and windows.
var model = `WITH orders AS (
  SELECT o.order_id, o.customer_id, o.ordered_at, o.status, o.amount, o.currency
  FROM __ref("stg_orders") AS o
  WHERE o.status <> 'cancelled' AND o.ordered_at >= DATE '2023-01-01'
),
payments AS (
  SELECT p.order_id, SUM(p.amount) AS paid, MAX(p.paid_at) AS last_paid_at, COUNT(*) AS payments
  FROM __ref("stg_payments") AS p
  WHERE p.state = 'settled'
  GROUP BY p.order_id
),
joined AS (
  SELECT
    o.order_id,
    o.customer_id,
    c.segment,
    c.country,
    DATE_TRUNC('month', o.ordered_at) AS month,
    COALESCE(p.paid, 0) AS paid,
    o.amount - COALESCE(p.paid, 0) AS open_amount, -- what is still to come
    CASE
      WHEN p.paid IS NULL THEN 'unpaid'
      WHEN p.paid < o.amount THEN 'partly'
      ELSE 'paid'
    END AS payment_state,
    CAST(o.amount AS DECIMAL(18, 2)) AS amount,
    ROW_NUMBER() OVER (PARTITION BY o.customer_id ORDER BY o.ordered_at DESC, o.order_id) AS recency
  FROM orders AS o
  LEFT JOIN payments AS p ON p.order_id = o.order_id
  INNER JOIN __ref("dim_customers") AS c ON c.customer_id = o.customer_id AND c.is_active
)
SELECT
  j.customer_id,
  j.segment,
  j.country,
  j.month,
  COUNT(DISTINCT j.order_id) AS orders,
  SUM(j.amount) AS amount,
  SUM(j.open_amount) FILTER (WHERE j.payment_state <> 'paid') AS open_amount,
  AVG(j.paid) AS avg_paid,
  MAX(j.recency) AS orders_so_far
FROM joined AS j
WHERE j.country IN ('DE', 'FR', 'IT', 'ES') AND j.segment NOT LIKE 'test%'
GROUP BY j.customer_id, j.segment, j.country, j.month
HAVING SUM(j.amount) > 0
ORDER BY j.customer_id, j.month
`

// BenchmarkParse is the cost of one typical model; the goal is 50 µs.
func BenchmarkParse(b *testing.B) {
	file := diag.NewFile("m.sql", model)
	if _, problems := Parse(file, 0, DuckDB()); len(problems) > 0 {
		b.Fatal(problems[0])
	}
	b.SetBytes(int64(len(model)))
	b.ReportAllocs()
	for b.Loop() {
		Parse(file, 0, DuckDB())
	}
}

// BenchmarkLex is the lexer's share of BenchmarkParse.
func BenchmarkLex(b *testing.B) {
	file := diag.NewFile("m.sql", model)
	b.SetBytes(int64(len(model)))
	for b.Loop() {
		l := NewLexer(file, 0, DuckDB())
		for l.Next().Kind != EOF {
		}
	}
}

// BenchmarkPrint prints the tree of BenchmarkParse.
func BenchmarkPrint(b *testing.B) {
	stmt, _ := Parse(diag.NewFile("m.sql", model), 0, DuckDB())
	for b.Loop() {
		Text(stmt)
	}
}

// BenchmarkLong shows that the cost is linear: the time per byte must be that of BenchmarkParse.
func BenchmarkLong(b *testing.B) {
	text := strings.Repeat("SELECT a.b, c + 1 AS d FROM t AS a WHERE a.x = 'y' UNION ALL\n", 10_000) + "SELECT 1"
	file := diag.NewFile("m.sql", text)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Parse(file, 0, DuckDB())
	}
}
