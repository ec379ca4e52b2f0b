SELECT day, sum(amount) AS revenue, count(*) FILTER (WHERE amount > 10) AS large, avg(amount)::numeric(10,2) AS mean
FROM orders GROUP BY day
