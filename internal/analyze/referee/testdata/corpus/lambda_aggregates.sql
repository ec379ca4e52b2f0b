SELECT list_transform([1], lambda x: x + sum(i)) FROM t;
SELECT sum(list_sum(list_transform(l, lambda x: x + 1))) FROM t;
-- rejected
SELECT list_transform([1], lambda x: sum(x));
-- rejected
SELECT list_transform(l, lambda x: max(x + i)) FROM t;
