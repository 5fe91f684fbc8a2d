/** The style of the HTML report: light and dark, from 320 px up, and on paper, without the folded exchanges. */
export const styleSheet = `
:root { --back: #fff; --text: #1b1f24; --quiet: #57606a; --line: #d0d7de; --plane: #f6f8fa; --good: #116329; --bad: #a40e26; --doubt: #7d4e00; --link: #0550ae; }
@media (prefers-color-scheme: dark) {
  :root { --back: #0d1117; --text: #e6edf3; --quiet: #9ea7b3; --line: #3d444d; --plane: #161b22; --good: #56d364; --bad: #ff8a80; --doubt: #e3b341; --link: #79b8ff; }
}
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 64rem; padding: 1rem 1.25rem 3rem; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
a { color: var(--link) }
.skip { position: absolute; left: -100vw }
.skip:focus { position: static }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
h1 { font-size: 1.25rem; font-weight: 600; margin: .5rem 0 }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line) }
h3 { font-size: 1rem; margin: 0 0 .75rem }
.target { font-weight: 400 }
.verdict { margin: .75rem 0; padding: .75rem 1rem; font-size: 1.35rem; font-weight: 600; line-height: 1.3; border-left: .4rem solid; background: var(--plane); color: var(--doubt) }
.verdict-0 { color: var(--good) }
.verdict-1 { color: var(--bad) }
.facts { display: flex; flex-wrap: wrap; gap: .5rem 1.75rem; margin: 1rem 0 }
.facts dt { color: var(--quiet); font-size: .85rem }
.facts dd { margin: 0; font-size: 1.15rem; font-variant-numeric: tabular-nums }
nav ul { display: flex; flex-wrap: wrap; gap: .35rem 1.25rem; margin: 0; padding: .6rem 0; list-style: none; border-block: 1px solid var(--line); font-size: .92rem }
nav strong { color: var(--bad); font-weight: 600 }
.card { margin: 0 0 1rem; padding: 1rem; border: 1px solid var(--line); border-left: .4rem solid var(--doubt); border-radius: .25rem }
.card.failed.decides { border-left-color: var(--bad) }
.badge { margin-right: .25rem; padding: .1rem .45rem; border: 1px solid currentColor; border-radius: .25rem; color: var(--doubt); font-size: .82rem; font-weight: 600 }
.failed.decides .badge { color: var(--bad) }
.card dl { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: .5rem 1rem; margin: 0 }
.card dt { color: var(--quiet) }
.card dd { margin: 0; min-width: 0 }
.text { white-space: pre-wrap }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .88em }
pre { margin: 0 0 .5rem; padding: .6rem .75rem; overflow-x: auto; max-height: 24rem; background: var(--plane); border: 1px solid var(--line); border-radius: .25rem; white-space: pre-wrap }
.to-mend { padding-left: 1.75rem }
.to-mend a { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .88em; font-weight: 600 }
details { margin-top: .75rem }
summary { cursor: pointer; color: var(--link); padding: .35rem 0 }
details ol { padding-left: 1.5rem }
details p { margin: .5rem 0 .25rem; color: var(--quiet) }
aside { margin: 1.5rem 0; padding: .1rem 1rem .5rem; border-left: .4rem solid var(--doubt); background: var(--plane) }
aside h2 { margin: 1rem 0 .5rem; border: 0 }
table { width: 100%; border-collapse: collapse; font-size: .95rem }
caption { text-align: left; color: var(--quiet); padding: .25rem 0; font-size: .85rem }
th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
thead th { color: var(--quiet); font-weight: 400; font-size: .85rem }
tbody th { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .85rem; font-weight: 600; white-space: nowrap }
.status { white-space: nowrap; color: var(--quiet) }
.passed .status { color: var(--good) }
.ms { white-space: nowrap; text-align: right; padding-right: 0; color: var(--quiet); font-variant-numeric: tabular-nums }
footer { margin-top: 3rem; color: var(--quiet); font-size: .9rem }
@media (max-width: 40rem) {
  .facts { display: grid; grid-template-columns: repeat(3, 1fr) }
  .verdict { font-size: 1.15rem }
  .card dl { display: block }
  .card dt { margin-top: .6rem; font-size: .85rem }
  thead { position: absolute; left: -100vw }
  tr { display: grid; grid-template-columns: 1fr auto; gap: 0 .75rem; padding: .5rem 0; border-bottom: 1px solid var(--line) }
  tbody th, tbody td { padding: 0; border: 0 }
  tbody th { grid-row: 1; white-space: normal }
  tbody .status { grid-row: 1; grid-column: 2 }
  tbody td:nth-child(3) { grid-column: 1 / -1 }
  .ms { display: none }
}
@media print {
  :root { --back: #fff; --text: #000; --quiet: #444; --line: #999; --plane: #fff; --good: #0a4d1c; --bad: #8a0c20; --doubt: #5c3a00; --link: #000; }
  body { max-width: none; padding: 0; font-size: 10pt }
  nav, .skip { display: none }
  pre { max-height: none; overflow: visible }
  .card, tr { break-inside: avoid }
  h2, h3 { break-after: avoid }
  .exchanges { display: none }
}
`
