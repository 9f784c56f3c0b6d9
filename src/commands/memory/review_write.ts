// `ctx review write`: writes accepted lines as a marked block into CLAUDE.md or AGENTS.md, after showing
// it. --remove removes the block.

import { CtxError } from "../../core/errors.ts";
import { diffLines } from "../../core/lines/line_diff.ts";
import { encodeExact } from "../../core/utf8.ts";
import { diskFiles } from "../../disk/files.ts";
import { findRealPath } from "../../disk/outside_files.ts";
import { define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { withoutSection, withSection } from "../../setup/marked_section.ts";
import { findText } from "../../setup/plan_change.ts";

const names = { claude: "CLAUDE.md", agents: "AGENTS.md" };

export const reviewWrite = define({
  name: "review write",
  summary: "Write accepted lines into CLAUDE.md or AGENTS.md.",
  description:
    "Writes the lines you accepted, and preferences you saved, as a block between two marker comments; everything else in the file stays as it is. It shows the change and asks first; --dry-run only shows it. Run it again to update the block. --remove removes the block and leaves the file as it was before.",
  input: {
    file: s.oneOf(["claude", "agents"], "The file: CLAUDE.md or AGENTS.md of this project."),
    remove: s.flag("Remove the block."),
    dry_run: s.flag("Show the change; write nothing."),
  },
  output: {
    ...s.each(s.text(), "path", "diff"),
    action: s.oneOf(["create", "edit", "remove", "none"]),
    lines: s.number(),
    dry_run: s.boolean(),
  },
  positional: ["file"],
  effect: "write",
  local: true,
  destroys: () => true,
  question({ remove }, planned) {
    if (planned === undefined || planned.action === "none") return undefined;
    return remove ? `Remove the block from ${planned.path}?` : `Write this to ${planned.path}?`;
  },
  examples: [{
    argv: ["review", "write", "agents", "--dry-run"],
    about: "Show the block for AGENTS.md.",
    after: [["save", "Always use pnpm", "--type", "preference"]],
  }],
  async run({ file, remove, dry_run }, context) {
    const store = await context.openStore();
    const { readAccepted, rulesMarks, toRulesBlock } = await import(
      "../../recall/review/rules_block.ts"
    );
    const named = `${store.layout.workspace}/${names[file]}`;
    // One of the two files is often a link to the other.
    const path = findRealPath(named) ?? named;
    const lines = remove ? [] : readAccepted(store);
    if (!remove && lines.length === 0) {
      throw new CtxError("NOT_FOUND", "Cannot write the block: no lines have been accepted yet", {
        hint: "ctx review",
      });
    }
    const before = findText(path);
    const edited = remove
      ? withoutSection(before ?? "", rulesMarks)
      : withSection(before, { ...rulesMarks, body: toRulesBlock(lines) });
    // A file with nothing but the block was created by us.
    const after = edited === "" && before !== "" ? undefined : edited;
    const action = toAction(before, after);
    if (!dry_run && action !== "none") {
      if (after === undefined) diskFiles.remove(path);
      else {
        const mode = before === undefined ? 0o644 : (Deno.statSync(path).mode ?? 0o644) & 0o777;
        diskFiles.replace(path, encodeExact(after), { sync: true, mode });
      }
    }
    const diff = diffLines(before ?? "", after ?? "");
    return { path, diff, action, lines: lines.length, dry_run };
  },
  render({ path, diff, action, dry_run }) {
    if (action === "none") return `Nothing to change in ${path}.\n`;
    const did = { create: "Created", edit: "Changed", remove: "Removed" }[action];
    return dry_run ? `${path}\n${diff}` : `${did} ${path}\n`;
  },
  note: ({ action, dry_run, lines, path }) =>
    dry_run || action === "none" || lines === 0
      ? undefined
      : `to remove the block: ctx review write ${
        path.endsWith("CLAUDE.md") ? "claude" : "agents"
      } --remove`,
});

function toAction(
  before: string | undefined,
  after: string | undefined,
): "create" | "edit" | "remove" | "none" {
  if (after === before) return "none";
  return after === undefined ? "remove" : before === undefined ? "create" : "edit";
}
