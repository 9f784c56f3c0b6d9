// Which session a change came from: its lines are looked up among the lines that sessions recorded. A line
// that few sessions wrote says more than one that many did; each goes to the session that wrote it in that
// file and shortly before. Every number here was chosen on the earlier half of a labelled history
// (`bench/why/`).

import { forEachLineHash, hashLine, toKey } from "../../core/rows/line_hash.ts";
import { commitKey } from "../../index/lines/line_draft.ts";
import type { LineClaim, LineTable } from "../../index/lines/line_table.ts";
import type { Change, ChangedFile } from "./change.ts";

/** What was found of a session in a change. */
export interface Candidate {
  session: string;
  /** The weight of the lines that went to it, and of those that are clearly its own. */
  score: number;
  lead: number;
  added: number;
  removed: number;
  /** It made the commit itself. */
  committed?: LineClaim;
  /** Its matching lines by file. */
  files: Map<string, MatchedFile>;
}

/** The lines of a file that a session recorded. */
export interface MatchedFile {
  added: number;
  removed: number;
  /** The edits that they are of, with how many each: by where the entry is. */
  edits: Map<string, { claim: LineClaim; lines: number }>;
}

/** Whose a change is. */
export interface Attribution {
  /** The session; undefined for want of evidence. */
  best?: Candidate;
  /** Between 0 and 1. */
  confidence: number;
  /** Further sessions with lines of their own in it. */
  others: Candidate[];
  /** All that wrote it: the session and the others, or several of which none stands out. */
  parts: Candidate[];
  /** Why there is no session. */
  because?: string;
  /** How many lines of the change say something. */
  added: number;
  removed: number;
}

/** What a claim is worth. */
export const weights = {
  removed: 0.5,
  /** In a file of the same name elsewhere, and in any other file. */
  sameName: 0.8,
  elsewhere: 0.5,
  /** After so many hours a claim is worth half, and never less than the floor. */
  halfHours: 2,
  floor: 0.05,
  /** Written after the change's own time: an amend, or somebody else before a rebase. */
  late: 0.15,
  /** The session made the commit. */
  committed: 40,
  /** The least score for an answer, and by how much it must exceed the next. */
  least: 4,
  margin: 1.5,
};

/** Written within this time of a commit, a claim is not late. */
const slackMs = 2 * 60_000;
/** A commit's subject alone is believed when its session told of it within this time. */
const subjectMs = 5 * 60_000;
/** A change that is this much later than its lines was squashed, or lay there. */
const lyingMs = 6 * 3_600_000;
/** Then so much of it must be of one session: its share, and its score without the days between. */
const lyingShare = 0.5;
const lyingScore = 8;
/** With this part of the best score a session is one of several that worked on it. */
const lyingPart = 0.25;
/** So many lines are looked up; a larger change is known by these. */
const maxLines = 20_000;
const maxFileLines = 2000;

/** Whether a change was made before any session recorded an edit: then it is nobody's. */
export function isBeforeAll(table: LineTable, committed: number): boolean {
  return committed + slackMs < table.earliest;
}

/** Why a commit whose time makes no sense is nobody's: edits before it are told by that time. */
export const unreadableDate = "the date of its commit cannot be read";

export function attribute(table: LineTable, change: Change): Attribution {
  const { commit } = change;
  if (commit?.isBot) return nobody("a bot committed it");
  if (commit?.isMerge) return nobody("it is a merge");
  if (change.committed === 0) return nobody(unreadableDate);
  const found = attributeAt(table, change);
  if (found.best !== undefined || found.parts.length > 0) return found;
  return attributeLying(table, change, found) ?? found;
}

