MODEL (
  materialized table,
  predict ( target churned, key order_id )
);
SELECT order_id, customer_id, amount, churned FROM raw_orders
