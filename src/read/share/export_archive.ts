// The archive of `ctx export --html`: the sessions that are wanted, one after another, newest first.

import { breathe, isBreathDue } from "../../core/breathe.ts";
import { CtxError } from "../../core/errors.ts";
import { homeOf } from "../../core/platform_path.ts";
import { encodeExact } from "../../core/utf8.ts";
import type { Context } from "../../command/command.ts";
import type { Store } from "../../store/store.ts";
import type { SessionRow } from "../session_list.ts";
import { archiveHtml, readArchiveScript } from "./archive_html.ts";
import { countShared, readShared, type SharedSession } from "./shared_session.ts";
import { toShared } from "./shared_text.ts";

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
  const home = homeOf(context.env);
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
