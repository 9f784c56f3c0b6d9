// The shared fixtures: recorded and synthetic files of real agents with true counts. They are not
// part of this repository; tests that need them say so and stop when they are absent.

import { fromFileUrl } from "../../src/core/platform_path.ts";

/** One line of MANIFEST.tsv. */
export interface Fixture {
  path: string;
  /** The source that reads it. */
  source: string;
  messages: number;
  kind: string;
  details: Record<string, number>;
}

/** Where the fixtures are: beside the repository, or beside the worktree's parent. */
export const fixtureRoot = fromFileUrl(new URL("../../../shared/fixtures", import.meta.url));

/** The fixtures of the manifest; empty, with a message, where there are none. */
export function readFixtures(): Fixture[] {
  let manifest: string;
  try {
    manifest = Deno.readTextFileSync(`${fixtureRoot}/MANIFEST.tsv`);
  } catch {
    // deno-lint-ignore no-console
    console.warn(`skipped: no fixtures at ${fixtureRoot}`);
    return [];
  }
  return manifest.trim().split("\n").slice(1).map((line) => {
    const [path, , , , , messages, kind, , details] = line.split("\t");
    const folder = path.split("/")[0];
    return {
      path: path.replace(/\/$/, ""),
      source: folder === "cline-roo" ? "cline" : folder,
      messages: Number(messages),
      kind,
      details: JSON.parse(details || "{}"),
    };
  });
}
