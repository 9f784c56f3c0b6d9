// `ctx share`, `unshare`: what the team gets beside what the policy lets leave, and what it does not.

import { CtxError } from "../../core/errors.ts";
import { refuseShared } from "../../store/lifecycle/shared_ids.ts";
import type { Store } from "../../store/store.ts";
import { findPushedKinds } from "../../store/team/pushed_log.ts";
import { readRemote } from "../../store/team/remote_file.ts";
import { type ShareAction, takenBackId } from "../../store/team/share_log.ts";
import { canBeShared } from "../../team/sync/gate.ts";
import { type Context, define } from "../../command/command.ts";
import { recordAct } from "../../command/record_act.ts";
import * as s from "../../command/shape.ts";
import { countOf } from "../../command/view.ts";

const input = { targets: s.naming("H or S", s.list("Ids of entries (H-…) and sessions (S-…).")) };
const output = {
  /** Each with what it was: an entry or a session. */
  targets: s.listOf(s.object(s.each(s.optional(s.text()), "id", "session_id"))),
  /** How many of the entries the team has already. */
  in_space: s.number(),
  /** The space of this workspace; none when it has not joined one. */
  space: s.optional(s.text()),
};

export const share = define({
  name: "share",
  summary: "Share entries or whole sessions with the next sync.",
  description:
    "Shares more than `share.policy` does by default. A session is shared without tool output and thinking, unless `share.tool_output` or `share.thinking` is on; an entry given by id is always shared. Documents and confirmations are never shared. Secrets are redacted once more, and home directories become `~`. `ctx sync --dry-run` lists what would be shared.",
  input,
  output,
  positional: ["targets"],
  effect: "write",
  local: true,
  examples: [{ argv: ["team", "share", "H-1m2ff20hgvzrprjcr"], about: "Share one entry." }],
  run: ({ targets }, context) => say("share", targets, context),
  render: (data) =>
    `Shared ${describe(data.targets)}; ${
      data.space === undefined
        ? "it is sent once this workspace joins a space: ctx team add"
        : "it is sent with the next ctx sync"
    }.\n`,
});

export const unshare = define({
  name: "unshare",
  summary: "Stop sharing entries or sessions, and erase them for the team.",
  description:
    "They stay in this store, and no policy shares them any more. What was pushed is erased in the space with the next sync, and on other members' disks with theirs; `ctx team status` shows who has confirmed. An erased entry cannot be shared again under the same id.",
  input,
  output,
  positional: ["targets"],
  effect: "write",
  local: true,
  examples: [{
    argv: ["team", "unshare", "H-1m2ff20hgvzrprjcr"],
    about: "Stop sharing one entry.",
  }],
  run: ({ targets }, context) => say("unshare", targets, context),
  render: (data) =>
    `${capital(describe(data.targets))} stays here${
      data.in_space === 0
        ? ""
        : `; ${
          countOf(data.in_space, "entry", "entries")
        } the team has, and the next ctx sync erases`
    }.\n`,
});

interface Target {
  id?: string;
  session_id?: string;
}

async function say(
  action: ShareAction,
  names: readonly string[],
  context: Context,
): Promise<{ targets: Target[]; in_space: number; space?: string }> {
  const store = await context.openStore();
  if (names.length === 0) {
    throw new CtxError("USAGE", `Cannot ${action}: give ids of entries or sessions`, {
      hint: `ctx team ${action} --help`,
    });
  }
  const sessions = readSessionIds(store, names);
  const ids = names.filter((name) => !sessions.has(name));
  checkEntries(action, ids, store);
  const pushed = findPushedKinds(store);
  if (action === "share") refuseErased(ids, pushed);
  const targets = names.map((name): Target =>
    sessions.has(name) ? { session_id: name } : { id: name }
  );
  const ts = new Date(context.now()).toISOString();
  await store.write(action, (writer) => {
    writer.appendRows(store.layout.shares, targets.map((target) => ({ ts, action, ...target })));
  });
  recordAct(store, context, { act: action, ids: [...names] });
  const space = readRemote(store)?.space;
  return {
    targets,
    in_space: countPushed(store, { ids, sessions, pushed }),
    ...(space === undefined ? {} : { space }),
  };
}

/** Which of the names are sessions: those that entries here belong to. */
function readSessionIds(store: Store, names: readonly string[]): Set<string> {
  const known = store.readSessions();
  const begun = names.filter((name) => /^s-/i.test(name));
  const sessions = new Set(begun.filter((name) => known.has(name)));
  for (const name of begun) if (store.readSession(name).length > 0) sessions.add(name);
  return sessions;
}

/** Every entry must be there, one's own, and of a kind that can leave. */
function checkEntries(action: ShareAction, ids: readonly string[], store: Store): void {
  const found = store.find(ids);
  const own = readRemote(store)?.name;
  for (const id of ids) {
    const hit = found.get(id);
    const entry = hit?.forgotten ? undefined : hit?.row?.entry;
    if (entry === undefined) {
      throw new CtxError("NOT_FOUND", `Cannot ${action} "${id}": there is no such entry`, {
        hint: "ctx search QUERY finds ids; ctx sessions lists sessions",
      });
    }
    if (typeof entry.author === "string" && entry.author !== own) {
      throw new CtxError("DENIED", `Cannot ${action} "${id}": ${entry.author} wrote it`, {
        hint: "only its author can share it; save it in your own words with: ctx save TEXT",
      });
    }
    if (action === "share" && !canBeShared(entry)) {
      throw new CtxError("DENIED", `Cannot share "${id}": type ${entry.type} is never shared`, {
        hint: "save it as a note, which can be shared: ctx save TEXT",
      });
    }
    refuseShared(id, hit!, { action });
  }
}

/** An id is taken once in a space, and its bytes are gone there. */
function refuseErased(ids: readonly string[], pushed: ReadonlyMap<string, string>): void {
  const erased = ids.find((id) => pushed.has(takenBackId(id)));
  if (erased === undefined) return;
  throw new CtxError("DENIED", `Cannot share "${erased}" again: it was erased in the space`, {
    hint: "save it as a new entry, which can be shared: ctx save TEXT",
  });
}

function countPushed(
  store: Store,
  { ids, sessions, pushed }: {
    ids: readonly string[];
    sessions: ReadonlySet<string>;
    pushed: ReadonlyMap<string, string>;
  },
): number {
  if (pushed.size === 0) return 0;
  const named = [...sessions].flatMap((id) => store.readSession(id).map((place) => place.id));
  const isThere = (id: string): boolean =>
    pushed.get(id) === "entry" && !pushed.has(takenBackId(id));
  return [...new Set([...ids, ...named])].filter(isThere).length;
}

function describe(targets: readonly Target[]): string {
  const [first] = targets;
  if (targets.length === 1) return first.id ?? `session ${first.session_id}`;
  const sessions = targets.filter(({ session_id }) => session_id !== undefined).length;
  return [
    ...(sessions < targets.length ? [countOf(targets.length - sessions, "entry", "entries")] : []),
    ...(sessions > 0 ? [countOf(sessions, "session")] : []),
  ].join(" and ");
}

function capital(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}
