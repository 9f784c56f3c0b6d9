// The decision, doc and undone-edit signals: what the store says about the file, its symbols or its
// topic. Reads the mentions; does not write.

import { termsOf } from "../../../search/rank/terms_of.ts";
import { detectedFactor, type EvidenceKind, evidenceWeights, topicShare } from "./calibration.ts";
import { repeatKey } from "../../../store/snapshot.ts";
import { nameOf } from "../graph/code_graph.ts";
import { type Mention, toTitle } from "./mention_rules.ts";
import type { Candidate, Evidence, Sources, Subject } from "./suggestion.ts";

const maxSymbols = 80;
const maxHeadings = 8;
const maxDirectoryMentions = 3;

/** Decisions about the subject. */
export function findDecisions(subject: Subject, sources: Sources): Candidate[] {
  const found = new Evidences("decision");
  collectNamed(subject, sources, found);
  collectTopic(subject, sources, found);
  return found.toCandidates((mention) => ({
    type: "decision",
    ...wordsOf(mention),
  }));
}

/** What the entry says, and how to read on. */
function wordsOf(mention: Mention): Omit<Candidate, "type" | "evidence"> {
  const { id, summary } = mention;
  return {
    title: toTitle(mention),
    summary,
    entity_id: id,
    key: repeatKey(mention),
    fingerprint: id,
    action: `ctx get ${id}`,
  };
}

/** Sections of documents that name the subject. */
export function findDocs(subject: Subject, sources: Sources): Candidate[] {
  const found = new Evidences("doc");
  collectNamed(subject, sources, found);
  collectHeadings(subject, sources, found);
  return found.toCandidates((mention) => ({
    type: "doc",
    terms: mention.terms,
    ...wordsOf(mention),
  }));
}

/** Sessions in which the file was edited and the edit undone. */
export function findReverts(subject: Subject, { mentions }: Sources): Candidate[] {
  if (subject.path === undefined || mentions === undefined) return [];
  const reverts = mentions.find(`p:${subject.path}`).filter((item) => item.kind === "revert");
  return reverts.slice(0, 3).map((item) => ({
    type: "warning",
    title: `Edited and reverted before: ${nameOf(subject.path!)}`,
    summary: item.summary,
    entity_id: item.id,
    key: repeatKey(item),
    fingerprint: item.id,
    action: `ctx timeline ${item.id}`,
    evidence: [{
      kind: "reverted",
      p: evidenceWeights.reverted,
      note: `a session edited this file and then undid it ("${item.rule}")`,
    }],
  }));
}

/** Evidence by mention, each kind once. */
class Evidences {
  readonly prefix: "decision" | "doc";
  readonly #byKey = new Map<string, { mention: Mention; evidence: Map<string, Evidence> }>();

  constructor(prefix: "decision" | "doc") {
    this.prefix = prefix;
  }

  add(mention: Mention, about: string, evidence: { note: string; factor?: number }): void {
    if (mention.kind !== this.prefix) return;
    const kind = `${this.prefix}_${about}`;
    const weight = evidenceWeights[kind as EvidenceKind] ?? 0;
    const detected = mention.rule === undefined ? 1 : detectedFactor;
    const p = weight * detected * (evidence.factor ?? 1);
    const known = this.#byKey.get(repeatKey(mention)) ?? { mention, evidence: new Map() };
    const rule = mention.rule === undefined ? "" : ` (taken for a decision by "${mention.rule}")`;
    const before = known.evidence.get(kind);
    if (before === undefined || before.p < p) {
      known.evidence.set(kind, { kind, p, note: evidence.note + rule });
    }
    this.#byKey.set(repeatKey(mention), known);
  }

  toCandidates(make: (mention: Mention) => Omit<Candidate, "evidence">): Candidate[] {
    return [...this.#byKey.values()].map(({ mention, evidence }) => ({
      ...make(mention),
      evidence: dropImplied([...evidence.values()]),
    }));
  }
}

/** A path implies its name, and a listed file its path: only the strongest of these counts. */
function dropImplied(evidence: Evidence[]): Evidence[] {
  const naming = evidence.filter((item) => /_(file|path|name)$/.test(item.kind));
  const best = naming.reduce<Evidence | undefined>((a, b) => a && a.p >= b.p ? a : b, undefined);
  return evidence.filter((item) => !naming.includes(item) || item === best);
}

