// Catches up as a starting session's hook does, with a limit that is over; prints what was done.
// Usage: deno run -A catch_up.ts MESSAGE

import { catchUp } from "../../src/cli/processes/capture.ts";
import { parseHookCall } from "../../src/recall/hook/hook_call.ts";

const options = { cwd: Deno.cwd(), signal: AbortSignal.abort() };
const { done, problem } = await catchUp(parseHookCall("claude-code", Deno.args[0]), options);
Deno.stdout.writeSync(new TextEncoder().encode(problem ?? done));
