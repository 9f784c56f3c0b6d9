// Holds the store against its numbered invariants (docs/FORMAT.md). Reads only; `mend.ts` repairs.

import { ownPools, type Pool } from "../../core/entry.ts";
import { breathe, isBreathDue } from "../../core/breathe.ts";
import { redactText } from "../../core/redact/redact.ts";
import { findJson } from "../../core/json.ts";
import { findUtf8 } from "../../core/utf8.ts";
import { type CatalogFile, catalogForm, readKept } from "../catalog_file.ts";
import { type Files, isListed } from "../../disk/files.ts";
import { readCovered } from "../index_lag.ts";
import { readText } from "../../disk/text_files.ts";
import { isMarkLine, isVersioned } from "../../disk/conflicts.ts";
import { isOwnName, type Layout } from "../../disk/layout.ts";
import { findTornTail, readLines } from "../../disk/lines.ts";
import { parseSessionEvent, readSessionEvents } from "../logs/session_log.ts";
import { findForgottenMentions } from "./forget_entries.ts";
import { findChangedLogs, findLosses, readState } from "../state.ts";
import { hasWholeMarks } from "../summary.ts";
import { findTeamFaults } from "../team/team_faults.ts";
import type { Damage, Row } from "../snapshot.ts";
import type { Store } from "../store.ts";

/** One thing that was looked at. */
export interface Check {
  name: string;
  /** The invariant of docs/FORMAT.md it guards, if it guards one. */
  invariant?: number;
  status: "ok" | "warning" | "failed";
  detail: string;
  /** Whether `ctx doctor --fix` can mend it. */
  fixable: boolean;
}

/** What one pass over the rows finds; samples of it, however much there is. */
interface Findings {
  rows: number;
  damaged: number;
  unread: number;
  samples: Damage[];
  usedTwice: Named;
  inBothPools: Named;
  secrets: Named;
}

/** How many, and the first few by name. */
class Named {
  count = 0;
  readonly names: string[] = [];

  add(name: string): void {
    if (++this.count <= 5) this.names.push(name);
  }
}

/**
 * Looks at everything but the index; never writes. `see` is shown every row on the way, so that the
 * index need not read them all again.
 */
export async function inspectStore(
  store: Store,
  { see, signal }: { see?: (row: Row) => void; signal?: AbortSignal } = {},
): Promise<Check[]> {
  const findings = await readFindings(store, { see, signal });
  return [
    checkVersion(store),
    checkLogs(store),
    checkTails(store),
    checkLines(findings),
    checkDuplicates(store, findings),
    checkPools(store, findings),
    checkState(store),
    checkSessions(store),
    checkForgotten(store),
    checkEdited(store),
    checkQuarantine(store),
    checkCatalog(store),
    checkSecrets(findings),
    checkDrafts(store),
    checkForeign(store),
    ...checkTeam(store),
    check("entries", "ok", `${findings.rows} rows read`),
  ];
}

async function readFindings(
  store: Store,
  { see, signal }: { see?: (row: Row) => void; signal?: AbortSignal },
): Promise<Findings> {
  const findings: Findings = {
    rows: 0,
    damaged: 0,
    unread: 0,
    samples: [],
    usedTwice: new Named(),
    inBothPools: new Named(),
    secrets: new Named(),
  };
  const onDamage = (damage: Damage): void => {
    // Told with the rest of what is others'.
    if (damage.pool === "team") return;
    // What a merge left is a check of its own.
    if (damage.kind === "conflict_mark") return;
    if (++findings.damaged <= 5) findings.samples.push(damage);
    if (damage.saved === 0) findings.unread++;
  };
  const known = new Map<string, Pool>();
  const forgotten = store.readHidden();
  using snapshot = store.openSnapshot();
  for (const row of snapshot.rows({ onDamage, lines: true })) {
    if (isBreathDue()) await breathe(signal);
    findings.rows++;
    see?.(row);
    if (redactText(row.entry.text).count > 0) findings.secrets.add(row.entry.id);
    // What is forgotten counts as nothing, and goes at the next gc.
    if (forgotten.hides(row)) continue;
    const { id } = row.entry;
    const first = known.get(id);
    if (first === undefined) known.set(id, row.pool);
    // What others have of an own row is passed over, and the server gives an id to one row only.
    if (row.pool === "team" || first === undefined) continue;
    (first === row.pool ? findings.usedTwice : findings.inBothPools).add(id);
  }
  return findings;
}

function checkVersion(store: Store): Check {
  const { version } = store.readState();
  return check("version", "ok", `format version ${version}`, 8);
}

/**
 * A log is replaced as a whole or grows: what was counted still stands where it was. Where ctx
 * replaces one it takes the count away first, so a log that is shorter lost what it had.
 */
