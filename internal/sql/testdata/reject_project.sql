SELECT a FROM __ref(orders)
==> ERROR 1:21-1:27 E0201 expected a name in double quotes, found orders | help: write __ref("name")
----
SELECT a FROM __ref("")
==> ERROR 1:21-1:23 E0209 a quoted name can't be empty
----
SELECT __source("a") FROM t
==> ERROR 1:8-1:16 E0201 __source is a relation and can't stand in an expression | help: use it in FROM
----
SELECT __udf("f") FROM t
==> ERROR 1:19-1:23 E0201 expected ( and the arguments, found FROM
----
SELECT @const(x), @enum("a"). FROM t
==> ERROR 1:15-1:16 E0201 expected a name in double quotes, found x | help: write @const("name")
----
SELECT @macro(a, FROM t
==> ERROR 1:18-1:22 E0201 expected an expression, found FROM
----
SELECT a @b() FROM t
==> ERROR 1:10-1:12 E0201 expected a comma, FROM or the end of the query, found @b
----
SELECT a FROM __ref("x" WHERE a = 1
==> ERROR 1:25-1:30 E0207 ( is not closed: expected ), found WHERE
