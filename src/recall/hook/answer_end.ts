// Answers the end of a turn where the workspace has guards for it: what the user wants done before an
// agent ends, and it edited files since. Judged by the log of its session; asked once after an edit.

import type { Context } from "../../command/command.ts";
import type { Entry } from "../../core/entry.ts";
import { editsOf } from "../../core/rows/edits.ts";
import { type Run, toExchanges } from "../../core/rows/exchanges.ts";
import { matchRun } from "../../guard/check_command.ts";
import type { Breach, Guard } from "../../guard/guard_kinds.ts";
import type { Store } from "../../store/store.ts";
import { toAuthorAnswer } from "../distil/author_request.ts";
import { endOf } from "../distil/run_end.ts";
import { agentOfTranscript } from "../edit/hook_edit.ts";
import type { HookCall } from "./hook_call.ts";

/** What to print so that the agent goes on and does it; undefined where it may end. */
export async function answerEnd(call: HookCall, context: Context): Promise<string | undefined> {
  const store = await context.openStore();
  if (store.files.findSize(store.layout.guards) === undefined) return undefined;
  const { readHolding } = await import("../../guard/guard_file.ts");
  const { guards } = await readHolding(store.files, store.layout, context.env);
  const due = guards.filter(({ check }) => check.on === "end" && check.before === undefined);
  if (due.length === 0 || call.conversation === undefined) return undefined;
  const { edited, runs } = readWork(store, call);
  if (edited === undefined) return undefined;
  const breaches = await findUndone(due, { edited, runs });
  return breaches.length === 0
    ? undefined
    : await answer(breaches, { call, context, store, since: edited.ts });
}

/** The guards that want something done before a command that is about to run, and was not. */
export async function undoneBefore(
  guards: readonly Guard[],
  command: string,
  { call, context }: { call: HookCall; context: Context },
): Promise<Breach[]> {
  const named = guards.filter(({ check }) =>
    check.on === "end" && check.before?.some((one) => command.includes(one.split(" ")[0]))
  );
  const agent = agentOfTranscript(call.transcript);
  if (named.length === 0 || agent === undefined || call.conversation === undefined) return [];
  const { commandRuns } = await import("../../guard/command_runs.ts");
  const runs = commandRuns(command);
  const due = named.filter(({ check }) =>
    check.on === "end" &&
    check.before?.some((pattern) => runs.some((run) => matchRun(pattern, run)))
  );
  if (due.length === 0) return [];
  const own: HookCall = { ...call, agent };
  // What this turn did so far is in the agent's transcript only.
  const { capture } = await import("./capture.ts");
  await capture(own, context);
  const { edited, runs: after } = readWork(await context.openStore(), own);
  if (edited === undefined) return [];
  // The command may do it itself, on the way.
  const ran = toRuns(command);
  return await findUndone(due, { edited, runs: [...after, ...ran] });
}

/** A command that is about to run, as if it had. */
function toRuns(command: string): Run[] {
  return [{ command, failed: false, at: 0 }];
}

/** The last edit of a conversation, and what was run after it. */
function readWork(
  store: Store,
  { agent, conversation }: HookCall,
): { edited?: Entry; runs: Run[] } {
  const entries: Entry[] = [];
  for (const { entry } of store.entries({ needles: [JSON.stringify(conversation)] })) {
    const isOwn = entry.source?.agent === agent && entry.source.conversation === conversation;
    if (isOwn) entries.push(entry);
  }
  const at = entries.findLastIndex((entry) => editsOf(entry).length > 0);
  if (at < 0) return { runs: [] };
  return {
    edited: entries[at],
    runs: toExchanges(entries.slice(at)).flatMap(({ runs }) => runs),
  };
}

/** The guards of which nothing was run, or what was run failed. */
async function findUndone(
  guards: readonly Guard[],
  { edited, runs }: { edited: Entry; runs: readonly Run[] },
): Promise<Breach[]> {
  const { commandRuns } = await import("../../guard/command_runs.ts");
  const done = runs.filter((run) => run.command !== undefined && endOf(run)?.end !== "failed")
    .flatMap(({ command = "" }) => commandRuns(command));
  return guards.flatMap((guard): Breach[] => {
    const { check } = guard;
    if (check.on !== "end") return [];
    const isDone = done.some((run) => check.ran.some((pattern) => matchRun(pattern, run)));
    return isDone ? [] : [{ guard, what: editsOf(edited).at(-1)?.path ?? "" }];
  });
}

async function answer(
  breaches: readonly Breach[],
  { call, context, store, since }: {
    call: HookCall;
    context: Context;
    store: Store;
    since: string;
  },
): Promise<string | undefined> {
  const { judgeBreaches } = await import("./judge_breaches.ts");
  const binding = await judgeBreaches(breaches, { call, layout: store.layout, context, since });
  if (binding.length === 0) return undefined;
  const { guardWords } = await import("../../guard/guard_words.ts");
  return toAuthorAnswer(
    call,
    `ctx: there is something to do before you finish. ${guardWords(binding)}`,
  );
}