function collectNamed(subject: Subject, { mentions, graph }: Sources, found: Evidences): void {
  if (mentions === undefined) return;
  const { path, symbol, facts } = subject;
  if (path !== undefined) {
    const name = nameOf(path);
    // Documents name each other to lead on, not because one bears on the other.
    const factor = found.prefix === "doc" && isDocument(path) ? 0.6 : 1;
    for (const mention of mentions.find(`p:${path}`)) {
      if (mention.document === path) continue;
      const listed = mention.files?.some((file) => file.replace(/^\.\//, "") === path);
      if (listed) found.add(mention, "file", { note: `it is about ${path}` });
      found.add(mention, "path", { note: `it names ${path}`, factor });
    }
    if (name !== path && (graph?.countNamed(path) ?? 1) <= 1) {
      for (const mention of mentions.find(`p:${name}`)) {
        if (mention.document === path || namesElsewhere(mention, name, path)) continue;
        found.add(mention, "name", { note: `it names ${name}`, factor });
      }
    }
  }
  const directory = path?.slice(0, path.lastIndexOf("/")) ?? "";
  if (directory.includes("/") && mentions.countOf(`d:${directory}`) <= maxDirectoryMentions) {
    for (const mention of mentions.find(`d:${directory}`)) {
      if (mention.document === path) continue;
      found.add(mention, "directory", { note: `it names ${directory}/` });
    }
  }
  if (symbol !== undefined) {
    for (const mention of mentions.find(`w:${symbol}`)) {
      found.add(mention, "symbol", { note: `it names ${symbol}` });
    }
  }
  for (const { name } of (facts?.symbols ?? []).slice(0, maxSymbols)) {
    if (name === symbol || !isDistinctive(name)) continue;
    const hits = mentions.find(`w:${name}`, 20);
    const alone = hits.length > 0 && graph?.findDefinitions(name, 2).length === 1;
    if (!alone) continue;
    for (const mention of hits) {
      found.add(mention, "defines", { note: `it names ${name}, which this file defines` });
    }
  }
}

function isDocument(path: string): boolean {
  return /\.(md|markdown|rst|txt)$/.test(path);
}

/** The entry lists a file of that name in another directory. */
function namesElsewhere(mention: Mention, name: string, path: string): boolean {
  const same = mention.files?.filter((file) => nameOf(file) === name) ?? [];
  return same.length > 0 && !same.some((file) => path.endsWith(file.replace(/^\.\//, "")));
}

/** Words that name a layer of a project, not a topic. */
const genericWords: ReadonlySet<string> = new Set(
  "src lib app apps packages package core common shared utils util helpers helper index main mod test tests spec specs bench types type model models service services controller controllers component components internal pkg cmd api server client base default config file files data java python go rust ts tsx js jsx py rs impl manager handler handlers new old"
    .split(" "),
);

function collectTopic(subject: Subject, { mentions }: Sources, found: Evidences): void {
  if (mentions === undefined || mentions.decisions === 0) return;
  const terms = topicTerms(subject);
  if (terms.length === 0) return;
  const total = mentions.decisions;
  const idf = new Map(
    terms.map((term) => [term, Math.log(1 + total / (0.5 + mentions.countOf(`t:${term}`)))]),
  );
  const whole = [...idf.values()].reduce((sum, value) => sum + value, 0);
  const shares = new Map<string, { mention: Mention; share: number; terms: string[] }>();
  for (const term of terms) {
    // A word of most decisions is no topic.
    if (mentions.countOf(`t:${term}`) > Math.max(3, total / 3)) continue;
    for (const mention of mentions.find(`t:${term}`)) {
      if (mention.kind !== "decision") continue;
      const known = shares.get(repeatKey(mention)) ?? { mention, share: 0, terms: [] };
      known.share += idf.get(term)! / whole;
      known.terms.push(term);
      shares.set(repeatKey(mention), known);
    }
  }
  for (const { mention, share, terms: matched } of shares.values()) {
    const tagged = mention.tags?.some((tag) =>
      termsOf(tag).some(({ term }) => matched.includes(term))
    );
    // One shared word was right in one of five labelled cases: it needs other evidence beside it.
    const factor = topicShare(share) * (matched.length > 1 ? 1 : 0.4);
    const words = matched.join(", ");
    if (factor > 0) found.add(mention, "topic", { factor, note: `same topic: ${words}` });
    if (tagged && factor > 0) found.add(mention, "tag", { factor, note: `tagged with its topic` });
  }
}

/** Sections whose heading is what the file or symbol is called: `ctx gc` for gc.ts and gc_test.ts. */
function collectHeadings(subject: Subject, { mentions }: Sources, found: Evidences): void {
  if (mentions === undefined) return;
  const names = [subject.symbol, subject.path && nameOf(subject.path)];
  for (const name of names) {
    const wanted = name === undefined ? [] : topicTerms({ path: name });
    if (wanted.length === 0) continue;
    for (const mention of mentions.find(`h:${wanted[0]}`, 50)) {
      if (mention.document === subject.path) continue;
      const heading = termsOf(mention.heading ?? "").filter(({ kind }) => kind === "word")
        .map(({ term }) => term);
      // Words that stand in many headings, as the name of the program does, do not count.
      const own = heading.filter((term) => mentions.countOf(`h:${term}`) <= maxHeadings);
      const shared = wanted.filter((term) => own.includes(term)).length;
      const factor = Math.min(shared / wanted.length, shared / new Set(own).size);
      // 0/0 is NaN: a heading of common words only never matches.
      if (!(factor >= 0.5)) continue;
      found.add(mention, "title", { factor, note: `its heading is "${mention.heading}"` });
    }
  }
}

/** The words of a path and symbol that say what they are about. */
function topicTerms(subject: Pick<Subject, "path" | "symbol">): string[] {
  const stem = subject.path?.replace(/\.\w+$/, "").replace(/[._-](test|spec)$/, "") ?? "";
  const words = `${stem} ${subject.symbol ?? ""}`.split(
    /[^A-Za-z0-9\u0080-\uffff]+|(?<=[a-z0-9])(?=[A-Z])/,
  )
    .filter((word) => word.length > 1 && !genericWords.has(word.toLowerCase()));
  const terms = termsOf(words.join(" ")).filter(({ kind }) => kind === "word");
  return [...new Set(terms.map(({ term }) => term))];
}

/** Whether a name is long and shaped enough to mean one thing. */
function isDistinctive(name: string): boolean {
  const humps = /[a-z0-9][A-Z]|_[a-zA-Z]/.test(name);
  return humps ? name.length >= 6 : /^[A-Z][a-z]{5,}$/.test(name);
}
