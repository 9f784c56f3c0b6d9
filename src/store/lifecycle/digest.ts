// What archived entries come to, without a language model: decisions, corrections, errors fixed,
// files and commits, each line with the id it comes from. Deterministic and bounded: the same
// entries give the same text, however many there are.

import { docType, type Entry, pools, verdictType } from "../../core/entry.ts";
import { findDecisionRule } from "../../core/rows/decision_words.ts";
import { isCommitCall } from "../../core/rows/made_commits.ts";
import { isRecord } from "../../core/rows/record.ts";
import { redactText } from "../../core/redact/redact.ts";
import { firstLine, toLine } from "../../core/text.ts";
import { ownWords } from "../../core/voice/spans_of.ts";
import { openSnapshot } from "../snapshot.ts";
import type { Store } from "../store.ts";
import { archiveMark, type Summary } from "../summary.ts";

const sectionLines = 30;
const lineChars = 200;
const scannedChars = 4000;
const knownFiles = 20_000;

const corrected = /^\W*(?:no[,.! ]|actually\b|instead\b|don't\b|do not\b|stop\b|that's wrong)/i;
const fixed = /\b(?:fixed|root cause|resolved|the (?:bug|error|problem|cause) (?:was|is))\b/i;
const failed = /error|fail|bug|exception|crash|panic|broke|leak|race|timeout|regression/i;
const committed =
  /^\[[^\]\n]{1,80} ([0-9a-f]{7,40})\] (.+)$|\bcommit(?:ted)?(?: as)? `?([0-9a-f]{7,40})\b/im;

interface Note {
  ts: string;
  id: string;
  text: string;
}

/** Gathers entries one by one; `toMarkdown` gives what they come to. */
export class Digest {
  readonly #superseded: ReadonlyMap<string, string>;
  readonly #decisions: Note[] = [];
  readonly #corrections: Note[] = [];
  readonly #fixes: Note[] = [];
  readonly #commits: Note[] = [];
  readonly #files = new Map<string, number>();
  /** Calls of `git commit` that are not answered yet. */
  readonly #commitCalls = new Set<string>();
  #entries = 0;
  #earliest = "";
  #latest = "";

  /** `superseded` names the entries that were corrected, with the id of what corrects each. */
  constructor(superseded: ReadonlyMap<string, string>) {
    this.#superseded = superseded;
  }

  add(entry: Entry): void {
    this.#entries++;
    // What a record says, its evidence says: it would be noted twice. What was rejected is not noted.
    if (isRecord(entry) || entry.type === verdictType) return;
    if (this.#earliest === "" || entry.ts < this.#earliest) this.#earliest = entry.ts;
    if (entry.ts > this.#latest) this.#latest = entry.ts;
    for (const file of entry.files ?? []) {
      const count = this.#files.get(file);
      if (count !== undefined || this.#files.size < knownFiles) {
        this.#files.set(file, (count ?? 0) + 1);
      }
    }
    if (entry.type !== docType && !this.#superseded.has(entry.id)) this.#sort(entry);
  }

  /** The digest as Markdown, without a title. */
  toMarkdown(): string {
    const dates = this.#entries === 0
      ? ""
      : `, ${this.#earliest.slice(0, 10)} to ${this.#latest.slice(0, 10)}`;
    const files = [...this.#files].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, sectionLines).map(([file, count]) => `- ${toSafe(file)} (${count})`);
    const sections: [string, string[]][] = [
      ["Decisions", this.#decisions.map(toItem)],
      ["Corrections", this.#corrections.map(toItem)],
      ["Errors fixed", this.#fixes.map(toItem)],
      ["Files", files],
      ["Commits", this.#commits.map(toItem)],
    ];
    const parts = sections.filter(([, lines]) => lines.length > 0)
      .map(([title, lines]) => `## ${title}\n${lines.join("\n")}\n`);
    return [`${this.#entries} archived entries${dates}.\n`, ...parts].join("\n");
  }

  #sort(entry: Entry): void {
    const { id, ts } = entry;
    const told = this.#toldBy(entry);
    const said = told.slice(0, scannedChars);
    const isNotable = entry.supersedes !== undefined || entry.type === "decision" ||
      decidingLine(said) !== undefined ||
      [corrected, fixed, committed].some((pattern) => pattern.test(said));
    if (!isNotable) return;
    // Entries kept with their secrets are cut to lines here: half a secret is not known again.
    const text = redactText(told).value.slice(0, scannedChars);
    const name = entry.title ?? (entry.type === "turn" ? undefined : entry.summary);
    const headline = redactText(name ?? firstLine(text, lineChars)).value;
    const [notes, note] = this.#sortDecision(entry, text, headline);
    if (notes) keep(notes, { ts, id, text: note });
    if (entry.role !== "tool" && fixed.test(text)) {
      const line = lineWith(text, fixed);
      if (failed.test(line)) keep(this.#fixes, { ts, id, text: line });
    }
    const commit = committed.exec(text);
    if (commit) {
      keep(this.#commits, { ts, id, text: `${commit[1] ?? commit[3]} ${commit[2] ?? headline}` });
    }
  }

  /** What an entry says itself: not what it quotes or hands on, and of tools only what `git commit` prints. */
  #toldBy(entry: Entry): string {
    const { role, type, text, tool } = entry;
    const call = typeof tool?.call_id === "string" ? tool.call_id : "";
    if (type === "tool_call") {
      if (isCommitCall(entry)) this.#commitCalls.add(call);
      return "";
    }
    if (role === "tool") return this.#commitCalls.delete(call) ? text : "";
    if (role === "system") return "";
    return type === "turn" || type === "thinking" ? ownWords(entry) : text;
  }

  /** Where an entry that decides or corrects something goes, and what is noted of it. */
  #sortDecision(entry: Entry, text: string, headline: string): [Note[] | undefined, string] {
    const { supersedes, role } = entry;
    if (supersedes !== undefined) {
      return [this.#corrections, `${headline} (corrects ${supersedes})`];
    }
    if (entry.type === "decision") return [this.#decisions, headline];
    if (role === "user" && corrected.test(text)) return [this.#corrections, headline];
    const line = role === "tool" ? undefined : decidingLine(text);
    return line === undefined ? [undefined, ""] : [this.#decisions, toBare(line)];
  }
}

/** Keeps the newest notes, newest first; equal times by id. */
function keep(notes: Note[], note: Note): void {
  const before = (a: Note, b: Note): boolean => a.ts > b.ts || (a.ts === b.ts && a.id < b.id);
  const at = notes.findIndex((other) => before(note, other));
  if (at < 0 && notes.length >= sectionLines) return;
  notes.splice(at < 0 ? notes.length : at, 0, note);
  if (notes.length > sectionLines) notes.pop();
}

function toItem({ ts, id, text }: Note): string {
  return `- ${ts.slice(0, 10)} ${toSafe(toLine(text, lineChars))} [${id}]`;
}

/** Comments would end the part of the file that ctx writes. */
function toSafe(text: string): string {
  return text.replaceAll("<!--", "&lt;!--");
}

function decidingLine(text: string): string | undefined {
  return text.split("\n").find((line) => findDecisionRule(line) !== undefined);
}

function lineWith(text: string, pattern: RegExp): string {
  return toBare(text.split("\n").find((candidate) => pattern.test(candidate)) ?? text);
}

function toBare(line: string): string {
  return line.replace(/^[\s#>*\-`]+/, "").trim();
}

/** Makes the summary of the archive without a language model. */
export function digestArchive({ files, layout }: Pick<Store, "files" | "layout">): Summary {
  const archive = archiveMark({ files, layout });
  using snapshot = openSnapshot(files, layout);
  const forgotten = snapshot.readForgotten(pools);
  const superseded = new Map<string, string>();
  for (const { entry } of snapshot.entries({ needles: ['"supersedes":'], forgotten })) {
    if (entry.supersedes !== undefined) superseded.set(entry.supersedes, entry.id);
  }
  const digest = new Digest(superseded);
  for (const { entry } of snapshot.entries({ pools: ["archive"], forgotten })) digest.add(entry);
  return { kind: "extractive", text: digest.toMarkdown(), archive };
}
