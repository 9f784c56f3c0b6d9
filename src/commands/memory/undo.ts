// `ctx undo`: takes back what was done last, as long as the bytes are there.

import { findConfigFault, findConfigKey } from "../../config/config_keys.ts";
import { CtxError } from "../../core/errors.ts";
import { type Act, type ActDraft, isForward } from "../../store/logs/act_log.ts";
import { findPinPlaces, isPinOf, readPinsText, removePin, toPlace } from "../../store/logs/pins.ts";
import {
  findHidden,
  forgetForNow,
  pinAgain,
  unforget,
  untitleAgain,
} from "../../store/lifecycle/take_back.ts";
import { replaceText } from "../../disk/text_files.ts";
import type { Store } from "../../store/store.ts";
import type { Writer } from "../../store/writer.ts";
import { type Context, define } from "../../command/command.ts";
import { findOwnActs, readAllActs } from "../../command/own_acts.ts";
import { recordAct } from "../../command/record_act.ts";
import { findCurrentSession } from "../../command/session_scope.ts";
import * as s from "../../command/shape.ts";
import { example, findExamples, renderExamples } from "../../view/shown_entries.ts";
import { refuseUsersPins } from "../../store/logs/users_pins.ts";
import { countOf } from "../../command/view.ts";
import { readOwnSetting, writeSetting } from "../../command/write_setting.ts";

const act = s.object({
  ...s.each(s.text(), "id", "ts", "did"),
  session_id: s.optional(s.text()),
  ...s.each(s.boolean(), "yours", "undone"),
});
type ShownAct = s.ValueOf<typeof act>;

/** More than this is not listed in one line: taking back such a restore means forgetting anew. */
const maxRestored = 500;

export const undo = define({
  name: "undo",
  summary: "Undo your last change: a forget, pin, save, edit or setting.",
  description:
    "Shows what it would undo and asks first. Run it again to go one step further back; give the id of an undo to redo it. Without an id, only actions of your own session (CTX_SESSION, else the current one) are undone; --anyone includes those of others. A forget can be undone until its data is deleted (forget --now, --purge or --gc) or, for shared entries, until the next sync; its traces and suggestions are not restored. Undoing a handoff removes the files it wrote, unless the agent has changed them since. Changes to secret settings cannot be undone, because their values are not kept.",
  input: {
    act: s.optional(
      s.text("An id (A-…) from --list (default: your last change).", 1),
    ),
    list: s.flag("List recent changes, newest first."),
    anyone: s.flag("Undo the last change, even if someone else made it."),
    limit: s.integer("Changes to list.", { min: 1, max: 1000, default: 10 }),
    dry_run: s.flag("Show what would be undone; change nothing."),
  },
  output: {
    acts: s.listOf(act),
    /** How many entries come back, or go. */
    count: s.number(),
    ...s.each(s.boolean(), "list", "dry_run"),
    /** Of a dry run: some of those entries. */
    examples: s.optional(s.listOf(example)),
  },
  positional: ["act"],
  effect: "write",
  tool: "undo",
  unscoped: true,
  destroys: ({ list }) => !list,
  question(_input, planned) {
    if (planned === undefined) return undefined;
    const [{ did, yours, session_id }] = planned.acts;
    const whose = yours ? "" : ` (by ${session_id ?? "someone outside a session"}, not by you)`;
    return `Undo "${withoutTexts(did)}"${whose}?`;
  },
  // Somebody may do something while the question stands.
  agreed: (input, { acts: [{ id }] }) => ({ ...input, act: id }),
  examples: [
    {
      argv: ["undo", "--yes"],
      about: "Undo the last change.",
      after: [["save", "Not what I meant"]],
    },
    { argv: ["undo", "--list"], about: "List recent changes." },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const acts = readAllActs(store, context);
    const undone = new Set(acts.flatMap(({ undoes }) => undoes ?? []));
    const own = findCurrentSession(store, context);
    const isYours = (one: Act): boolean => one.session_id === own && isAgents(one, context);
    const show = (one: Act): ShownAct => ({
      id: one.act_id,
      ts: one.ts,
      did: describe(one),
      ...(one.session_id === undefined ? {} : { session_id: one.session_id }),
      yours: isYours(one),
      undone: undone.has(one.act_id),
    });
    if (input.list) {
      const shown = acts.toReversed().slice(0, input.limit).map(show);
      return { acts: shown, count: 0, list: true, dry_run: false };
    }
    const wanted = pick(input, { acts, undone, isYours, show });
    const plan = await planUndo(wanted, store, context);
    const result = { acts: [show(wanted)], count: plan.ids.length, list: false };
    if (input.dry_run) {
      return { ...result, dry_run: true, examples: findExamples(store, plan.ids) };
    }
    await plan.run();
    return { ...result, dry_run: false };
  },
  render(data, view) {
    if (data.list) {
      if (data.acts.length === 0) return "No changes recorded yet.\n";
      return view.table(data.acts.map((item) => [
        view.bold(item.id),
        view.time(item.ts),
        item.did,
        view.dim(
          [
            item.undone ? "undone" : "",
            item.yours ? "" : `by ${item.session_id ?? "someone outside a session"}`,
          ].filter(Boolean).join(", "),
        ),
      ])) + "\n";
    }
    const [{ did, ts }] = data.acts;
    const when = view.time(ts);
    if (!data.dry_run) return `Undone: ${did} (${when})\n`;
    const list = renderExamples({ examples: data.examples ?? [], count: data.count }, view);
    return `Would undo: ${did} (${when})\n${list}`;
  },
});

