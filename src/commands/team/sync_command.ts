// `ctx sync`: what is shared goes out, what others shared comes in, what was taken back goes away.

import { homeOf } from "../../core/platform_path.ts";
import { summaryOf } from "../../core/rows/entry_summary.ts";
import { readRemote, writeRemote } from "../../store/team/remote_file.ts";
import type { Store } from "../../store/store.ts";
import type { Gate, ShareRules } from "../../team/sync/gate.ts";
import type { SyncReport } from "../../team/sync/sync_store.ts";
import { type Context, define } from "../../command/command.ts";
import type { ObjectOf } from "../../command/shape.ts";
import * as s from "../../command/shape.ts";
import { countOf, type View } from "../../command/view.ts";

const output = {
  space: s.text(),
  dry_run: s.boolean(),
  /** New rows of others, by author. */
  pulled: s.recordOf(s.number()),
  pushed: s.object({ ...s.each(s.number(), "entries", "tombstones", "erased", "taken", "bytes") }),
  /** Rows of others that went from this disk. */
  erased: s.number(),
  /** Own entries that the owner took out of the space; here they stay. */
  taken_out: s.listOf(s.text()),
  /** Rows that were not taken, each told once. */
  refused: s.listOf(s.object({
    ...s.each(s.text(), "author", "writer", "reason"),
    seq: s.number(),
    id: s.optional(s.text()),
  })),
  /** Of a dry run: every row that would leave. */
  rows: s.optional(s.listOf(s.object({
    ...s.each(s.text(), "id", "kind", "type", "summary"),
    bytes: s.number(),
  }))),
};
type Output = ObjectOf<typeof output>;

export const sync = define({
  name: "sync",
  summary: "Sync with your team: pull, push and erase entries.",
  description:
    "`share.policy` (decisions, sessions or all), `ctx team share` and `ctx team unshare` decide what is sent; secrets are redacted once more. The first time, and whenever the policy gets wider, ctx shows what would be sent and asks. --dry-run lists every row with its size and works offline. Entries of other members go into separate logs next to your history and are searched like your own. An interrupted sync continues with the next one. --watch keeps running and syncs when others push or something is saved here.",
  input: {
    watch: s.flag("Keep running; sync whenever either side changes."),
    dry_run: s.flag("List what would be sent, with sizes; send nothing."),
  },
  output,
  effect: "write",
  access: "network",
  /** Asks by itself, once it knows what would leave. */
  question: () => undefined,
  local: true,
  unscoped: true,
  examples: [
    { argv: ["sync", "--dry-run"], about: "Show what would be sent.", server: true },
    { argv: ["sync", "--watch"], about: "Keep syncing.", server: true },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const { getIdentity, getMembership } = await import("../../team/sync/open_space.ts");
    const { isWider, nameRules, openGate, parseRules, readShareRules } = await import(
      "../../team/sync/gate.ts"
    );
    const me = getMembership(store);
    const rules = readShareRules(await context.readConfig());
    const gateOf = (rules: ShareRules): Gate =>
      openGate(store, { rules, name: me.name, home: homeOf(context.env) });
    let gate = gateOf(rules);
    if (input.dry_run) return await list(store, gate);
    const identity = await getIdentity({ ...context, store });
    const { lockSync, watchCommand } = await import("../../team/sync/sync_store.ts");
    const timeoutMs = (await context.readConfig()).get("lock_timeout_ms");
    const command = input.watch ? watchCommand : "sync";
    using _lock = await lockSync(store, { now: context.now, timeoutMs, command });
    const agreed = parseRules(me.confirmed);
    if (isWider(rules, agreed)) {
      const planned = await list(store, gate);
      if (planned.rows?.length !== 0 || context.consent === true) {
        await agree(planned, nameRules(rules), context);
        await confirm(store, nameRules(rules));
      } else {
        // There is nothing to show: it is asked when there is, and until then nothing more leaves.
        gate = gateOf(agreed);
        if (input.watch) context.warn(unasked);
      }
    }
    if (input.watch) {
      const { watchSpace } = await import("../../team/sync/watch_space.ts");
      const sum = await watchSpace({ ...context, store }, { identity, gate, context });
      return toResult(me.space, sum);
    }
    const { openSpace } = await import("../../team/sync/open_space.ts");
    const { syncStore } = await import("../../team/sync/sync_store.ts");
    const session = await openSpace({ ...context, store }, identity);
    await using _remote = session.remote;
    return toResult(me.space, await syncStore(session, gate));
  },
  render: (data, view) => data.dry_run ? renderPlan(data, view) : renderDone(data),
  note(data) {
    if (data.taken_out.length === 0) return undefined;
    return `the owner took ${
      countOf(data.taken_out.length, "entry", "entries")
    } of yours out of the space; here they stay: ${data.taken_out.join(", ")}`;
  },
  failure: (data) => data.refused.length > 0 ? "INCOMPLETE" : undefined,
});

