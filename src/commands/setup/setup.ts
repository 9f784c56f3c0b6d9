// `ctx setup`: connects an agent to this memory by editing its settings, and takes it out again.

import { CtxError } from "../../core/errors.ts";
import type { SetupWish } from "../../setup/client_edits.ts";
import { findOwnExecutable } from "../../setup/other_ctx.ts";
import { applyChange, findBackup, isThere, planChange } from "../../setup/plan_change.ts";
import { planSetup, setupClientNames } from "../../setup/setup_clients.ts";
import { type Context, define } from "../../table/command.ts";
import * as s from "../../table/shape.ts";

const change = s.object({
  ...s.each(s.text(), "path", "diff"),
  action: s.oneOf(["create", "edit", "remove", "none"]),
  backup: s.optional(s.text()),
  remarks: s.optional(s.listOf(s.text())),
});

/** Connects an agent. */
export const setup = define({
  name: "setup",
  group: "Setup",
  summary:
    "Connect an agent: its MCP entry and, where it has hooks, capture and hints before edits.",
  description:
    "Edits the agent's own settings and leaves comments and other entries as they are; each edited file is backed up beside itself as .ctx-backup. --dry-run shows the changes only. Running it again changes nothing. --remove takes everything out again.",
  input: {
    client: s.oneOf(setupClientNames, "The agent."),
    scope: s.choice("Your own settings, or those of this project.", ["user", "project"], "user"),
    no_hooks: s.flag("Only the MCP entry, no hooks."),
    no_pre_edit: s.flag("Capture turns, but say nothing before edits."),
    agents_md: s.flag(
      "Also write a section on the memory into AGENTS.md, for agents without hooks.",
    ),
    remove: s.flag("Take ctx out of the agent's settings."),
    dry_run: s.flag("Only show the changes."),
  },
  output: {
    client: s.text(),
    ...s.each(s.boolean(), "dry_run", "removed", "changed"),
    changes: s.listOf(change),
  },
  positional: ["client"],
  effect: "write",
  local: true,
  examples: [{ argv: ["setup", "claude-code", "--dry-run"], about: "What would be written?" }],
  async run(input, context) {
    const home = context.env("HOME") || context.env("USERPROFILE");
    if (!home) throw new CtxError("DENIED", "Cannot find your settings: HOME is not set");
    const wish: SetupWish = {
      home,
      workspace: context.workspace ?? context.cwd,
      scope: input.scope,
      program: input.scope === "project" ? ["ctx"] : programWords(context),
      remove: input.remove,
      hooks: !input.no_hooks,
      preEdit: !input.no_pre_edit,
      allowed: [],
      agentsMd: input.agents_md,
      exists: isThere,
    };
    const toPlan = (one: SetupWish) => planSetup(input.client, one);
    const edits = await Promise.all(toPlan(wish).map((item) => planChange(item, wish, toPlan)));
    if (!input.dry_run) edits.forEach(applyChange);
    return {
      client: input.client,
      dry_run: input.dry_run,
      removed: input.remove,
      changed: edits.some(({ action }) => action !== "none"),
      changes: edits.map(({ path, action, diff, remarks }) => {
        const backup = input.dry_run || action === "none" ? undefined : findBackup(path);
        return {
          path,
          action,
          diff,
          ...(backup === undefined ? {} : { backup }),
          ...(remarks.length > 0 ? { remarks } : {}),
        };
      }),
    };
  },
  render(data, view) {
    const remarks = data.changes.flatMap((item) => item.remarks ?? []).map((line) => `${line}\n`);
    if (!data.changed) return `${data.client}: nothing to change\n${remarks.join("")}`;
    const verbs = { create: "Created", edit: "Edited", remove: "Removed", none: "" };
    const parts = data.changes.filter(({ action }) => action !== "none").map((item) => {
      const verb = data.dry_run ? `Would ${item.action}` : verbs[item.action];
      const backup = item.backup ? view.dim(` (before: ${item.backup})`) : "";
      return `${view.bold(`${verb} ${item.path}`)}${backup}\n${item.diff}`;
    });
    return [...parts, ...(remarks.length > 0 ? [remarks.join("")] : [])].join("\n");
  },
  note(data) {
    if (!data.changed || data.dry_run) return undefined;
    if (data.removed) return `restart ${data.client} to be rid of it`;
    const hints = data.changes.some(({ diff }) => diff.includes("hook pre-edit"))
      ? "; ctx suggest FILE, once, builds what hints are made from"
      : "";
    return `restart ${data.client} to use it${hints}`;
  },
});

/** The words that start this program, for other programs: absolute, because they may have no PATH. */
function programWords({ env }: Context): string[] {
  const own = findOwnExecutable(env) ?? env("CTX_EXECUTABLE");
  if (own !== undefined) return [own];
  const main = decodeURIComponent(new URL(Deno.mainModule).pathname);
  return [Deno.execPath(), "run", "-A", "--quiet", main];
}
