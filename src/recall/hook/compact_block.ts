// What a session is given after its context was compacted: the rules that it lost, and of what it had in
// hand what the summary does not have. Claude Code writes the summary only after it asked for this: the rest
// is told at the next prompt, read or edit. Until then a file says so (`compactionMark`); without a summary
// to compare with, nothing of the session is told.

import type { Context } from "../../command/command.ts";
import type { Config } from "../../config/merged_config.ts";
import type { Entry } from "../../core/entry.ts";
import { findJson, isObject } from "../../core/json.ts";
import { escapeFence, fenceMemory, shortNotice } from "../../core/rows/fence.ts";
import { isRecord } from "../../core/rows/record.ts";
import { countTokens, roomWithin } from "../../core/tokens.ts";
import { decodeLossy, encodeExact } from "../../core/utf8.ts";
import type { Store } from "../../store/store.ts";
import { capture } from "./capture.ts";
import { compactionMark, type HookCall } from "./hook_call.ts";
import type { Block, BlockLine } from "../pack/block.ts";
import { toPackLine } from "../pack/make_pack.ts";
import { makeStartPack } from "../pack/start_pack.ts";
import { findDropped } from "../compact/find_dropped.ts";
import { type StateItem, workingState } from "../compact/working_state.ts";

/** The share of the budget that rules may take. */
const rulesShare = 0.4;
/** A mark that nobody came back for. */
const maxMarkMs = 24 * 3_600_000;
/** How long a summary is waited for. */
const waitMs = 3_600_000;

interface Mark {
  ts: string;
  agent: string;
  transcript?: string;
  /** The messages that were kept word for word, by their ids. */
  kept?: string[];
}

/** Notes that a conversation is about to be compacted, or was. */
export function markCompaction(
  store: Store,
  call: HookCall,
  nowMs: number,
  kept?: string[],
): void {
  const { agent, conversation, transcript } = call;
  if (conversation === undefined) return;
  const { files, layout: { held } } = store;
  files.makeDirectory(held);
  for (const name of files.list(held).filter((one) => one.endsWith(".compacted"))) {
    const { ts = "" } = readMark(store, `${held}/${name}`) ?? {};
    if (!(nowMs - Date.parse(ts) < maxMarkMs)) files.remove(`${held}/${name}`);
  }
  const mark: Mark = { ts: new Date(nowMs).toISOString(), agent, transcript, kept };
  const bytes = encodeExact(`${JSON.stringify(mark)}\n`);
  files.replace(compactionMark(held, conversation), bytes, { sync: false });
}

/**
 * The block of a start after a compaction; undefined where the session did nothing yet, and the usual pack
 * says more. Where the summary is not written yet, only the rules, and the rest later.
 */
export async function makeCompactBlock(
  call: HookCall,
  context: Context,
): Promise<Block | undefined> {
  const { conversation } = call;
  const [config, nowMs] = [await context.readConfig(), context.now()];
  if (conversation === undefined || !config.get("inject.start")) return undefined;
  const entries = await readConversation({ ...call, conversation }, context);
  if (!entries.some(({ type }) => type === "tool_call")) return undefined;
  const store = await context.openStore();
  const budget = config.get("inject.compact_tokens");
  const rules = await makeRules(store, { config, nowMs, budget });
  const path = compactionMark(store.layout.held, conversation);
  const mark = readMark(store, path);
  const room = roomWithin(budget) - rules.reduce((sum, { text }) => sum + countTokens(text) + 1, 0);
  // Whoever resumes a session of Qwen Code has what a prompt was told, but not what a start was.
  const isLater = call.agent === "qwen" && mark !== undefined;
  const lines = isLater ? undefined : findLost(entries, { since: mark?.ts, room });
  if (lines === undefined && mark === undefined) markCompaction(store, call, nowMs);
  if (lines !== undefined && mark !== undefined) store.files.remove(path);
  return toBlock({ rules, lost: lines ?? [] }, store, budget);
}

/** What is still to be told of a compaction, once its summary is there. Reads what the client wrote since. */
export async function takeCompactBlock(
  call: HookCall,
  context: Context,
): Promise<{ block: Block; agent: string } | undefined> {
  const { conversation = "" } = call;
  const store = await context.openStore();
  const path = compactionMark(store.layout.held, conversation);
  const mark = readMark(store, path);
  if (mark === undefined) return undefined;
  // It was called off: no summary comes any more.
  if (!(context.now() - Date.parse(mark.ts) < waitMs)) {
    store.files.remove(path);
    return undefined;
  }
  const { agent, transcript = call.transcript } = mark;
  const { event } = call;
  const entries = await readConversation({ agent, conversation, transcript, event }, context);
  const config = await context.readConfig();
  const budget = config.get("inject.compact_tokens");
  const room = roomWithin(Math.floor(budget * (1 - rulesShare)));
  const lines = config.get("inject.start")
    ? findLost(entries, { ...mark, since: mark.ts, room })
    : [];
  // Not written yet: the next time.
  if (lines === undefined) return undefined;
  store.files.remove(path);
  return { block: toBlock({ rules: [], lost: lines }, store, budget), agent };
}

