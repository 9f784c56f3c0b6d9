// What leaves the machine: which own entries may, and in which form. The rules are the user's; what
// passes is redacted once more, because rules have grown since it was written.

import type { Config } from "../../config/merged_config.ts";
import {
  confirmType,
  docType,
  type Entry,
  isImportedMemory,
  tombstoneType,
  verdictType,
} from "../../core/entry.ts";
import { hashHex } from "../../core/hash.ts";
import { recallType } from "../../core/rows/own_tool.ts";
import { verdictNeedle, verdictOf } from "../../core/rows/verdict.ts";
import { shareEntry, toShared } from "../../read/share/shared_text.ts";
import { parsePins, readPinsText } from "../../store/logs/pins.ts";
import type { Store } from "../../store/store.ts";
import { readShares, type Shares } from "../../store/team/share_log.ts";

/** How much the user lets leave. */
export interface ShareRules {
  /** `nothing` is no setting: it stands for what nobody has agreed to yet. */
  policy: "nothing" | "sessions" | "decisions" | "all";
  toolOutput: boolean;
  thinking: boolean;
}

/** The rules of a configuration, which a workspace's file could only narrow. */
export function readShareRules(config: Config): ShareRules {
  return {
    policy: config.get("share.policy") as ShareRules["policy"],
    toolOutput: config.get("share.tool_output"),
    thinking: config.get("share.thinking"),
  };
}

/** The rules in a word, as it is kept of what was confirmed: `decisions`, `all+tool_output`. */
export function nameRules({ policy, toolOutput, thinking }: ShareRules): string {
  return [policy, ...(toolOutput ? ["tool_output"] : []), ...(thinking ? ["thinking"] : [])]
    .join("+");
}

/** The rules that a word of `nameRules` stands for; without one, nothing leaves. */
export function parseRules(confirmed = "nothing"): ShareRules {
  const [policy, ...parts] = confirmed.split("+");
  return {
    policy: widths.find((width) => width === policy) ?? "nothing",
    toolOutput: parts.includes("tool_output"),
    thinking: parts.includes("thinking"),
  };
}

/** Whether rules let something leave that those which were confirmed did not. */
export function isWider(rules: ShareRules, confirmed: ShareRules): boolean {
  return widths.indexOf(rules.policy) > widths.indexOf(confirmed.policy) ||
    rules.toolOutput && !confirmed.toolOutput || rules.thinking && !confirmed.thinking;
}

const widths: readonly ShareRules["policy"][] = ["nothing", "sessions", "decisions", "all"];

/** Whether an entry of this type can be shared at all, even by name. */
export function canBeShared({ type }: Pick<Entry, "type">): boolean {
  return !neverShared.has(type);
}

/** Documents are files of everyone's own, a confirmation is about the code here, a review is personal. */
const neverShared: ReadonlySet<string> = new Set([
  docType,
  confirmType,
  verdictType,
  tombstoneType,
]);

const decisionTypes: ReadonlySet<string> = new Set(["decision", "note", "digest"]);

/** Rows of tools, and what ctx itself answered. */
const outputTypes: ReadonlySet<string> = new Set(["tool_output", recallType]);

/** What the rules say of each entry. */
export interface Gate {
  /**
   * Stands for the rules: another one may let other entries leave. Asking for it reads anew what was
   * shared and pinned, so that what is said while a sync runs counts for its next batch.
   */
  readonly key: string;
  /** The entry as others may have it; undefined when it stays here. */
  pass(entry: Entry): Entry | undefined;
  /** Whether it is to be taken back, if others have it. */
  isTakenBack(entry: Entry): boolean;
}

export interface GateOptions {
  rules: ShareRules;
  /** The member's own name: what others wrote is not passed on. */
  name: string;
  home?: string;
}

