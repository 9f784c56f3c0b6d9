// `ctx review`: what ctx would remember, for the user to accept, edit, reject or put off. Only the user
// can do that: an agent that accepted its own lines would put them into every later session.

import { CtxError } from "../../core/errors.ts";
import type { VerdictWord } from "../../core/rows/verdict.ts";
import { toLine } from "../../core/text.ts";
import { type Context, define } from "../../command/command.ts";
import { pageInputs } from "../../command/inputs.ts";
import { recordAct } from "../../command/record_act.ts";
import * as s from "../../command/shape.ts";
import { countOf } from "../../command/view.ts";
import { reviewLine } from "../../recall/review/review_shapes.ts";

/** How many days until a line that was put off comes back. */
const laterDays = 7;

export const reviewList = define({
  name: "review list",
  summary: "List what ctx would remember, best first.",
  description:
    "Rules you gave your agents come first, starting with those you repeated most; then records that state a requirement or a reason. These are guesses: agents do not get a line until you accept it. --all adds the other records. Lines you accepted or rejected do not come back, even if another session says the same.",
  input: {
    all: s.flag("Include lines with no clear reason to remember them."),
    ...pageInputs("Lines", 30),
  },
  output: {
    ...s.each(s.number(), "total", "offset"),
    /** How many more --all would list. */
    others: s.number(),
    lines: s.listOf(reviewLine),
  },
  list: { of: "lines", columns: ["id", "ts", "type", "sessions", "text"] },
  effect: "read",
  unscoped: true,
  examples: [
    { argv: ["review", "list", "--limit", "7"], about: "List the best seven." },
  ],
  async run({ all, limit, offset }, context) {
    const store = await context.openStore();
    const { findReviewLines } = await import("../../recall/review/find_lines.ts");
    const found = findReviewLines(store, { nowMs: context.now() });
    const wanted = all ? found : found.filter(({ why }) => why.length > 0);
    return {
      total: wanted.length,
      offset,
      others: found.length - wanted.length,
      lines: wanted.slice(offset, offset + limit),
    };
  },
  render({ total, offset, others, lines }, view) {
    const more = others > 0
      ? `--all adds ${countOf(others, "line")} with no clear reason to remember them`
      : "";
    if (lines.length === 0) return ["Nothing to review.", more].filter(Boolean).join(" ") + "\n";
    const rows = lines.map(({ id, ts, type, text, why }) =>
      [
        view.wrap(text, { first: "• ", indent: "  " }),
        view.wrap(view.dim([view.id(id), type, ...why, view.age(ts)].join(" · ")), {
          first: "  ",
          indent: "  ",
        }),
      ].join("\n")
    );
    const last = offset + lines.length;
    const next = last < total ? `more: --offset ${last}` : "";
    const foot = [countOf(total, "line"), next, more].filter(Boolean).join("; ");
    return `${rows.join("\n\n")}\n\n${view.dim(foot)}\n`;
  },
  note: ({ lines }) =>
    lines.length === 0
      ? undefined
      : `ctx review accept|edit|reject|later ID, for example: ctx review accept ${lines[0].id}`,
});

const done = {
  verdict: s.oneOf(["accept", "reject", "later"]),
  lines: s.listOf(s.object({
    ...s.each(s.text(), "of", "text"),
    /** The entries that were written. */
    ids: s.listOf(s.text()),
  })),
  until: s.optional(s.text()),
  redactions: s.number(),
};
type Done = s.ObjectOf<typeof done>;

/** What the examples need to be there. */
const derived = [["records", "--derive"]];

const ids = s.naming("H", s.someOf("Ids of lines (H-…), from ctx review."));

/** What the commands that answer for some lines have in common. */
const answer = {
  input: { ids },
  output: done,
  positional: ["ids" as const],
  effect: "write" as const,
  unscoped: true,
  render: renderDone,
};

export const reviewAccept = define({
  name: "review accept",
  summary: "Accept lines, so that every later session starts with them.",
  description:
    "Saves each line as your own entry, which replaces the record; `ctx undo` reverts it. `ctx review write` also writes accepted lines into CLAUDE.md or AGENTS.md. Only you can accept: ctx refuses agents that try it over MCP or HTTP.",
  ...answer,
  examples: [{
    argv: ["review", "accept", "H-1m3yczv2088s4gxpp"],
    about: "Accept a line.",
    after: derived,
  }],
  run: ({ ids }, context) => give(context, ids, { said: "accept" }),
});

