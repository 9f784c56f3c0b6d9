// The command line: finds the command, runs it and prints. The only place that prints; returns the
// exit code for mod.ts to set.

import type { AnyCommand } from "../command/command.ts";
import { CtxError, errorKinds, hookFailedExit, toCtxError, toErrorBody } from "../core/errors.ts";
import { withoutMarks } from "../command/view.ts";
import { versionInfo } from "../version.ts";
import {
  isSomeoneThere,
  loadTerminal,
  openView,
  OutputClosed,
  showProgress,
  styleError,
  tellLine,
  wantsColor,
  writeBytes,
  writeOut,
} from "./line/terminal.ts";
import { doorNames, findTask, loadForm, loadForms, taskNames } from "./task_list.ts";

/** Runs one command line and returns the exit code. */
export async function runCli(words: readonly string[]): Promise<number> {
  const said = beforeDashes(words);
  const json = said.includes("--json");
  await loadTerminal(json ? ["--color=never"] : said);
  try {
    return await runWords(words, json);
  } catch (thrown) {
    if (thrown instanceof OutputClosed) return 0;
    const error = isAbort(thrown)
      ? new CtxError("INTERRUPTED", "Interrupted", { cause: thrown })
      : toCtxError(thrown);
    const exit = reportError(error, json);
    return withGlobalFlagsLast(words)[0] === "hook" ? hookFailedExit : exit;
  }
}

async function runWords(said: readonly string[], json: boolean): Promise<number> {
  let words = withGlobalFlagsLast(said);
  const first = words[0];
  if (first === "--version" || first === "-V" || first === "version") {
    print(json ? JSON.stringify(versionInfo()) + "\n" : `ctx ${versionInfo().version}\n`);
    return 0;
  }
  if (first === undefined && isSomeoneThere() && Deno.stdout.isTerminal()) {
    return await runWords(["pick"], json);
  }
  if (first === undefined || first === "help" || first === "--help" || first === "-h") {
    const names = first === "help" ? words.slice(1) : [];
    const end = names.findIndex((word) => word.startsWith("-"));
    return await showHelp(end < 0 ? names : names.slice(0, end), words.includes("--all"));
  }
  if ((words[1] === "--help" || words[1] === "-h") && isFamily([first])) {
    return await showHelp([first]);
  }
  words = await toCommandWords(words);
  if (first === "hook" && words[1] === "plugin") {
    // A plugin calls, which stays silent where setup's own hooks do.
    const { isSetUp } = await import("../setup/plugin_presence.ts");
    const { homeOf } = await import("../core/platform_path.ts");
    const home = homeOf((name) => Deno.env.get(name)) ?? "";
    if (isSetUp(words[2] ?? "", { home, workspace: Deno.cwd() })) return 0;
    words = ["hook", ...words.slice(3).length > 0 ? words.slice(3) : words.slice(2)];
  }
  if (first === "hook" && (words[1] === "pre-edit" || words[1] === "guard")) {
    // Agents call it on every edit: plain calls skip the table, which costs as much as the answer.
    const { parseHookWords, runPreEdit } = await import("./processes/run_hook.ts");
    const plain = parseHookWords(words.slice(1));
    if (plain) return await runPreEdit(plain);
  } else if (first === "hook") {
    const { parseAgentWords, runAgentHook } = await import("./processes/agent_hook.ts");
    const plain = parseAgentWords(words.slice(1));
    if (plain) return await runAgentHook(plain);
  }
  const task = await getTask(words);
  if (task.kind === "process") {
    const { runProcess } = await import("./line/run_process.ts");
    const process = await task.load();
    return await runProcess(process, task.rest, { loadForms, runWords: runCli }) ??
      await showHelp([process.name]);
  }
  const parts = loadParts();
  const command = await task.load();
  try {
    return await runCommand(command, task.rest, await parts);
  } catch (error) {
    throw (await import("./line/with_usage.ts")).withUsage(error, command);
  }
}

