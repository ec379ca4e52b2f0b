-- Orders with exact amounts. A view costs nothing to build and is always as fresh as its seed.
MODEL (
  description "One row per order",
  materialized view,
  columns (
    order_id (audits [not_null, unique]),
    customer_id (audits [not_null])
  )
);
SELECT
  order_id,
  customer_id,
  ordered_at,
  CAST(amount AS DECIMAL(10, 2)) AS amount,
  status = 'returned' AS returned
FROM raw_orders
