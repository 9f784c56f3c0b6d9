// From entries to mentions: which decisions, document sections and undone edits there are, and by
// which file names, identifiers and words each is found. Pure; every rule has a name that is shown.

import { countTerms, mostFrequent } from "../graph/count_terms.ts";
import type { Entry } from "../../../core/entry.ts";
import { findDecisionRule } from "../../../core/rows/decision_words.ts";
import { firstLine, toLine } from "../../../core/text.ts";
import { termsOf } from "../../../search/rank/terms_of.ts";

/** Something the store says about files or symbols. */
export interface Mention {
  kind: "decision" | "doc" | "revert";
  id: string;
  ts: string;
  title: string;
  summary: string;
  session_id?: string;
  /** Files the entry itself names as its subject. */
  files?: string[];
  tags?: string[];
  /** The rule that took a plain turn for a decision, or an undone edit for one. */
  rule?: string;
  /** Who of the team wrote it, where it was somebody else. */
  author?: string;
  /** It is a note that somebody wrote, not a decision. */
  isNote?: true;
  /** Where a document section is, and its own heading. */
  document?: string;
  heading?: string;
  /** The terms of a document section, for telling how alike it is. */
  terms?: string[];
}

/** A mention with the keys it is found by. */
export interface KeyedMention {
  value: Mention;
  keys: string[];
}

const maxTerms = 60;

/** How a document's sections join the headings above them. */
const pathSeparator = " › ";
const maxTurnChars = 6000;
const maxSentenceChars = 400;

/** The decision an entry is or holds, or undefined. Superseding is for the caller to know. */
export function findDecision(entry: Entry): KeyedMention | undefined {
  if (entry.type === "decision") return keyed(toMention(entry, "decision"), entry, entry.text);
  if (entry.type !== "turn" || entry.text.length > maxTurnChars) return undefined;
  if (entry.role !== "user" && entry.role !== "assistant") return undefined;
  for (const sentence of sentencesOf(entry.text)) {
    const rule = findDecisionRule(sentence);
    if (rule === undefined) continue;
    const mention = toMention(entry, "decision");
    const summary = toLine(sentence, 240);
    const value = { ...mention, title: toLine(sentence, 80), summary, rule };
    return keyed(value, { ...entry, title: undefined }, sentence);
  }
  return undefined;
}

/** The document section an entry is, or undefined. */
export function findDoc(entry: Entry): KeyedMention | undefined {
  if (entry.type !== "doc") return undefined;
  const name = typeof entry.document === "string" ? entry.document : undefined;
  const section = typeof entry.section === "string" && entry.section !== ""
    ? entry.section
    : undefined;
  const mention = toMention(entry, "doc");
  // A section's own title says already where it is.
  const parts = name !== undefined && entry.title !== undefined
    ? [name, entry.title]
    : [entry.title ?? name, section];
  const title = parts.filter((part) => part !== undefined).join(": ") || mention.title;
  const heading = section?.split(pathSeparator).at(-1);
  const value = {
    ...mention,
    title: toLine(title, 100),
    ...(name ? { document: name } : {}),
    ...(heading ? { heading: toLine(heading, 100) } : {}),
    terms: mostFrequent(countTerms(`${title}\n${entry.text}`), maxTerms),
  };
  const named = namesIn(`${title}\n${entry.text}`);
  const words = termsOf(heading ?? "").map(({ term }) => `h:${term}`);
  return { value, keys: [...named.files, ...named.identifiers, ...new Set(words)] };
}

/** A note that somebody wrote about files, or undefined. */
function findNote(entry: Entry): KeyedMention | undefined {
  if (entry.type !== "note" || (entry.files ?? []).length === 0) return undefined;
  return keyed({ ...toMention(entry, "decision"), isNote: true }, entry, entry.text);
}

/** What an entry is worth telling as: a decision, a section or a note about files, or undefined. */
export function findMention(entry: Entry): Mention | undefined {
  return (findDecision(entry) ?? findDoc(entry) ?? findNote(entry))?.value;
}

/** What a suggestion calls a mention: one title, wherever it is shown. */
export function toTitle({ kind, rule, isNote, title, author }: Mention): string {
  const label = kind === "doc" ? "Doc" : isNote ? "Note" : rule === undefined ? "Decision" : "Said";
  return `${label}${author === undefined ? "" : ` by ${author}`}: ${title}`;
}

/** Keys of the files, identifiers and words in a decision. */
function keyed(value: Mention, entry: Entry, text: string): KeyedMention {
  const all = [entry.title ?? "", text].join("\n");
  const named = namesIn(all);
  const keys = new Set([...named.files, ...named.identifiers]);
  for (const file of entry.files ?? []) for (const key of fileKeys(file)) keys.add(key);
  for (const { term } of termsOf([all, ...(entry.tags ?? [])].join("\n")).slice(0, 400)) {
    keys.add(`t:${term}`);
  }
  return { value, keys: [...keys] };
}