/** What every command needs, loaded while the command itself is. */
async function loadParts() {
  const [table, argv, app] = await Promise.all([
    import("../command/execute.ts"),
    import("./line/read_argv.ts"),
    import("../app/app.ts"),
  ]);
  return { ...table, ...argv, ...app };
}

async function runCommand(
  command: AnyCommand,
  words: readonly string[],
  parts: Awaited<ReturnType<typeof loadParts>>,
): Promise<number> {
  const { encode, execute, openContext, readArgv } = parts;
  const { input, flags, toTold } = await readArgv(words, command);
  if (flags.help) return await showHelp([command.name]);
  const abort = new AbortController();
  using _ = command.quick ? undefined : stopOnSignals(abort, flags.json);
  let streamed = false;
  const isPiped = !flags.json && !Deno.stdout.isTerminal();
  const context = openContext({
    surface: "cli",
    workspace: flags.workspace,
    signal: abort.signal,
    readInput: readStdin,
    isPiped,
    showsColumns: isPiped && flags.format === undefined && !wantsColor("stdout"),
    consent: flags.yes || (async (proposal) => {
      return (await loadPerson()).askConsent(proposal, { words, json: flags.json });
    }),
    ...(flags.yes || flags.json || !isSomeoneThere() ? {} : {
      confirm: async (...asked) => (await loadPerson()).askYes(...asked),
    }),
    editText: async (text) => (await import("./line/edit_text.ts")).editText(text),
    findFollower: async () => (await import("./processes/start_following.ts")).findFollower(),
    warn: (message) => writeOut("stderr", `ctx: warning: ${message}\n`),
    progress: showProgress,
    tell: tellLine,
    write: flags.json ? undefined : (chunk) => {
      streamed = true;
      if (Deno.stdout.isTerminal()) {
        writeOut("stdout", withoutMarks(new TextDecoder().decode(chunk)));
      } else writeBytes("stdout", chunk);
    },
  });
  const result = await execute(command, input, context);
  // Where marks become styles, those in stored text must not.
  const styled = Deno.stdout.isTerminal() || wantsColor("stdout");
  const data = styled ? withoutMarks(result) : result;
  const failure = command.failure?.(data);
  const exit = failure === undefined ? 0 : errorKinds[failure].exit;
  if (flags.json) {
    print(encode(toTold?.(data) ?? data) + "\n");
    await command.after?.(result, context);
    return exit;
  }
  const isChosen = command.name === "resume" && flags.format === undefined && !input.session;
  if (isChosen && isSomeoneThere() && Deno.stdout.isTerminal()) {
    const { runResume } = await import("./processes/resume_screen.ts");
    const resumed = data as Parameters<typeof runResume>[0];
    if (resumed.sessions.length > 0) return await runResume(resumed, { context, runWords: runCli });
  }
  const shown = command.list && await (await import("./line/show_list.ts"))
    .showList(command, data, { context, format: flags.format, styled });
  const view = await openView({ nowMs: context.now(), streamed, suffices: shown?.suffices });
  view.openStore = () => context.openStore().catch(() => undefined);
  const text = shown?.rows ?? await command.render(data, view);
  writeOut(streamed || shown?.isNone ? "stderr" : "stdout", text, styled);
  const note = command.note?.(data, view);
  if (note !== undefined) writeOut("stderr", styleError(note, "", true));
  await command.after?.(result, context);
  return exit;
}

function loadPerson() {
  return import("./line/ask_person.ts");
}

/** `show SESSION --outline` as `outline SESSION`; what can be meant so is loaded only for a door. */
async function toCommandWords(words: readonly string[]): Promise<readonly string[]> {
  if (!doorNames.includes(words[0])) return words;
  return (await import("./line/doors.ts")).throughDoor(words);
}

async function getTask(
  words: readonly string[],
): Promise<NonNullable<ReturnType<typeof findTask>>> {
  const task = findTask(words);
  if (task) return task;
  const { toOwnWords } = await import("./line/unknown_command.ts");
  return getTask(await toCommandWords(toOwnWords(words, [...taskNames, ...doorNames])));
}

