// A session as exchanges: what was asked, what was run for it, what was answered. Everything that is
// derived from a session starts here, so what is no knowledge is left out here: thinking, ctx's own
// recalls, notices, what was undone. Pure.

import type { Entry } from "../entry.ts";
import { isInstructionLike } from "../instruction_like.ts";
import { isObject } from "../json.ts";
import { isRecord } from "./record.ts";
import { isNotice } from "../voice/client_ranges.ts";

/** A tool call and what came of it. */
export interface Run {
  call?: Entry;
  output?: Entry;
  /** What was run, where the tool runs commands. */
  command?: string;
  effect?: string;
  failed: boolean;
  /** The last thing that was said before it. */
  said?: Entry;
  /** Its place among the steps of the exchange. */
  at: number;
}

/** From one prompt to the next. */
export interface Exchange {
  /** What was asked; several turns when nobody answered in between. */
  prompts: Entry[];
  /** What was said in reply, in order, with its place among the steps. */
  turns: { entry: Entry; at: number }[];
  runs: Run[];
  /** Whether an agent asked, not the user: a sub-agent's work. */
  isSide: boolean;
}

/** Whether a row is what the user said, not what one agent asked another. */
export function isPrompt({ role, type, sidechain }: Entry): boolean {
  return role === "user" && type === "turn" && sidechain !== true;
}

/** The exchanges of a session, from its entries in order; a sub-agent's run beside the user's. */
export function toExchanges(entries: readonly Entry[], { isSide = false } = {}): Exchange[] {
  const exchanges: Exchange[] = [];
  const current: { main?: Exchange; side?: Exchange } = {};
  const calls = new Map<string, Run>();
  entries.filter(isTold).forEach((entry, at) => {
    const thread = entry.sidechain === true ? "side" : "main";
    const open = (): Exchange => {
      const made: Exchange = {
        prompts: [],
        turns: [],
        runs: [],
        isSide: isSide || thread === "side",
      };
      current[thread] = made;
      exchanges.push(made);
      return made;
    };
    const under = current[thread];
    if (entry.type === "turn" && entry.role === "user") {
      const isMore = under !== undefined && under.turns.length + under.runs.length === 0;
      (isMore ? under : open()).prompts.push(entry);
    } else if (entry.type === "turn") {
      (under ?? open()).turns.push({ entry, at });
    } else if (entry.type === "tool_call" || entry.type === "tool_output") {
      addStep(under ?? open(), { entry, at, calls });
    }
  });
  return exchanges;
}

/** Whether a row was said or done in the session itself. */
function isTold(entry: Entry): boolean {
  return !isRecord(entry) && entry.undone !== true && entry.text.length <= maxChars &&
    !isOnlyNotice(entry) &&
    (entry.type === "tool_output" || !isInstructionLike(entry.text));
}

/** Whether a row of the user's side is only a notice from the client; what a tool returns is not. */
function isOnlyNotice({ role, type, text }: Entry): boolean {
  return role === "user" && type === "turn" && isNotice(text);
}

/** Longer texts are pasted files. */
const maxChars = 60_000;

function addStep(
  exchange: Exchange,
  { entry, at, calls }: { entry: Entry; at: number; calls: Map<string, Run> },
): void {
  const { tool } = entry;
  const key = typeof tool?.call_id === "string" ? tool.call_id : undefined;
  const known = key === undefined ? undefined : calls.get(key);
  const said = exchange.turns.at(-1)?.entry;
  if (entry.type === "tool_call") {
    const effect = typeof tool?.effect === "string" ? tool.effect : undefined;
    const facts = {
      call: entry,
      effect,
      command: effect === "run" ? findCommand(entry) : undefined,
    };
    if (known) Object.assign(known, facts);
    else {
      const run: Run = { ...facts, failed: false, said, at };
      exchange.runs.push(run);
      if (key !== undefined) calls.set(key, run);
    }
    return;
  }
  const last = exchange.runs.findLast((run) =>
    run.output === undefined && run.call?.tool?.name === tool?.name
  );
  const run = known ?? last;
  const failed = hasFailed(entry);
  if (run) Object.assign(run, { output: entry, failed, at });
  else {
    const made: Run = { output: entry, failed, said, at };
    exchange.runs.push(made);
    if (key !== undefined) calls.set(key, made);
  }
}

/** The command line of a call. */
function findCommand({ tool, text }: Entry): string | undefined {
  const input = isObject(tool?.input) ? tool.input : {};
  const said = input.command ?? input.cmd ?? input.script;
  if (Array.isArray(said)) {
    const words = said.map(String);
    const isShell = /(?:^|\/)(?:ba|z)?sh$/.test(words[0] ?? "") && /^-\w*c$/.test(words[1] ?? "");
    return isShell ? words[2] : words.join(" ");
  }
  if (typeof said === "string") return said;
  return text.startsWith(`${tool?.name}: `) ? text.slice(`${tool?.name}: `.length) : undefined;
}

/** Whether an output tells of a failure: by its mark, its exit code, or how its lines begin. */
function hasFailed({ tool, text }: Entry): boolean {
  if (tool?.error !== undefined && tool.error !== false) return true;
  const exit = /(?:exit(?:ed with)? code:?|exit status) (\d+)/i.exec(text.slice(0, 2000));
  if (exit && exit[1] !== "0") return true;
  if (tool?.name === undefined || !runsThings.test(tool.name)) return false;
  return failedLine.test(isGreen(text) ? afterTests(text) : text);
}

/** Whether tests ran and all passed, by their own count: what they print may look like an error. */
export function isGreen(text: string): boolean {
  return greenLine.test(text) && !redLine.test(text);
}

/** What was printed after the last count of tests. */
function afterTests(text: string): string {
  const lines = text.split("\n");
  return lines.slice(lines.findLastIndex((line) => greenLine.test(line)) + 1).join("\n");
}

const runsThings = /bash|shell|exec|run|terminal|command|stdin/i;
/** Lines that compilers, test runners and shells print when something is wrong; none spans lines. */
export const failedLine =
  /^(?:.{0,200}\berror(?: TS\d+|\[\w+\])?:|Traceback \(|FAIL(?:ED)?\b|panic:|npm (?:ERR!|error)|.{0,20}\bERROR\b|fatal:|.{0,80}: (?:command )?not found|[ \t]*[✗✘×] |.*\b[1-9]\d* (?:tests? )?failed\b|E {3})/m;
/** How test runners count a run in which nothing failed. */
const greenLine =
  /\b\d+ passed\b.{0,80}\b0 failed\b|\b\d+ passed(?:, \d+ \w+){0,6} in \d|\bTests:? +(?:\d+ \w+ ?[,|] ?){0,3}\d+ passed\b|^[ \t]*\d+ passing \(|^# fail 0$/m;
/** A count of failures, or a compiler's error; not the line of a test that passed. */
const redLine =
  /^(?![ \t]*[✓✔√]|.*\bok(?: \([^)\n]*\))?[ \t]*$)(?:FAIL(?:ED)?\b|.*\b[1-9]\d* (?:tests? )?(?:failed|failing|errors?)\b|# fail [1-9]|.*\berror(?: TS\d+|\[\w+\]):|TS\d+ \[ERROR\]|npm (?:ERR!|error))/m;
