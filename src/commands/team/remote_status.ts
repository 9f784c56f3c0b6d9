// `ctx remote status`: where this workspace stands with its space; without the server, what is known.

import { CtxError } from "../../core/errors.ts";
import { homeOf } from "../../core/platform_path.ts";
import { readRemote, type RemoteFile } from "../../store/team/remote_file.ts";
import { readMembers } from "../../store/team/team_log.ts";
import type { Store } from "../../store/store.ts";
import { type Context, define } from "../../command/command.ts";
import type { ObjectOf } from "../../command/shape.ts";
import * as s from "../../command/shape.ts";
import { countOf, type View } from "../../command/view.ts";

const output = {
  space: s.nullable(s.text()),
  name: s.optional(s.text()),
  writer: s.optional(s.text()),
  owner: s.optional(s.boolean()),
  encrypted: s.optional(s.boolean()),
  /** Whether the server answered; else why not, and the rest is what was known. */
  online: s.boolean(),
  problem: s.optional(s.text()),
  server: s.optional(s.text()),
  last_sync: s.optional(s.nullable(s.text())),
  waiting: s.optional(s.object(s.each(s.number(), "rows", "bytes"))),
  behind: s.optional(s.number()),
  members: s.listOf(s.object({
    name: s.text(),
    owner: s.boolean(),
    stores: s.number(),
    revoked: s.boolean(),
  })),
  erasures: s.listOf(s.object({
    by: s.text(),
    ts: s.text(),
    ids: s.listOf(s.text()),
    ...s.each(s.listOf(s.text()), "confirmed", "waiting"),
  })),
};
type Output = ObjectOf<typeof output>;

export const remoteStatus = define({
  name: "remote status",
  summary: "Show the space, its members and what is left to sync.",
  description:
    "Contacts the space on its server or in its folder. If it cannot be reached, the output says so and shows the state of the last sync. A member has confirmed an erasure once the data is deleted from their disk.",
  input: {},
  output,
  effect: "read",
  access: "network",
  local: true,
  unscoped: true,
  examples: [{ argv: ["team", "status"], about: "Show the team's status." }],
  async run(_input, context) {
    const store = await context.openStore();
    const me = readRemote(store);
    if (me === undefined) return { space: null, online: false, members: [], erasures: [] };
    const { space, name, writer, owner, encrypted } = me;
    const { readSynced } = await import("../../team/sync/sync_store.ts");
    const own = {
      ...{ space, name, writer, owner, encrypted },
      last_sync: readSynced(store) ?? null,
      waiting: await countWaiting(store, me, context),
    };
    try {
      return { ...own, online: true, ...await ask(store, context) };
    } catch (error) {
      if (!(error instanceof CtxError)) throw error;
      return { ...own, online: false, problem: error.message, ...recall(store) };
    }
  },
  render: (data, view) => data.space === null ? noSpace : renderStatus(data, view),
});

const noSpace = "This project is not shared with a team yet.\n" +
  "ctx team init URL --space NAME creates a space on a server or in a folder, ctx team add --invite FILE joins one.\n" +
  "To share through git instead: ctx init --commit adds the logs to it, and teammates get them with git pull.\n";

async function countWaiting(
  store: Store,
  me: RemoteFile,
  context: Context,
): Promise<{ rows: number; bytes: number }> {
  const { listLeaving } = await import("../../team/sync/push_rows.ts");
  const { openGate, readShareRules } = await import("../../team/sync/gate.ts");
  const rules = readShareRules(await context.readConfig());
  const gate = openGate(store, { rules, name: me.name, home: homeOf(context.env) });
  const leaving = listLeaving(store, { gate, me });
  return { rows: leaving.length, bytes: leaving.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** What the server says. */
async function ask(
  store: Store,
  context: Context,
): Promise<Pick<Output, "server" | "behind" | "members" | "erasures">> {
  const world = { ...context, store };
  const { connectSpace, getIdentity } = await import("../../team/sync/open_space.ts");
  const { readCursors } = await import("../../store/team/team_log.ts");
  const { me, secrets } = await getIdentity(world);
  await using remote = await connectSpace(world, secrets);
  const { members, writers } = await remote.state(me.writer);
  const erasures = await remote.erasures();
  const names = new Map(writers.map(({ writer, name }) => [writer, name]));
  const nameOf = (writer: string): string => names.get(writer) ?? writer;
  const namesOf = (list: string[]): string[] => [...new Set(list.map(nameOf))].sort();
  const cursors = readCursors(store.files, store.layout);
  const behind = writers.filter(({ writer }) => writer !== me.writer)
    .reduce((sum, { writer, seq }) => sum + Math.max(0, seq - (cursors[writer]?.seq ?? 0)), 0);
  return {
    server: remote.place,
    behind,
    members: members.map(({ name, owner, revokedAt }) => ({
      name,
      owner,
      stores: writers.filter((item) => item.name === name && item.leftAt === null).length,
      revoked: revokedAt !== null,
    })),
    erasures: erasures.map(({ eraser, ts, ids, confirmed, waiting }) => ({
      by: nameOf(eraser),
      ts,
      ids,
      confirmed: namesOf(confirmed),
      waiting: namesOf(waiting),
    })),
  };
}

/** What the last sync knew. */
function recall(store: Store): Pick<Output, "members" | "erasures"> {
  const known = readMembers(store.files, store.layout);
  const members = (known?.members ?? []).map(({ name, owner, revoked_at }) => ({
    name,
    owner,
    stores: (known?.writers ?? []).filter((item) => item.name === name && !item.left_at).length,
    revoked: revoked_at !== undefined,
  }));
  return { members, erasures: [] };
}

function renderStatus(data: Output, view: View): string {
  const { rows, bytes } = data.waiting ?? { rows: 0, bytes: 0 };
  const kind = [data.owner ? "owner" : "member", ...(data.encrypted ? ["encrypted"] : [])];
  const lines = [
    `${view.bold(data.space ?? "")} as ${data.name} (${kind.join(", ")})`,
    data.online
      ? `place: ${data.server}`
      : `the space could not be reached: ${data.problem}; this is the state of the last sync`,
    `last sync: ${data.last_sync ? view.age(data.last_sync) : "never"}`,
    `to push: ${countOf(rows, "row")} (${countOf(bytes, "byte")})` +
    (data.behind === undefined ? "" : `; to pull: ${countOf(data.behind, "row")}`),
    ...data.members.map(({ name, owner, stores, revoked }) =>
      `  ${name}  ${revoked ? "revoked" : owner ? "owner" : "member"}, ${countOf(stores, "store")}`
    ),
    ...data.erasures.map(({ by, ts, ids, confirmed, waiting }) =>
      `erased by ${by}, ${view.time(ts)}: ${
        countOf(ids.length, "entry", "entries")
      }; confirmed by ${confirmed.join(", ") || "no one yet"}${
        waiting.length > 0 ? `; waiting for ${waiting.join(", ")}` : ""
      }`
    ),
  ];
  return `${lines.join("\n")}\n`;
}
