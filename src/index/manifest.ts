// `index/manifest.json`: which segments there are, what they cover, and which of their rows no
// longer count. Replaced whole; a reader that cannot use it works without an index.

import { type OwnPool, type Pool, pools } from "../core/entry.ts";
import { findJson, isObject } from "../core/json.ts";
import type { Files } from "../disk/files.ts";
import type { Layout } from "../disk/layout.ts";
import type { KeptCounts } from "../store/state.ts";
import type { LiveTotals } from "./segment/corpus.ts";
import { checksum } from "../core/checksum.ts";
import { analysisVersion, countsShared, segmentVersion } from "../store/index_version.ts";

export interface FileFacts {
  name: string;
  bytes: number;
  /** The checksum of the file's page table. */
  checksum: number;
}

export interface SegmentRecord extends FileFacts {
  pool: Pool;
  from: number;
  to: number;
  rows: number;
  /** A checksum of the log's bytes at both ends: a rewritten log is noticed by it. */
  edges: number;
  /** Whether dead rows were left out when it was merged. */
  purged: boolean;
  dead: number[];
  superseded: number[];
  /** The sums over its rows that are not dead; told where some are. */
  live?: LiveTotals;
  vectors?: FileFacts;
}

export interface VectorModel {
  name: string;
  fingerprint: string;
  dimensions: number;
}

export interface Manifest {
  format: "ctx-index";
  version: number;
  analysis: number;
  /** How far each log is covered; the store reads this without loading the index. */
  covered: Record<OwnPool, number> & { team?: number };
  segments: SegmentRecord[];
  model?: VectorModel;
  /** What the logs had when it was written: where `state.json` is lost, they are not read for it. */
  logs?: KeptCounts;
  /** That dead rows repeat an id of their own session; told where there are some. */
  repeats?: "session";
}

/** Why a manifest cannot be used. */
export type ManifestFault = "missing" | "damaged" | "newer" | "older";

/** A manifest, or why there is none; and the bytes it was read from. */
export type ManifestReading =
  | { manifest: Manifest; text: string }
  | { fault: ManifestFault; text: string | undefined };

/** The index's files, relative to its directory. */
const manifestName = "manifest.json";

/** A manifest of this version over some segments. */
export function makeManifest(
  segments: SegmentRecord[],
  { model, logs }: Pick<Manifest, "model" | "logs"> = {},
): Manifest {
  return {
    format: "ctx-index",
    version: segmentVersion,
    analysis: analysisVersion,
    covered: withoutEmptyTeam(coveredBytes(segments)),
    segments,
    ...(model === undefined ? {} : { model }),
    ...(logs === undefined ? {} : { logs }),
    ...(countsShared({ segments }) ? { repeats: "session" } : {}),
  };
}

/** Reads the manifest, or says why it cannot be used. */
export function readManifest(files: Files, layout: Layout): ManifestReading {
  const bytes = files.findBytes(`${layout.index}/${manifestName}`);
  if (bytes === undefined) return { fault: "missing", text: undefined };
  const text = new TextDecoder().decode(bytes);
  const parsed = parseManifest(text);
  return typeof parsed === "string" ? { fault: parsed, text } : { manifest: parsed, text };
}

/** Replaces the manifest; the files it names must be there already. */
export function writeManifest(files: Files, layout: Layout, manifest: Manifest): void {
  const body = JSON.stringify(manifest);
  const text = `{"checksum":${textChecksum(body)},"manifest":${body}}\n`;
  const bytes = new TextEncoder().encode(text);
  files.replace(`${layout.index}/${manifestName}`, bytes, { sync: false });
}

/** How many bytes of each log the segments cover. */
export function coveredBytes(
  segments: readonly Pick<SegmentRecord, "pool" | "to">[],
): Record<Pool, number> {
  const covered = { archive: 0, hot: 0, team: 0 };
  for (const { pool, to } of segments) covered[pool] = Math.max(covered[pool], to);
  return covered;
}

/** Nothing is said of others' rows where there are none. */
function withoutEmptyTeam({ team, ...own }: Record<Pool, number>): Manifest["covered"] {
  return team > 0 ? { ...own, team } : own;
}

export function namesOf(segments: readonly SegmentRecord[]): Set<string> {
  return new Set(
    segments.flatMap(({ name, vectors }) => vectors === undefined ? [name] : [name, vectors.name]),
  );
}

/** Whether every file is there in full: a collection of garbage may have come between. */
export function isComplete(
  { files, layout }: { files: Files; layout: Layout },
  segments: readonly SegmentRecord[],
): boolean {
  return segments.flatMap((segment) => segment.vectors ? [segment, segment.vectors] : [segment])
    .every(({ name, bytes }) => files.findSize(`${layout.index}/${name}`) === bytes);
}

/** Row numbers as gaps, which are short in JSON; and back. */
export function toGaps(rows: Iterable<number>): number[] {
  let last = 0;
  return [...rows].sort((a, b) => a - b).map((row) => {
    const gap = row - last;
    last = row;
    return gap;
  });
}

export function fromGaps(gaps: readonly number[]): Set<number> {
  let row = 0;
  return new Set(gaps.map((gap) => row += gap));
}

function parseManifest(text: string): Manifest | ManifestFault {
  const file = findJson(text);
  if (!isObject(file) || !isObject(file.manifest)) return "damaged";
  if (file.checksum !== textChecksum(JSON.stringify(file.manifest))) return "damaged";
  // The checksum says that it is as ctx wrote it.
  const manifest = file.manifest as unknown as Manifest;
  if (manifest.format !== "ctx-index") return "damaged";
  if (manifest.version > segmentVersion || manifest.analysis > analysisVersion) return "newer";
  if (manifest.version < segmentVersion || manifest.analysis < analysisVersion) return "older";
  if (!isContiguous(manifest.segments)) return "damaged";
  return countsShared(manifest) ? "older" : manifest;
}

/** The segments of each pool must cover its log from the start without a gap. */
function isContiguous(segments: readonly SegmentRecord[]): boolean {
  if (!Array.isArray(segments)) return false;
  return pools.every((pool) => {
    let reached = 0;
    for (const segment of segments) {
      if (segment.pool !== pool) continue;
      if (segment.from !== reached || segment.to <= segment.from) return false;
      reached = segment.to;
    }
    return true;
  });
}

function textChecksum(text: string): number {
  return checksum(new TextEncoder().encode(text));
}