const fileLike = /(?:[\w@.-]+\/)*[\w@.-]+\.[A-Za-z]{1,5}\b/g;
const directoryLike = /(?:^|[\s`"'(])((?:[\w@.-]+\/)+[\w@-]+)\/?(?=[\s`"'),.:;]|$)/g;
const ticked = /`([^`\n]{2,80})`/g;
const called = /\b([A-Za-z_$][\w$]{2,})\(/g;
const humped =
  /\b(?:[a-z]+(?:[A-Z][a-z0-9]*)+|(?:[A-Z][a-z0-9]+){2,}|[a-zA-Z0-9]+(?:_[a-zA-Z0-9]+)+)\b/g;

/** The file names and identifiers that a text names, as keys. */
function namesIn(text: string): { files: Set<string>; identifiers: Set<string> } {
  const files = new Set<string>();
  const identifiers = new Set<string>();
  const window = text.slice(0, 40_000);
  for (const [path] of window.matchAll(fileLike)) {
    for (const key of fileKeys(path)) files.add(key);
  }
  for (const [, path] of window.matchAll(directoryLike)) files.add(`d:${path}`);
  for (const [, inner] of window.matchAll(ticked)) {
    for (const word of inner.match(/[A-Za-z_$][\w$]{2,}/g) ?? []) identifiers.add(`w:${word}`);
  }
  for (const [, name] of window.matchAll(called)) identifiers.add(`w:${name}`);
  for (const [name] of window.matchAll(humped)) identifiers.add(`w:${name}`);
  return { files, identifiers };
}

/** A file is found by its whole path and by its name. */
function fileKeys(path: string): string[] {
  const clean = path.replace(/^\.\//, "");
  const name = clean.slice(clean.lastIndexOf("/") + 1);
  return clean === name ? [`p:${name}`] : [`p:${clean}`, `p:${name}`];
}

/** Plain sentences: no code blocks, no quotes, no questions. */
function sentencesOf(text: string): string[] {
  const prose = text.replace(/```[\s\S]*?(```|$)/g, "\n").replace(/^[^\S\n]*>.*$/gm, "");
  return prose.split(/(?<=[.!])\s+|\n+/)
    .filter((part) => part.length >= 12 && part.length <= maxSentenceChars && !part.includes("?"));
}

function toMention(entry: Entry, kind: Mention["kind"]): Mention {
  return {
    kind,
    id: entry.id,
    ts: entry.ts,
    title: entry.title ?? firstLine(entry.text, 80),
    summary: entry.summary ?? toLine(entry.text, 240),
    ...(entry.session_id === undefined ? {} : { session_id: entry.session_id }),
    ...(entry.files === undefined ? {} : { files: entry.files }),
    ...(entry.tags === undefined ? {} : { tags: entry.tags }),
  };
}

const undoWords = /\b(?:revert|undo|roll(?:ed)? (?:it |that |this )?back|put (?:it|that) back)\b/i;
const undoCommand =
  /\bgit\s+(?:checkout\s+(?:\S+\s+)*(?:--|\.)|restore\b|reset\s+--hard|revert\b|stash\b)/;
const editTool = /edit|write|patch|replace|create|insert/i;

/** The edits of each session, so that an undoing can be tied to the files it undid. */
export class UndoRule {
  readonly #edited: Map<string, string[]>;

  constructor(edited: Record<string, string[]> = {}) {
    this.#edited = new Map(Object.entries(edited));
  }

  /** Takes the next entry of the log; returns a mention when it undoes edits of its session. */
  next(entry: Entry): KeyedMention | undefined {
    const session = entry.session_id;
    if (session === undefined) return undefined;
    if (isEdit(entry)) {
      const files = this.#edited.get(session) ?? [];
      this.#edited.delete(session);
      this.#edited.set(session, [...new Set([...files, ...entry.files!])].slice(-50));
      return undefined;
    }
    const files = this.#edited.get(session);
    const rule = files === undefined ? undefined : findUndo(entry);
    if (files === undefined || rule === undefined) return undefined;
    const named = files.filter((file) =>
      entry.text.includes(file.slice(file.lastIndexOf("/") + 1))
    );
    const undone = named.length > 0 ? named : files;
    this.#edited.set(session, files.filter((file) => !undone.includes(file)));
    const value: Mention = {
      ...toMention(entry, "revert"),
      title: "Edited, then reverted",
      summary: toLine(entry.text, 160),
      files: undone,
      rule,
    };
    return { value, keys: undone.flatMap((file) => [`p:${file.replace(/^\.\//, "")}`]) };
  }

  /** What must be remembered to go on later: the newest sessions. */
  toJSON(): Record<string, string[]> {
    return Object.fromEntries([...this.#edited].slice(-50));
  }
}

function isEdit(entry: Entry): boolean {
  if (entry.files === undefined || entry.files.length === 0) return false;
  if (entry.type === "patch") return true;
  return entry.type === "tool_call" && entry.tool !== undefined &&
    (entry.tool.effect === "edit" || entry.tool.effect === "write" ||
      editTool.test(entry.tool.name));
}

function findUndo(entry: Entry): string | undefined {
  if (entry.type === "turn" && entry.role === "user" && entry.text.length < 500) {
    return undoWords.exec(entry.text)?.[0].toLowerCase();
  }
  if (entry.type !== "tool_call") return undefined;
  return undoCommand.exec(entry.text)?.[0];
}
