// `ctx setup`: connects an agent to this memory by editing its settings, and takes it out again.

import { CtxError } from "../../core/errors.ts";
import { diffLines } from "../../core/line_diff.ts";
import { redactText } from "../../core/redact/redact.ts";
import { encodeExact, findUtf8 } from "../../core/utf8.ts";
import { diskFiles } from "../../store/files/files.ts";
import { type Context, define } from "../../table/command.ts";
import { findOwnExecutable } from "../../setup/other_ctx.ts";
import * as s from "../../table/shape.ts";
import {
  type PlannedEdit,
  setupClientNames,
  setupClients,
  type SetupWish,
} from "../../setup/setup_clients.ts";

const change = s.object({
  ...s.each(s.text(), "path", "diff"),
  action: s.oneOf(["create", "edit", "remove", "none"]),
  backup: s.optional(s.text()),
  remarks: s.optional(s.listOf(s.text())),
});
type Change = s.ValueOf<typeof change>;

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
      program: programWords(context),
      remove: input.remove,
      hooks: !input.no_hooks,
      preEdit: !input.no_pre_edit,
      exists: (path) => findBytes(path) !== undefined,
    };
    const toPlan = setupClients[input.client];
    const edits = await Promise.all(toPlan(wish).map((item) => planChange(item, wish, toPlan)));
    if (!input.dry_run) { for (const { edit, ...planned } of edits) applyChange(planned, edit); }
    return {
      client: input.client,
      dry_run: input.dry_run,
      removed: input.remove,
      changed: edits.some(({ action }) => action !== "none"),
      changes: edits.map(({ edit: _edit, before: _before, isOwn: _isOwn, ...planned }) => ({
        ...planned,
        ...(!input.dry_run && planned.action !== "none" && findBytes(backupOf(planned.path))
          ? { backup: backupOf(planned.path) }
          : {}),
      })),
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

type PlannedChange = Change & {
  before?: string;
  edit?: string;
  /** The file is one that setup made, with nothing of the user's in it. */
  isOwn: boolean;
};
type ToPlan = (wish: SetupWish) => PlannedEdit[];

async function planChange(
  planned: PlannedEdit,
  wish: SetupWish,
  toPlan: ToPlan,
): Promise<PlannedChange> {
  const path = realPathOf(planned.path);
  const before = findText(path);
  const backup = findBytes(backupOf(path));
  const remarks: string[] = [];
  let edit = await planned.edit(before, (remark) => remarks.push(remark));
  const isOwn = before !== undefined && edit !== before && backup === undefined &&
    await isSetupOf(before, undefined, planned, wish, toPlan);
  if (wish.remove && edit !== before && before !== undefined) {
    const first = backup && findUtf8(backup);
    if (isOwn) edit = undefined;
    else if (first !== undefined && await isSetupOf(before, first, planned, wish, toPlan)) {
      // What was there before setup, byte for byte, unless ctx was in it by then.
      const rest = await planned.edit(first, () => {});
      if (rest === first) edit = first;
    }
  }
  const action = edit === before
    ? "none" as const
    : edit === undefined
    ? "remove" as const
    : before === undefined
    ? "create" as const
    : "edit" as const;
  const diff = redactText(diffLines(before ?? "", edit ?? "")).value;
  return { path, action, diff, before, edit, isOwn, ...(remarks.length > 0 ? { remarks } : {}) };
}

/** Whether a text is what setup makes of a first one (undefined: of no file), by any of its flags. */
async function isSetupOf(
  text: string,
  first: string | undefined,
  { path }: PlannedEdit,
  wish: SetupWish,
  toPlan: ToPlan,
): Promise<boolean> {
  for (const flags of [{}, { preEdit: false }, { hooks: false }]) {
    const plan = toPlan({ ...wish, remove: false, hooks: true, preEdit: true, ...flags });
    const same = plan.find((item) => item.path === path);
    try {
      if (await same?.edit(first, () => {}) === text) return true;
    } catch (error) {
      if (!(error instanceof CtxError)) throw error;
    }
  }
  return false;
}

/** Backs up, then replaces in one step; the file keeps its mode. */
function applyChange(planned: Omit<PlannedChange, "edit">, edit: string | undefined): void {
  const { path, action, before, isOwn } = planned;
  if (action === "none") return;
  const mode = before === undefined ? 0o600 : (Deno.statSync(path).mode ?? 0o600) & 0o777;
  const write = (target: string, text: string): void =>
    diskFiles.replace(target, encodeExact(text), { sync: true, mode });
  // The first one is the user's own; what ctx wrote itself is no backup.
  if (before !== undefined && !isOwn && findBytes(backupOf(path)) === undefined) {
    write(backupOf(path), before);
  }
  if (edit === undefined) return diskFiles.remove(path);
  diskFiles.makeDirectory(path.replace(/\/[^/]*$/, ""));
  write(path, edit);
}

function backupOf(path: string): string {
  return `${path}.ctx-backup`;
}

/** Dotfiles are often links into a repository: the file itself is edited, the link stays. */
function realPathOf(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}

/** The text of a file, its byte order mark included; other bytes than UTF-8 are refused. */
function findText(path: string): string | undefined {
  const bytes = findBytes(path);
  if (bytes === undefined) return undefined;
  const text = findUtf8(bytes);
  if (text !== undefined) return text;
  throw new CtxError("CONFIG_INVALID", `Cannot edit "${path}": it is not UTF-8`, {
    hint: "convert it first, for example with iconv -f latin1 -t utf-8; it was not changed",
  });
}

function findBytes(path: string): Uint8Array | undefined {
  try {
    return Deno.readFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return undefined;
    }
    throw new CtxError("DENIED", `Cannot read "${path}"`, { cause: error });
  }
}

/** The words that start this program, for other programs: absolute, because they may have no PATH. */
function programWords({ env }: Context): string[] {
  const own = findOwnExecutable(env) ?? env("CTX_EXECUTABLE");
  if (own !== undefined) return [own];
  const main = decodeURIComponent(new URL(Deno.mainModule).pathname);
  return [Deno.execPath(), "run", "-A", "--quiet", main];
}
