// Runs a source over a directory and keeps everything it gives, for tests.

import type {
  Place,
  ReadOptions,
  ResumePoint,
  SessionDetails,
  Source,
  SourceEntry,
  SourceSession,
} from "../../src/intake/sources/source.ts";
import { Databases } from "../../src/intake/sources/database/databases.ts";
import { Tally } from "../../src/intake/sources/problem_tally.ts";
import { toOwnPath } from "../../src/core/platform_path.ts";

/** One session as it was read. */
export interface Collected {
  session: SourceSession;
  entries: SourceEntry[];
  details: SessionDetails;
  tally: Tally;
  resume: ResumePoint;
}

/** Everything a source found under a root. */
export interface Collection {
  sessions: Collected[];
  entries: SourceEntry[];
  tally: Tally;
}

/** A place with an empty home and no environment. */
export function emptyPlace(overrides: Partial<Place> = {}): Place {
  return {
    env: () => undefined,
    home: "/nonexistent",
    os: "linux",
    workspace: "/nonexistent",
    ...overrides,
  };
}

/** How to read; many reads may share one way to databases. */
export interface CollectOptions {
  now?: number;
  resume?: Map<string, ResumePoint>;
  place?: Partial<Place>;
  databases?: Databases;
}

/** Lists and reads all sessions under a root. */
export async function collect(
  source: Source,
  root: string,
  options: CollectOptions = {},
): Promise<Collection> {
  const scratch = toOwnPath(Deno.makeTempDirSync({ prefix: "ctx-scratch-" }));
  using own = new Databases();
  const databases = options.databases ?? own;
  const tally = new Tally();
  const sessions: Collected[] = [];
  const place = emptyPlace(options.place);
  try {
    for await (const session of source.list(root, { tally, place, scratch, databases })) {
      sessions.push(
        await collectSession(source, session, {
          now: options.now ?? Date.now(),
          scratch,
          databases,
          resume: options.resume?.get(session.id),
        }),
      );
    }
  } finally {
    Deno.removeSync(scratch, { recursive: true });
  }
  for (const session of sessions) tally.add(session.tally);
  return { sessions, entries: sessions.flatMap((session) => session.entries), tally };
}

async function collectSession(
  source: Source,
  session: SourceSession,
  options: ReadOptions,
): Promise<Collected> {
  const entries: SourceEntry[] = [];
  const details: SessionDetails = {};
  const tally = new Tally();
  const sink = {
    tally,
    entry: (entry: SourceEntry) => void entries.push(entry),
    describe: (more: SessionDetails) => void Object.assign(details, more),
  };
  const resume = await source.read(session, sink, options) ?? { signature: session.signature };
  return { session, entries, details, tally, resume };
}
