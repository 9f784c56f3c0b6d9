// Measures whether what ctx sends is right: two public projects, labelled by hand (../shared/bench/tell),
// are replayed over time with the built file. Only figures are kept here. Lines without a verdict go to a
// file in the work directory, for a reader who did not write the code.
// Run: CTX_TELL_DATA=DIR deno task bench tell [--set NAME] [--only PART,PART] [--git DIR]
//
// CTX_TELL_DATA     a directory of transcripts per set, as prep.py beside the labels writes them
// CTX_TELL_FILE     the built ctx to measure; without it, one is built
// CTX_TELL_WORK     where stores, answers and unmatched lines are kept (default: below the temporary directory)
// CTX_TELL_JUDGED   a reader's verdicts: `good` or `bad`, a tab, the line
//
// --only measures some of records, titles, review, packs and prompts; `--only evidence` asks nothing of ctx and tells
// where the facts stand in the transcripts. --git names a directory with a repository per set: a second
// table has what is told where the workspace has that history up to each moment. Answers are kept for as
// long as the built file stays the same.

import { repository } from "../../build/repository.ts";
import { sha256 } from "../../build/sha256.ts";
import { buildFile } from "../support/built_file.ts";
import type { BenchTable } from "../support/table.ts";
import { hasFaketime } from "./ctx_at.ts";
import { tabulateEvidence } from "./evidence.ts";
import { type Labels, readLabels } from "./labels.ts";
import { measureSet } from "./measure_set.ts";
import { type Part, parts } from "./replay.ts";
import { parseVerdicts, scoreTold, toKey, type Unmatched } from "./score.ts";
import { toTable } from "./tell_table.ts";
import { fromFileUrl } from "../../src/core/platform_path.ts";

/** The table for `deno task bench tell`. */
export async function run(): Promise<BenchTable[]> {
  const env = Deno.env.toObject();
  const histories = env.CTX_TELL_GIT;
  const directory = fromFileUrl(new URL("../../../shared/bench/tell", import.meta.url));
  const data = env.CTX_TELL_DATA ?? "";
  const missing = whatIsMissing(directory, data);
  if (missing !== undefined) {
    return [{ title: `What is told: skipped, ${missing}`, head: ["set"], rows: [] }];
  }
  const sets = chooseSets(directory, data, env.CTX_TELL_SET);
  if (env.CTX_TELL_ONLY === "evidence") {
    return sets.map((labels) => tabulateEvidence(labels, `${data}/${labels.name}`));
  }
  const work = env.CTX_TELL_WORK ??
    `${env.TMPDIR ?? "/tmp"}/ctx-tell${repository.slice(0, -1).replaceAll("/", "-")}`;
  await Deno.mkdir(work, { recursive: true });
  const file = env.CTX_TELL_FILE ?? (await buildFile(`${work}/built`, { gzip: true })).path;
  const build = (await sha256(await Deno.readFile(file))).slice(0, 16);
  const options = {
    data,
    work,
    file: await Deno.realPath(file),
    build,
    wanted: wantedParts(env.CTX_TELL_ONLY),
  };
  const verdicts = parseVerdicts(
    env.CTX_TELL_JUDGED === undefined ? "" : await Deno.readTextFile(env.CTX_TELL_JUDGED),
  );
  const tables: BenchTable[] = [];
  const unmatched: string[] = [];
  for (const repositories of histories === undefined ? [undefined] : [undefined, histories]) {
    const measured = await Promise.all(sets.map(async (labels) => {
      const told = await measureSet(labels, { ...options, repositories });
      return { name: labels.name, ...scoreTold(labels, told, verdicts) };
    }));
    tables.push(toTable(measured, { isWithGit: repositories !== undefined }));
    unmatched.push(...measured.flatMap(toLines));
  }
  await Deno.writeTextFile(`${work}/unmatched.tsv`, [...new Set(unmatched)].join(""));
  return tables;
}

/** Lines without a verdict; a reader replaces the question mark by `good` or `bad`. */
function toLines({ name, unmatched }: { name: string; unmatched: Unmatched[] }): string[] {
  return unmatched.map(({ kind, text }) => `?\t${name}\t${kind}\t${toKey(text)}\n`);
}

function whatIsMissing(directory: string, data: string): string | undefined {
  if (data === "") return "CTX_TELL_DATA does not name transcripts";
  if (!isThere(data)) return `there is no ${data}`;
  if (!isThere(directory)) return `there is no ${directory}`;
  return hasFaketime() ? undefined : "Debian's `faketime` is not installed";
}

function wantedParts(text: string | undefined): Set<Part> {
  const words = text?.split(",") ?? [];
  const unknown = words.find((word) => !parts.some((part) => part === word));
  if (unknown !== undefined) {
    throw new Error(`Cannot measure "${unknown}": there is ${parts.join(", ")}`);
  }
  return new Set(parts.filter((part) => words.length === 0 || words.includes(part)));
}

/** The sets that have labels and transcripts. */
function chooseSets(directory: string, data: string, only: string | undefined): Labels[] {
  const names = [...Deno.readDirSync(directory)].filter(({ isDirectory }) => isDirectory)
    .map(({ name }) => name).filter((name) => isThere(`${data}/${name}`)).sort();
  const chosen = names.filter((name) => only === undefined || name === only);
  if (chosen.length === 0) {
    const sets = names.length > 0 ? `there is ${names.join(", ")}` : `"${data}" has no set`;
    throw new Error(`Cannot measure ${only === undefined ? "anything" : `"${only}"`}: ${sets}`);
  }
  return chosen.map((name) => readLabels(directory, name));
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
