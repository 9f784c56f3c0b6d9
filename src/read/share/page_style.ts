// The style of a page that is handed on: light or dark as the reader's system is, narrow screens too.

/** All of it; its hash is in the page's policy. */
export const pageStyle = `
:root { color-scheme: light dark; --line: light-dark(#d0d7de, #3d444d); --soft: light-dark(#59636e, #9198a1); --box: light-dark(#f6f8fa, #151b23); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#fff, #0d1117); color: light-dark(#1f2328, #f0f6fc); overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: .875rem; margin: 0 0 .5rem; color: var(--soft); }
h3, h4, h5, h6 { font-size: 1rem; margin: .75rem 0 .25rem; }
a { color: light-dark(#0550ae, #79b8ff); }
:focus-visible { outline: 2px solid light-dark(#0550ae, #79b8ff); outline-offset: 2px; }
dl { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0 0 1rem; font-size: .875rem; }
dl div { display: flex; gap: .5rem; min-width: 0; }
dt { color: var(--soft); } dd { margin: 0; min-width: 0; }
nav, article, .agent { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; margin: 0 0 .75rem; }
nav ol { margin: .5rem 0 0; padding-left: 2.5rem; max-height: 20rem; overflow: auto; }
.prompt { border-left: .25rem solid light-dark(#0550ae, #79b8ff); }
.other { background: var(--box); }
.agent { border-style: dashed; }
summary { cursor: pointer; }
pre { background: var(--box); border: 1px solid var(--line); border-radius: .375rem; padding: .5rem; margin: .5rem 0; font: .8125rem/1.45 ui-monospace, monospace; white-space: pre-wrap; }
code { font: .875em ui-monospace, monospace; background: var(--box); border-radius: .25rem; }
pre code { font: inherit; background: none; }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; }
blockquote { margin: .5rem 0; padding-left: .75rem; border-left: .25rem solid var(--line); color: var(--soft); }
ins, del { display: block; text-decoration: none; }
.diff ins { background: light-dark(#dafbe1, #12341d); }
.diff del { background: light-dark(#ffebe9, #451a1d); }
p ins, p del, li ins, li del { display: inline; }
p del, li del { text-decoration: line-through; }
p:first-child, article > :nth-child(2) { margin-top: 0; } p:last-child { margin-bottom: 0; }
footer { color: var(--soft); font-size: .875rem; }
@media (max-width: 30rem) { body { padding: .5rem; } nav ol { padding-left: 1.5rem; } }
@media print { nav ol { max-height: none; overflow: visible; } }
`;