export const reviewEdit = define({
  name: "review edit",
  summary: "Accept a line in your own words.",
  description:
    "Opens the line in $VISUAL or $EDITOR; if neither is set, in vi (Notepad on Windows). With --text, no editor is opened.",
  input: {
    id: s.naming("H", s.text("The line's id (H-…).", 1)),
    text: s.optional(s.text("The line in your own words.", 1)),
  },
  output: done,
  positional: ["id"],
  effect: "write",
  access: "editor",
  unscoped: true,
  examples: [{
    argv: [
      "review",
      "edit",
      "H-1m3yczv2088s4gxpp",
      "--text",
      "Acknowledge messages after the handler",
    ],
    about: "Accept it with other words.",
    after: derived,
  }],
  async run({ id, text }, context) {
    refuseAgents(context, "edit");
    return await give(context, [id], { said: "accept", text: text ?? await edit(id, context) });
  },
  render: renderDone,
});

export const reviewReject = define({
  name: "review reject",
  summary: "Reject lines, so that they never come back.",
  description:
    "Also rejects records in other sessions that say the same, now and later. Works for any record, including one that agents already get. `ctx undo` reverts it.",
  ...answer,
  examples: [{
    argv: ["review", "reject", "H-1m3yczv2088s4gxpp"],
    about: "Reject a line for good.",
    after: derived,
  }],
  run: ({ ids }, context) => give(context, ids, { said: "reject" }),
});

export const reviewLater = define({
  name: "review later",
  summary: `Put lines off for ${laterDays} days.`,
  ...answer,
  examples: [{
    argv: ["review", "later", "H-1m3yczv2088s4gxpp"],
    about: "Decide in a week.",
    after: derived,
  }],
  run: ({ ids }, context) => {
    const until = new Date(context.now() + laterDays * 86_400_000).toISOString();
    return give(context, ids, { said: "later", until });
  },
});

/** Writes the user's answer to some lines. */
async function give(
  context: Context,
  ids: readonly string[],
  word: { said: VerdictWord; text?: string; until?: string },
): Promise<Done> {
  refuseAgents(context, word.said === "later" ? "put off" : word.said);
  const { said, text, until } = word;
  if (text?.trim() === "") throw new CtxError("USAGE", "Cannot accept the line: it is empty");
  const store = await context.openStore();
  const { toVerdicts } = await import("../../recall/review/give_verdict.ts");
  const given = toVerdicts(store, ids, {
    ...word,
    text: text && toLine(text, 1000),
    nowMs: context.now(),
  });
  const { lines, redactions } = await store.write("review", (writer) => {
    const before = writer.redactions;
    const lines = given.map(({ line, draft }) => {
      const { entries } = writer.append([draft]);
      const told = said === "accept" ? entries[0].text : line.text;
      return { of: line.id, text: told, ids: entries.map(({ id }) => id) };
    });
    return { lines, redactions: writer.redactions - before };
  });
  const written = lines.flatMap(({ ids }) => ids);
  recordAct(store, context, { act: "save", command: `review ${said}`, ids: written });
  return { verdict: said, lines, redactions, ...(until === undefined ? {} : { until }) };
}

/** The user decides what is remembered for good. */
function refuseAgents({ agent }: Context, action: string): void {
  if (agent === undefined) return;
  throw new CtxError("DENIED", `Cannot ${action} the line: only the user can review`, {
    hint: "the user runs: ctx review",
  });
}

async function edit(id: string, context: Context): Promise<string> {
  if (context.editText === undefined) {
    throw new CtxError("DENIED", "Cannot edit here: no editor is available", {
      hint: `ctx review edit ${id} --text TEXT`,
    });
  }
  const { findLine } = await import("../../recall/review/give_verdict.ts");
  const { text } = findLine(await context.openStore(), id, {
    said: "accept",
    nowMs: context.now(),
  });
  return await context.editText(`${text}\n`);
}

function renderDone({ verdict, lines, until }: Done): string {
  const word = { accept: "Accepted", reject: "Rejected", later: "Put off" }[verdict];
  const when = until === undefined ? "" : ` until ${until.slice(0, 10)}`;
  return lines.map(({ text }) => `${word}${when}: ${toLine(text, 120)}\n`).join("");
}
