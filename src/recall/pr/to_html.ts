// The text of a pull request as one HTML file to hand on: no script, nothing loaded. Its lines went
// through `toPublic` before; here they are escaped.

import { escapeHtml } from "../../read/share/escape_html.ts";
import { pageHead } from "../../read/share/page_head.ts";
import { type Note, noteKinds } from "./pr_shapes.ts";
import { headings, namesOf } from "./to_markdown.ts";

/** What the page says besides the notes; all of it is public by now. */
export interface HtmlFacts {
  title: string;
  /** The newest first: the hash, and what the commit calls itself. */
  commits: readonly (readonly [string, string])[];
  sessions: readonly { agent?: string; commits: readonly string[] }[];
}

/** The whole page. */
export async function toHtml(
  notes: readonly Note[],
  { title, commits, sessions }: HtmlFacts,
): Promise<string> {
  const head = escapeHtml(title);
  const parts = noteKinds.map((kind) => {
    const items = notes.filter((note) => note.kind === kind).map(({ text, because, commits }) => {
      const why = because === undefined ? "" : ` (${escapeHtml(because)})`;
      return `<li>${escapeHtml(text)}${why} <code>${namesOf(commits)}</code></li>\n`;
    });
    return toSection(headings[kind], items);
  });
  // A session's title may be any prompt of it: only what led to these commits is handed on.
  const written = sessions.map(({ agent = "an agent", commits }) =>
    `<li>A session of ${escapeHtml(agent)} <code>${namesOf(commits)}</code></li>\n`
  );
  const made = commits.map(([oid, subject]) =>
    `<li><code>${namesOf([oid])}</code> ${escapeHtml(subject)}</li>\n`
  );
  const none = "<p>None of these commits came from a recorded session.</p>\n";
  return `${await pageHead(title)}<body>
<header>
<h1>${head}</h1>
</header>
<main>
${parts.join("")}${sessions.length === 0 ? none : toSection("Sessions", written)}${
    toSection("Commits", made)
  }</main>
<footer><p>Made by ctx. Secrets, home directories, addresses and host names were removed.</p></footer>
</body>
</html>
`;
}

function toSection(heading: string, items: readonly string[]): string {
  if (items.length === 0) return "";
  return `<article>\n<h2>${heading}</h2>\n<ul>\n${items.join("")}</ul>\n</article>\n`;
}
