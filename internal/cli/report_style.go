package cli

// reportStyle is the style sheet of a report: the system's own fonts, colours for light and dark (each pair of text and
// ground has a contrast above 4.5), and a page that prints in black on white without cutting figures in two.
const reportStyle = `
:root { color-scheme: light dark; --ground: #fcfcfb; --text: #1b1f24; --quiet: #575e68; --rule: #d9dce1; --mark: #0b63b0; --faint: #7d8794; --line: #1b1f24; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171b; --text: #e7e9ec; --quiet: #a3abb6; --rule: #343a42; --mark: #64aef0; --faint: #8a94a1; --line: #e7e9ec; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; }
p, li { overflow-wrap: anywhere; }
figure { margin: 1rem 0; }
figcaption { color: var(--quiet); font-size: .875rem; }
svg { display: block; width: 100%; height: auto; }
svg text { font-size: 13px; fill: var(--text); }
svg .tick, svg .name { fill: var(--quiet); }
svg .value { font-variant-numeric: tabular-nums; }
.grid { stroke: var(--rule); stroke-width: 1; }
.axis { stroke: var(--quiet); stroke-width: 1; }
.equal { stroke: var(--quiet); stroke-width: 1; stroke-dasharray: 5 4; }
.bar { fill: var(--mark); }
.bar.faint { fill: var(--faint); }
.whisker { stroke: var(--line); stroke-width: 1.5; }
.spot { fill: var(--mark); fill-opacity: .8; }
.beside { display: flex; flex-wrap: wrap; gap: 0 2rem; align-items: flex-start; }
.beside > * { flex: 1 1 18rem; min-width: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .75rem 0; font-size: .875rem; }
caption { text-align: left; font-weight: 600; padding-bottom: .25rem; }
th, td { text-align: left; padding: .2rem 1rem .2rem 0; border-bottom: 1px solid var(--rule); vertical-align: top; font-weight: 400; }
thead th { color: var(--quiet); white-space: nowrap; }
tbody th { overflow-wrap: break-word; max-width: 16rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
summary { cursor: pointer; color: var(--quiet); font-size: .875rem; }
@media screen and (max-width: 38rem) { figure { overflow-x: auto; } svg.wide { width: 38rem; } }
@media print { :root { --ground: #fff; --text: #000; --quiet: #444; --rule: #ccc; --mark: #0b63b0; --faint: #888; --line: #000; } main { max-width: none; padding: 0; }
h2 { break-after: avoid; } figure, tr { break-inside: avoid; } }
`
