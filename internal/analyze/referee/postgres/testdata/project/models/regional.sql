SELECT code, name, weight * 2 AS w, since + 1 AS next, active FROM regions
