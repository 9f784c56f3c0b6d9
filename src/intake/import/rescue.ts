// Retention rescue: Claude Code deletes transcripts after a while. Counts those of this workspace
// that go soon and are not in the store yet. Looks at names and dates first, into files only then.

import { toNumber, toObject } from "../sources/loose_json.ts";
import { Databases } from "../sources/database/databases.ts";
import { Tally } from "../sources/problem_tally.ts";
import { findObject } from "../sources/walk.ts";
import type { Check } from "../../store/lifecycle/inspect.ts";
import type { Store } from "../../store/store.ts";
import type { Context } from "../../command/command.ts";
import { placeOf } from "./find_history.ts";
import { makeProjectFilter } from "./projects.ts";
import { countOf } from "../../command/view.ts";

const dayMs = 86_400_000;
const defaultKeptDays = 30;
const warnDays = 7;

/** Doctor's line about it, or undefined when there is nothing to say. */
export async function checkRescue(store: Store, context: Context): Promise<Check | undefined> {
  const { own, others } = await countEndangered(store, context);
  if (own + others === 0) return undefined;
  const rest = others > 0 ? ` (and ${others} of other projects)` : "";
  return {
    name: "rescue",
    status: own > 0 ? "warning" : "ok",
    detail: `Claude Code will delete ${
      countOf(own, "session")
    } of this workspace${rest} within ${warnDays} days; keep them with: ctx import claude-code`,
    fixable: false,
  };
}

/** Counts sessions of this workspace and of others that will be deleted soon and are not imported. */
async function countEndangered(
  store: Store,
  context: Context,
): Promise<{ own: number; others: number }> {
  const found = { own: 0, others: 0 };
  const { claudeCode } = await import("../sources/claude_code/claude_code.ts");
  const { workspace, index } = store.layout;
  const place = placeOf(context, workspace);
  const imported = new Map<unknown, unknown>();
  for (const meta of store.readSessions().values()) {
    if (meta.source === claudeCode.name) imported.set(meta.conversation, meta.resume);
  }
  const belongs = makeProjectFilter(workspace);
  for (const root of claudeCode.locate(place)) {
    const before = context.now() - (keptDays(root) - warnDays) * dayMs;
    using databases = new Databases();
    const options = { tally: new Tally(), place, scratch: index, databases };
    for await (const session of claudeCode.list(root, options)) {
      if (session.isRemnant || Date.parse(session.updated ?? "") > before) continue;
      if (toObject(imported.get(session.id))?.signature === session.signature) continue;
      if (belongs(session.cwd)) found.own++;
      else found.others++;
    }
  }
  return found;
}

/** `cleanupPeriodDays` in Claude Code's settings, or its default. */
function keptDays(projects: string): number {
  const settings = findObject(projects.replace(/projects$/, "settings.json"));
  return toNumber(settings?.cleanupPeriodDays) ?? defaultKeptDays;
}
