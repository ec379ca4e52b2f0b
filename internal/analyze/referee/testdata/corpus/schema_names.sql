SELECT main.orders.order_id FROM orders;
SELECT memory.orders.order_id FROM orders;
SELECT main.t.st.a FROM t;
-- rejected
SELECT main.orders.* FROM orders;
-- rejected
SELECT main.o.order_id FROM orders o;
