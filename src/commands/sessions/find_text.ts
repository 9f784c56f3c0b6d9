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
    "Letters of either case count as the same, white space as any white space. What calls were given and the patches of edits are looked at too. Numbers are what `ctx read` takes.",
  input: {
    session: oneSession,
    text: s.text("What to look for.", 1),
    chars: s.integer("Characters of a line.", { min: 10, max: 400, default: 100 }),
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
    about: "Where does this session speak of tokens?",
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
      ? `Nothing found in ${countOf(total, "message")}`
      : `${countOf(matches, "place")} in ${countOf(data.messages.length, "message")} of ${total}`;
    return `${lines.join("")}${view.dim(count)}\n`;
  },
});
