// `ctx chats`: the conversations that `ctx chat` kept, to find one and go on with it.

import { listChats } from "../../store/list_chats.ts";
import { define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { countOf } from "../../command/view.ts";

export const chats = define({
  name: "chats",
  summary: "List your ctx chat conversations, newest first.",
  description:
    "Conversations are kept under .contextfs/chat/, separate from history; search finds them only with --scope chat. `ctx chat --resume ID` continues one. `ctx chat --list` is the same as this command.",
  input: { limit: s.integer("Show the newest N.", { min: 1, max: 1000, default: 20 }) },
  output: {
    total: s.number(),
    chats: s.listOf(s.object({
      ...s.each(s.text(), "id", "ts", "started", "title"),
      questions: s.number(),
      use_case: s.optional(s.text()),
    })),
  },
  list: { of: "chats", columns: ["id", "ts", "questions", "title"] },
  effect: "read",
  unscoped: true,
  examples: [{ argv: ["chats"], about: "List earlier conversations." }],
  async run({ limit }, context) {
    const all = listChats(await context.openStore());
    return { total: all.length, chats: all.slice(0, limit) };
  },
  render(data, view) {
    if (data.chats.length === 0) return "No conversations yet. Start one with: ctx chat -i\n";
    return view.table(data.chats.map((item) => [
      view.id(item.id),
      view.time(item.ts),
      countOf(item.questions, "question"),
      item.title,
    ])) + "\n";
  },
});
