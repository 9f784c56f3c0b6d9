// The one suite that every source passes: what it lists and reads, that it reads the same twice,
// goes on where it stopped, never writes, never gives away secrets and survives damage.

import assert from "node:assert/strict";
import { roles, typePattern } from "../../../src/core/entry.ts";
import { redactValue } from "../../../src/core/redact/redact.ts";
import { Databases } from "../../../src/intake/sources/database/databases.ts";
import type { ResumePoint, Source, SourceEntry } from "../../../src/intake/sources/source.ts";
import { countMessages } from "../../support/count_messages.ts";
import { collect, type Collection, emptyPlace } from "../../support/collect.ts";
import { copyTree, listTree, snapshotTree } from "../../support/stores/tree.ts";
import { fromFileUrl } from "../../../src/core/platform_path.ts";
import { hasLinks } from "../../support/not_on_windows.ts";
import { toOwnPath } from "../../../src/core/platform_path.ts";

/** The secret that every sample has in a message. */
export const plantedSecret = "AKIAQ3EGVT5RM2WNK7XZ";
/** Text that samples have in places that must not be read at all. */
export const forbidden = "never-import-this";

/** A sample of one source's storage and what is in it. */
export interface Sample {
  name: string;
  source: Source;
  /** The directory under test/samples; absent where `prepare` makes everything. */
  directory?: string;
  /** Where the sample's root is below its copy. */
  root: string;
  /** Completes the copy: databases, moved directories. */
  prepare?: (directory: string) => void | Promise<void>;
  /** How the agent would be told about this place; absent where only --root can. */
  locate?: (
    directory: string,
  ) => { env?: Record<string, string>; home?: string; workspace?: string };
  /** Session ids, and the rows of each as `role/type`. */
  expected: Record<string, string[]>;
  /** Damage nobody can see: prose, and files in whose place another of them is read. */
  unseen?: RegExp;
  /** Whether rows wait for later lines: then they cannot be told apart by message. */
  holdsRows?: true;
  /** Continues the conversation; returns how many rows are new or changed. */
  grow: (directory: string) => number | Promise<number>;
}

/** Registers the suite for a sample. */
export function conformance(sample: Sample): void {
  const { source } = sample;
  const test = (what: string, run: (copy: string, root: string) => Promise<void>) =>
    Deno.test(`${sample.name} ${what}`, async () => {
      const copy = toOwnPath(Deno.makeTempDirSync({ prefix: "ctx-source-" }));
      try {
        if (sample.directory) copyTree(`${samples}/${sample.directory}`, copy);
        await sample.prepare?.(copy);
        await run(copy, `${copy}${sample.root}`);
      } finally {
        Deno.removeSync(copy, { recursive: true });
      }
    });

  test("is found where the environment says", (copy, root) => {
    const { env = {}, ...place } = sample.locate?.(copy) ?? {};
    const roots = source.locate(emptyPlace({ env: (name) => env[name], ...place }));
    const found = roots.some((found) => found === root || found.startsWith(root));
    assert.equal(found, sample.locate !== undefined, roots.join());
    return Promise.resolve();
  });

  test("gives every session and row", async (_copy, root) => {
    const found = await read(source, root);
    assert.deepEqual(shapeOf(found), sample.expected);
    assert.equal(found.tally.problem_count, 0, JSON.stringify(found.tally.problems));
    for (const { session, entries } of found.sessions) {
      assert.match(session.started ?? "", isoUtc);
      assert.equal(new Set(entries.map((entry) => entry.message)).size, entries.length);
      for (const entry of entries) assertSound(entry);
    }
  });

  test("reads the same twice and changes nothing", async (copy, root) => {
    const before = snapshotTree(copy);
    const first = await read(source, root);
    const second = await read(source, root);
    assert.deepEqual(second.entries, first.entries);
    assert.deepEqual(snapshotTree(copy), before);
  });

  test("goes on where it stopped", async (copy, root) => {
    const first = await read(source, root);
    const seen = new Set(keysOf(first));
    const resume = new Map(first.sessions.map((item) => [item.session.id, item.resume]));
    const again = await read(source, root, resume);
    assert.deepEqual(keysOf(again).filter((key) => !seen.has(key)), []);
    for (const { session } of again.sessions) {
      assert.equal(session.signature, resume.get(session.id)?.signature);
    }
    const grown = await sample.grow(copy);
    const later = await read(source, root, resume);
    const fresh = keysOf(later).filter((key) => !seen.has(key));
    assert.equal(fresh.length, grown, fresh.join("\n"));
    assert.ok(
      later.sessions.some(({ session }) => session.signature !== resume.get(session.id)?.signature),
    );
  });

  test("counts every message, kept or left out with a reason", async (_copy, root) => {
    const { tally, kept } = await countMessages(source, root);
    assert.ok(tally.messages > 0);
    if (!sample.holdsRows) assert.equal(tally.kept, kept, JSON.stringify(tally));
  });

  test("gives away no secret, no key and no binary data", async (_copy, root) => {
    const found = await read(source, root);
    const raw = JSON.stringify(
      found.sessions.map(({ entries, details, session }) => ({ entries, details, session })),
    );
    assert.ok(raw.includes(plantedSecret), "the sample has no secret to find");
    assert.ok(!raw.includes(forbidden), "something was read that must not be");
    assert.doesNotMatch(raw, /[A-Za-z0-9+/]{300}/);
    assert.ok(!JSON.stringify(redactValue(found.entries).value).includes(plantedSecret));
  });

  test("survives damage", async (copy, root) => {
    using databases = new Databases();
    const whole = await read(source, root);
    for (const file of listTree(copy)) {
      const bytes = Deno.readFileSync(file);
      // Zeros in the rows of a table are rows.
      const isDatabase = /\.(?:db|sqlite3?|vscdb)$/.test(file);
      for (const [damage, damaged] of damages(bytes)) {
        const isSeen = !sample.unseen?.test(file) && !(isDatabase && damage === "zeros");
        Deno.writeFileSync(file, damaged);
        const found = await collect(source, root, { now: quietTime, databases });
        const isLess = found.entries.length < whole.entries.length;
        // What is lost is told: as a bad line, as a problem with its place, or counted by reason.
        assert.ok(
          !isLess || !isSeen || isTold(found, whole),
          `${file} (${damage}): ${JSON.stringify(found.tally)}`,
        );
      }
      Deno.writeFileSync(file, bytes);
    }
    assert.deepEqual(shapeOf(await read(source, root)), sample.expected);
  });

  test("survives links in circles and directories in the place of files", async (copy, root) => {
    if (Deno.statSync(root).isFile) return;
    if (hasLinks) {
      Deno.symlinkSync(copy, `${root}/circle`);
      Deno.symlinkSync("/nonexistent", `${root}/dangling.jsonl`);
    }
    Deno.mkdirSync(`${root}/directory.jsonl`);
    const found = await read(source, root);
    assert.deepEqual(shapeOf(found), sample.expected);
  });
}

