// Which edit a line came from, given whose its commit is: of the sessions behind the commit the one that
// recorded the line itself; where none did, the line is told by its commit.

import { hashLine } from "../../core/rows/line_hash.ts";
import type { LineClaim, LineTable } from "../../index/lines/line_table.ts";
import {
  type Attribution,
  type Candidate,
  isSamePath,
  rarityOf,
  weights,
  worthOf,
} from "./attribute_change.ts";
import type { Change, ChangedFile } from "./change.ts";

export interface LineAttribution {
  session?: string;
  /** The edit that wrote it, or where only its commit is known, the one with most of the file. */
  claim?: LineClaim;
  /** By what it is known. */
  by: "line" | "commit" | "nothing";
  confidence: number;
  because?: string;
}

/** What a line alone must weigh where nothing is known of its commit. */
const leastAlone = 2;
/** What is known by the commit only is less sure by this. */
const byCommit = 0.85;
const aloneConfidence = 0.7;

interface Asked {
  text: string;
  file: Pick<ChangedFile, "path" | "from">;
  change: Change;
}

export function attributeLine(
  table: LineTable,
  asked: Asked,
  whole: Attribution,
): LineAttribution {
  if (asked.change.commit?.isBot) return { by: "nothing", confidence: 0, because: whole.because };
  const claims = findClaims(table, asked);
  const [own, rival] = claims.filter(({ claim }) =>
    whole.parts.some(({ session }) => session === claim.session)
  );
  const { best } = whole;
  if (own !== undefined && (best !== undefined || isClear(own, rival))) {
    const isBest = own.claim.session === best?.session;
    const confidence = best === undefined
      ? aloneConfidence
      : round(whole.confidence * (isBest ? 1 : 0.9));
    return { session: own.claim.session, claim: own.claim, by: "line", confidence };
  }
  // Of a file that it never touched it has written nothing.
  if (best !== undefined && (best.committed !== undefined || best.files.has(asked.file.path))) {
    const claim = mainEdit(best, asked.file.path);
    const confidence = round(whole.confidence * byCommit);
    return { session: best.session, claim, by: "commit", confidence };
  }
  const [first, second] = claims;
  const rarity = rarityOf(claims.length, table.sessions);
  // What one session only ever wrote, and into this file, is its own however long ago that was.
  const isOnly = claims.length === 1 && isSamePath(first.claim.path, asked.file.path);
  const isAlone = isOnly || first !== undefined && first.worth * rarity >= leastAlone &&
      isClear(first, second);
  if (isAlone) {
    const { claim } = first;
    return { session: claim.session, claim, by: "line", confidence: aloneConfidence };
  }
  const because = best === undefined
    ? whole.because
    : `its commit belongs to session ${best.session}, which did not record this file`;
  return { by: "nothing", confidence: 0, because };
}

function isClear(first: { worth: number }, second?: { worth: number }): boolean {
  return second === undefined || first.worth >= weights.margin * second.worth;
}

/** The best claim of each session to a line, the best first. */
function findClaims(
  table: LineTable,
  { text, file, change }: Asked,
): { claim: LineClaim; worth: number }[] {
  const into = new Uint32Array(2);
  if (!hashLine(text, { from: 0, to: text.length, into })) return [];
  const best = new Map<string, { claim: LineClaim; worth: number }>();
  for (const claim of table.find(into[0], into[1])) {
    const worth = claim.kind === "added" ? worthOf(claim, { file, change }) : 0;
    const known = best.get(claim.session);
    // The call comes before its result, which tells the same edit once more.
    if (worth > 0 && worth > (known?.worth ?? 0)) best.set(claim.session, { claim, worth });
  }
  return [...best.values()].sort((a, b) => b.worth - a.worth);
}

/** The edit of a session with most lines of a file; of any file, where it has none there. */
export function mainEdit({ files, committed }: Candidate, path?: string): LineClaim | undefined {
  const own = path === undefined ? undefined : files.get(path);
  const edits = (own === undefined ? [...files.values()] : [own])
    .flatMap((file) => [...file.edits.values()]);
  return edits.sort((a, b) => b.lines - a.lines || b.claim.time - a.claim.time)[0]?.claim ??
    committed;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