/** Whether a word alone names no task, but begins the names of some: `docs`, `team`. */
function isFamily([word, ...rest]: readonly string[]): boolean {
  return rest.length === 0 && findTask([word]) === undefined &&
    (doorNames.includes(word) || taskNames.some((name) => name.startsWith(`${word} `)));
}

async function showHelp(said: readonly string[], all = false): Promise<number> {
  const help = await import("./line/help.ts");
  const view = await openView({ nowMs: Date.now() });
  if (said.length === 0) {
    print(
      all
        ? help.renderAll(await loadForms(), view)
        : help.renderOverview(await loadForms(help.firstNames), view),
    );
  } else if (isFamily(said)) {
    print(help.renderFamily(said[0], await loadForms(), view));
  } else {
    const words = await toCommandWords(said.join(" ").split(" "));
    const command = await loadForm(await getTask(words));
    const behind = help.formsOf(command.name).map(({ name }) => name);
    print(help.renderHelp(command, { forms: await loadForms(behind), view }));
  }
  return 0;
}

function reportError(error: CtxError, json: boolean): number {
  const body = toErrorBody(error);
  const text = json ? JSON.stringify({ error: body }) + "\n" : styleError(body.message, body.hint);
  try {
    writeOut("stderr", text, wantsColor("stderr"));
    if (Deno.env.get("CTX_DEBUG")) writeOut("stderr", `${debugText(error)}\n`);
  } catch (closed) {
    if (!(closed instanceof OutputClosed)) throw closed;
  }
  return errorKinds[error.code].exit;
}

function debugText(error: CtxError): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack}` : "";
  return `${error.stack}${cause}`;
}

/** `ctx --json ls` means `ctx ls --json`. */
function withGlobalFlagsLast(words: readonly string[]): readonly string[] {
  const flags: string[] = [];
  let at = 0;
  for (; /^--(json|yes|no-pager|workspace|color)(=|$)/.test(words[at] ?? ""); at++) {
    flags.push(words[at]);
    if (/^--(workspace|color)$/.test(words[at])) flags.push(...words.slice(++at, at + 1));
  }
  const rest = words.slice(at);
  const end = rest.indexOf("--");
  return end < 0 ? [...rest, ...flags] : [...rest.slice(0, end), ...flags, ...rest.slice(end)];
}

/** Only words before `--` are flags. */
function beforeDashes(words: readonly string[]): readonly string[] {
  const end = words.indexOf("--");
  return end < 0 ? words : words.slice(0, end);
}

function isAbort(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === "AbortError";
}

/**
 * Writes are synchronous, so a signal never falls into the middle of a line. The command is aborted
 * and may clean up; it is ended after a moment, or at the second signal. Once it has ended by itself
 * nobody else ends it: the process may go on for a moment, and would say so twice.
 */
function stopOnSignals(abort: AbortController, json: boolean): Disposable {
  const end = (): never => Deno.exit(reportError(new CtxError("INTERRUPTED", "Interrupted"), json));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    if (abort.signal.aborted) end();
    timer = setTimeout(end, graceMs);
    Deno.unrefTimer(timer);
    abort.abort();
  };
  const names = ["SIGINT", "SIGTERM"] as const;
  for (const name of names) Deno.addSignalListener(name, stop);
  return {
    [Symbol.dispose]() {
      // Not for nothing: the first use of timers has Deno load its Node layer.
      if (timer !== undefined) clearTimeout(timer);
      for (const name of names) Deno.removeSignalListener(name, stop);
    },
  };
}

const graceMs = 250;

async function readStdin(): Promise<Uint8Array> {
  return new Uint8Array(await new Response(Deno.stdin.readable).arrayBuffer());
}

function print(text: string): void {
  writeOut("stdout", text, wantsColor("stdout"));
}