function checkLogs(store: Store): Check {
  const { files, layout } = store;
  const lost = findLoss(store);
  if (lost !== undefined) {
    const detail = `${lost}: restore it from a backup; ctx doctor --fix accepts the loss`;
    return check("logs", "failed", detail, 1);
  }
  const changed = findChangedLogs(files, layout).map((path) => path.slice(layout.root.length + 1));
  if (changed.length === 0) return check("logs", "ok", "no rows are missing from the logs", 1);
  if (isVersioned(files, layout)) {
    return check("logs", "ok", "the logs were changed by git", 1);
  }
  const names = changed.join(", ");
  const detail = `something other than ctx changed ${names}`;
  return check("logs", "warning", detail, 1, true);
}

/** Which log has less than the state, or in its absence the index or the sessions, says it had. */
function findLoss({ files, layout }: Store): string | undefined {
  if (files.findSize(layout.move) !== undefined || isVersioned(files, layout)) return undefined;
  const { rebuilt, state } = readState(files, layout);
  if (rebuilt !== "missing" && rebuilt !== "corrupt") {
    if (findLosses(files, layout, state).length === 0) return undefined;
    // A writer may have replaced the log since the state was read: then the state has no count now.
    return findLosses(files, layout, readState(files, layout).state)[0];
  }
  const covered = readCovered({ files, layout });
  const cut = ownPools.find((pool) => (files.findSize(layout.history[pool]) ?? 0) < covered[pool]);
  if (cut !== undefined) {
    const name = layout.history[cut].slice(layout.root.length + 1);
    return `${name} is shorter than when it was indexed`;
  }
  if (ownPools.some((pool) => (files.findSize(layout.history[pool]) ?? 0) > 0)) return undefined;
  const imported = readSessionEvents(files, layout).some(({ event }) => event === "imported");
  return imported ? "history.ndjson is empty, though sessions were imported" : undefined;
}

function checkTails(store: Store): Check {
  const { layout, files } = store;
  const torn = [...Object.values(layout.history), layout.sessions].filter((path) =>
    findTornTail(files, path) !== undefined
  );
  if (torn.length === 0) return check("tails", "ok", "every log ends with a complete line", 3);
  const names = torn.map((path) => path.slice(layout.root.length + 1)).join(", ");
  return check("tails", "warning", `incomplete last line in ${names}`, 3, true);
}

function checkLines({ damaged, unread, samples }: Findings): Check {
  if (damaged === 0) return check("lines", "ok", "every line can be read", 7);
  const where = samples.map((damage) => `${damage.kind} at ${damage.pool}:${damage.offset}`)
    .join(", ");
  const detail = `${damaged} damaged lines (${unread} unreadable): ${where}`;
  return check("lines", "failed", detail, 7, true);
}

function checkDuplicates({ files, layout }: Store, { usedTwice }: Findings): Check {
  if (usedTwice.count === 0) return check("ids", "ok", "every id is used once", 10);
  const [{ count }, ids] = [usedTwice, [...new Set(usedTwice.names)].join(", ")];
  const detail = `${count} ${
    count === 1 ? "row has" : "rows have"
  } an id that is already in use: ${ids}`;
  return check("ids", isVersioned(files, layout) ? "warning" : "failed", detail, 10, true);
}

/** Between the two halves of a move both logs have the row; the next writer finishes it. */
function checkPools(store: Store, { inBothPools }: Findings): Check {
  const { count, names } = inBothPools;
  if (store.files.findSize(store.layout.move) !== undefined) {
    const detail = `compaction was interrupted: ${count} ids are in both logs until the next write`;
    return check("pools", "warning", detail, 4, true);
  }
  if (count === 0) return check("pools", "ok", "no id is in both logs (hot and archive)", 4);
  const detail = `${count} ids are in both logs (hot and archive): ${names.join(", ")}`;
  // A merge brings back what one side had moved.
  const status = isVersioned(store.files, store.layout) ? "warning" : "failed";
  return check("pools", status, detail, 4, true);
}

function checkState(store: Store): Check {
  const { rebuilt, shrunk } = readState(store.files, store.layout);
  if (rebuilt === undefined) return check("state", "ok", "state.json agrees with the logs", 5);
  const detail = `state.json is ${rebuilt}; it will be rebuilt on the next write`;
  const isGit = rebuilt !== "corrupt" && isVersioned(store.files, store.layout);
  if (isGit) return check("state", "ok", detail, 5);
  return check("state", "warning", detail, 5, shrunk === undefined);
}

/** Others' rows: nothing is said of them where there are none. */
function checkTeam({ files, layout }: Store): Check[] {
  if (!isListed(files, layout.team)) return [];
  const { writers, mended, pulled } = findTeamFaults(files, layout);
  const said = [...mended, ...pulled].slice(0, 5).join("; ");
  if (pulled.length > 0) {
    return [check("team", "warning", `${said}: the next \`ctx sync\` pulls it again`)];
  }
  if (mended.length > 0) {
    return [check("team", "warning", `${said}: the next write repairs it`, undefined, true)];
  }
  return [
    check("team", "ok", `rows from ${writers} other ${writers === 1 ? "store" : "stores"}`),
  ];
}

