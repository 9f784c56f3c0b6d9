// Catches up as a starting session's hook does, with a limit that is over; prints what was done.
// Usage: deno run -A catch_up.ts MESSAGE

import { openContext } from "../../../src/app/app.ts";
import { catchUp } from "../../../src/recall/hook/capture.ts";
import { parseHookCall } from "../../../src/recall/hook/hook_call.ts";

const call = parseHookCall("claude-code", Deno.args[0]);
const context = openContext({ surface: "cli", cwd: call.cwd, signal: AbortSignal.abort() });
const { done, problem } = await catchUp(call, context);
Deno.stdout.writeSync(new TextEncoder().encode(problem ?? done));