/** What a sync did, as the command tells it. */
function toResult(space: string, { pulled, pushed, erased }: SyncReport): Output {
  return {
    space,
    dry_run: false,
    pulled: Object.fromEntries(pulled.rows),
    pushed: {
      entries: pushed.rows,
      tombstones: pushed.tombstones,
      erased: pushed.erased,
      taken: pushed.taken,
      bytes: pushed.bytes,
    },
    erased: erased.rows,
    taken_out: erased.own,
    refused: pulled.refused,
  };
}

/** Every row that would leave by the rules as they are. */
async function list(store: Store, gate: Gate): Promise<Output> {
  const { listLeaving } = await import("../../team/sync/push_rows.ts");
  const { getMembership } = await import("../../team/sync/open_space.ts");
  const me = getMembership(store);
  const { space } = me;
  const leaving = listLeaving(store, { gate, me });
  const count = (kind: string): number => leaving.filter((row) => row.kind === kind).length;
  return {
    space,
    dry_run: true,
    pulled: {},
    pushed: {
      entries: count("entry"),
      tombstones: count("tombstone"),
      erased: count("erase"),
      taken: 0,
      bytes: leaving.reduce((sum, { bytes }) => sum + bytes, 0),
    },
    erased: 0,
    taken_out: [],
    refused: [],
    rows: leaving.map(({ entry, kind, bytes }) => ({
      id: entry.id,
      kind,
      type: entry.type,
      summary: kind === "entry" ? summaryOf(entry) : (entry.refs ?? []).join(" "),
      bytes,
    })),
  };
}

const unasked =
  "new entries are not sent until you agree: run ctx sync once there is something to send, or start with ctx sync --watch --yes";

async function agree(planned: Output, policy: string, context: Context): Promise<void> {
  const { getConsent } = await import("../../command/propose.ts");
  const { entries, bytes } = planned.pushed;
  const question = `Send ${countOf(entries, "entry", "entries")} (${
    countOf(bytes, "byte")
  }) to ${planned.space}, and from now on what share.policy ${policy} lets through?`;
  await getConsent({ command: sync, question, planned }, context);
}

/** The rules that were agreed to. */
async function confirm(store: Store, policy: string): Promise<void> {
  await store.write("sync", (into) => {
    const now = readRemote(into);
    if (now !== undefined) writeRemote(into, { ...now, confirmed: policy });
  });
}

function renderPlan(data: Output, view: View): string {
  const rows = data.rows ?? [];
  if (rows.length === 0) return `Nothing to send to ${data.space}.\n`;
  const table = view.table(rows.map(({ id, kind, type, summary, bytes }) => [
    view.id(id),
    kind === "entry" ? type : kind === "tombstone" ? "forget" : kind,
    view.size(bytes),
    summary,
  ]));
  return `${table}\n${countOf(rows.length, "row")} would be sent to ${data.space}, ${
    countOf(data.pushed.bytes, "byte")
  }.\nTo keep one here: ctx team unshare ID\n`;
}

function renderDone(data: Output): string {
  const { entries, tombstones, erased, taken, bytes } = data.pushed;
  const pulled = Object.entries(data.pulled).filter(([, count]) => count > 0);
  const sum = pulled.reduce((total, [, count]) => total + count, 0);
  const left = [
    ...(entries > 0 ? [countOf(entries, "entry", "entries")] : []),
    ...(tombstones > 0 ? [countOf(tombstones, "deletion")] : []),
  ];
  const lines = [
    sum > 0 && `Pulled ${countOf(sum, "row")}: ${pulled.map((item) => item.join(" ")).join(", ")}.`,
    left.length > 0 && `Pushed ${left.join(" and ")} (${countOf(bytes, "byte")}).`,
    erased > 0 && `Erased ${countOf(erased, "entry", "entries")} in the space.`,
    taken > 0 &&
    `${countOf(taken, "entry", "entries")} of yours are already in the space, from another store.`,
    data.erased > 0 && `Erased ${countOf(data.erased, "row")} here, at their authors' request.`,
    ...data.refused.slice(0, maxRefused).map(({ author, seq, reason }) =>
      `Refused row ${seq} of ${author}: ${reasons[reason] ?? reason}.`
    ),
    data.refused.length > maxRefused &&
    `Refused ${countOf(data.refused.length - maxRefused, "more row")}; --json lists them.`,
  ].filter((line) => line !== false);
  return lines.length === 0 ? `${data.space} is up to date.\n` : `${lines.join("\n")}\n`;
}

/** More are counted. */
const maxRefused = 10;

const reasons: Record<string, string> = {
  altered_row: "it was changed in the space",
  bad_signature: "the signature is wrong; later rows are not accepted until this is fixed",
  foreign_row: "its writer is not allowed to write it",
  not_an_entry: "it contains no entry",
  missing_row: "rows are missing in the space",
  withheld: "its content is missing in the space, and no one allowed to erase it has done so",
  no_key: "this store has no key for it yet",
};
