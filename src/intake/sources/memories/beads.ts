// beads: the issues of a project in `.beads/issues.jsonl`, one per line, written anew at each change.

import { toObjects, toText } from "../loose_json.ts";
import type { RecordFormat } from "../reading.ts";
import { memoryFileSource } from "./memory_file.ts";
import { memoryRow } from "./memory_row.ts";

const format: RecordFormat = {
  isRevised: "timeless",
  timeOf: ({ created_at }) => created_at,
  rows(issue, base) {
    const state = [issue.issue_type, issue.status].map(toText).filter((word) => word).join(", ");
    const comments = toObjects(issue.comments).map(({ author, text }) =>
      `${toText(author) ?? "comment"}: ${toText(text) ?? ""}`
    );
    const { description, design, acceptance_criteria, notes, close_reason } = issue;
    return memoryRow(
      [
        `${issue.id} ${issue.title}${state ? ` (${state})` : ""}`,
        ...[description, design, acceptance_criteria, notes, close_reason],
        ...comments,
      ],
      base,
      { title: issue.title },
    );
  },
};

export const beads = memoryFileSource({
  name: "beads",
  title: "beads",
  files: /^(?:issues|beads)\.jsonl$/,
  begins: /^\s*\{"id":\s*"[^"]+",[^\n]*"title":\s*"/,
  values: (text) => text.split("\n"),
  format,
  isMemory: ({ id, title }) => toText(id) !== undefined && toText(title) !== undefined,
});
