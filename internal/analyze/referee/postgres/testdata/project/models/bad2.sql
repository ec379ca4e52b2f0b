FROM orders SELECT *, day + 'x'
