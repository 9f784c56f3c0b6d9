// The confined half of a compiled binary: runs one server inside a Worker whose permissions were
// narrowed by its maker. Receives the words of the command line, sends back the exit code.

import { toCtxError } from "../core/errors.ts";
import { runProcess } from "./line/run_process.ts";
import { loadTerminal, writeOut } from "./line/terminal.ts";
import { findTask, loadForms } from "./task_list.ts";

const stop = new AbortController();
const scope = globalThis as unknown as Worker;

scope.onmessage = async ({ data }) => {
  if (data?.stop) return stop.abort();
  await loadTerminal(data.args);
  const task = findTask(data.args);
  try {
    const given = { loadForms, signal: stop.signal };
    scope.postMessage({
      exit: task?.kind === "process" ? await runProcess(await task.load(), task.rest, given) : 2,
    });
  } catch (thrown) {
    writeOut("stderr", `ctx: ${toCtxError(thrown).message}\n`);
    scope.postMessage({ exit: 1 });
  }
};
