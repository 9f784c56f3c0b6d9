// `ctx forget`: hides entries, and removes them for good with --now.

import { authorOf, type Entry, ownPools } from "../../core/entry.ts";
import { CtxError } from "../../core/errors.ts";
import { parseWhen } from "../../core/time/parse_when.ts";
import { findDerived } from "../../store/lifecycle/derived.ts";
import { eraseForAll, forgetNow } from "../../store/lifecycle/forget_entries.ts";
import { findRevived } from "../../store/lifecycle/revived.ts";
import { refuseShared, refuseSharing } from "../../store/lifecycle/shared_ids.ts";
import { forgetForNow } from "../../store/lifecycle/take_back.ts";
import { readHeld } from "../../store/logs/held_words.ts";
import type { Store } from "../../store/store.ts";
import { findPushed } from "../../store/team/pushed_log.ts";
import { readRemote } from "../../store/team/remote_file.ts";
import { type Context, define } from "../../command/command.ts";
import { recordAct } from "../../command/record_act.ts";
import { example, findExamples, renderExamples } from "../../view/shown_entries.ts";
import * as s from "../../command/shape.ts";
import { resolveSession } from "../../command/session_scope.ts";
import { isPinOf } from "../../store/logs/pins.ts";
import { refuseUsersPins } from "../../store/logs/users_pins.ts";
import { countOf } from "../../command/view.ts";

export const forget = define({
  name: "forget",
  summary: "Forget entries by id, by session or before a date.",
  description:
    "Entries are hidden at once. Their data is deleted from disk with `--now`, or by the next `ctx forget --gc`; until then `ctx undo` restores them. With --session and --before, both must match. Everything made from an entry goes with it: other versions of the same message and later summaries by the agent (`derived`), session titles, pins, lines of summary.md, records, traces, suggestions, injections and chats; importing again does not bring it back. If you forget a correction, the corrected entry counts again (`revived`). Shared entries are erased for the team with the next sync; only its author, or the owner with --now, can forget a team entry.",
  input: {
    ids: s.naming("H", s.list("Ids of entries (H-…).")),
    session: s.naming("S", s.optionalText("Forget all entries of this session.")),
    before: s.optionalText("Forget entries before this time (2026-11-15, 90d, last year)."),
    now: s.flag("Delete the data from disk right away."),
    dry_run: s.flag("Show what would be forgotten; change nothing."),
  },
  output: {
    forgotten: s.listOf(s.text()),
    count: s.number(),
    /** Those of them that nobody named: made of the others, or other revisions of them. */
    derived: s.listOf(s.text()),
    erased: s.boolean(),
    /** Entries that what was forgotten had corrected, and that count again. */
    revived: s.listOf(s.text()),
    /** Held words of the session, which its transcript does not have yet. */
    held: s.optional(s.number()),
    /** How many of them the team has, until the next sync. */
    in_space: s.optional(s.number()),
    dry_run: s.boolean(),
    /** Of a dry run: some of what would be forgotten. */
    examples: s.optional(s.listOf(example)),
  },
  positional: ["ids"],
  effect: "destroy",
  tool: "forget",
  question({ now }, planned) {
    if (planned === undefined || planned.count + (planned.held ?? 0) === 0) return undefined;
    const what = countOf(planned.count, "entry", "entries");
    return now ? `Forget ${what} and delete the data for good?` : `Forget ${what}?`;
  },
  examples: [
    {
      argv: ["forget", "H-1m2ff20hgvzrprjcr", "--now", "--yes"],
      about: "Forget one entry and delete its data.",
    },
    {
      argv: ["forget", "--before", "2020-01-01", "--dry-run"],
      about: "Show what would be deleted.",
    },
  ],
  async run(input, context) {
    const store = await context.openStore();
    if (input.ids.length === 0 && input.session === undefined && input.before === undefined) {
      throw new CtxError("USAGE", "Cannot forget: give ids, --session or --before", {
        hint: "ctx forget --help",
      });
    }
    if (input.now && context.scopedSession !== undefined) {
      throw new CtxError("DENIED", "Cannot delete data: this view is scoped to one session", {
        hint: "leave out now; the next `ctx forget --gc` deletes forgotten data",
      });
    }
    const { ids: named, others } = pickByIds(store, input);
    const ids = [...named, ...pickByRange(store, input, context)];
    const derived = findDerived(store, new Set(ids));
    const own = [...new Set([...ids, ...derived])];
    const forgotten = [...own, ...others];
    refuseUsersPins(store, context, { action: "forget", isMeant: isPinOf(forgotten) });
    const inSpace = others.length + findPushed(store, new Set(own)).size;
    const revived = findRevived(store, new Set(forgotten));
    const held = findHeld(store, input, context);
    if (!input.dry_run && forgotten.length + held.length > 0) {
      const trail = await store.write("forget", (writer) => {
        for (const path of held) writer.files.remove(path);
        if (forgotten.length === 0 || !input.now) return forgetForNow(writer, forgotten);
        if (own.length > 0) forgetNow(writer, own);
        if (others.length > 0) eraseForAll(writer, others);
      });
      if (forgotten.length > 0) {
        recordAct(store, context, {
          ...(trail ? { act: "forget", ...trail } : { act: "erase", count: forgotten.length }),
          command: input.now ? "forget --now" : "forget",
        });
      }
    }
    return {
      forgotten: forgotten.slice(0, 1000),
      count: forgotten.length,
      derived: derived.slice(0, 1000),
      erased: input.now && !input.dry_run && forgotten.length > 0,
      revived: revived.slice(0, 1000),
      ...(held.length > 0 ? { held: held.length } : {}),
      ...(inSpace > 0 ? { in_space: inSpace } : {}),
      dry_run: input.dry_run,
      // What was named comes first, then what goes with it.
      ...(input.dry_run
        ? { examples: findExamples(store, ids.length < 5 ? forgotten.slice(0, 5) : ids) }
        : {}),
    };
  },
  render(data, view) {
    const what = countOf(data.count, "entry", "entries") + describeDerived(data.derived.length);
    const revived = renderInSpace(data.in_space) + renderRevived(data.revived, data.dry_run);
    if (data.dry_run) {
      const list = renderExamples({ examples: data.examples ?? [], count: data.count }, view);
      return `Would forget ${what}${list === "" ? "" : ":"}\n${list}${revived}`;
    }
    if (data.count === 0) return "Nothing to forget.\n";
    return data.erased
      ? `Forgot ${what}; the data is deleted.\n${revived}`
      : `Forgot ${what}. Restore with ctx undo; delete from disk with ctx forget --gc.\n${revived}`;
  },
});

