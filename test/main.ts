// `deno task test [FLAGS…]`: builds ctx once, runs the suite against the built file, and says how many
// cases did so. Flags go to `deno test`; a path among them takes the place of the whole suite. Types
// are `deno task check`'s. CTX_TEST_FULL=1 runs the long properties at full length, as `.ci/run` does.

import { pathToFileURL } from "node:url";
import { countsVariable, readCounts } from "./support/processes/built_cases.ts";
import {
  builtCtx,
  builtVariable,
  findBuildProblem,
  isFromSource,
} from "./support/processes/built_ctx.ts";
import { isFullLength } from "./support/full_length.ts";
import { clusterVariable, findPostgres, startCluster } from "./support/servers/postgres.ts";
import { repository } from "./support/repository.ts";

/** What takes longest, first: a long file that begins last keeps one processor busy alone. */
const longest = [
  "test/crash/every_write_test.ts",
  "test/team/sync/histories_test.ts",
  "test/viewer/looks_test.ts",
  "test/viewer/whole_page_test.ts",
  "test/serve/mcp/scoped_session_test.ts",
  "test/commands/lifecycle/import_agents_test.ts",
  "test/binary/install_test.ts",
  "test/docs/pages_test.ts",
  "test/contract/examples_test.ts",
  "test/crash/kill_test.ts",
  "test/serve/mcp/stdio_test.ts",
  "test/store/damage_test.ts",
  "test/commands/lifecycle/import_meanwhile_test.ts",
  "test/viewer/sessions_view_test.ts",
  "test/team/sync/join_test.ts",
  "test/team/remote/other_space_test.ts",
  "test/team/sync/killed_test.ts",
  "test/serve/mcp/conformance_test.ts",
];

/** What needs modules that no other file has used: it takes away files that they read once. */
const alone = ["test/search/spelling_without_words_test.ts"];

/** How many files are loaded together; few enough that groups are shared out evenly. */
const groupSize = 10;

if (import.meta.main) Deno.exit(await runSuite(Deno.args));

async function runSuite(args: readonly string[]): Promise<number> {
  const problem = isFromSource ? "CTX_TEST_FROM=source" : await findBuildProblem();
  const built = problem === undefined ? await builtCtx() : undefined;
  const work = await Deno.makeTempDir({ prefix: "ctx-suite-" });
  const counts = `${work}/counts`;
  await Deno.mkdir(counts);
  const isWhole = args.every((word) => word.startsWith("-"));
  const cluster = isWhole && findPostgres() !== undefined ? await startCluster() : undefined;
  try {
    const { code } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["test", "-A", "--parallel", "--quiet", "--no-check"],
        ...args,
        ...(isWhole ? groupFiles(work) : []),
      ],
      cwd: repository,
      env: {
        [countsVariable]: counts,
        // Days are local ones: the same on every machine.
        TZ: "UTC",
        // Tests wait for the processes that they start; one more keeps the processors busy.
        DENO_JOBS: Deno.env.get("DENO_JOBS") ?? String(navigator.hardwareConcurrency + 1),
        ...(built === undefined
          ? { CTX_TEST_FROM: "source" }
          : { [builtVariable]: JSON.stringify(built) }),
        ...(cluster === undefined ? {} : { [clusterVariable]: cluster.directory }),
      },
    }).spawn().status;
    const { cases, processes } = readCounts(counts);
    say(
      problem !== undefined
        ? `the built file was not tested: ${problem}`
        : `${cases} whole-process cases ran the built file (${processes} processes)`,
    );
    say(
      isFullLength
        ? "long properties ran at full length"
        : "long properties ran at a tenth of their length; CTX_TEST_FULL=1 runs all of it",
    );
    return code;
  } finally {
    await cluster?.[Symbol.asyncDispose]();
    await Deno.remove(work, { recursive: true });
  }
}

/**
 * All files with tests: first those that take longest, then the others in groups. A group is
 * a module that imports its files, so that all of ctx is loaded once for them and not for each.
 */
function groupFiles(directory: string): string[] {
  const rest = testFiles().filter((path) => ![...longest, ...alone].includes(path));
  // Pages wait for a browser: they begin early, beside what computes.
  const pages = rest.filter((path) => path.startsWith("test/viewer/"));
  const others = [...pages, ...rest.filter((path) => !pages.includes(path))];
  const paths = Array.from({ length: Math.ceil(others.length / groupSize) }, (_, i) => {
    const files = others.slice(i * groupSize, (i + 1) * groupSize);
    const folder = files[0].split("/").slice(1, -1).join("_") || "test";
    const path = `${directory}/${folder}_${i + 1}_test.ts`;
    const imports = files.map((file) => `import "${pathToFileURL(`${repository}/${file}`)}";\n`);
    Deno.writeTextFileSync(path, imports.join(""));
    return path;
  });
  return [...longest, ...paths, ...alone];
}

/** All files with tests. */
function testFiles(): string[] {
  const found: string[] = [];
  const visit = (directory: string): void => {
    for (const { name, isDirectory } of Deno.readDirSync(`${repository}/${directory}`)) {
      const path = `${directory}/${name}`;
      if (isDirectory && name !== "samples") visit(path);
      else if (name.endsWith("_test.ts")) found.push(path);
    }
  };
  visit("test");
  const gone = [...longest, ...alone].filter((path) => !found.includes(path));
  if (gone.length > 0) throw new Error(`Cannot order the suite: there is no ${gone.join(", ")}`);
  return found.sort();
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
