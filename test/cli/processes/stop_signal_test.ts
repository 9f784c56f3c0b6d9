// A terminal's Ctrl-C reaches a confined server twice: from the terminal, and from what started it.

import assert from "node:assert/strict";
import { notOnWindows } from "../../support/not_on_windows.ts";

const module = new URL("../../../src/cli/processes/stop_signal.ts", import.meta.url);
const program = `
import { stopSignal } from "${module}";
setInterval(() => {}, 1000);
stopSignal().addEventListener("abort", () => console.log("stopping"));
console.log("ready");
`;

Deno.test({
  name: "a second Ctrl-C leaves a server the moment it has to finish",
  ignore: notOnWindows("a signal ends a process at once"),
}, async () => {
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  await Deno.writeTextFile(file, program);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-config", file],
    stdout: "piped",
  }).spawn();
  const out = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  assert.equal((await out.read()).value, "ready\n");
  child.kill("SIGINT");
  assert.equal((await out.read()).value, "stopping\n");
  child.kill("SIGINT");
  assert.equal((await child.status).code, 0);
  await out.cancel();
  await Deno.remove(file);
});