function checkSessions(store: Store): Check {
  let bad = 0;
  for (const line of readLines(store.files, store.layout.sessions)) {
    if (line.bytes.length === 0 || isMarkLine(line.bytes)) continue;
    if (parseSessionEvent(line.bytes) === undefined) bad++;
  }
  if (bad === 0) return check("sessions", "ok", "every session event can be read", 7);
  return check("sessions", "failed", `${bad} session events cannot be read`, 7, true);
}

/** What was forgotten is not named in files for people; a killed forget leaves it there. */
function checkForgotten(store: Store): Check {
  const forgotten = store.readForgotten();
  const named = findForgottenMentions(store, forgotten);
  if (named.length === 0) {
    return check("forgotten", "ok", "no pin or summary mentions forgotten entries", 12);
  }
  return check(
    "forgotten",
    "warning",
    `forgotten entries are still mentioned in ${named.join(", ")}`,
    12,
    true,
  );
}

/** Files that people edit are replaced whole: half a character or NUL bytes show that one was not. */
function checkEdited({ files, layout }: Store): Check {
  const half = [layout.pins, layout.summary, layout.config].filter((path) => {
    const text = findUtf8(files.findBytes(path) ?? new Uint8Array());
    if (text === undefined || text.includes("\0")) return true;
    return path === layout.summary && !hasWholeMarks(text);
  }).map((path) => path.slice(layout.root.length + 1));
  if (half.length === 0) {
    return check("edited", "ok", "pins.md, summary.md and config.jsonc are complete", 13);
  }
  return check("edited", "warning", `${half.join(", ")} is incomplete: check it`, 13);
}

function checkQuarantine(store: Store): Check {
  const lines = readLines(store.files, store.layout.quarantine).reduce((sum) => sum + 1, 0);
  if (lines === 0) return check("quarantine", "ok", "nothing was quarantined", 7);
  return check(
    "quarantine",
    "ok",
    `${lines} damaged pieces are quarantined in history.bad.ndjson`,
    7,
  );
}

export function hasManifest(files: Files, layout: Layout): boolean {
  return findJson(readText(files, `${layout.index}/manifest.json`)) !== undefined;
}

/** Other derived files (the session catalog, tables of older versions) stand beside the search index. */
export function isSearchIndex(name: string): boolean {
  return !/^(graph|suggest|sessions\.json|known|import-)/.test(name);
}

/** A catalog that readers reject is of no use, and may repeat what was erased. */
function checkCatalog(store: Store): Check {
  const kept = readKept<CatalogFile>(store, catalogForm);
  if ("kept" in kept) {
    return check(
      "catalog",
      "ok",
      `the session catalog lists ${kept.kept.sessions.length} sessions`,
      6,
    );
  }
  if (kept.fault === "missing") return check("catalog", "ok", "no session catalog yet", 6);
  if (kept.fault === "stale") {
    return check(
      "catalog",
      "ok",
      "the session catalog is out of date: it is rebuilt when needed",
      6,
    );
  }
  const isReadable = store.findUnreadable() === undefined;
  const fault = isReadable ? "is damaged" : "cannot be read";
  const detail = `index/sessions.json ${fault}: sessions are counted without it`;
  return check("catalog", "warning", detail, 6, isReadable);
}

/** What the redaction rules would still take out; `save --no-redact` may have put it there. */
function checkSecrets({ secrets }: Findings): Check {
  const { count, names } = secrets;
  if (count === 0) return check("secrets", "ok", "no known kind of secret in any text", 9);
  const detail = `${count} entries seem to contain secrets: ${names.join(", ")}`;
  return check("secrets", "warning", detail, 9);
}

function checkDrafts(store: Store): Check {
  const drafts = store.files.list(store.layout.root).filter((name) => name.endsWith(".tmp"));
  if (drafts.length === 0) return check("drafts", "ok", "no unfinished files");
  const detail = `${drafts.length} unfinished files left by interrupted writes: ${
    drafts.join(", ")
  }`;
  return check("drafts", "warning", detail, undefined, true);
}

function checkForeign(store: Store): Check {
  const foreign = store.files.list(store.layout.root).filter((name) => !isOwnName(name));
  if (foreign.length === 0) return check("foreign", "ok", "only ctx's own files");
  return check("foreign", "ok", `not created by ctx, left alone: ${foreign.join(", ")}`);
}

/** One check as doctor lists it. */
export function check(
  name: string,
  status: Check["status"],
  detail: string,
  invariant?: number,
  fixable = false,
): Check {
  return { name, ...(invariant === undefined ? {} : { invariant }), status, detail, fixable };
}
