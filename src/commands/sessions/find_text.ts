// `ctx find`: the messages of a session that hold a text, as it is written; search is for questions.

import { findInMessages, foundMessage } from "../../read/overview/find_in_messages.ts";
import { getMessages } from "../../read/session_messages.ts";
import { define } from "../../command/command.ts";
import { oneSession } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { sessionNameOf } from "../../command/session_scope.ts";
import { countOf } from "../../command/view.ts";

export const find = define({
  name: "find",
  summary: "Find an exact text in a session.",
  description:
    "Ignores case and differences in white space. Tool input and edit patches are searched too. The numbers work with `ctx show SESSION --range`.",
  input: {
    session: oneSession,
    text: s.text("Words to search for.", 1),
    chars: s.integer("Characters per line.", { min: 10, max: 400, default: 100 }),
  },
  output: {
    session_id: s.text(),
    ...s.each(s.number(), "total", "matches"),
    messages: s.listOf(foundMessage),
  },
  positional: ["session", "text"],
  effect: "read",
  examples: [{
    argv: ["show", "S-1m2few700s4d0k3nc", "--find", "token"],
    about: "Find where a session mentions tokens.",
  }],
  async run({ session, text, chars }, context) {
    const store = await context.openStore();
    using view = store.openView();
    const id = sessionNameOf(session, store, context);
    const all = await getMessages(view, id);
    const messages = findInMessages(all, text, chars);
    const matches = messages.reduce((sum, { count }) => sum + count, 0);
    return { session_id: id, total: all.length, matches, messages };
  },
  render(data, view) {
    const width = String(data.messages.at(-1)?.message_index ?? "").length;
    const lines = data.messages.map(({ message_index, role, type, line }) => {
      const who = (type === "turn" ? role : type).padEnd(11);
      return view.cut(`${view.dim(`${String(message_index).padStart(width)} ${who}`)} ${line}\n`);
    });
    const { matches, total } = data;
    const count = matches === 0
      ? `No matches in ${countOf(total, "message")}`
      : `${countOf(matches, "match", "matches")} in ${
        countOf(data.messages.length, "message")
      } of ${total}`;
    return `${lines.join("")}${view.dim(count)}\n`;
  },
});
