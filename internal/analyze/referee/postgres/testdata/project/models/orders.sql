MODEL (
  materialized table,
  contract enforced,
  columns (
    order_id (type bigint, audits [not_null, unique]),
    customer_id (type integer),
    amount (type numeric(12,2)),
    day (type date)
  )
);
SELECT order_id, customer_id, amount, placed::date AS day FROM raw_orders
