// The style of pages that are handed on, a session or an archive of many: type, colours and space as on
// the page of `ctx ui`, light or dark as the reader's system is, narrow screens too.

/** All of it; its hash is in the page's policy. */
export const pageStyle = `
:root { color-scheme: light dark; --sans: Inter, ui-sans-serif, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; --mono: ui-monospace, "SF Mono", "Cascadia Code", "DejaVu Sans Mono", monospace; --ground: light-dark(#fff, #131316); --box: light-dark(#f7f7f8, #1a1a1f); --hover: light-dark(#f1f1f4, #222229); --line: light-dark(#e6e6ea, #2c2c34); --text: light-dark(#18181b, #ececf0); --soft: light-dark(#5f5f6b, #a1a1ad); --accent: light-dark(#5247c9, #a8a2ff); --tint: light-dark(#eeecfd, #26233f); }
* { box-sizing: border-box; }
html { background: var(--ground); }
body { margin: 0 auto; max-width: 56rem; padding: 1.5rem 1rem; font: .9375rem/1.55 var(--sans); background: var(--ground); color: var(--text); overflow-wrap: anywhere; }
h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 .5rem; }
h2 { font-size: .8125rem; font-weight: 550; margin: 0 0 .25rem; color: var(--soft); }
h2 a { color: inherit; text-decoration: none; } h2 a:hover { text-decoration: underline; }
h3, h4, h5, h6 { font-size: .9375rem; margin: .75rem 0 .25rem; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
dl { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0 0 1rem; font-size: .8125rem; }
dl div { display: flex; gap: .5rem; min-width: 0; }
dt { color: var(--soft); } dd { margin: 0; min-width: 0; }
nav, .agent { border: 1px solid var(--line); border-radius: .625rem; padding: .75rem 1rem; margin: 0 0 1rem; }
nav ol { margin: .5rem 0 0; padding-left: 2.5rem; max-height: 20rem; overflow: auto; }
nav li::marker { color: var(--soft); }
article { margin: 0 0 .75rem; padding: 0 1rem; scroll-margin-top: 1rem; content-visibility: auto; contain-intrinsic-size: auto 4rem; }
.prompt { margin-top: 2rem; padding: .75rem 1rem; background: var(--tint); border-left: .25rem solid var(--accent); border-radius: .375rem; }
.prompt h2 { color: var(--accent); }
.other { font-size: .8125rem; color: var(--soft); }
.other h2 { display: none; }
.other details[open] { color: var(--text); }
article.shown { box-shadow: 0 0 0 2px var(--accent); border-radius: .375rem; padding-top: .5rem; padding-bottom: .5rem; }
.agent { border-style: dashed; }
summary { cursor: pointer; }
pre { background: var(--box); border: 1px solid var(--line); border-radius: .375rem; padding: .5rem .75rem; margin: .5rem 0; font: .8125rem/1.5 var(--mono); white-space: pre-wrap; }
code { font: .875em var(--mono); background: var(--box); border-radius: .25rem; padding: 0 .2em; }
pre code { font: inherit; background: none; padding: 0; }
table { border-collapse: collapse; display: block; max-width: 100%; overflow: auto; }
th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; }
blockquote { margin: .5rem 0; padding-left: .75rem; border-left: .25rem solid var(--line); color: var(--soft); }
ins, del { display: block; text-decoration: none; }
.diff ins { background: light-dark(#e2f6e8, #14301d); }
.diff del { background: light-dark(#fdeae8, #3d1a1a); }
p ins, p del, li ins, li del { display: inline; }
p del, li del { text-decoration: line-through; }
p { margin: .5rem 0; } article > :nth-child(2) { margin-top: 0; } p:last-child { margin-bottom: 0; }
mark { background: light-dark(#fdeeb0, #57480f); color: inherit; border-radius: .125rem; }
footer { color: var(--soft); font-size: .8125rem; margin-top: 2rem; }
.archive { max-width: none; padding: 0; }
.archive noscript p { padding: 1rem; }
.archive-panes { max-width: 56rem; margin: 0 auto; }
.archive-list { padding: 1.5rem 1rem; }
.archive-list h2 { margin: 1.25rem 0 .25rem; }
.archive-ask { position: sticky; top: 0; background: var(--ground); padding: .5rem 0; }
.archive-ask input, .archive-ask select { font: inherit; color: inherit; background: var(--ground); border: 1px solid light-dark(#8b8b97, #6a6a76); border-radius: .375rem; }
.archive-ask input { width: 100%; padding: .5rem .75rem; }
.archive-facets { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .5rem; margin-top: .5rem; }
.archive-facets label { font-size: .75rem; color: var(--soft); min-width: 0; }
.archive-facets select { display: block; width: 100%; padding: .25rem; font-size: .8125rem; color: var(--text); }
.count { color: var(--soft); font-size: .8125rem; margin: .25rem 0; min-height: 1.25rem; }
.archive-rows { list-style: none; margin: 0; padding: 0; }
.archive-rows a { display: block; padding: .5rem .75rem; margin: 0 -.75rem; border-radius: .375rem; color: inherit; text-decoration: none; }
.archive-rows a:hover { background: var(--hover); } .archive-rows a[aria-current] { background: var(--tint); }
.archive-rows strong { font-weight: 550; }
.archive-rows small { display: block; font-size: .75rem; color: var(--soft); }
.archive-session { padding: 1.5rem 1rem; min-width: 0; }
.back { margin: 0 0 1rem; font-size: .8125rem; }
@media (min-width: 60rem) {
  .archive-panes.open { max-width: none; display: grid; grid-template-columns: minmax(20rem, 26rem) minmax(0, 1fr); height: 100vh; }
  .open .archive-list { overflow: auto; border-right: 1px solid var(--line); padding-top: 0; }
  .open .archive-list h1 { padding-top: 1.5rem; }
  .open .archive-session { overflow: auto; }
  .open .archive-session > div { max-width: 56rem; margin: 0 auto; }
}
@media (max-width: 59.99rem) { .archive-panes.open .archive-list { display: none; } }
@media (max-width: 30rem) { body { padding: 1rem .75rem; } article { padding: 0; } nav ol { padding-left: 1.5rem; } }
@media print { nav ol { max-height: none; overflow: visible; } article { content-visibility: visible; } }
`;
