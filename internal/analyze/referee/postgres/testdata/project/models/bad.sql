SELECT strftime(day, '%Y') AS y, revenu, revenue // 2 AS half FROM daily