/** What an act was, without words of entries. */
function describe(done: Act): string {
  const { act, ids = [], pins = [], count = 0, key, user, before, after, supersedes } = done;
  const entries = countOf(count, "entry", "entries");
  const undid = isForward(done) ? "" : "undo: ";
  switch (act) {
    case "save":
      return `save ${ids[0]}${supersedes ? ` (corrects ${supersedes})` : ""}`;
    case "pin":
      return `${undid}pin ${pins.map(({ id, text }) => id ?? text).join(", ")}${
        ids.length > 0 ? ", a new entry" : ""
      }`;
    case "unpin":
      return `${undid}unpin ${pins.map(({ id, text }) => id ?? text).join(", ")}`;
    case "forget":
      return `${undid}forget ${entries}`;
    case "restore":
      return `${undid}show ${countOf(count, "forgotten entry", "forgotten entries")} again`;
    case "erase":
      return `${done.command ?? "erase"} of ${entries}`;
    case "share":
    case "unshare":
      return `${act} ${ids.join(", ")}`;
    case "title":
      return `${undid}title of ${done.title?.session}`;
    case "handoff":
      return `${undid}handoff of ${ids[0]} to ${done.command}`;
    case "config": {
      const where = user ? " --user" : "";
      const toText = (value: unknown): string =>
        value === undefined ? "unset" : typeof value === "string" ? value : JSON.stringify(value);
      const isKept = before !== undefined || after !== undefined;
      return `${undid}config${where} ${key}${
        isKept ? `: ${toText(before)} → ${toText(after)}` : ""
      }`;
    }
  }
}

/** The same without lines that people pinned and values: agents are told those only where they are marked. */
function withoutTexts(did: string): string {
  return did.replace(/^((?:undo: )?(?:un)?pin) (?!H-)[^]*$/, "$1 of a line")
    .replace(/^((?:undo: )?config(?: --user)? [\w.]+): [^]*$/, "$1");
}

