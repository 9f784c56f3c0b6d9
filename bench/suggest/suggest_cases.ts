// The synthetic and the compiler-labelled cases of the suggest bench. suggest_cases.md says how each
// was labelled and what that is worth.

import { diskFiles } from "../../src/disk/files.ts";
import { Store } from "../../src/store/store.ts";
import symbols from "../fixtures/suggest_symbols.json" with { type: "json" };
import {
  featureCount,
  pathsOf,
  type PlannedProject,
  planProject,
  symbolOf,
} from "./suggest_project.ts";
import type { SuggestionType } from "../../src/recall/edit/signals/suggestion.ts";

/** One labelled case. */
export interface LabelledCase {
  path?: string;
  symbol?: string;
  /** Keys of the items that are truly relevant; empty means that silence is right. */
  truth: Set<string>;
}

/** Cases on one workspace. */
export interface CaseSet {
  name: string;
  store: Store;
  types: SuggestionType[];
  now: number;
  cases: LabelledCase[];
}

/** The moment at which the cases are asked. */
const now = Date.parse("2026-03-01T00:00:00Z");
const dayMs = 86_400_000;

/** Builds all sets under a directory. */
export async function makeCaseSets(root: string): Promise<CaseSet[]> {
  return [
    await projectSet(`${root}/project`),
    await symbolSet(`${root}/zod`),
  ];
}

/** A generated project with a planted truth. */
async function projectSet(directory: string): Promise<CaseSet> {
  const project = planProject();
  writeFiles(directory, project.files);
  await commitAll(directory, project);
  const store = makeStore(directory, project.entries.map((entry) => entry.row));
  Deno.writeTextFileSync(`${directory}/junit.xml`, project.report);
  Deno.utimeSync(`${directory}/junit.xml`, new Date(now - dayMs), new Date(now - dayMs));
  const cases: LabelledCase[] = [];
  for (let feature = 0; feature < featureCount; feature++) {
    const { service, store, routes, test } = pathsOf(feature);
    for (const path of [service, store, routes, test]) {
      cases.push({ path, truth: projectTruth(project, path, feature) });
    }
    // The function is all there is in the service, so what concerns the file concerns it.
    const truth = projectTruth(project, service, feature);
    cases.push({ path: service, symbol: symbolOf(feature), truth });
  }
  for (const { path, feature } of project.files) {
    if (feature === undefined) cases.push({ path, truth: new Set() });
  }
  const types: SuggestionType[] = ["decision", "change", "doc", "related_code", "warning"];
  return { name: "generated project", store, types, now, cases };
}

function projectTruth(project: PlannedProject, path: string, feature: number): Set<string> {
  const truth = new Set<string>();
  for (const other of Object.values(pathsOf(feature))) {
    if (other !== path) truth.add(`path:${other}`);
  }
  for (const { row, about } of project.entries) {
    if (about.includes(path)) truth.add(`entry:${row.id}`);
  }
  for (const [name, about] of project.failures) {
    if (about.includes(path)) truth.add(`warning:${name}`);
  }
  for (const [entity, about] of project.deprecated) {
    if (about.includes(path)) truth.add(`warning:${entity}`);
  }
  return truth;
}

/** Public code, labelled by the TypeScript compiler: the files that refer to a symbol. */
async function symbolSet(directory: string): Promise<CaseSet> {
  const source = `${await npmDirectory("zod", "4.6.7")}/${symbols.root}`;
  const files = listFiles(source).filter((path) =>
    !/(^|\/)(tests|locales|benchmarks)\//.test(path)
  );
  writeFiles(
    directory,
    files.map((path) => ({ path, text: Deno.readTextFileSync(`${source}/${path}`) })),
  );
  const cases = symbols.cases.map(({ path, symbol, truth }) => ({
    path,
    symbol,
    truth: new Set(truth.map((item: string) => `path:${item}`)),
  }));
  const store = makeStore(directory, []);
  return { name: "symbols of zod 4.6.7", store, types: ["related_code"], now, cases };
}

function makeStore(workspace: string, rows: Record<string, unknown>[]): Store {
  Deno.mkdirSync(`${workspace}/.contextfs`, { recursive: true });
  const lines = rows.map((row) => JSON.stringify(row) + "\n").join("");
  Deno.writeTextFileSync(`${workspace}/.contextfs/history.ndjson`, lines);
  return new Store({
    workspace,
    files: diskFiles,
    now: () => now,
    random: () => "r",
    warn: () => {},
    sync: false,
  });
}

function writeFiles(directory: string, files: { path: string; text: string }[]): void {
  for (const { path, text } of files) {
    const slash = path.lastIndexOf("/");
    Deno.mkdirSync(`${directory}/${path.slice(0, Math.max(0, slash))}`, { recursive: true });
    Deno.writeTextFileSync(`${directory}/${path}`, text);
  }
}

function listFiles(directory: string, prefix = ""): string[] {
  return [...Deno.readDirSync(directory + "/" + prefix)].flatMap((entry) =>
    entry.isDirectory
      ? listFiles(directory, `${prefix}${entry.name}/`)
      : entry.name.endsWith(".ts")
      ? [prefix + entry.name]
      : []
  ).sort();
}

/** Writes the planned history with git itself; the engine then reads it without git. */
async function commitAll(directory: string, project: PlannedProject): Promise<void> {
  const encoder = new TextEncoder();
  const parts: string[] = [];
  project.commits.forEach(({ daysAgo, subject, files }, n) => {
    const seconds = Math.floor((now - daysAgo * dayMs) / 1000);
    parts.push(
      `commit refs/heads/main\nmark :${n + 1}\ncommitter B <b@example.org> ${seconds} +0000\n`,
      `data ${encoder.encode(subject).length}\n${subject}\n`,
    );
    for (const path of new Set(files)) {
      const text = `${project.files.find((file) => file.path === path)?.text}// ${n}\n`;
      parts.push(`M 100644 inline ${path}\ndata ${encoder.encode(text).length}\n${text}\n`);
    }
  });
  await run(directory, ["init", "-q", "-b", "main"]);
  await run(directory, ["fast-import", "--quiet"], parts.join(""));
}

async function run(cwd: string, args: string[], input = ""): Promise<void> {
  const child = new Deno.Command("git", { args, cwd, stdin: "piped", stderr: "piped" }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { success, stderr } = await child.output();
  if (!success) throw new Error(`git ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}

/** Where Deno keeps an npm package. */
async function npmDirectory(name: string, version: string): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { npmCache } = JSON.parse(new TextDecoder().decode(stdout));
  for await (const { name: registry } of Deno.readDir(npmCache)) {
    const path = `${npmCache}/${registry}/${name}/${version}`;
    if (await Deno.stat(path).then(() => true, () => false)) return path;
  }
  throw new Error(`Cannot find ${name}@${version} in Deno's cache: run deno install`);
}
