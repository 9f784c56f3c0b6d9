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
  summary: "Talk with the memory: one question, or a conversation with -i.",
  description:
    'Answers are streamed, with the ids they rest on. /help lists the commands inside. On a terminal lines are edited with the usual keys, and up and down bring the questions asked before in this store. Ctrl-C stops an answer or clears the line, twice it leaves, as /quit and Ctrl-D do. A question that goes on from the last one ("and why?") keeps its subject, also without a model. Transcripts are kept under .contextfs/chat/ and searched only with search --scope chat; --list shows the conversations, --resume goes on with the last one, or with the one whose id follows.',
  input: {
    question: optionalText("The first question."),
    interactive: flag("Go on after the first question."),
    use_case: optionalText("What the answers are for."),
    ...askLimits,
    temperature: optionalNumber("Another temperature.", { min: 0, max: 2 }),
    verbose: flag("Show every step: tool calls, the beginning of what they gave, tries again."),
    list: flag("List the conversations so far (ctx chats)."),
    resume: flag("Go on with the last conversation, or the one whose id is the first word."),
  },
  positional: ["question"],
  short: { i: "interactive", u: "use_case", c: "collections" },
  flags: { collections: "collection" },
  examples: [
    { argv: ["chat", "what did we decide about auth?"], about: "One question, streamed." },
    { argv: ["chat", "--resume"], about: "Go on where the last conversation ended." },
    { argv: ["chat", "-i", "--use-case", "reviewing the login code"], about: "A conversation." },
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
