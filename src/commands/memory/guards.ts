// `ctx guard add|set|pass|test|log`: rules that bind. A rule becomes a check of what agents run and edit; first it only notes
// what it would have caught, then, if the user says so, it asks or denies.

import { define } from "../../command/command.ts";
import type { Context } from "../../command/command.ts";
import { recordConsent } from "../../command/consent.ts";
import * as s from "../../command/shape.ts";
import { toTable } from "../../command/view.ts";
import { recordOf } from "../../core/rows/record.ts";
import { CtxError } from "../../core/errors.ts";
import { normalizePath, resolvePath } from "../../core/platform_path.ts";
import { guardTarget } from "../../guard/approved_guard.ts";
import { guardModes } from "../../core/row_kinds.ts";
import type { Breach, Guard } from "../../guard/guard_kinds.ts";
import { editGuards, readGuards } from "../../guard/guard_file.ts";
import { keepGuards } from "../../guard/kept_guards.ts";
import { logGuard, passMs, readGuardLog } from "../../guard/guard_log.ts";
import type { Store } from "../../store/store.ts";
import { manyPasses, shown, toShown } from "./guard_list.ts";

export const guardAdd = define({
  name: "guard add",
  summary: "Check a rule in what agents run and edit.",
  description:
    'The rule becomes a check by its form, without a model: "use pnpm, not npm", "never push to main", "never edit files in dist/", "tests go in test/", "start function names with x_", "no default exports", "run the tests before committing". Any other rule is refused; pin it instead. A new guard only counts what it would have stopped, unless you set --mode or the rule says "without asking" (mode ask).',
  input: {
    rule: s.text("The rule in your words, or the id of an entry that is one.", 1),
    mode: s.optional(
      s.oneOf(
        guardModes,
        "What to do when the rule is broken (default: shadow, or ask if the rule says so).",
      ),
    ),
    id: s.optional(
      s.textLike(
        "Id of the guard (default: a few words of the rule).",
        /^[a-z0-9][a-z0-9-]{0,39}$/,
      ),
    ),
    dry_run: s.flag("Show the check and change nothing."),
  },
  output: { ...shown, path: s.text(), added: s.boolean() },
  positional: ["rule"],
  effect: "write",
  local: true,
  examples: [
    { argv: ["guard", "add", "use pnpm, not npm"], about: "See how often agents use npm." },
    { argv: ["guard", "add", "never push to main", "--mode", "deny"], about: "Refuse it." },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const entry = /^H-\w+$/.test(input.rule)
      ? store.find([input.rule]).get(input.rule)?.row?.entry
      : undefined;
    if (entry !== undefined && recordOf(entry)?.outside !== undefined) {
      throw new CtxError(
        "DENIED",
        `Cannot make a guard from "${entry.id}": the agent copied it from an outside source`,
        { hint: "see ctx get ID; if you want the rule, write it in your own words" },
      );
    }
    const rule = entry?.text ?? input.rule;
    const { compileRule } = await import("../../guard/rules/compile_rule.ts");
    const compiled = compileRule(rule);
    if (compiled === undefined) {
      throw new CtxError(
        "USAGE",
        `Cannot check "${rule.slice(0, 100)}": ctx has no check for a rule of this form`,
        {
          hint:
            "see examples with ctx guard add --help, or send the rule to every session: ctx pin RULE",
        },
      );
    }
    const { guards } = await readGuards(store.files, store.layout);
    const { mode: asked, ...check } = compiled;
    const guard: Guard = {
      id: freeId(input.id ?? toId(rule), guards),
      rule,
      since: new Date(context.now()).toISOString().slice(0, 10),
      mode: input.mode ?? (asked === "ask" ? "ask" : "shadow"),
      ...check,
      ...(entry === undefined ? {} : { entry: entry.id }),
    };
    const path = store.layout.guards;
    if (!input.dry_run) await write(store, context, guard);
    const binding = !input.dry_run && guard.mode !== "shadow" && context.confirm !== undefined;
    return { ...toShown(guard), binding, caught: 0, passed: 0, path, added: !input.dry_run };
  },
  render: (data) =>
    `${data.id} (${data.mode}): ${data.checks}\n${data.added ? "" : "Nothing was changed.\n"}`,
  note({ mode, binding, id, added }) {
    if (!added) return undefined;
    if (mode === "shadow") {
      return `it only counts for now; ctx guard log shows what it catches; to refuse it: ctx guard set ${id} --mode deny`;
    }
    return binding
      ? undefined
      : `it only counts until you approve it: ctx guard set ${id} --mode ${mode}`;
  },
});