/** The act that is named, or the last one of the caller that is no undo and was not taken back. */
function pick(
  { act: id, anyone }: { act?: string; anyone: boolean },
  { acts, undone, isYours, show }: {
    acts: Act[];
    undone: ReadonlySet<string>;
    isYours: (act: Act) => boolean;
    show: (act: Act) => ShownAct;
  },
): Act {
  if (id !== undefined) {
    const found = acts.find(({ act_id }) => act_id === id);
    if (found === undefined) {
      throw new CtxError("NOT_FOUND", `Cannot undo "${id}": there is no such change`, {
        hint: "ctx undo --list",
      });
    }
    if (undone.has(id)) {
      throw new CtxError(
        "USAGE",
        `Cannot undo "${withoutTexts(describe(found))}": it was already undone`,
        {
          hint: "ctx undo --list shows that undo; give its id to redo the change",
        },
      );
    }
    return found;
  }
  const open = acts.filter((one) => isForward(one) && !undone.has(one.act_id));
  const last = open.findLast((one) => anyone || isYours(one));
  if (last !== undefined) return last;
  const other = open.at(-1);
  if (other === undefined) {
    throw new CtxError("NOT_FOUND", "Cannot undo: there is nothing left to undo", {
      hint: "ctx undo --list",
    });
  }
  const { did, session_id } = show(other);
  const by = session_id ?? "someone outside a session";
  throw new CtxError(
    "NOT_FOUND",
    `Cannot undo: you have no changes left to undo; the last change, "${
      withoutTexts(did)
    }", is by ${by}`,
    { hint: `ctx undo ${other.act_id}; ctx undo --list` },
  );
}

/** Whether the caller may take an act back: the user any, an agent what it did itself. */
function isAgents(done: Act, { agent }: Context): boolean {
  return agent === undefined || done.agent === agent;
}

interface UndoPlan {
  /** The entries that come back, or go. */
  ids: string[];
  run(): Promise<unknown>;
}

async function planUndo(done: Act, store: Store, context: Context): Promise<UndoPlan> {
  if (!isAgents(done, context)) {
    const did = withoutTexts(describe(done));
    throw new CtxError("DENIED", `Cannot undo "${did}": this agent did not make that change`, {
      hint: `the user runs: ctx undo ${done.act_id}`,
    });
  }
  const taken = { undoes: done.act_id, ...(isForward(done) ? {} : { redo: true }) };
  const write = async (act: (writer: Writer) => ActDraft): Promise<void> => {
    const inverse = await store.write("undo", act);
    recordAct(store, context, { ...inverse, ...taken });
  };
  const keepPins = (ids: string[]): void =>
    refuseUsersPins(store, context, { action: "undo", isMeant: isPinOf(ids) });
  const forgetAll = (ids: string[]): UndoPlan => {
    keepPins(ids);
    return {
      ids,
      run: () => write((writer) => ({ act: "forget", ...forgetForNow(writer, ids) })),
    };
  };
  const { ids = [], tombstones = [] } = done;
  // What an agent pins waits, also where it was pinned before.
  const waiting = context.agent === undefined ? {} : { waiting: true as const };
  const pins = (done.pins ?? []).map((pin) => ({ ...pin, ...waiting }));
  switch (done.act) {
    case "save":
    case "restore":
      return forgetAll(requireThere(ids, done, store));
    case "pin":
      if (ids.length > 0) return forgetAll(requireThere(ids, done, store));
      keepPins(pins.flatMap(({ id }) => id ?? []));
      return { ids: [], run: () => write((writer) => unpinAll(writer, pins)) };
    case "unpin":
      return {
        ids: [],
        run: () =>
          write((writer) => {
            pinAgain(writer, pins);
            return { act: "pin", pins };
          }),
      };
    case "forget": {
      const hidden = findHidden(store, tombstones);
      if (hidden.length === 0) {
        throw cannot(done, "the data has been deleted since (forget --gc, --purge or --now)");
      }
      const trail = { count: hidden.length, tombstones, pins, untitled: done.untitled };
      return {
        ids: hidden,
        run: () =>
          write((writer) => {
            const shown = unforget(writer, trail);
            const listed = shown.length <= maxRestored ? { ids: shown } : {};
            return { act: "restore", count: shown.length, ...listed };
          }),
      };
    }
    case "erase":
      throw cannot(done, "the data was deleted");
    case "share":
    case "unshare":
      throw cannot(
        done,
        "to reverse it, share or unshare the entry again",
        `ctx team ${done.act === "share" ? "unshare" : "share"} ${ids.join(" ")}`,
      );
    case "title":
      return planTitle(done, write);
    case "handoff":
      return await planHandoff(done, { taken, store, context });
    case "config":
      return await planSetting(done, taken, context);
  }
}

