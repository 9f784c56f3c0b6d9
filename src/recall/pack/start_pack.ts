// The pack of this store, as `ctx pack` shows it and as a session is given it when it starts.

import { type Block, emptyBlock } from "./block.ts";
import { makePack, type Pack, type PackOptions, toPackLine } from "./make_pack.ts";
import type { PackItem } from "./pack_item.ts";
import { mostKept } from "./known.ts";
import type { StartingClient } from "./client_lines.ts";
import { packLine } from "./pack_line.ts";
import { readPackItems } from "./pack_items.ts";
import { countTokens } from "../../core/tokens.ts";
import type { Config } from "../../config/merged_config.ts";
import { findBranch, findRepository } from "../../code/git/git_repository.ts";
import { isUptake, readInjections } from "../../store/logs/injection_log.ts";
import type { Store } from "../../store/store.ts";
import { committedIn } from "../distil/commits/committed_words.ts";
import {
  type LastWork,
  lookAtCode,
  lookAtWork,
  type Looked,
  type LookedWork,
} from "./find_stale_ids.ts";
import { readStanding } from "./standing.ts";

export interface StartPackOptions {
  config: Config;
  nowMs: number;
  /** `inject.start_tokens` otherwise. */
  budgetTokens?: number;
  format?: PackOptions["format"];
  /** Only what belongs to this session. */
  session?: string;
  /** What a session that is resumed was told before, by id. */
  given?: ReadonlySet<string>;
  /** The sessions that it goes on with: what is known from them it knows. */
  held?: ReadonlySet<string>;
  /** The agent that starts: what its own files say is left out. */
  client?: StartingClient;
  /** Whether recent turns are shown where nothing else is known. */
  turnsAlone?: boolean;
  /** Only these sections. */
  sections?: readonly PackItem["section"][];
}

/** Of recent turns this many are kept to choose from: no more could fit, about. */
const minTurns = 60;
const maxTurns = 2000;
const tokensPerTurn = 40;
/** The same for lines of other kinds: an id and a date alone take more. */
const tokensPerLine = 20;
const minLines = 64;

/** What lines without an id are from; others are of a session whose records are not written yet. */
const subjects: Partial<Record<PackItem["section"], string>> = {
  pins: "pins.md",
  summary: "summary.md",
};

/** A pack, and what was found out on the way. */
export interface StartPack {
  budget: number;
  made: Pack;
  looked: Looked;
  /** What the agent loads by itself, each with the file that says it. */
  loaded: { item: PackItem; file: string }[];
  /** Whether nothing is left to do before the next start: records to derive, code to look at. */
  isSettled: boolean;
}