export const guardSet = define({
  name: "guard set",
  summary: "Change a guard's mode, or remove it.",
  description:
    "Works only in your own terminal, so that an agent cannot loosen a guard. Elsewhere, only a guard in mode shadow can be changed, and it keeps counting until you approve the new mode.",
  input: {
    id: s.text("Id of the guard.", 1),
    mode: s.optional(s.oneOf(guardModes, "What to do when the rule is broken.")),
    remove: s.flag("Remove it."),
  },
  output: {
    id: s.text(),
    mode: s.optional(s.oneOf(guardModes)),
    removed: s.boolean(),
    /** Whether it waits for the user to approve the mode. */
    waiting: s.optional(s.boolean()),
  },
  positional: ["id"],
  effect: "write",
  local: true,
  examples: [{
    argv: ["guard", "set", "force-push", "--mode", "deny"],
    about: "Refuse what a guard only counted so far.",
    after: [["guard", "add", "never force push"]],
  }],
  async run({ id, mode, remove }, context) {
    const store = await context.openStore();
    const guard = await getGuard(store, id);
    if (remove === (mode !== undefined)) {
      throw new CtxError("USAGE", `Cannot change "${id}": give either --mode or --remove`);
    }
    if (remove || guard.mode !== "shadow") needPerson(context, `change "${id}"`);
    if (remove) {
      await change(store, { id });
      keepGuards(context.files, store.layout, context.env);
      return { id, removed: true };
    }
    await write(store, context, { ...guard, mode: mode ?? guard.mode });
    const isWaiting = context.confirm === undefined && mode !== "shadow";
    const waiting = isWaiting ? { waiting: true } : {};
    return { id, mode: mode ?? guard.mode, removed: false, ...waiting };
  },
  render: ({ id, mode, removed }) => removed ? `${id} removed.\n` : `${id}: ${mode}\n`,
  note: ({ id, mode, waiting }) =>
    waiting
      ? `it only counts until the user approves it in their own terminal: ctx guard set ${id} --mode ${mode}`
      : undefined,
});

export const guardPass = define({
  name: "guard pass",
  summary: "Allow the next breach of a guard, once.",
  description: `Expires after ${passMs / 60_000} minutes. Works only in your own terminal.`,
  input: { id: s.text("Id of the guard.", 1) },
  output: {
    id: s.text(),
    until: s.text(),
    /** How often the user allowed it, this time included. */
    passes: s.number(),
  },
  positional: ["id"],
  effect: "write",
  local: true,
  examples: [{
    argv: ["guard", "pass", "force-push"],
    about: "Let the agent force push once.",
    terminal: true,
  }],
  async run({ id }, context) {
    const store = await context.openStore();
    await getGuard(store, id);
    needPerson(context, `allow a breach of "${id}"`);
    const now = context.now();
    await logGuard(store, { event: "pass", guard: id, now });
    const passes = readGuardLog(store).filter((one) => one.guard === id && one.event === "pass");
    return { id, until: new Date(now + passMs).toISOString(), passes: passes.length };
  },
  render: ({ id }) => `The next breach of ${id} is allowed, within ${passMs / 60_000} minutes.\n`,
  note: ({ id, passes }) =>
    passes >= manyPasses
      ? `you allowed it ${passes} times; if you no longer need the rule: ctx guard set ${id} --remove`
      : undefined,
});

export const guardTest = define({
  name: "guard test",
  summary: "Test a command or file against your guards.",
  input: {
    command: s.optional(s.text("The command.", 1)),
    edit: s.optionalText("A file, checked as if an agent were writing it now."),
  },
  output: {
    breaches: s.listOf(s.object({
      ...s.each(s.text(), "guard", "rule"),
      mode: s.oneOf(guardModes),
      ...s.each(s.optional(s.text()), "found", "instead"),
    })),
    checked: s.number(),
  },
  positional: ["command"],
  effect: "read",
  local: true,
  examples: [{
    argv: ["guard", "test", "cd app && npm install left-pad"],
    about: "Try a command.",
    after: [["guard", "add", "use pnpm, not npm"]],
  }],
  async run({ command, edit }, context) {
    const store = await context.openStore();
    const { guards } = await readGuards(store.files, store.layout);
    if ((command === undefined) === (edit === undefined)) {
      throw new CtxError("USAGE", "Cannot test: give a command or --edit FILE");
    }
    const breaches = command === undefined
      ? await testFile(guards, edit ?? "", { store, context })
      : await testCommand(guards, command, { store, context });
    return { breaches: breaches.map(toResult), checked: guards.length };
  },
  render(data, view) {
    if (data.breaches.length === 0) {
      return data.checked === 0 ? "No guards yet.\n" : "No guard is broken.\n";
    }
    return toTable(data.breaches.map(({ guard, mode, rule, found, instead }) => [
      view.bold(guard),
      mode,
      rule,
      [found, instead].filter((one) => one !== undefined).join("; "),
    ])) + "\n";
  },
});