/** Says how many of what went nobody had named. */
export function describeDerived(count: number): string {
  return count === 0 ? "" : ` (${count} derived from the others, or the same message)`;
}

/** What the team still has of what went. */
export function renderInSpace(count: number | undefined): string {
  if (count === undefined) return "";
  return `The team still has ${countOf(count, "of them", "of them")} until the next ctx sync.\n`;
}

/** Tells that older facts count again, and how to forget them as well; empty when there are none. */
export function renderRevived(revived: readonly string[], willForget: boolean): string {
  if (revived.length === 0) return "";
  const shown = revived.slice(0, 5);
  const names = `${shown.join(", ")}${revived.length > shown.length ? ", …" : ""}`;
  const verb = willForget ? "would become current again" : "is current again";
  return `The corrected entry ${verb}: ${names}\nForget it as well: ctx forget ${
    shown.join(" ")
  }\n`;
}

/**
 * What was forgotten before can be named again with --now, as long as its bytes are there. What others
 * wrote is told apart.
 */
function pickByIds(
  store: Store,
  { ids, now }: { ids: string[]; now: boolean },
): { ids: string[]; others: string[] } {
  if (ids.length === 0) return { ids, others: [] };
  const found = store.find(ids);
  const missing = ids.filter((id) => !found.get(id)?.row || (found.get(id)?.forgotten && !now));
  if (missing.length > 0) {
    const names = missing.slice(0, 5).map((id) => `"${id}"`).join(", ");
    throw new CtxError("NOT_FOUND", `Cannot forget ${names}: there is no such entry`, {
      hint: "nothing was forgotten; ctx search QUERY finds ids",
    });
  }
  for (const [id, hit] of found) refuseShared(id, hit, { action: "forget" });
  const remote = readRemote(store);
  const others = ids.filter((id) => {
    const row = found.get(id)?.row;
    const author = row && authorOf(row);
    if (author === undefined || author === remote?.name) return false;
    if (!remote?.owner || !now) throw notYours({ id, author, isOwner: remote?.owner === true });
    return true;
  });
  return { ids: ids.filter((id) => !others.includes(id)), others };
}

/** An entry is its author's to forget; who owns the space can erase it for all. */
function notYours(
  { id, author, isOwner }: { id: string; author: string; isOwner: boolean },
): CtxError {
  return new CtxError("DENIED", `Cannot forget "${id}": ${author} wrote it`, {
    hint: isOwner
      ? `ctx forget ${id} --now erases it for the whole team`
      : `nothing was forgotten; ask ${author}, or the owner of the space`,
  });
}

/** Words of a session that is forgotten as a whole, which wait for their transcript. */
function findHeld(
  store: Store,
  input: { session?: string; before?: string },
  context: Context,
): string[] {
  if (input.session === undefined || input.before !== undefined) return [];
  if (context.scopedSession !== undefined) return [];
  const session = resolveSession(input.session, store, context);
  const meta = store.readSessions().get(session ?? "");
  if (meta?.source === undefined || meta.conversation === undefined) return [];
  return readHeld(store).flatMap(({ path, words }) =>
    words?.agent === meta.source && words?.conversation === meta.conversation ? [path] : []
  );
}

function pickByRange(
  store: Store,
  input: { session?: string; before?: string },
  context: Context,
): string[] {
  if (input.session === undefined && input.before === undefined) return [];
  const session = input.session === undefined
    ? undefined
    : resolveSession(input.session, store, context);
  const before = input.before && parseWhen(input.before, context.now());
  if (session === undefined && before === undefined) {
    throw new CtxError("USAGE", `Cannot forget session "${input.session}": name one session`, {
      hint: "nothing was forgotten; ctx sessions",
    });
  }
  const picked: string[] = [];
  const own = readRemote(store)?.name;
  const isIn = (entry: Entry): boolean =>
    (session === undefined || entry.session_id === session) && (entry.author ?? own) === own;
  const isMeant = (entry: Entry): boolean =>
    isIn(entry) && (before === undefined || entry.ts < before);
  let isKnown = session === undefined || store.readSessions().has(session);
  // What others wrote is theirs to forget.
  for (const { entry } of store.entries({ pools: ownPools })) {
    isKnown ||= isIn(entry);
    if (isMeant(entry)) picked.push(entry.id);
  }
  refuseSharing(store, picked, { action: "forget", isMeant });
  // Elsewhere the beginning of an id will do: who believes so here must not think it is gone.
  if (!isKnown) {
    throw new CtxError(
      "NOT_FOUND",
      `Cannot forget session "${session}": no such session`,
      {
        hint: "nothing was forgotten; ctx sessions shows whole ids",
      },
    );
  }
  return picked;
}
