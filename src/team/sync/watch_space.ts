// `ctx sync --watch`: a round whenever somebody pushes, which the server tells, or something was saved
// here. A connection that is lost is made again, after pauses that grow.

import { CtxError } from "../../core/errors.ts";
import type { Context } from "../../command/command.ts";
import { followWrite } from "../../command/follow_write.ts";
import { countOf } from "../../command/view.ts";
import { connectSpace, type Identity, openSpace, type SyncWorld } from "./open_space.ts";
import type { Gate } from "./gate.ts";
import { addPulled } from "./pull_rows.ts";
import { type SyncReport, syncStore } from "./sync_store.ts";

/** How often the own logs are looked at. */
const lookMs = 1000;
/** Whoever pushes often is heard once. */
const settleMs = 200;
const firstPauseMs = 1000;
const maxPauseMs = 60_000;

/** Syncs until the signal says stop; returns the sum of all rounds. */
export async function watchSpace(
  world: SyncWorld,
  { identity, gate, context }: { identity: Identity; gate: Gate; context: Context },
): Promise<SyncReport> {
  const sum = noReport();
  let pauseMs = firstPauseMs;
  while (!world.signal.aborted) {
    try {
      await follow(world, { identity, gate, context, sum, onRound: () => pauseMs = firstPauseMs });
    } catch (error) {
      if (world.signal.aborted) break;
      if (!(error instanceof CtxError) || error.code !== "REMOTE_UNREACHABLE") throw error;
      context.tell?.(`${error.message}; trying again in ${pauseMs / 1000} s`);
      await context.wait(pauseMs).catch(() => {});
      pauseMs = Math.min(maxPauseMs, pauseMs * 2);
    }
  }
  return sum;
}

/** Rounds over one connection, until it is lost. */
async function follow(
  world: SyncWorld,
  { identity, gate, context, sum, onRound }: {
    identity: Identity;
    gate: Gate;
    context: Context;
    sum: SyncReport;
    onRound: () => void;
  },
): Promise<void> {
  await using remote = await connectSpace(world, identity.secrets);
  let heard = true;
  let channel = "";
  let seen = "";
  let isOpen = true;
  let wake = (): void => {};
  const hear = (writer: string): void => {
    // One's own push is no news.
    if (writer === identity.me.writer) return;
    heard = true;
    wake();
  };
  void remote.ended.then(() => {
    isOpen = false;
    wake();
  });
  while (!world.signal.aborted) {
    const size = ownSize(world);
    if (heard || size !== seen) {
      heard = false;
      seen = size;
      const session = await openSpace(world, identity, remote);
      if (session.state.channel !== channel) {
        channel = session.state.channel;
        await remote.listen(channel, hear);
        if (sum.pulled.bytes === 0) {
          context.tell?.(`watching ${identity.me.space}; press Ctrl-C to stop`);
        }
        // What was pushed before anybody listened was not heard.
        heard = true;
        continue;
      }
      const report = await syncStore(session, gate);
      onRound();
      add(sum, report);
      tellRound(context, report);
      if (report.pulled.bytes > 0) await followWrite(context, "sync");
    }
    const woken = new Promise<void>((resolve) => wake = resolve);
    if (!heard) await Promise.race([context.wait(lookMs).catch(() => {}), woken]);
    if (heard) await context.wait(settleMs).catch(() => {});
    if (!isOpen && !world.signal.aborted) {
      throw new CtxError("REMOTE_UNREACHABLE", "The connection to the space was lost");
    }
  }
}

/** What changes when something is saved, forgotten, shared or pinned here. */
function ownSize({ store: { files, layout } }: SyncWorld): string {
  const { history, shares, pins } = layout;
  return [history.hot, history.archive, shares, pins].map((path) => files.findSize(path)).join();
}

function tellRound({ tell }: Context, { pulled, pushed, erased }: SyncReport): void {
  const came = [...pulled.rows].filter(([, count]) => count > 0)
    .map(([author, count]) => `${countOf(count, "row")} of ${author}`);
  const said = [
    ...came,
    ...(pushed.rows > 0 ? [`${countOf(pushed.rows, "entry", "entries")} pushed`] : []),
    ...(erased.rows > 0 ? [`${countOf(erased.rows, "row")} erased here`] : []),
    ...pulled.refused.map(({ author, seq, reason }) =>
      `row ${seq} by ${author} refused: ${reason}`
    ),
  ];
  if (said.length > 0) tell?.(said.join(", "));
}

function noReport(): SyncReport {
  return {
    pulled: { rows: new Map(), refused: [], erases: [], bytes: 0 },
    pushed: { rows: 0, tombstones: 0, erased: 0, erasers: [], taken: 0, bytes: 0 },
    erased: { rows: 0, own: [], confirmed: 0 },
  };
}

function add(sum: SyncReport, { pulled, pushed, erased }: SyncReport): void {
  addPulled(sum.pulled, pulled);
  for (const name of ["rows", "tombstones", "erased", "taken", "bytes"] as const) {
    sum.pushed[name] += pushed[name];
  }
  sum.erased.rows += erased.rows;
  sum.erased.confirmed += erased.confirmed;
  sum.erased.own.push(...erased.own);
}
