-- One row per customer with what was known on the day of the snapshot, 30 June 2026. A fixed day keeps the build
-- repeatable; with data of your own this would be a column or a variable.
MODEL (
  description "What is known about each customer on 2026-06-30, and whether they left",
  materialized table,
  columns (customer_id (audits [not_null, unique]))
);
SELECT
  c.customer_id,
  c.plan,
  c.country,
  DATE '2026-06-30' - c.signed_up AS tenure_days,
  c.tickets_90d,
  count(o.order_id) AS orders,
  count(CASE WHEN o.returned THEN 1 END) AS returns,
  CAST(coalesce(sum(CASE WHEN o.returned THEN 0 ELSE o.amount END), 0) AS DOUBLE) AS spend,
  min(DATE '2026-06-30' - o.ordered_at) AS days_since_order,
  c.churned
FROM raw_customers AS c
LEFT JOIN orders AS o ON o.customer_id = c.customer_id
GROUP BY c.customer_id, c.plan, c.country, c.signed_up, c.tickets_90d, c.churned