const samples = fromFileUrl(new URL("../../samples", import.meta.url));
const isoUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const quietTime = Date.parse("2100-01-01T00:00:00Z");

async function read(
  source: Source,
  root: string,
  resume?: Map<string, ResumePoint>,
): Promise<Collection> {
  return await collect(source, root, { now: quietTime, resume });
}

function assertSound(entry: SourceEntry): void {
  assert.match(entry.ts, isoUtc);
  assert.match(entry.type, typePattern);
  assert.ok(roles.includes(entry.role));
  assert.ok(entry.text.isWellFormed());
  if (entry.type === "tool_output") {
    assert.equal(typeof entry.tool?.output_bytes, "number");
    assert.match(String(entry.tool?.sha256), /^[0-9a-f]{64}$/);
  }
}

function shapeOf(found: Collection): Record<string, string[]> {
  return Object.fromEntries(
    found.sessions.filter(({ entries }) => entries.length > 0).map(({ session, entries }) => [
      // Where the id is a hash of the path, the title says which file it is.
      /^[\da-f]{16}$/.test(session.id)
        ? session.title
        : session.id.replace(/^(?:[A-Z]:)?\/.*#/, "#"),
      entries.map((entry) => `${entry.role}/${entry.type}`),
    ]),
  );
}

/** Whether more is said of what could not be read than of a whole copy. */
function isTold({ tally }: Collection, whole: Collection): boolean {
  return tally.bad_lines + tally.problem_count > 0 ||
    Object.entries(tally.skipped).some(([reason, count]) =>
      count > (whole.tally.skipped[reason] ?? 0)
    );
}

function keysOf(found: Collection): string[] {
  return found.sessions.flatMap(({ session, entries }) =>
    entries.map((entry) => `${session.id} ${entry.message} ${entry.revision ?? ""}`)
  );
}

function* damages(bytes: Uint8Array): Generator<[string, Uint8Array]> {
  yield ["half", bytes.subarray(0, Math.floor(bytes.length / 2))];
  yield ["empty", new Uint8Array(0)];
  yield ["other", new TextEncoder().encode("not what was expected\n")];
  const zeros = bytes.slice();
  zeros.fill(0, Math.floor(bytes.length / 3), Math.floor(bytes.length / 2));
  yield ["zeros", zeros];
}
