// `deno task test [FLAGS…]`: builds ctx once, runs the suite against the built file, and says how many
// cases did so. Flags go to `deno test`; a path among them takes the place of the whole suite.

import { countsVariable, readCounts } from "./support/built_cases.ts";
import { builtCtx } from "./support/built_ctx.ts";
import { repository } from "./support/repository.ts";

if (import.meta.main) Deno.exit(await runSuite(Deno.args));

async function runSuite(args: readonly string[]): Promise<number> {
  const fromSource = Deno.env.get("CTX_TEST_FROM") === "source";
  if (!fromSource) await builtCtx();
  const counts = await Deno.makeTempDir({ prefix: "ctx-counts-" });
  try {
    const paths = args.some((word) => !word.startsWith("-")) ? [] : ["test"];
    const { code } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "-A", "--parallel", "--quiet", ...args, ...paths],
      cwd: repository,
      // Days are local ones: the same on every machine.
      env: { [countsVariable]: counts, TZ: "UTC" },
    }).spawn().status;
    const { cases, processes } = readCounts(counts);
    say(
      fromSource
        ? "the built file was not tested: CTX_TEST_FROM=source"
        : `${cases} whole-process cases ran the built file (${processes} processes)`,
    );
    return code;
  } finally {
    await Deno.remove(counts, { recursive: true });
  }
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
