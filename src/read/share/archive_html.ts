// Many sessions as one HTML file that opens from disk anywhere: a list, a search in an index of its own
// and each session as `sessionHtml` shows it. A policy allows the file's own script and style by their
// hashes and nothing else, so nothing is loaded. One session is in memory at a time. Loads nothing heavy.

import { escapeHtml } from "./escape_html.ts";
import { type ArchivedFacts, factsOf, pack, toArchived } from "./archived_session.ts";
import { pageHead } from "./page_head.ts";
import type { SharedSession } from "./shared_session.ts";

/** The elements that hold data; no browser runs scripts of this type. */
const dataType = "application/octet-stream";

/** The parts of the file, in order. */
export async function* archiveHtml(
  sessions: AsyncIterable<SharedSession>,
  { title, script }: { title: string; script: string },
): AsyncGenerator<string> {
  // What ends a script must not stand in one, in whatever text of it.
  const code = script.replaceAll(/<(?=\/script|!--|script)/gi, "\\x3c");
  yield await pageHead(title, { script: code });
  yield `<body class="archive">
<noscript><p>This archive needs JavaScript to unpack its sessions. It loads nothing from the network.</p></noscript>
<div id="page"><h1>${escapeHtml(title)}</h1></div>
`;
  const list: ArchivedFacts[] = [];
  for await (const session of sessions) {
    list.push(factsOf(session));
    yield `<script type="${dataType}" class="session">${await pack(
      toArchived(session),
    )}</script>\n`;
  }
  yield `<script type="${dataType}" id="list">${await pack({ title, sessions: list })}</script>
<script type="module">${code}</script>
</body>
</html>
`;
}

/** The script of an archive, as the build made it. */
export async function readArchiveScript(): Promise<string> {
  const url = new URL("../../../assets/archive_script.txt", import.meta.url);
  return await Deno.readTextFile(url);
}
