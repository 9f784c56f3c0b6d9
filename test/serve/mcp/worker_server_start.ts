// Starts `ctx mcp` in a worker, as the compiled binary does; run with --unstable-worker-options.

import { planSandbox, runConfinedWorker } from "../../../src/serve/mcp/sandbox.ts";

const [workspace, ...rest] = Deno.args;
const code = await runConfinedWorker({
  module: new URL("../../../src/cli/worker.ts", import.meta.url).href,
  args: ["mcp", "--workspace", workspace, ...rest],
  plan: planSandbox({ workspace, configFile: `${Deno.env.get("HOME")}/.config/ctx/config.jsonc` }),
});
Deno.exit(code);