/** The gate of a store, by what is shared and pinned there. */
export function openGate(store: Store, { rules, name, home }: GateOptions): Gate {
  let said = readSaid(store);
  const wordOn = (entry: Entry): ReturnType<Shares["wordOn"]> => {
    const word = said.shares.wordOn(entry);
    if (word !== undefined || entry.supersedes === undefined || said.shares.isEmpty) return word;
    return wordOnCorrected(entry.supersedes, said);
  };
  const mayLeave = (entry: Entry): boolean => {
    if (rules.policy === "nothing") return false;
    if (!canBeShared(entry) || (entry.author ?? name) !== name) return false;
    const word = wordOn(entry);
    if (word === "unshared" || word === "shared_by_id") return word === "shared_by_id";
    if (isImportedMemory(entry) || said.answered().has(entry.id)) return false;
    if (outputTypes.has(entry.type) && !rules.toolOutput) return false;
    if (entry.type === "thinking" && !rules.thinking) return false;
    return word === "shared_by_session" || rules.policy === "all" ||
      rules.policy === "decisions" && (decisionTypes.has(entry.type) || said.pinned.has(entry.id));
  };
  return {
    get key() {
      said = readSaid(store);
      const { shares, pinned, answered } = said;
      const ids = [[...pinned], [...answered()].sort()];
      return hashHex(JSON.stringify([nameRules(rules), String(shares), ...ids, name]));
    },
    pass: (entry) => mayLeave(entry) ? toLeaving(entry, home) : undefined,
    isTakenBack: (entry) => wordOn(entry) === "unshared",
  };
}

/** What people said of single entries. */
interface Said {
  shares: Shares;
  pinned: ReadonlySet<string>;
  /** Which entry each correction corrects; read when it is asked for. */
  corrected: () => ReadonlyMap<string, string>;
  /** Records that a review rejected or put in other words; read when it is asked for. */
  answered: () => ReadonlySet<string>;
}

function readSaid(store: Store): Said {
  return {
    shares: readShares(store),
    pinned: new Set(parsePins(readPinsText(store)).flatMap(({ id }) => id ?? [])),
    corrected: lazily(() => readCorrected(store)),
    answered: lazily(() => readAnswered(store)),
  };
}

/** What was said of an entry holds for its corrections; not that it may leave whatever it is. */
function wordOnCorrected(
  id: string,
  { shares, corrected }: Said,
): ReturnType<Shares["wordOn"]> {
  const seen = new Set<string>();
  for (
    let at: string | undefined = id;
    at !== undefined && !seen.has(at);
    at = corrected().get(at)
  ) {
    seen.add(at);
    const word = shares.wordOn({ id: at });
    if (word !== undefined) return word === "shared_by_id" ? "shared_by_session" : word;
  }
  return undefined;
}

function readCorrected(store: Store): Map<string, string> {
  const corrected = new Map<string, string>();
  for (const { entry } of store.rows({ needles: ['"supersedes"'] })) {
    if (entry.supersedes !== undefined) corrected.set(entry.id, entry.supersedes);
  }
  return corrected;
}

function readAnswered(store: Store): Set<string> {
  const answered = new Set<string>();
  for (const { entry } of store.entries({ needles: [verdictNeedle] })) {
    const verdict = verdictOf(entry);
    if (verdict?.said !== "reject" && verdict?.line === undefined) continue;
    if (entry.supersedes !== undefined) answered.add(entry.supersedes);
  }
  return answered;
}

/**
 * An entry as others may have it: secrets out once more, homes as `~`, not where its source lies. One
 * whose id, kind or session would have to change for that stays here.
 */
function toLeaving(entry: Entry, home: string | undefined): Entry | undefined {
  const names = [entry.id, entry.type, entry.session_id ?? ""];
  if (toShared(names, home).some((name, i) => name !== names[i])) return undefined;
  const shared = shareEntry(entry, home);
  if (shared.session_id === undefined) delete shared.session_id;
  // A review is personal, and holds the words that the user edited away.
  delete shared.verdict;
  if (shared.source === undefined) return shared;
  const { path: _, ...source } = shared.source;
  return { ...shared, source };
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
