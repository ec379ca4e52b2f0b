-- A prediction is a model. Customers whose churned is known teach; the others get an answer and how sure it is.
-- The audit keeps a model that cannot tell the two apart from being published.
MODEL (
  description "Who has left, or is about to",
  materialized table,
  predict (target churned, key customer_id),
  audits [holdout(auc >= 0.6)]
);
SELECT
  customer_id,
  plan,
  country,
  tenure_days,
  tickets_90d,
  orders,
  returns,
  spend,
  days_since_order,
  churned
FROM customer_features
