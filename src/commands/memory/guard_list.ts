// `ctx guard list`: the rules that are checked, what they caught, and what is worth a thought about them.

import { homeOf } from "../../core/platform_path.ts";
import { define } from "../../command/command.ts";
import type { Context } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { toTable } from "../../command/view.ts";
import { findSmallText } from "../../disk/outside_files.ts";
import { isApproved } from "../../guard/approved_guard.ts";
import { readGuards, toFields } from "../../guard/guard_file.ts";
import { guardModes } from "../../core/row_kinds.ts";
import type { Guard } from "../../guard/guard_kinds.ts";
import { findDoneByHand, readGuardLog } from "../../guard/guard_log.ts";
import type { Store } from "../../store/store.ts";

export const shown = {
  ...s.each(s.text(), "id", "rule", "since", "checks"),
  mode: s.oneOf(guardModes),
  /** Whether it asks or denies here; one that nobody approved on this machine only notes. */
  binding: s.boolean(),
  ...s.each(s.number(), "caught", "passed"),
  instead: s.optional(s.text()),
  /** What is worth a thought: it was passed often, or nobody approved it. */
  note: s.optional(s.text()),
};
type ShownGuard = s.ObjectOf<typeof shown>;

export const guardList = define({
  name: "guard list",
  summary: "List the rules that are checked, and what they caught.",
  description:
    "A guard checks what agents run and edit against a rule of yours. `shadow` only counts what it would have stopped, `ask` asks you first, `deny` refuses and tells the agent your rule. Guards are in .contextfs/guards.jsonc, which you can edit. A guard that you did not approve on this machine, because it came with a clone or was changed in the file, only counts until `ctx guard set ID --mode deny`. Run `ctx setup AGENT --guard` so that ctx checks the commands and edits of an agent.",
  input: {},
  output: {
    guards: s.listOf(s.object(shown)),
    faults: s.listOf(s.text()),
    /** Connected agents whose commands or edits are not checked, and why. */
    unchecked: s.listOf(s.text()),
  },
  effect: "read",
  examples: [{
    argv: ["guard", "list"],
    about: "See which rules are checked.",
    after: [["guard", "add", "never force push"]],
  }],
  async run(_input, context) {
    const store = await context.openStore();
    const { guards, faults } = await readGuards(store.files, store.layout);
    const events = readGuardLog(store);
    const { trust } = await context.readConfig();
    return {
      guards: guards.map((guard) => {
        const own = events.filter((one) => one.guard === guard.id);
        const passed = own.filter(({ event }) => event === "passed").length;
        const approved = isApproved(trust, store.layout.workspace, guard);
        const still = `if you no longer need the rule: ctx guard set ${guard.id} --remove`;
        const byHand = findDoneByHand(events, guard.id, (file) => readText(store, file));
        const note = guard.mode !== "shadow" && !approved
          ? `not approved here: ctx guard set ${guard.id} --mode ${guard.mode}`
          : passed >= manyPasses
          ? `you allowed it ${passed} times; ${still}`
          : byHand !== undefined
          ? `a change to ${byHand} that it refused was made anyway; ${still}`
          : undefined;
        return {
          ...toShown(guard),
          binding: guard.mode !== "shadow" && approved,
          caught: own.filter(({ event }) => event === "caught").length,
          passed,
          ...(note === undefined ? {} : { note }),
        };
      }),
      faults: faults.map(({ id, fault }) => `${id}: ${fault}`),
      unchecked: guards.length === 0 ? [] : await findUnchecked(store, context),
    };
  },
  list: { of: "guards", columns: ["id", "mode", "binding", "caught", "passed", "rule", "checks"] },
  render(data, view) {
    if (data.guards.length === 0 && data.faults.length === 0) {
      return "No guards yet. Add one: ctx guard add RULE\n";
    }
    const rows = data.guards.flatMap((one) => [
      [view.bold(one.id), one.mode, `${one.caught} caught, ${one.passed} passed`, one.rule],
      ["", "", "", view.dim(one.checks)],
      ...(one.note === undefined ? [] : [["", "", "", one.note]]),
    ]);
    const lines = [...data.faults, ...data.unchecked].map((line) => `${line}\n`);
    return [rows.length === 0 ? "" : `${toTable(rows)}\n`, ...lines].join("");
  },
});

/** Which connected agents go on whatever a guard says. */
async function findUnchecked({ layout }: Store, context: Context): Promise<string[]> {
  const home = homeOf(context.env);
  if (!home) return [];
  const { findConnections } = await import("../../setup/connections.ts");
  const { setupClients } = await import("../../setup/setup_clients.ts");
  // The page and other servers cannot read what is outside the workspace.
  const connections = await findConnections({ home, workspace: layout.workspace }).catch(() => []);
  return connections.flatMap(({ agent, guards }) => {
    const { title } = setupClients[agent];
    if (guards === "none") return [`${title} cannot block anything, so it is not checked.`];
    if (guards === "commands") return [`${title} cannot block edits; only commands are checked.`];
    return guards === "no" ? [`${title} is not checked yet: ctx setup ${agent} --guard`] : [];
  });
}

/** The text of a file by its path in a log; none of what is outside the workspace. */
function readText({ layout: { workspace } }: Store, path: string): string | undefined {
  if (/^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(path)) return undefined;
  return findSmallText(`${workspace}/${path}`, maxBytes);
}

const maxBytes = 400_000;

/** So many passes say that a rule may no longer hold. */
export const manyPasses = 2;

/** A guard without what it did. */
export function toShown(guard: Guard): Omit<ShownGuard, "binding" | "caught" | "passed" | "note"> {
  const { id, rule, since, mode, instead } = guard;
  const { rule: _r, since: _s, mode: _m, instead: _i, entry: _e, ...check } = toFields(guard);
  const checks = Object.entries(check)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(", ") : value}`).join(
      "; ",
    );
  return { id, rule, since, mode, checks, ...(instead === undefined ? {} : { instead }) };
}
