// The decision and doc signals: what the store says about the file, its symbols or its topic.

import { termsOf } from "../../../search/rank/terms_of.ts";
import { repeatKey } from "../../../store/snapshot.ts";
import { isDistinctive } from "../graph/code_relations.ts";
import { nameOf } from "../graph/file_facts.ts";
import { type Evidence, type EvidenceKind, evidenceWeights } from "./calibration.ts";
import type { Mention, MentionSource } from "./mention_source.ts";
import type { Candidate, Sources, Subject } from "./suggestion.ts";

const maxSymbols = 20;
const fewSymbols = 3;

/** Decisions and sections of documents that concern the subject. */
export function findMentions(subject: Subject, sources: Sources): Candidate[] {
  const found = new Map<string, { mention: Mention; evidence: Map<string, Evidence> }>();
  const add = (mention: Mention, about: string, note: string, factor = 1): void => {
    if (mention.entry.document === subject.path && subject.path !== undefined) return;
    const kind = `${mention.kind}_${about}`;
    const p = (evidenceWeights[kind as EvidenceKind] ?? 0) * factor;
    const key = repeatKey(mention.entry);
    const known = found.get(key) ?? { mention, evidence: new Map() };
    if (p > (known.evidence.get(kind)?.p ?? 0)) known.evidence.set(kind, { kind, p, note });
    if (known.evidence.size > 0) found.set(key, known);
  };
  addPath(subject, sources, add);
  addSymbols(subject, sources, add);
  addTopic(subject, sources.mentions, add);
  return [...found].map((
    [key, { mention: { kind, title, summary, entry: { id } }, evidence }],
  ) => ({
    type: kind,
    title,
    summary,
    entity_id: id,
    key,
    fingerprint: id,
    action: `ctx get ${id}`,
    evidence: dropImplied([...evidence.values()]),
  }));
}

type Add = (mention: Mention, about: string, note: string, factor?: number) => void;

/** What is about the file, or names it: by its path, or by its name when no other has that name. */
function addPath({ path }: Subject, { mentions, graph }: Sources, add: Add): void {
  if (path === undefined) return;
  for (const mention of mentions.findByFile(path)) add(mention, "file", `about ${path}`);
  const name = nameOf(path);
  // Of sources the graph knows whether there is another of that name; else its shape has to tell.
  const isAlone = graph === undefined
    ? isDistinctive(name.replace(/\.\w+$/, ""))
    : graph.countNamed(path) === 1;
  // Documents name each other, and files at the top, to lead on: neither bears on the other.
  const factor = isAlone || /\/.*(?<!\.(?:md|markdown|rst|txt))$/.test(path) ? 1 : 0.6;
  for (const mention of mentions.findByWords(name)) {
    const strength = mention.kind === "doc" ? factor : 1;
    if (holdsName(textOf(mention), path)) add(mention, "path", `mentions ${path}`, strength);
    else if (isAlone && holdsName(textOf(mention), name) && !listsOther(mention, name)) {
      add(mention, "name", `mentions ${name}`, strength);
    }
  }
}

/** What names the symbol at hand, or one that only this file defines. */
function addSymbols({ symbol, facts }: Subject, { mentions, graph }: Sources, add: Add): void {
  const names = new Set((facts?.symbols ?? []).map(({ name }) => name));
  // One of many symbols of a file is not what it is for.
  const strength = names.size <= fewSymbols ? 1 : 0.8;
  const own = [...names].filter((name) => name !== symbol && isDistinctive(name));
  for (const name of [...(symbol === undefined ? [] : [symbol]), ...own.slice(0, maxSymbols)]) {
    const hits = mentions.findByWords(name).filter((mention) => holdsCode(textOf(mention), name));
    if (name === symbol) { for (const hit of hits) add(hit, "symbol", `mentions ${name}`); }
    else if (hits.length > 0 && (graph?.findDefinitions(name, 2).length ?? 1) === 1) {
      for (const hit of hits) {
        add(hit, "defines", `mentions ${name}, which this file defines`, strength);
      }
    }
  }
}

