// The confined half of a compiled binary: runs one server inside a Worker whose permissions were
// narrowed by its maker. Receives the words of the command line, sends back the exit code.

import { toCtxError } from "../core/errors.ts";
import { runProcess } from "./line/run_process.ts";
import { writeOut } from "./line/terminal.ts";
import { findProcess, loadProcesses } from "./process_list.ts";

const stop = new AbortController();
const scope = globalThis as unknown as Worker;

scope.onmessage = async ({ data }) => {
  if (data?.stop) return stop.abort();
  const said: string[] = data.args;
  const process = await findProcess(said.slice(0, 2).join(" ")) ?? await findProcess(said[0]);
  const words = said.slice(process?.name.split(" ").length ?? 1);
  try {
    const { signal } = stop;
    scope.postMessage({
      exit: process ? await runProcess(process, words, { loadProcesses, signal }) : 2,
    });
  } catch (thrown) {
    writeOut("stderr", `ctx: ${toCtxError(thrown).message}\n`);
    scope.postMessage({ exit: 1 });
  }
};
