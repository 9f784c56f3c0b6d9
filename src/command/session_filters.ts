// `session:` in a query, as people type it: the beginning of an id, an agent's own id, `current`.

import { toCtxError } from "../core/errors.ts";
import type { Context } from "./command.ts";
import { resolveSession } from "./session_scope.ts";

const filter = /(^|\s)((?:NOT\s+)?session:)(?:"([^"]+)"|([^\s"]+))/g;

/** A query with whole ids of sessions; notes say of which words there is no session. */
export async function withWholeSessions(
  query: string,
  context: Context,
): Promise<{ query: string; notes: string[] }> {
  const notes: string[] = [];
  const store = await context.openStore();
  const parts: string[] = [];
  let end = 0;
  for (const match of query.matchAll(filter)) {
    const [whole, gap, name, quoted, bare] = match;
    const ids: string[] = [];
    for (const word of (quoted ?? bare).split(",")) {
      try {
        const [id] = await context.wholeIds("S", [word]);
        ids.push(resolveSession(id, store, context) ?? word);
      } catch (error) {
        // A query is never an error: what is no session finds nothing, and says so.
        const { code, message } = toCtxError(error);
        if (code !== "NOT_FOUND") throw error;
        notes.push(message);
        ids.push(word);
      }
    }
    parts.push(query.slice(end, match.index), `${gap}${name}"${ids.join(",")}"`);
    end = match.index + whole.length;
  }
  return { query: parts.join("") + query.slice(end), notes };
}
