// `ctx outline`: what a session consists of, without its texts: what a page needs to show it.

import { outlineSession, outlineShape } from "../../read/overview/outline_session.ts";
import { define } from "../../command/command.ts";
import { oneSession } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { sessionNameOf } from "../../command/session_scope.ts";
import { countOf } from "../../command/view.ts";

export const outline = define({
  name: "outline",
  summary: "List a session's messages, files and sub-agents, without full text.",
  description:
    "Made for programs that display long sessions: the fields of `messages` are lists of equal length, with one value per message. `number` works with `ctx show SESSION --range`; `kind` and `tool` are indexes into `kinds` and `tools` (-1: none); `after_ms` is the time since `started`; `call` is the position of the call a result belongs to (-1: none); `files` are indexes into `files`. `edits` lists the positions of messages that change files, and a sub-agent's `at` is the number of the call that started it. `ctx show SESSION --range 5-10 --edits` prints the messages.",
  input: {
    session: oneSession,
    chars: s.integer("Characters per line.", { min: 10, max: 400, default: 100 }),
  },
  output: outlineShape,
  positional: ["session"],
  effect: "read",
  examples: [{
    argv: ["show", "S-1m2few700s4d0k3nc", "--outline"],
    about: "Show what is in a session.",
  }],
  async run({ session, chars }, context) {
    const store = await context.openStore();
    using view = store.openView();
    return await outlineSession({ store, view, id: sessionNameOf(session, store, context) }, chars);
  },
  render(data, view) {
    const { number, kind, line } = data.messages;
    const facts = [
      data.session_id,
      data.started && view.moment(data.started),
      data.source,
      data.branch,
      countOf(data.total, "message"),
      countOf(data.files.length, "file"),
    ].filter(Boolean).join(" · ");
    const width = String(number.at(-1) ?? "").length;
    const lines = number.map((one, i) => {
      const { role, type } = data.kinds[kind[i]];
      const who = (type === "turn" ? role : type).padEnd(11);
      return view.cut(`${view.dim(`${String(one).padStart(width)} ${who}`)} ${line[i]}`);
    });
    const agents = data.agents.map(({ session_id, title, at }) =>
      view.cut(
        `${view.dim(`sub-agent${at === undefined ? "" : ` of ${at}`}`)} ${session_id} ${title}`,
      )
    );
    const head = `${view.bold(view.cut(data.title))}\n${view.dim(view.cut(facts))}\n`;
    return `${[head, ...lines, ...agents].join("\n")}\n`;
  },
});