/** Files that a handoff wrote go as long as they are as it wrote them. */
async function planHandoff(
  done: Act,
  { taken, store, context }: {
    taken: Pick<Act, "undoes" | "redo">;
    store: Store;
    context: Context;
  },
): Promise<UndoPlan> {
  const { ids, command, user, workspace, wrote = [], made: directories = [] } = done;
  const own = findOwnActs(context);
  // The log of a workspace may come with a clone, and names no file of the user's.
  if (own === undefined || user !== true) throw cannot(done, "the user's own log does not have it");
  if (!isForward(done)) throw cannot(done, "to redo it, run ctx handoff again");
  const { findUnchanged, removeWritten } = await import("../../recall/handoff/written_files.ts");
  const paths = await findUnchanged(context.files, wrote);
  if (paths.length === 0) throw cannot(done, "its files are gone");
  return {
    ids: [],
    run() {
      removeWritten(context.files, { paths, directories });
      recordAct(store, context, { act: "handoff", ids, command, user, workspace, ...taken }, own);
      return Promise.resolve();
    },
  };
}

function requireThere(ids: string[], done: Act, store: Store): string[] {
  const found = store.find(ids);
  const there = ids.filter((id) => found.get(id)?.row && !found.get(id)?.forgotten);
  if (there.length > 0) return there;
  throw cannot(done, ids.length === 0 ? "there were too many to list" : "the entry was forgotten");
}

function unpinAll(writer: Writer, pins: NonNullable<Act["pins"]>): ActDraft {
  const before = readPinsText(writer);
  const targets = pins.flatMap(({ id, text }) => id ?? text ?? []);
  const gone = findPinPlaces(before, ({ id, text }) => targets.includes(id ?? text));
  const after = targets.reduce(removePin, before);
  if (after !== before) replaceText(writer.files, writer.layout.pins, after);
  return {
    act: "unpin",
    pins: gone.map(toPlace),
  };
}

function planTitle(
  done: Act,
  write: (act: (writer: Writer) => ActDraft) => Promise<void>,
): UndoPlan {
  const { title } = done;
  if (title === undefined || !isForward(done)) throw cannot(done, "the title was not kept");
  const run = (writer: Writer): ActDraft => {
    if (!untitleAgain(writer, title)) throw cannot(done, "that title is gone");
    return { act: "title", title };
  };
  return { ids: [], run: () => write(run) };
}

async function planSetting(
  done: Act,
  taken: Pick<Act, "undoes" | "redo">,
  context: Context,
): Promise<UndoPlan> {
  const { key = "", user = false, before, after } = done;
  if (context.surface !== "cli" && context.surface !== "library") {
    throw new CtxError(
      "DENIED",
      `Cannot undo "${withoutTexts(describe(done))}" here: it is a setting`,
      {
        hint: `ctx undo ${done.act_id}`,
      },
    );
  }
  if (before === undefined && after === undefined) {
    throw cannot(done, "it is a secret, and its old value is not kept");
  }
  const known = findConfigKey(key);
  const fault = known && before !== undefined ? findConfigFault(known, before) : undefined;
  if (known === undefined || (known.userOnly && !user) || fault !== undefined) {
    throw cannot(done, fault === undefined ? "there is no such setting" : `the value ${fault}`);
  }
  const now = await readOwnSetting({ key, user }, context);
  if (JSON.stringify(now) !== JSON.stringify(after)) {
    throw cannot(done, "it was changed since by something other than ctx config");
  }
  const change = { key, user, value: before, ...taken };
  return { ids: [], run: () => writeSetting(change, context) };
}

function cannot(done: Act, why: string, instead?: string): CtxError {
  const before = "ctx undo --list shows earlier changes; ctx undo ID undoes one of them";
  return new CtxError("DENIED", `Cannot undo "${withoutTexts(describe(done))}": ${why}`, {
    hint: instead === undefined ? before : `${instead}; ${before}`,
  });
}
