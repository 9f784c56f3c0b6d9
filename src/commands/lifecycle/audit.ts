// `ctx audit`: what is wrong in the files that agents read by themselves. Only --fix writes, and only
// what was shown.

import { homeOf } from "../../core/platform_path.ts";
import { CtxError } from "../../core/errors.ts";
import { type Context, define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { countOf } from "../../command/view.ts";
import { type Finding, findingKinds } from "../../audit/finding.ts";
import type { FileFix } from "../../audit/fix_files.ts";
import type { Store } from "../../store/store.ts";

const output = {
  findings: s.listOf(s.object({
    ...s.each(s.text(), "where", "file"),
    ...s.each(s.number(), "line", "end"),
    kind: s.oneOf(findingKinds),
    ...s.each(s.text(), "text", "evidence", "proposal"),
    fixable: s.boolean(),
    /** Shown with --all only: it may be wrong. */
    unproven: s.optional(s.boolean()),
  })),
  /** How many files were looked at. */
  files: s.number(),
  changes: s.listOf(s.object({
    ...s.each(s.text(), "path", "diff"),
    fixes: s.number(),
  })),
  action: s.oneOf(["check", "fix", "undo"]),
  dry_run: s.boolean(),
};
type AuditResult = s.ObjectOf<typeof output>;

export const audit = define({
  name: "audit",
  summary: "Check CLAUDE.md, AGENTS.md and other rule files for mistakes.",
  description:
    "Reads the files that agents load by themselves: CLAUDE.md with its imports, AGENTS.md, GEMINI.md, the rules of Cursor, Copilot and Cline, and the memory that Claude Code and Codex keep of this project; from your home directory only those of your agents. Lists rules that are repeated, contradict each other or a decision in the store, name files or scripts that do not exist, belong to another project or contain a secret, and lines that the agent never reads because the file is too long. Each finding has its evidence and a suggested change; unproven findings are listed only with --all. --fix makes the safe changes: it removes repeated rules, redacts secrets and corrects paths of moved files. It shows the changes, asks first and keeps a copy; --undo restores it exactly. Exit status 8 means that there are proven findings.",
  input: {
    kinds: s.list(`Only this kind: ${findingKinds.join(", ")}.`),
    all: s.flag("Also list unproven findings."),
    project_only: s.flag("Skip files in your home directory."),
    fix: s.flag("Make the safe changes, after showing them."),
    undo: s.flag("Restore the files as they were before the last --fix."),
    dry_run: s.flag("With --fix or --undo: show what would change."),
  },
  output,
  flags: { kinds: "kind" },
  list: {
    of: "findings",
    columns: ["where", "kind", "fixable", "text", "evidence", "proposal"],
    unless: ({ action }) => action !== "check",
  },
  effect: "write",
  paged: true,
  local: true,
  destroys: ({ fix, undo }) => fix || undo,
  question({ undo }, planned) {
    if (planned === undefined || planned.changes.length === 0) return undefined;
    const count = countOf(planned.changes.length, "file");
    return undo ? `Restore ${count}?` : `Change ${count}?`;
  },
  examples: [
    { argv: ["audit"], about: "Check the rule files of this project." },
    { argv: ["audit", "--fix", "--dry-run"], about: "Show what --fix would change." },
  ],
  async run(input, context): Promise<AuditResult> {
    const store = await context.openStore();
    const wrong = input.kinds.find((kind) => !findingKinds.some((one) => one === kind));
    if (wrong !== undefined || (input.fix && input.undo)) {
      throw new CtxError(
        "USAGE",
        wrong === undefined
          ? "Cannot fix and undo at once"
          : `Cannot check for "${wrong}": there is no such kind`,
        { hint: `ctx audit --kind ${findingKinds.join("|")}` },
      );
    }
    if (input.undo) return await undo(store, { isDry: input.dry_run, home: ownHome(context) });
    const { auditFiles } = await import("../../audit/audit_files.ts");
    const { workspace } = store.layout;
    const { files, findings } = await auditFiles({
      workspace,
      ...(input.project_only ? {} : { home: ownHome(context) }),
      ...await readMemory(store),
    });
    const wanted = findings.filter(({ kind, isUnsure }) =>
      (input.kinds.length === 0 || input.kinds.includes(kind)) && (input.all || !isUnsure)
    );
    const result = { findings: wanted.map(toRow), files: files.length };
    if (!input.fix) return { ...result, changes: [], action: "check", dry_run: false };
    const { planFixes, applyFixes } = await import("../../audit/fix_files.ts");
    const fixes = planFixes(files, wanted.filter(({ isUnsure }) => !isUnsure));
    if (!input.dry_run && fixes.length > 0) applyFixes(store.layout.audit, fixes, context.now());
    return { ...result, changes: fixes.map(toChange), action: "fix", dry_run: input.dry_run };
  },
  render({ findings, files, changes, action, dry_run }, view) {
    if (action !== "check") {
      if (changes.length === 0) return "Nothing to change.\n";
      if (dry_run) return changes.map(({ path, diff }) => `${path}\n${diff}`).join("\n");
      const word = action === "fix" ? "Changed" : "Restored";
      return changes.map(({ path }) => `${word} ${path}\n`).join("");
    }
    if (findings.length === 0) {
      return files === 0 ? "No rule files found.\n" : `${countOf(files, "file")}: nothing found.\n`;
    }
    const rows = findings.map((one) =>
      [
        view.wrap(`${view.bold(one.where)} ${one.kind}: ${one.text}`, { first: "", indent: "  " }),
        view.wrap(one.evidence, { first: "  ", indent: "  " }),
        view.wrap(view.dim(`→ ${one.proposal}`), { first: "  ", indent: "    " }),
      ].join("\n")
    );
    const foot = `${countOf(findings.length, "finding")} in ${countOf(files, "file")}`;
    return `${rows.join("\n\n")}\n\n${view.dim(foot)}\n`;
  },
  note({ findings, changes, action, dry_run }) {
    if (action === "fix" && !dry_run && changes.length > 0) return "to restore: ctx audit --undo";
    const fixable = findings.filter((one) => one.fixable).length;
    return action === "check" && fixable > 0
      ? `ctx audit --fix can change ${fixable} of them`
      : undefined;
  },
  failure: ({ findings, action }) =>
    action === "check" && findings.some(({ unproven }) => !unproven) ? "CHECK_FAILED" : undefined,
});

/** What the store knows that rules can contradict, and the names of the user's other projects. */
async function readMemory(
  store: Store,
): Promise<{ decided: { id: string; ts: string; text: string }[]; projects: string[] }> {
  const { listRecords } = await import("../../recall/distil/list_records.ts");
  const records = listRecords(store, {
    types: ["decision", "preference"],
    withSuperseded: false,
    ownOnly: true,
  });
  const decided = records.filter(({ by }) => by === "saved");
  const { workspace } = store.layout;
  const parent = workspace.slice(0, workspace.lastIndexOf("/"));
  const { listProjects } = await import("../../audit/list_projects.ts");
  return { decided, projects: listProjects(parent, workspace) };
}

async function undo(
  store: Store,
  { isDry, home }: { isDry: boolean; home?: string },
): Promise<AuditResult> {
  const { diffKept, findKept, undoFix } = await import("../../audit/fix_files.ts");
  const kept = findKept(store.layout.audit);
  if (kept === undefined) {
    throw new CtxError("NOT_FOUND", "Cannot undo: ctx audit --fix has changed nothing yet", {
      hint: "ctx audit --fix",
    });
  }
  const changes = kept.files.map((file) => ({
    path: file.path,
    diff: diffKept(kept, file),
    fixes: 1,
  }));
  if (!isDry) {
    const { findAgentFiles } = await import("../../intake/agent_files/find_agent_files.ts");
    const found = findAgentFiles({ workspace: store.layout.workspace, home });
    undoFix(kept, new Set(found.map(({ path }) => path)));
  }
  return { findings: [], files: kept.files.length, changes, action: "undo", dry_run: isDry };
}

/** Only the user's own command line may look into the home directory. */
function ownHome(context: Context): string | undefined {
  if (context.surface !== "cli") return undefined;
  return homeOf(context.env);
}

function toRow({ edit, isUnsure, ...one }: Finding): AuditResult["findings"][number] {
  return {
    where: `${one.file}:${one.line}`,
    ...one,
    fixable: edit !== undefined && !isUnsure,
    ...(isUnsure ? { evidence: `${one.evidence} (not proven)`, unproven: true } : {}),
  };
}

function toChange({ path, diff, fixes }: FileFix): AuditResult["changes"][number] {
  return { path, diff, fixes };
}
