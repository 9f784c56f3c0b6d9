// After a turn: the files that its commands changed go into the log of live edits. Most agents call no hook
// before a command, so this is the first that ctx hears of them. Nobody waits for it.

import type { Context } from "../../command/command.ts";
import { findAgentSessions } from "../../store/agent_sessions.ts";
import type { Store } from "../../store/store.ts";
import { findCommand } from "../edit/hook_edit.ts";
import { appendLive, type LiveEdit, liveLog, liveMs, readLive } from "./live_log.ts";
import { shellEdits } from "./shell_edits.ts";

/** Of a long session only what it did last is looked at. */
const lastRows = 300;
/** The clocks of a hook and of a transcript differ a little. */
const slackMs = 10_000;

/** Notes the edits of a conversation's commands that no hook noted before. */
export async function noteShellEdits(
  store: Store,
  { agent, conversation }: { agent: string; conversation?: string },
  context: Context,
): Promise<void> {
  if (conversation === undefined) return;
  const session = findAgentSessions(store, agent).get(conversation)?.session_id;
  if (session === undefined) return;
  const nowMs = context.now();
  const { workspace } = store.layout;
  const log = liveLog(store.layout);
  const since = new Date(nowMs - liveMs).toISOString();
  const found: LiveEdit[] = [];
  for (const place of store.readSession(session).slice(-lastRows)) {
    const entry = store.findRowAt(place);
    if (entry === undefined || entry.ts < since || entry.tool?.effect !== "run") continue;
    const command = findCommand({ tool_input: entry.tool.input });
    if (command === undefined) continue;
    const cwd = typeof entry.project === "string" ? entry.project : workspace;
    const by = { ts: entry.ts, session: conversation, agent };
    found.push(...await shellEdits(command, by, { workspace, cwd }));
  }
  if (found.length === 0) return;
  const noted = readLive(store.files, log, { nowMs });
  const isNoted = ({ ts, tree, file }: LiveEdit): boolean =>
    noted.some((one) =>
      one.session === conversation && one.tree === tree && one.file === file &&
      Date.parse(one.ts) >= Date.parse(ts) - slackMs
    );
  for (const edit of found.filter((edit) => !isNoted(edit))) appendLive(store.files, log, edit);
}