/** Makes the pack; recent turns fill it only when more is asked for than a session's start is given. */
export async function makeStartPack(
  store: Store,
  options: StartPackOptions,
): Promise<StartPack> {
  const { workspace } = store.layout;
  const usual = options.config.get("inject.start_tokens");
  const budget = options.budgetTokens ?? usual;
  const repository = findRepository(workspace);
  const wantsTurns = budget > usual || options.session !== undefined;
  const most = Math.max(minLines, Math.ceil(budget / tokensPerLine));
  const found = await readPackItems(store, {
    nowMs: options.nowMs,
    workspace,
    branch: repository && findBranch(repository),
    standing: readStanding(store),
    session: options.session,
    held: options.held,
    most,
    // More than is kept ready is worth reading all for.
    isWhole: most > mostKept,
    ...(wantsTurns
      ? { turns: Math.min(maxTurns, Math.max(minTurns, Math.ceil(budget / tokensPerTurn))) }
      : options.turnsAlone === false
      ? { turns: 0 }
      : {}),
  });
  const { olderTurns, more, isSettled, looked: before, lastWork } = found;
  const work = await lookAtWork(store, lastWork, { nowMs: options.nowMs, before: before?.work });
  const fresh = found.items.filter(({ id, section }) =>
    (id === undefined || !options.given?.has(id)) && (options.sections?.includes(section) ?? true)
  );
  const loaded = await findLoaded(fresh, workspace, options.client);
  const own = new Set(loaded.map(({ item }) => item));
  const newest = Math.max(0, ...found.items.map(({ ts }) => Date.parse(ts ?? "") || 0));
  const worn = findWorn(store, fresh);
  const wanted = fresh.filter((item) =>
    !own.has(item) && !isPassed(item, { newest, now: options.nowMs }) && !worn.has(item.id ?? "")
  );
  const items = work === undefined
    ? wanted
    : wanted.flatMap((item) => tellWork(item, { work, lastWork, workspace }) ?? []);
  const make = (some: PackItem[]): Pack =>
    makePack(some, {
      budgetTokens: budget,
      olderTurns,
      more,
      format: options.format ?? "text",
      nowMs: options.nowMs,
      workspace: workspace.replace(/^.*\//, "") || "workspace",
    });
  const made = make(items);
  // Only of what is given it is asked whether its code is still so. Where work was left stays true.
  const asked = made.packed.filter(({ section }) => section !== "last");
  const code = await lookAtCode(store, asked.flatMap(({ id }) => id ?? []), before);
  const looked = code === before && work === before?.work
    ? code
    : { ...code, ...(work === undefined ? {} : { work }) };
  const changed = new Set(looked.changed);
  const facts = { budget, looked, loaded, isSettled: isSettled && looked === before };
  if (changed.size === 0) return { ...facts, made };
  const marked = items.flatMap((item): PackItem[] => {
    if (!changed.has(item.id ?? "")) return [item];
    // Of what a rule found nobody says that it still holds.
    return item.grade === "derived" ? [] : [{ ...item, stale: true as const }];
  });
  return { ...facts, made: make(marked) };
}

/** The items that an agent's own files say; where work was left off is never in them. */
async function findLoaded(
  items: readonly PackItem[],
  workspace: string,
  client?: StartingClient,
): Promise<StartPack["loaded"]> {
  if (client === undefined || items.length === 0) return [];
  const { readClientLines } = await import("./client_lines.ts");
  const findFile = readClientLines(workspace, client);
  return items.flatMap((item) => {
    if (item.section === "last" || item.section === "recent") return [];
    const file = findFile(item.text, item.grade === "derived");
    return file === undefined ? [] : [{ item, file }];
  });
}

/**
 * Whether a rule found it days before the newest that is known: what still matters is told where a prompt or
 * an edit is about it, not at every start. Demands last.
 */
function isPassed(
  { section, grade, ts, narrow }: PackItem,
  at: Record<"newest" | "now", number>,
) {
  return grade === "derived" && section !== "preferences" && section !== "last" &&
    ts !== undefined &&
    (narrow === true ? at.now - dayMs : at.newest - 3 * dayMs) > Date.parse(ts);
}

const dayMs = 24 * 3_600_000;

/** What one session start was told and no other is: a guess gets no truer by repeating. */
function findWorn(store: Store, items: readonly PackItem[]): Set<string> {
  const narrow = items.flatMap(({ id, narrow }) => narrow && id !== undefined ? [id] : []);
  if (narrow.length === 0) return new Set();
  const rows = readInjections(store, { needles: narrow.map((id) => JSON.stringify(id)) });
  const told = [...rows].flatMap((row) =>
    isUptake(row) || row.event !== "SessionStart" ? [] : row.lines.map(({ id }) => id)
  );
  return new Set(narrow).intersection(new Set(told));
}

/** Says of where work was left what git knows of it now; undefined where it is no longer there. */
function tellWork(
  item: PackItem,
  { work: { uncommitted, state }, lastWork, workspace }: {
    work: LookedWork;
    lastWork: LastWork;
    workspace: string;
  },
): PackItem | undefined {
  if (item.section !== "last" || item.author !== undefined) return item;
  if (state === "past") return undefined;
  if (uncommitted.length > 0) {
    const isAll = uncommitted.length === lastWork.edited.length;
    const told = sayUncommitted(isAll ? item.text : "", uncommitted, workspace);
    return { ...item, text: `${item.text} ${told}` };
  }
  // What is committed here is the top of git's log, and that its check passed surprises nobody.
  const isSeen = lastWork.elsewhere === undefined && committedIn(lastWork.line ?? "") !== undefined;
  return isSeen ? undefined : item;
}

function sayUncommitted(text: string, paths: readonly string[], workspace: string): string {
  const names = paths.map((path) =>
    path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path
  );
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  // The files that it names are not named twice.
  if (more === "" && names.every((name) => text.includes(name))) return "Not committed.";
  return packLine(`Not committed: ${names.slice(0, mostNamed).join(", ")}${more}.`, 240).text;
}

const mostNamed = 3;

/**
 * What a session is given when it starts, and when its context was lost: after /clear or a compaction. One
 * that is resumed still has what it was given: it gets what is new. Recent turns alone are not given: an
 * empty frame would cost tokens and say nothing.
 */
export async function makeStartBlock(
  store: Store,
  options: Pick<StartPackOptions, "config" | "nowMs" | "given" | "held" | "client">,
): Promise<Block & { isSettled?: boolean }> {
  const { config, nowMs } = options;
  if (!config.get("inject.start")) {
    return emptyBlock(
      "context at session start is turned off; to turn it on: ctx config set inject.start true",
    );
  }
  const { made, budget, isSettled, loaded } = await makeStartPack(store, {
    ...options,
    turnsAlone: false,
  });
  const packed = made.packed.filter(({ section }) => section !== "recent");
  return {
    ...toBlock(packed, { text: made.text, nowMs }),
    budget,
    isSettled,
    left_out: [
      ...made.left.filter(({ item }) => item.section !== "recent"),
      ...loaded.map(({ item, file }) => ({ item, why: `the agent loads it from ${file}` })),
    ].map(({ item, why }) => ({
      ...(item.id === undefined ? {} : { id: item.id }),
      kind: item.label,
      text: item.text,
      why,
      count: 1,
    })),
    notes: [
      ...(packed.length + loaded.length > 0 ? [] : ["nothing is pinned, saved or derived yet"]),
      ...toSaved(loaded, nowMs),
    ],
  };
}

/** The standing rules alone, for a sub-agent. */
export async function makeRulesBlock(
  store: Store,
  options: Pick<StartPackOptions, "config" | "nowMs" | "client" | "budgetTokens">,
): Promise<Block> {
  const { made } = await makeStartPack(store, {
    ...options,
    turnsAlone: false,
    sections: ["pins", "preferences"],
  });
  return toBlock(made.packed, { text: made.text, nowMs: options.nowMs });
}

/** A block of lines of a pack; an empty frame would cost tokens and say nothing. */
function toBlock(
  packed: readonly PackItem[],
  { text, nowMs }: { text: string; nowMs: number },
): Block {
  return {
    text: packed.length > 0 ? text : "",
    lines: packed.map((item) => ({
      ...(item.id === undefined
        ? { subject: subjects[item.section] ?? "session" }
        : { id: item.id }),
      kind: item.label,
      text: toPackLine(item, nowMs),
    })),
    left_out: [],
    notes: [],
  };
}

/** How much is saved by not sending what the agent has. */
function toSaved(loaded: StartPack["loaded"], nowMs: number): string[] {
  if (loaded.length === 0) return [];
  const tokens = countTokens(loaded.map(({ item }) => toPackLine(item, nowMs)).join("\n"));
  const files = [...new Set(loaded.map(({ file }) => file))].join(", ");
  const lines = loaded.length === 1 ? "1 line" : `${loaded.length} lines`;
  return [`${lines} (${tokens} tokens) not sent: the agent loads ${files}`];
}