/** A squash, or what lay there for days: as if it had been committed when it was last worked on. */
function attributeLying(
  table: LineTable,
  change: Change,
  { others, added, removed }: Attribution,
): Attribution | undefined {
  const several = others.filter(({ score }) => score >= lyingPart * others[0].score);
  for (const sessions of [several.slice(0, 1), several]) {
    const authored = lastEdit(sessions);
    if (!(change.authored - authored > lyingMs)) continue;
    const again = attributeAt(table, { ...change, authored });
    const { best, parts } = again;
    const lines = parts.reduce((sum, part) => sum + part.added + part.removed, 0);
    const isEnough = best === undefined ? parts.length > 0 : best.score >= lyingScore;
    if (isEnough && lines >= lyingShare * (added + removed)) return again;
  }
  return undefined;
}

function lastEdit(candidates: readonly Candidate[]): number {
  return candidates.flatMap(({ files }) => [...files.values()])
    .flatMap(({ edits }) => [...edits.values()])
    .reduce((last, { claim }) => Math.max(last, claim.time), -Infinity);
}

function attributeAt(table: LineTable, change: Change): Attribution {
  const scorer = new Scorer(table, change);
  for (const file of change.files) scorer.addFile(file);
  scorer.addCommit();
  const { added, removed } = scorer;
  const ranked = scorer.rank();
  const [best, second] = ranked;
  const counts = { added, removed };
  if (best === undefined) return { ...nobody(explainNone(scorer)), ...counts };
  if (best.score < weights.least) {
    return {
      ...nobody("too few distinctive lines of it were recorded"),
      ...counts,
      others: ranked,
    };
  }
  if (second !== undefined && best.score < weights.margin * second.score) {
    const parts = ranked.filter(({ lead }) => lead >= weights.least);
    return {
      ...nobody("several sessions match it equally well"),
      ...counts,
      others: ranked,
      parts: parts.length > 1 ? parts : [],
    };
  }
  const others = ranked.slice(1).filter(({ score }) => score >= weights.least);
  const confidence = confidenceOf(best, second, added + removed);
  return { best, others, parts: [best, ...others], confidence, ...counts };
}

function nobody(because: string): Attribution {
  return { because, confidence: 0, others: [], parts: [], added: 0, removed: 0 };
}

function explainNone({ added, removed, files }: Scorer): string {
  if (files === 0) return "it changes no text";
  if (added + removed === 0) return "it has no distinctive lines";
  return "none of its lines were recorded in a session";
}

/** How sure the answer is. */
function confidenceOf(best: Candidate, second: Candidate | undefined, lines: number): number {
  const share = lines === 0 ? 0 : (best.added + best.removed) / lines;
  const lead = second === undefined ? 1 : 1 - second.score / best.score;
  const amount = 1 - Math.exp(-best.score / 12);
  const sure = 0.55 + 0.25 * amount + 0.1 * Math.min(1, share * 2) + 0.1 * lead;
  return Math.round(Math.min(0.99, best.committed === undefined ? sure : 0.97) * 100) / 100;
}

class Scorer {
  added = 0;
  removed = 0;
  files = 0;
  readonly #table: LineTable;
  readonly #change: Change;
  readonly #sessions: number;
  readonly #found = new Map<string, Candidate>();
  #left = maxLines;

  constructor(table: LineTable, change: Change) {
    this.#table = table;
    this.#change = change;
    this.#sessions = table.sessions;
  }

  addFile(file: ChangedFile): void {
    if (file.added.length + file.removed.length > 0) this.files++;
    this.added += this.#addLines(file, "added");
    this.removed += this.#addLines(file, "removed");
  }

  /** The session that made the commit said so at that time, or names its hash. */
  addCommit(): void {
    const { commit, authored } = this.#change;
    if (commit === undefined) return;
    const claims = this.#table.find(...commitKey(commit.oid));
    const into = new Uint32Array(2);
    const { subject } = commit;
    if (hashLine(subject, { from: 0, to: subject.length, into })) {
      claims.push(
        ...this.#table.find(into[0], into[1])
          .filter(({ time }) => Math.abs(time - authored) <= subjectMs),
      );
    }
    const made = claims.find(({ kind }) => kind === "committed");
    if (made === undefined) return;
    const candidate = this.#candidate(made.session);
    candidate.score += weights.committed;
    candidate.committed = made;
  }

