// `ctx preview`: what an agent is given without asking, seen before it is given.

import { homeOf } from "../../core/platform_path.ts";
import { CtxError } from "../../core/errors.ts";
import { countTokens } from "../../core/tokens.ts";
import type { Block } from "../../recall/pack/block.ts";
import { explainPrompt, type Preview, previewBlock } from "../../recall/preview/preview_block.ts";
import type { Store } from "../../store/store.ts";
import { type Context, define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { type Given, given, previewLine } from "../../recall/preview/preview_shapes.ts";
import { countOf, type View } from "../../command/view.ts";

const moments = ["start", "edit", "prompt", "last"] as const;

const leftOut = s.object({
  ...s.each(s.optional(s.text()), "id", "kind", "text"),
  why: s.text(),
  count: s.number(),
});

/** More of what is left out is counted only: in the data, and where people read it. */
const mostLeft = 100;
const mostShown = 10;

export const preview = define({
  name: "preview",
  summary: "Show exactly what an agent gets at session start, edit or prompt.",
  description:
    "Shows the hooks' output, byte for byte: `start` at session start; `edit FILE`, `edit FILE:LINE` or `edit FILE:FROM-TO` before those lines are replaced; `prompt TEXT` at a prompt. A preview is not recorded. With --session, lines that conversation already got are left out. With `edit`, the suggestion id in the feedback line is only an example. A real session start first imports what agents wrote in the meantime, so it can differ. `ctx context now last` lists what agents actually got, from hooks and over MCP (where tokens are estimated). `left_out` lists what was found but not included, and why.",
  input: {
    moment: s.choice(
      "The moment to preview, or last.",
      moments,
      "start",
    ),
    about: s.optionalText("The file and lines (edit), or the text (prompt)."),
    session: s.naming("S or new", s.optionalText("A session or agent conversation.")),
    agent: s.optionalText("Leave out what this agent loads by itself, for example claude-code."),
    limit: s.integer("With last: how many to list.", { min: 1, max: 200, default: 10 }),
  },
  output: {
    moment: s.oneOf(moments),
    text: s.text(),
    tokens: s.number(),
    budget: s.optional(s.number()),
    lines: s.listOf(previewLine),
    left_out: s.listOf(leftOut),
    given: s.optional(s.listOf(given)),
    notes: s.listOf(s.text()),
  },
  positional: ["moment", "about"],
  effect: "read",
  unscoped: true,
  examples: [
    { argv: ["context", "now"], about: "Show what the next session starts with." },
    {
      argv: ["context", "now", "prompt", "how do refresh tokens rotate?"],
      about: "Show what this prompt would get.",
    },
  ],
  async run({ moment, about, session, agent, limit }, context) {
    const store = await context.openStore();
    const conversation = session === undefined
      ? undefined
      : (await import("../../recall/preview/last_given.ts")).getConversation(store, session);
    if (moment === "last") {
      const { readLastGiven } = await import("../../recall/preview/last_given.ts");
      const given = await readLastGiven(store, { limit, conversation });
      const tokens = given.reduce((sum, row) => sum + row.tokens, 0);
      const notes = given.length === 0
        ? ["no agent has received anything yet; ctx setup connects agents"]
        : [];
      return { moment, text: "", tokens, lines: [], left_out: [], given, notes };
    }
    const block = await makeBlock(store, context, { moment, about, agent, conversation });
    const made = await previewBlock(store, block, context.now());
    const rest = made.left_out.length - mostLeft;
    return {
      moment,
      ...made,
      tokens: countTokens(made.text),
      left_out: rest <= 0
        ? made.left_out
        : [...made.left_out.slice(0, mostLeft), { why: "others", count: rest }],
    };
  },
  render(data, view) {
    return data.given === undefined ? renderPreview(data, view) : renderGiven(data.given, view);
  },
  note: ({ notes }) => notes.length > 0 ? notes.join("; ") : undefined,
});

async function makeBlock(
  store: Store,
  context: Context,
  { moment, about, agent, conversation = newConversation }: {
    moment: "start" | "edit" | "prompt";
    about?: string;
    agent?: string;
    conversation?: string;
  },
): Promise<Block> {
  const config = await context.readConfig();
  const nowMs = context.now();
  if (moment === "start") {
    const { makeStartBlock } = await import("../../recall/pack/start_pack.ts");
    const { isSettled: _isSettled, ...block } = await makeStartBlock(store, {
      config,
      nowMs,
      ...(agent === undefined ? {} : { client: { name: agent, home: ownHome(context) } }),
    });
    return block;
  }
  if (about === undefined) {
    const what = moment === "edit" ? "no file was given" : "no text was given";
    throw new CtxError("USAGE", `Cannot preview ${nameOf[moment]}: ${what}`, {
      hint: moment === "edit" ? "ctx context now edit FILE:FROM-TO" : "ctx context now prompt TEXT",
    });
  }
  if (moment === "prompt") {
    return await explainPrompt(store, { prompt: about, conversation, config, nowMs });
  }
  const [{ previewEdit }, { readSuggestSettings }] = await Promise.all([
    import("../../recall/preview/preview_edit.ts"),
    import("../../recall/edit/suggest_settings.ts"),
  ]);
  // Where there is a command line, paths are its own; elsewhere they start at the workspace.
  const cwd = context.surface === "cli" ? context.workspace ?? context.cwd : store.layout.workspace;
  return await previewEdit(store, {
    place: about,
    cwd,
    conversation,
    settings: readSuggestSettings(config),
    now: context.now,
    random: context.seed,
  });
}

/** No agent's conversation is called so: it was told nothing. */
const newConversation = "ctx preview";
const nameOf = { edit: "an edit", prompt: "a prompt" };

function renderPreview(
  { moment, text, tokens, budget, lines, left_out }: Omit<Preview, "notes"> & {
    moment: typeof moments[number];
    tokens: number;
  },
  view: View,
): string {
  const of = budget === undefined ? "" : ` of ${view.count(budget)}`;
  const head = text === ""
    ? `Nothing would be sent at ${moment}.`
    : `${countOf(lines.length, "line")}, ${view.count(tokens)}${of} tokens at ${moment}:`;
  const left = left_out.slice(0, mostShown).map(({ id, kind, text, why, count }) => {
    const what = [id, kind, text].filter((part) => part !== undefined).join("  ");
    const reason = `  (${why})`;
    const room = Math.max(20, view.width - view.widthOf(reason) - 2);
    return view.dim(
      `  ${what === "" ? `${view.count(count)} more` : view.cut(what, room)}${reason}`,
    );
  });
  const rest = left_out.slice(mostShown).reduce((sum, { count }) => sum + count, 0);
  if (rest > 0) left.push(view.dim(`  and ${view.count(rest)} more`));
  return [
    view.bold(head),
    ...(text === "" ? [] : [text.trimEnd()]),
    ...(left.length === 0 ? [] : [view.bold("Left out:"), ...left]),
  ].join("\n") + "\n";
}

function renderGiven(given: Given[], view: View): string {
  if (given.length === 0) return "No agent has received anything yet.\n";
  return given.flatMap(({ ts, by, event, reason, query, tokens, lines }) => {
    const what = [event, reason && `(${reason})`, query && JSON.stringify(query)];
    const head = [ts.slice(0, 16).replace("T", " "), by, what.filter(Boolean).join(" ")].join("  ");
    const cost = `${countOf(lines.length, "line")}, ${countOf(tokens, "token")}`;
    return [
      `${view.bold(head)}  ${cost}`,
      ...lines.map(({ id, text = "", tokens }) =>
        `  ${view.dim(id)}  ${text}  ${view.dim(view.count(tokens))}`
      ),
    ];
  }).join("\n") + "\n";
}

/** The user's own files are looked at only on the user's own command line. */
function ownHome(context: Context): string | undefined {
  return context.surface === "cli" ? homeOf(context.env) : undefined;
}
