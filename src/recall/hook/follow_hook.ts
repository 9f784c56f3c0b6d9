// Does the work that a hook or an import leaves for later, when nothing waits for it: derives records,
// notes which of the sent lines were used, makes vectors, and prepares what the next session start
// gets. Runs in a separate process if one can be started, one at a time per store. It may be killed at
// any time: nothing is lost, and the next hook continues.

import type { Context } from "../../command/command.ts";
import { followWrite } from "../../command/follow_write.ts";
import { CtxError } from "../../core/errors.ts";
import { findHolder, type StoreLock, takeLock } from "../../disk/lock.ts";
import type { Surroundings } from "../../read/knowledge_worth.ts";
import { refreshLedger } from "../../intake/import/refresh_ledger.ts";
import { sourceTable } from "../../intake/import/source_table.ts";
import { findAgentSessions } from "../../store/agent_sessions.ts";
import { readCaptures } from "../../store/logs/capture_log.ts";
import type { Store } from "../../store/store.ts";
import { distilSessions } from "../distil/distil_sessions.ts";
import { deriveDrafts, keepKnown } from "../pack/known.ts";
import type { Drafts } from "../pack/known_base.ts";
import { sizesOf } from "../pack/saved_rows.ts";
import { makeStartPack } from "../pack/start_pack.ts";
import { readStanding } from "../pack/standing.ts";
import type { LeftWork } from "./hook_call.ts";
import { noteUse } from "./uptake.ts";

/** How much is done at once. Where that is too little, the next hook goes on. */
interface Pace {
  /** How long sessions are distilled for. */
  distilMs: number;
  /** What is written meanwhile is seen to as well, so often. */
  rounds: number;
  /** How long another process that is at it is waited for. */
  lockMs: number;
  /** What the index follows as: `followWrite` knows how much that may do. */
  command: "follow" | "hook";
}

/**
 * In a process of its own, which nobody waits for; the same after an import, which may bring much, and
 * of which each slice is kept when the process is ended; and in the hook's, which an agent may wait for.
 */
const paces: Record<"own" | "import" | "hook", Pace> = {
  own: { distilMs: 20_000, rounds: 4, lockMs: 20_000, command: "follow" },
  import: { distilMs: 20_000, rounds: 30, lockMs: 60_000, command: "follow" },
  hook: { distilMs: 1500, rounds: 1, lockMs: 0, command: "hook" },
};
/** A conversation that was given nothing for so long has shown what it used. */
const quietMs = 30 * 60_000;

/** What the lock says while everything is done that an import may leave: another need not do it again. */
const wholePass = "import follow";

/** What is done, and where. */
interface Work {
  context: Context;
  left: LeftWork;
  pace: Pace;
}

/**
 * Does what a hook left. While another process is at it, the end of a session and a start wait for
 * their turn. A turn does not, nor does an import while that of another one is at it: the other process
 * looks again at what was written meanwhile.
 */
export async function followUp(
  context: Context,
  left: LeftWork,
  { isOwnProcess }: { isOwnProcess: boolean },
): Promise<void> {
  const store = await context.openStore();
  if (left.moment === "turn") {
    const { noteShellEdits } = await import("../live/note_shell_edits.ts");
    await noteShellEdits(store, left, context);
  }
  const pace = !isOwnProcess ? paces.hook : left.moment === "import" ? paces.import : paces.own;
  for (let round = 0; round < pace.rounds && !context.signal.aborted; round++) {
    const revision = await workOnce(store, { context, left, pace });
    // Asked after the lock is free: who found it taken relies on that.
    if (revision === undefined || revision === store.readState().revision) return;
  }
}

/** The revision of the store that was looked at; undefined when another process is at it. */
async function workOnce(store: Store, work: Work): Promise<number | undefined> {
  const { context, left, pace } = work;
  using lock = await findTurn(store, work);
  if (lock === undefined) return undefined;
  const { now, signal } = context;
  const state = store.readState();
  const around = {
    nowMs: now(),
    workspace: store.layout.workspace,
    standing: readStanding(store),
  };
  const isImport = left.moment === "import";
  if (pace.command === "follow" && left.moment !== "turn") {
    const { syncRuleFiles } = await import("../../intake/documents/sync_rule_files.ts");
    await syncRuleFiles(store, context);
  }
  if (isImport) await followWrite(context, pace.command);
  if (left.moment === "turn") {
    using derived = await deriveDrafts(store, () => draftRecords(store, work));
    await keepKnown(store, around, { derived, settled: undefined });
  } else if (left.distils !== false) {
    const { waiting } = await distilSessions(store, { limitMs: pace.distilMs, now, signal });
    const { conversation } = left;
    await noteUse(store, {
      nowMs: now(),
      ...(left.moment === "end" ? { conversation } : { quietMs }),
    });
    if ((await context.readConfig()).get("inject.trial") > 0) {
      const { lookAtTrial } = await import("../trial/run_trial.ts");
      await lookAtTrial(store, now());
    }
    const settled = waiting === 0 ? sizesOf(state) : undefined;
    await keepKnown(store, around, { isWritten: true, settled });
  }
  // After what the next start is told: there may be many rows. Those of records that are derived after
  // an import are indexed in the next round.
  if (!isImport) await followWrite(context, pace.command);
  await refreshLedgers(store, left);
  await lookAhead(store, { context, around });
  return state.revision;
}

/** The lock of those who do this; undefined while another process has it. */
async function findTurn(
  { layout }: Store,
  { context, left, pace }: Work,
): Promise<StoreLock | undefined> {
  const since = new Date(context.now()).toISOString();
  const isImport = left.moment === "import";
  const isWhole = isImport && left.distils !== false;
  const holder = { pid: Deno.pid, command: isWhole ? wholePass : "hook follow", since };
  // The name outlives the lock, and then that is free.
  const isCovered = isImport && findHolder(layout.followLock)?.command === wholePass;
  try {
    const timeoutMs = left.moment === "turn" || isCovered ? 0 : pace.lockMs;
    return await takeLock(layout.followLock, { holder, timeoutMs });
  } catch (error) {
    if (error instanceof CtxError && error.code === "STORE_LOCKED") return undefined;
    throw error;
  }
}

/** Keeps ready what the next turn must know of the log: of an agent, or of all that have hooks. */
async function refreshLedgers(store: Store, { agent, moment }: LeftWork): Promise<void> {
  const agents = moment === "import"
    ? new Set(readCaptures(store).map((event) => event.agent))
    : [agent];
  for (const name of agents) {
    const source = await sourceTable[name]?.();
    if (source !== undefined) refreshLedger(store, source);
  }
}

/** Looks at the code that the next start will speak of, so that it need not. */
async function lookAhead(
  store: Store,
  { context, around }: { context: Context; around: Surroundings },
): Promise<void> {
  const config = await context.readConfig();
  const { looked } = await makeStartPack(store, { config, nowMs: context.now() });
  await keepKnown(store, around, { looked });
}

/**
 * What a session that goes on comes to so far: written when it ends or another starts, or every turn
 * would leave records in the log that the next one corrects.
 */
async function draftRecords(store: Store, { context, left, pace }: Work): Promise<Drafts> {
  const { agent, conversation = "" } = left;
  const session = findAgentSessions(store, agent).get(conversation)?.session_id;
  if (session === undefined) return {};
  const { written, removed } = await distilSessions(store, {
    sessions: [session],
    limitMs: pace.distilMs,
    now: context.now,
    dryRun: true,
    signal: context.signal,
  });
  return { [session]: { written, removed } };
}