  rank(): Candidate[] {
    return [...this.#found.values()]
      .sort((a, b) => b.score - a.score || (a.session < b.session ? -1 : 1));
  }

  #addLines(file: ChangedFile, kind: "added" | "removed"): number {
    const seen = new Set<number>();
    const lines = file[kind].slice(0, Math.min(maxFileLines, this.#left)).join("\n");
    if (lines === "") return 0;
    this.#left -= Math.min(maxFileLines, file[kind].length);
    forEachLineHash(lines, (high, low) => {
      const key = toKey(high, low);
      if (seen.has(key)) return;
      seen.add(key);
      this.#addLine(this.#table.find(high, low), { file, kind });
    });
    return seen.size;
  }

  #addLine(
    claims: LineClaim[],
    { file, kind }: { file: ChangedFile; kind: "added" | "removed" },
  ): void {
    const best = new Map<string, { claim: LineClaim; worth: number }>();
    for (const claim of claims) {
      if (claim.kind !== kind) continue;
      const worth = worthOf(claim, { file, change: this.#change });
      if (worth > (best.get(claim.session)?.worth ?? 0)) best.set(claim.session, { claim, worth });
    }
    const rarity = rarityOf(best.size, this.#sessions) *
      (kind === "removed" ? weights.removed : 1);
    const [most = 0, next = 0] = [...best.values()].map(({ worth }) => worth).sort((a, b) => b - a);
    for (const [session, { claim, worth }] of best) {
      const candidate = this.#candidate(session);
      candidate.score += rarity * worth;
      if (worth === most && worth >= weights.margin * next) candidate.lead += rarity * worth;
      candidate[kind]++;
      const matched = candidate.files.get(file.path) ?? { added: 0, removed: 0, edits: new Map() };
      candidate.files.set(file.path, matched);
      matched[kind]++;
      const place = `${claim.place.pool} ${claim.place.offset}`;
      const edit = matched.edits.get(place) ?? { claim, lines: 0 };
      edit.lines++;
      matched.edits.set(place, edit);
    }
  }

  #candidate(session: string): Candidate {
    let found = this.#found.get(session);
    if (found === undefined) {
      found = { session, score: 0, lead: 0, added: 0, removed: 0, files: new Map() };
      this.#found.set(session, found);
    }
    return found;
  }
}

/** A store with few sessions knows little of what is common: as if there were some more. */
const assumedSessions = 50;
const leastSessions = 150;

/** What a line says that some of all sessions wrote. */
export function rarityOf(writers: number, sessions: number): number {
  const all = Math.max(leastSessions, sessions + assumedSessions);
  return Math.log(1 + all / Math.max(1, writers));
}

/** What a claim says: how near in time and place; nothing when it is later than the change. */
export function worthOf(
  { time, path }: LineClaim,
  { file, change }: { file: Pick<ChangedFile, "path" | "from">; change: Change },
): number {
  if (time > change.committed + slackMs) return 0;
  const hours = Math.abs(change.authored - time) / 3_600_000;
  const late = time > change.authored + slackMs ? weights.late : 1;
  const near = Math.max(weights.floor, 1 / (1 + hours / weights.halfHours));
  const place = Math.max(
    placeWorth(path, file.path),
    file.from === undefined ? 0 : placeWorth(path, file.from),
  );
  return near * late * place;
}

/** Sessions may have worked in a part of the repository, or beside it: one path ends with the other. */
function placeWorth(recorded: string, path: string): number {
  if (isSamePath(recorded, path)) return 1;
  return nameOf(recorded) === nameOf(path) ? weights.sameName : weights.elsewhere;
}

/** Whether a recorded path may be that of a file of the repository. */
export function isSamePath(recorded: string, path: string): boolean {
  return recorded === path || recorded.endsWith(`/${path}`) ||
    (recorded.length > 0 && path.endsWith(`/${recorded}`));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