export const guardLog = define({
  name: "guard log",
  summary: "Show what guards caught and what you let pass.",
  input: { limit: s.integer("How many.", { min: 1, max: 1000, default: 20 }) },
  output: {
    events: s.listOf(s.object({
      ...s.each(s.text(), "ts", "event", "guard"),
      ...s.each(s.optional(s.text()), "mode", "what", "found", "session"),
    })),
    total: s.number(),
  },
  effect: "read",
  unscoped: true,
  examples: [{ argv: ["guard", "log"], about: "See the last 20." }],
  async run({ limit }, context) {
    const events = readGuardLog(await context.openStore()).reverse();
    return { events: events.slice(0, limit), total: events.length };
  },
  list: { of: "events", columns: ["ts", "event", "guard", "mode", "what", "found"] },
  render(data, view) {
    if (data.events.length === 0) return "Nothing was caught yet.\n";
    return toTable(data.events.map((one) => [
      view.dim(one.ts.slice(0, 16).replace("T", " ")),
      one.mode === "shadow" ? "counted" : one.event === "pass" ? "pass given" : one.event,
      view.bold(one.guard),
      one.found ?? one.what ?? "",
    ])) + "\n";
  },
});

/** Writes a guard; whoever typed it approves of it. */
async function write(store: Store, context: Context, guard: Guard): Promise<void> {
  await change(store, { id: guard.id, guard });
  if (context.confirm === undefined) return;
  keepGuards(context.files, store.layout, context.env);
  if (guard.mode === "shadow") return;
  const { workspace } = store.layout;
  await recordConsent(context, { workspace, target: guardTarget(guard), trusted: true });
}

async function change(store: Store, edit: { id: string; guard?: Guard }): Promise<void> {
  const { files, layout: { guards: path } } = store;
  await store.write("guard", async () => {
    const bytes = files.findBytes(path);
    const text = bytes === undefined ? undefined : new TextDecoder().decode(bytes);
    const after = await editGuards(text, path, edit);
    files.replace(path, new TextEncoder().encode(after), { sync: true });
  });
}

async function getGuard(store: Store, id: string): Promise<Guard> {
  const { guards } = await readGuards(store.files, store.layout);
  const guard = guards.find((one) => one.id === id);
  if (guard !== undefined) return guard;
  throw new CtxError("NOT_FOUND", `Cannot find the guard "${id}"`, { hint: "ctx guard list" });
}

/** An agent has no terminal on which somebody could answer. */
function needPerson({ confirm }: Context, what: string): void {
  if (confirm !== undefined) return;
  throw new CtxError("DENIED", `Cannot ${what}: only the user can, in their own terminal`, {
    hint: "ask the user to run it",
  });
}

/** As the hook checks it: by what it runs and what it writes. */
async function testCommand(
  guards: readonly Guard[],
  command: string,
  { store, context }: { store: Store; context: Context },
): Promise<Breach[]> {
  const { findBreaches } = await import("../../recall/hook/check_call.ts");
  const { editCaller, parseHookCall } = await import("../../recall/hook/hook_call.ts");
  const message = JSON.stringify({ cwd: context.cwd, tool_input: { command } });
  const call = parseHookCall(editCaller, message);
  return await findBreaches(guards, { call, workspace: store.layout.workspace, context });
}

async function testFile(
  guards: readonly Guard[],
  file: string,
  { store, context }: { store: Store; context: Context },
): Promise<Breach[]> {
  const whole = normalizePath(resolvePath(file, context.cwd));
  const bytes = context.files.findBytes(whole);
  const { workspace } = store.layout;
  const path = whole.startsWith(`${workspace}/`) ? whole.slice(workspace.length + 1) : file;
  const { checkEdit } = await import("../../guard/check_edit.ts");
  const added = new TextDecoder().decode(bytes).split("\n");
  const exists = bytes !== undefined;
  const change = { path, added, text: added, isWhole: true, isComplete: true };
  // As if it were new, and as if it were there: a rule may be about either.
  return checkEdit(guards, [
    { ...change, exists: false },
    ...(exists ? [{ ...change, exists }] : []),
  ]);
}

function toResult({ guard, found }: Breach): {
  guard: string;
  rule: string;
  mode: Guard["mode"];
  found?: string;
  instead?: string;
} {
  const { id, rule, mode, instead } = guard;
  return {
    guard: id,
    rule,
    mode,
    ...(found === undefined ? {} : { found }),
    ...(instead === undefined ? {} : { instead }),
  };
}

/** A name of a few words of the rule. */
function toId(rule: string): string {
  const words = rule.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const told = words.filter((word) => !filler.has(word)).slice(0, 3).join("-").slice(0, 40);
  return told === "" ? "rule" : told;
}

const filler: ReadonlySet<string> = new Set(
  "the a an to in of always never not do don t please use and or with for is are be you we all"
    .split(
      " ",
    ),
);

function freeId(wanted: string, guards: readonly Guard[]): string {
  const taken = new Set(guards.map(({ id }) => id));
  if (!taken.has(wanted)) return wanted;
  for (let i = 2;; i++) if (!taken.has(`${wanted}-${i}`)) return `${wanted}-${i}`;
}