function readMark({ files }: Store, path: string): Mark | undefined {
  const value = findJson(decodeLossy(files.findBytes(path) ?? new Uint8Array()));
  if (!isObject(value) || typeof value.ts !== "string" || typeof value.agent !== "string") {
    return undefined;
  }
  const { ts, agent, transcript, kept } = value;
  return {
    ts,
    agent,
    ...(typeof transcript === "string" ? { transcript } : {}),
    ...(Array.isArray(kept) ? { kept: kept.filter((id) => typeof id === "string") } : {}),
  };
}

/** The entries of a conversation, up to what its client wrote last. */
async function readConversation(
  { agent, conversation, transcript, event }: Pick<HookCall, "agent" | "transcript" | "event"> & {
    conversation: string;
  },
  context: Context,
): Promise<Entry[]> {
  await capture({ agent, conversation, transcript, moment: "turn", event }, context);
  const store = await context.openStore();
  const entries: Entry[] = [];
  for (const { entry } of store.entries({ needles: [JSON.stringify(conversation)] })) {
    const isOwn = entry.source?.agent === agent && entry.source.conversation === conversation;
    if (isOwn && !isRecord(entry)) entries.push(entry);
  }
  return entries;
}

/**
 * The lines that neither the last summary nor what was kept beside it has; undefined where that summary is
 * not of this compaction.
 */
function findLost(
  entries: readonly Entry[],
  { since, room, kept = [] }: { since?: string; room: number; kept?: string[] },
): BlockLine[] | undefined {
  const at = entries.findLastIndex(({ type }) => type === "summary");
  if (at < 0) return undefined;
  const isLate = since === undefined
    ? !entries.slice(at).some(({ type }) => type === "tool_call")
    : entries[at].ts >= since;
  if (!isLate) return undefined;
  const before = entries.slice(0, at);
  const isKept = ({ source }: Entry): boolean =>
    kept.some((id) => source?.message === id || source?.message?.startsWith(`${id}:`));
  const texts = kept.length === 0 ? [] : before.filter(isKept).map(({ text }) => text);
  const summary = [entries[at].text, ...texts].join("\n");
  const items = workingState(before);
  return toLines(findDropped(items, { summary, budgetTokens: room - frameTokens }));
}

/** What the fence and the beginnings of lines take. */
const frameTokens = 60;
const filesPerLine = 6;

/** Items as an agent reads them: files together, anything else alone. */
export function toLines(items: readonly StateItem[]): BlockLine[] {
  const line = (kind: string, text: string): BlockLine => ({
    subject: "session",
    kind,
    text: `- ${kind}: ${escapeFence(text)}`,
  });
  return [...Map.groupBy(items, ({ kind }) => kind)].flatMap(([kind, own]) => {
    const perLine = kind === "edited" || kind === "read" ? filesPerLine : 1;
    return Array.from({ length: Math.ceil(own.length / perLine) }, (_, i) => {
      const some = own.slice(i * perLine, (i + 1) * perLine);
      return line(kind, some.map(({ text }) => text).join(", "));
    });
  });
}

/** Pins and standing preferences: a summary may have left them out, and they hold. */
async function makeRules(
  store: Store,
  { config, nowMs, budget }: { config: Config; nowMs: number; budget: number },
): Promise<BlockLine[]> {
  const budgetTokens = Math.max(128, Math.floor(budget * rulesShare));
  const sections = ["pins", "preferences"] as const;
  const { made } = await makeStartPack(store, {
    config,
    nowMs,
    budgetTokens,
    sections,
    turnsAlone: false,
  });
  return made.packed.map((item) => ({
    ...(item.id === undefined ? { subject: "pins.md" } : { id: item.id }),
    kind: item.label,
    text: toPackLine(item, nowMs),
  }));
}

function toBlock(
  { rules, lost }: { rules: BlockLine[]; lost: BlockLine[] },
  store: Store,
  budget: number,
): Block {
  const workspace = store.layout.workspace.replace(/^.*\//, "") || "workspace";
  const lines = [...rules, ...lost];
  const text = lines.length === 0 ? "" : fenceMemory(lines.map(({ text }) => text), {
    attributes: {
      workspace,
      ...(lost.length === 0 ? {} : { about: "from this session, missing from its summary" }),
    },
    ...(rules.length === 0 ? { notice: shortNotice } : {}),
  });
  return { text, budget, lines, left_out: [], notes: [] };
}
