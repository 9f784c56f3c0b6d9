// Start-up of whole processes against an empty Deno script: the price of asking ctx anything. The
// bundle is the form that ships, started with the flags it ships with; the source form is what
// `deno task ctx` runs.

import { bundle, stampBundle } from "../build/bundle.ts";
import { startFlags } from "../src/serve/mcp/start_flags.ts";
import { raceProcesses } from "./support/processes.ts";
import { type BenchTable, round } from "./support/table.ts";
import { fromFileUrl } from "../src/core/platform_path.ts";

/** Measures `ctx --version` and `ctx get`, bundled and from source. */
export async function run(): Promise<BenchTable[]> {
  const root = fromFileUrl(new URL("../", import.meta.url));
  const work = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    const deno = Deno.execPath();
    await Deno.writeTextFile(`${work}/empty.ts`, 'console.log("ctx");\n');
    await bundle(`${work}/plain`);
    await stampBundle(`${work}/plain`, `${work}/bundle`, { form: "bundle" });
    await Deno.mkdir(`${work}/.contextfs`);
    for (const name of ["history.ndjson", "history.archive.ndjson", "state.json"]) {
      await Deno.copyFile(`${root}.contextfs-example/${name}`, `${work}/.contextfs/${name}`);
    }
    const get = ["get", "H-1m2ff20hgvzrprjcr"];
    const env = { XDG_CONFIG_HOME: work };
    const forms = [
      ["empty Deno script", [`${work}/empty.ts`]],
      ["ctx --version (bundle)", [`${work}/bundle/mod.js`, "--version"]],
      ["ctx get (bundle)", [`${work}/bundle/mod.js`, ...get]],
      ["ctx --version (source)", [`${root}mod.ts`, "--version"]],
      ["ctx get (source)", [`${root}mod.ts`, ...get]],
    ] as const;
    const times = await raceProcesses(
      forms.map(([name, args]) => ({
        name,
        command: deno,
        args: ["run", "-A", ...(name.includes("bundle") ? startFlags : ["--no-check"]), ...args],
        env,
        cwd: work,
      })),
      21,
    );
    return [{
      title: "Start-up, whole process (median of 21, interleaved)",
      head: ["process", "ms", "ratio to empty script"],
      rows: forms.map(([name], i) => [name, round(times[i], 1), round(times[i] / times[0])]),
    }];
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}
