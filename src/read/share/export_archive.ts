// The archive of `ctx export --html`: the sessions that are wanted, one after another, newest first.

import { breathe, isBreathDue } from "../../core/breathe.ts";
import { CtxError } from "../../core/errors.ts";
import { encodeExact } from "../../core/utf8.ts";
import type { Context } from "../../command/command.ts";
import type { Store } from "../../store/store.ts";
import type { SessionRow } from "../session_list.ts";
import { countShared, readShared, type SharedSession } from "./shared_session.ts";
import { toShared } from "./shared_text.ts";
import { escapeHtml } from "./escape_html.ts";
import { type ArchivedFacts, factsOf, pack, toArchived } from "./archived_session.ts";
import { pageHead } from "./page_head.ts";

/** Writes an archive of some sessions; gives how many entries and sessions are in it. */
export async function exportArchive(
  found: readonly SessionRow[],
  { name, store, context, put }: {
    name: string;
    store: Store;
    context: Context;
    put(chunk: Uint8Array): void;
  },
): Promise<{ entries: number; sessions: number }> {
  const home = context.env("HOME");
  const ids = new Set(found.map(({ id }) => id));
  // A session that another one started is shown there; what nothing outside started comes last.
  const isStarted = ({ parent }: { parent?: string }): boolean =>
    parent !== undefined && ids.has(parent);
  const wanted = [...found.filter((one) => !isStarted(one)), ...found.filter(isStarted)];
  if (wanted.length === 0) {
    throw new CtxError("NOT_FOUND", "Cannot export an archive: no sessions match", {
      hint: "ctx sessions",
    });
  }
  const told = new Set<string>();
  let [entries, sessions] = [0, 0];
  using view = store.openView();
  const read = async function* (): AsyncGenerator<SharedSession> {
    for (const [i, { id }] of wanted.entries()) {
      context.progress("exporting sessions", i, wanted.length);
      if (told.has(id)) continue;
      if (isBreathDue()) await breathe(context.signal);
      const shared = await readShared({ store, view, id }, { home, told });
      entries += countShared(shared);
      sessions++;
      yield shared;
    }
  };
  const script = await readArchiveScript();
  const title = toShared(`Sessions of ${name}`, home);
  for await (const part of archiveHtml(read(), { title, script })) put(encodeExact(part));
  return { entries, sessions };
}

// Many sessions as one HTML file that opens from disk anywhere: a list, a search in an index of its own
// and each session as `sessionHtml` shows it. A policy allows the file's own script and style by their
// hashes and nothing else, so nothing is loaded. One session is in memory at a time. Loads nothing heavy.

/** The elements that hold data; no browser runs scripts of this type. */
const dataType = "application/octet-stream";

/** The parts of the file, in order. */
async function* archiveHtml(
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
async function readArchiveScript(): Promise<string> {
  const url = new URL("../../../assets/archive_script.txt", import.meta.url);
  return await Deno.readTextFile(url);
}
