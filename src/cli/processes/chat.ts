// `ctx chat`: a conversation with the memory in the terminal. The process: flags, input, signals;
// what is said and kept is in chat_session.ts.

import { flag, optionalNumber, optionalText } from "../../command/shape.ts";
import { askLimits } from "../../ask/ask_limits.ts";
import { defineProcess } from "../line/process.ts";
import { findEnvironment } from "../../core/environment.ts";
import { streamLines } from "../../core/lines/stream_lines.ts";
import { writeOut } from "../line/terminal.ts";

export const chat = defineProcess({
  name: "chat",
  lasting: true,
  access: "provider",
  summary: "Ask questions about your history; -i for a conversation.",
  description:
    'Answers are streamed, with the ids of their sources. /help lists the commands of a conversation. Up and down recall earlier questions. Ctrl-C stops an answer or clears the line; press it twice, or use /quit or Ctrl-D, to quit. A follow-up ("and why?") keeps its subject, with or without a model. Transcripts are kept under .contextfs/chat/ and searched only with search --scope chat; --list shows conversations, --resume continues the last one or the one with the given id.',
  input: {
    question: optionalText("The first question."),
    interactive: flag("Start a conversation."),
    use_case: optionalText("What you need the answers for."),
    ...askLimits,
    temperature: optionalNumber("The model's temperature.", { min: 0, max: 2 }),
    verbose: flag("Show every step: tool calls, results, retries."),
    list: flag("List conversations (same as ctx chats)."),
    resume: flag("Continue the last conversation, or the given id."),
  },
  positional: ["question"],
  short: { i: "interactive", u: "use_case", c: "collections" },
  flags: { collections: "collection" },
  examples: [
    { argv: ["chat", "what did we decide about auth?"], about: "Ask one question." },
    { argv: ["chat", "--resume"], about: "Continue the last conversation." },
    {
      argv: ["chat", "-i", "--use-case", "reviewing the login code"],
      about: "Start a conversation.",
    },
  ],
  async run(input, world) {
    if (input.list) {
      return await world.runWords?.([
        "chats",
        ...world.words.filter((word) => word !== "--list"),
      ]) ?? 1;
    }
    const { ChatSession } = await import("./chat_session.ts");
    const session = new ChatSession({ ...input, workspace: world.workspace });
    await session.open();
    const question = input.resume ? await session.resume(input.question) : input.question;
    Deno.addSignalListener("SIGINT", () => session.interrupt());
    const stays = input.interactive || question === undefined;
    using typed = stays && canEdit() ? await session.openLines() : undefined;
    if (stays) session.greet();
    if (question !== undefined) {
      const exit = await session.ask(question, { json: world.json && !stays });
      if (!stays) return exit;
    }
    session.prompt();
    for await (const line of typed?.read() ?? streamLines(Deno.stdin.readable)) {
      if (await session.take(line) === "quit") break;
      session.prompt();
    }
    if (Deno.stdout.isTerminal()) writeOut("stdout", "\n");
    return 0;
  },
});

/** Whether lines can be edited here; the console of Windows does that itself. */
function canEdit(): boolean {
  return Deno.stdin.isTerminal() && Deno.stdout.isTerminal() && Deno.build.os !== "windows" &&
    findEnvironment("TERM") !== "dumb";
}
