// Starts the probe in a worker with the permissions of the plan, as the compiled binary does.

import { planSandbox, toWorkerPermissions } from "../../../src/serve/mcp/sandbox.ts";

const [workspace] = Deno.args;
const worker = new Worker(new URL("./sandbox_worker.ts", import.meta.url), {
  type: "module",
  deno: { permissions: toWorkerPermissions(planSandbox({ workspace })) },
});
worker.onmessage = ({ data }) => {
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(data)));
  worker.terminate();
};
worker.postMessage(workspace);
