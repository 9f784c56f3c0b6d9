// What a hook leaves for later, when its agent no longer waits: deriving what sessions came to, noting
// what they used of what they were given, and keeping ready what the next start is told. Runs in a
// process of its own, one at a time in a store. May be killed at any time: nothing is lost, and the
// next hook finds what is left to do.

import type { Context } from "../../command/command.ts";
import { followWrite } from "../../command/follow_write.ts";
import { tryTakeLock } from "../../disk/lock.ts";
import type { Surroundings } from "../../read/knowledge_worth.ts";
import { findAgentSessions } from "../../store/agent_sessions.ts";
import type { Store } from "../../store/store.ts";
import { distilSessions } from "../distil/distil_sessions.ts";
import { type Drafts, keepKnown } from "../pack/known.ts";
import { makeStartPack } from "../pack/start_pack.ts";
import { readStanding } from "../pack/standing.ts";
import type { LeftWork } from "./hook_call.ts";
import { noteUse } from "./uptake.ts";

/** How long sessions are distilled for: where that is too short, the next hook goes on. */
const distilMs = 20_000;
/** A conversation that was given nothing for so long has shown what it used. */
const quietMs = 30 * 60_000;
/** What is written meanwhile is seen to as well, so often. */
const maxRounds = 4;

/** Does what a hook left; at once done when another process is at it, which then does this too. */
export async function followUp(context: Context, left: LeftWork): Promise<void> {
  const store = await context.openStore();
  for (let round = 0; round < maxRounds; round++) {
    const revision = await workOnce(store, { context, left });
    // Asked after the lock is free: who found it taken relies on that.
    if (revision === undefined || revision === store.readState().revision) return;
  }
}

/** The revision of the store that was looked at; undefined when another process is at it. */
async function workOnce(
  store: Store,
  { context, left }: { context: Context; left: LeftWork },
): Promise<number | undefined> {
  const { layout } = store;
  const since = new Date(context.now()).toISOString();
  using lock = tryTakeLock(layout.followLock, { pid: Deno.pid, command: "hook follow", since });
  if (lock === undefined) return undefined;
  const { revision } = store.readState();
  const around = {
    nowMs: context.now(),
    workspace: layout.workspace,
    standing: readStanding(store),
  };
  // As after an import: there may be many rows.
  await followWrite(context, "import");
  if (left.moment === "turn") {
    const drafts = await draftRecords(store, { context, left });
    keepKnown(store, around, { ...(drafts === undefined ? {} : { drafts }), settled: 0 });
    await lookAhead(store, { context, around });
    return revision;
  }
  const { waiting } = await distilSessions(store, { limitMs: distilMs, now: context.now });
  const { conversation } = left;
  await noteUse(store, {
    nowMs: context.now(),
    ...(left.moment === "end" ? { conversation } : { quietMs }),
  });
  keepKnown(store, around, { drafts: {}, settled: waiting === 0 ? revision : 0 });
  await followWrite(context, "import");
  await lookAhead(store, { context, around });
  return revision;
}

/** Looks at the code that the next start will speak of, so that it need not. */
async function lookAhead(
  store: Store,
  { context, around }: { context: Context; around: Surroundings },
): Promise<void> {
  const config = await context.readConfig();
  const { looked } = await makeStartPack(store, { config, nowMs: context.now() });
  keepKnown(store, around, { looked });
}

/**
 * What a session that goes on comes to so far: written when it ends or another starts, or every turn
 * would leave records in the log that the next one corrects.
 */
async function draftRecords(
  store: Store,
  { context, left: { agent, conversation = "" } }: { context: Context; left: LeftWork },
): Promise<Drafts | undefined> {
  const session = findAgentSessions(store, agent).get(conversation)?.session_id;
  if (session === undefined) return undefined;
  const { written, removed } = await distilSessions(store, {
    sessions: [session],
    limitMs: distilMs,
    now: context.now,
    dryRun: true,
  });
  return { [session]: { written, removed } };
}