/** Decisions that have the words of the path and symbol, rare ones counting more. */
function addTopic(subject: Subject, mentions: MentionSource, add: Add): void {
  const total = mentions.findDecisions().size;
  const weights = new Map<string, number>();
  const rows = new Set<number>();
  /** By row, the most that it can have of the topic, and of how many words. */
  const most = new Map<number, { weight: number; words: number }>();
  for (const term of topicTerms(subject)) {
    const found = mentions.findDecisions(term);
    const weight = Math.log(1 + total / (0.5 + found.size));
    weights.set(term, weight);
    for (const row of found) {
      const had = most.get(row) ?? { weight: 0, words: 0 };
      most.set(row, { weight: had.weight + weight, words: had.words + 1 });
    }
    // A word of most decisions is no topic.
    if (found.size <= Math.max(3, total / 3)) { for (const row of found) rows.add(row); }
  }
  const whole = sumOf(weights.values());
  const findTerms = finderOf([...weights.keys()]);
  for (const row of [...rows].sort((a, b) => b - a).slice(0, maxTopics)) {
    const { weight, words } = most.get(row)!;
    // Sums in another order may differ in their last digit.
    const bound = topicFactor(weight / whole + 1e-9, words);
    const isTold = bound * evidenceWeights.decision_topic >= (subject.leastProbability ?? 0);
    if (bound === 0 || !isTold && !mentions.isRead(row)) continue;
    const mention = mentions.read(row);
    if (mention === undefined) continue;
    // The files that it lists are no words of its own.
    const terms = findTerms(`${textOf(mention)}\n${(mention.entry.tags ?? []).join(" ")}`);
    const share = sumOf(terms.map((term) => weights.get(term)!)) / whole;
    const factor = topicFactor(share, terms.length);
    if (factor > 0) add(mention, "topic", `same topic: ${terms.join(", ")}`, factor);
  }
}

/** One shared word was right in one of five labelled cases: it needs other evidence beside it. */
function topicFactor(share: number, words: number): number {
  return Math.max(0, (share - 0.4) / 0.6) * (words > 1 ? 1 : 0.4);
}

/**
 * Finds those of some terms that a text has, in its order. Only words that begin as one of them, or
 * have letters that are folded, are analysed: a stem changes no more than the end of a word.
 */
function finderOf(terms: readonly string[]): (text: string) => string[] {
  const starts = terms.map((term) => term.slice(0, Math.min(3, Math.max(2, term.length - 1))));
  const isLike = new RegExp(["[^\\0-\\x7f]", ...starts.map(RegExp.escape)].join("|"), "i");
  const wanted = new Set(terms);
  return (text) =>
    isLike.test(text)
      ? wordsOf(text.split(/\s+/).filter((part) => isLike.test(part)).join(" "))
        .filter((term) => wanted.has(term))
      : [];
}

/** More decisions with a word of the topic are not read: the newest are. */
const maxTopics = 100;

function sumOf(values: Iterable<number>): number {
  return [...values].reduce((sum, value) => sum + value, 0);
}

function wordsOf(text: string): string[] {
  return termsOf(text).filter(({ kind }) => kind === "word").map(({ term }) => term);
}

/** A path implies its name, and a listed file its path: only the strongest of these counts. */
function dropImplied(evidence: Evidence[]): Evidence[] {
  const naming = evidence.filter((item) => /_(file|path|name)$/.test(item.kind));
  const best = naming.toSorted((a, b) => b.p - a.p)[0];
  return evidence.filter((item) => !naming.includes(item) || item === best);
}

/** The entry lists a file of that name in another directory: `findByFile` has found its own. */
function listsOther({ entry }: Mention, name: string): boolean {
  return entry.files?.some((file) => nameOf(file) === name) ?? false;
}

function textOf({ entry }: Mention): string {
  return `${entry.title ?? ""}\n${entry.text}`;
}

/** What of a long text is looked at. */
const maxChars = 40_000;

/** Whether a text holds a name as it is written, and not as a part of another. */
export function holdsName(text: string, name: string): boolean {
  const isPart = (character: string): boolean => /[\p{L}\p{N}_$]/u.test(character);
  const held = text.slice(0, maxChars);
  for (let at = held.indexOf(name); at >= 0; at = held.indexOf(name, at + 1)) {
    if (!isPart(held[at - 1] ?? "") && !isPart(held[at + name.length] ?? "")) return true;
  }
  return false;
}

/** Whether a text names a symbol: a plain word only in code or as a call. */
function holdsCode(text: string, name: string): boolean {
  if (!holdsName(text, name)) return false;
  if (isDistinctive(name)) return true;
  const code = text.slice(0, maxChars).match(/`[^`\n]{1,80}`|[\w$]+\(/g) ?? [];
  return code.some((part) => holdsName(part, name));
}

/** Words that name a layer of a project, not a topic. */
const genericWords: ReadonlySet<string> = new Set(
  "src lib app apps packages package core common shared utils util helpers helper index main mod test tests spec specs bench types type model models service services controller controllers component components internal pkg cmd api server client base default config file files data java python go rust ts tsx js jsx py rs impl manager handler handlers new old"
    .split(" "),
);

/** The words of a path and symbol that say what they are about. */
function topicTerms({ path, symbol }: Subject): string[] {
  const stem = path?.replace(/\.\w+$/, "").replace(/[._-](test|spec)$/, "") ?? "";
  const words = `${stem} ${symbol ?? ""}`
    .split(/[^A-Za-z0-9\u0080-\uffff]+|(?<=[a-z0-9])(?=[A-Z])/)
    .filter((word) => word.length > 1 && !genericWords.has(word.toLowerCase()));
  return wordsOf(words.join(" "));
}
