// `ctx why`: whose a line or a commit is, and what led to it.

import { withLines } from "../../index/lines/line_table.ts";
import { define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { minuteOf, withoutEmpty } from "../../command/brief.ts";
import { countOf, type View } from "../../command/view.ts";
import { type WhyAnswer, whyRow } from "../../code/why/why_row.ts";

export const why = define({
  name: "why",
  summary: "Explain a line or commit: the session and prompt behind it.",
  description:
    'ctx follows a line to its commit, and the commit to the session that recorded its edits; uncommitted lines are looked up directly. No hooks are needed: the edits are in the imported sessions. The answer has the edit, the prompt before it, decisions of that session, the confidence and the matching lines, or "unknown, because …". For a whole file there is one answer per commit and session; for a squashed commit, one per session. A path that does not exist here is matched by its end, because sessions can use other directories. Merges and bot commits (such as Dependabot\'s) are skipped; commits by coding agents are not.',
  input: {
    target: s.text("FILE, FILE:LINE, FILE:LINE-LINE or a commit.", 1),
  },
  output: { target: s.text(), results: s.listOf(whyRow) },
  positional: ["target"],
  effect: "read",
  unscoped: true,
  tool: "why",
  examples: [
    { argv: ["why", "src/queue/retry.ts:12"], about: "Explain one line." },
    { argv: ["why", "HEAD"], about: "Explain the last commit." },
  ],
  async run({ target }, context) {
    const store = await context.openStore();
    const { askWhy } = await import("../../code/why/ask_why.ts");
    const { cwd, signal, progress } = context;
    const now = context.now();
    const results = await withLines(store, {
      signal,
      work: (table) => askWhy(store, target, { table, cwd, now, signal, progress }),
    });
    return { target, results };
  },
  render(data, view) {
    return data.results.map((row) => toStory(row, view)).join("\n");
  },
  failure: ({ results }) => results.some(({ missing }) => missing) ? "NOT_FOUND" : undefined,
  brief({ target, results }) {
    return {
      target,
      results: results.map(({ prompt, other_prompts = [], decisions, evidence, others, ...row }) =>
        withoutEmpty({
          ...row,
          commit: row.commit?.slice(0, 12),
          committed: row.committed && minuteOf(row.committed),
          matched: evidence.reduce((sum, { added = 0, removed = 0 }) => sum + added + removed, 0),
          others: others.map(({ session_id }) => session_id),
          words: [
            ...[...prompt === undefined ? [] : [prompt], ...other_prompts]
              .map((prompt) => ({ kind: "prompt", ...prompt })),
            ...decisions.map((decision) => ({ kind: "decision", ...decision })),
          ],
        })
      ),
    };
  },
});

/** What was asked, decided and changed, in a few lines. */
function toStory(row: WhyAnswer, view: View): string {
  const place = [row.path, row.lines].filter(Boolean).join(":");
  const commit = describeCommit(row);
  const head = [place, commit].filter((part) => part !== "").join(" · ");
  const lines: [string, string][] = [];
  if (row.session_id === undefined) {
    lines.push(["unknown", `because ${row.because ?? "nothing is known about it"}`]);
    if (row.hint !== undefined) lines.push(["next", row.hint]);
    if (row.others.length > 0) lines.push(["maybe", toIds(row.others)]);
  } else {
    lines.push(["session", `${row.title ?? row.session_id} ${view.dim(describe(row))}`]);
    if (row.prompt) lines.push(["asked", oneLine(row.prompt.text)]);
    for (const { text } of row.other_prompts ?? []) lines.push(["asked", oneLine(text)]);
    for (const { text } of row.decisions) lines.push(["decided", oneLine(text)]);
    lines.push(["evidence", describeEvidence(row)]);
    if (row.others.length > 0) lines.push(["also", toIds(row.others)]);
    const next = row.id === undefined ? `ctx show ${row.session_id}` : `ctx timeline ${row.id}`;
    lines.push(["read on", next]);
  }
  if (row.note !== undefined) lines.push(["note", row.note]);
  const body = lines.map(([label, text]) => {
    const first = `  ${view.dim(label.padEnd(8))} `;
    return `${view.wrap(text, { first, indent: " ".repeat(11) })}\n`;
  }).join("");
  return `${head === "" ? "" : `${view.wrap(view.bold(head))}\n`}${body}`;
}

function toIds(others: WhyAnswer["others"]): string {
  return others.map(({ session_id }) => session_id).join(", ");
}

function describeCommit({ commit, subject, author, committed, path, because }: WhyAnswer): string {
  if (commit === undefined) return path === undefined || because ? "" : "not committed yet";
  const name = commit.slice(0, 10);
  if (subject === undefined) return name;
  const facts = [author, committed && minuteOf(committed)].filter(Boolean);
  return `${name} ${subject}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`;
}

function describe({ agent, session_id, confidence }: WhyAnswer): string {
  const facts = [agent, session_id, `${Math.round(confidence * 100)} % sure`];
  return `(${facts.filter((fact) => fact !== undefined).join(", ")})`;
}

function describeEvidence({ evidence, by, lines: told }: WhyAnswer): string {
  const lines = evidence.reduce((sum, { added = 0, removed = 0 }) => sum + added + removed, 0);
  const files = evidence.filter(({ kind }) => kind === "lines").length;
  const made = evidence.some(({ kind }) => kind === "commit") ? "it made the commit; " : "";
  const isOne = told === undefined || /^\d+$/.test(told);
  const matched = lines === 0
    ? isOne ? "this line" : "these lines"
    : `${countOf(lines, "line")} of the change in ${countOf(files, "file")}`;
  const far = by === "commit" ? "" : `, including ${isOne ? "this one" : "these"}`;
  return `${made}${matched} recorded in this session${lines === 0 ? "" : far}`;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= 240 ? line : `${line.slice(0, 239)}…`;
}
