// `ctx outline`: what a session consists of, without its texts: what a page needs to show it.

import { outlineChars, toOutlineLine } from "../../read/outline_line.ts";
import { outlineSession, outlineShape } from "../../read/overview/outline_session.ts";
import { define } from "../../command/command.ts";
import { oneSession } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { sessionNameOf } from "../../command/session_scope.ts";

export const outline = define({
  name: "outline",
  summary: "List a session's messages, files and sub-agents, without full text.",
  description:
    "Made for programs that display long sessions: the fields of `messages` are lists of equal length, with one value per message. `number` works with `ctx show SESSION --range`; `kind` and `tool` are indexes into `kinds` and `tools` (-1: none); `after_ms` is the time since `started`; `call` is the position of the call a result belongs to (-1: none); `files` are indexes into `files`. `edits` lists the positions of messages that change files, `prompts` of what the user typed, `runs` of calls that run commands, and `failed` of results that failed; `usage` has the tokens that the agent recorded; a sub-agent's `at` is the number of the call that started it. `ctx show SESSION --range 5-10 --edits` prints the messages.",
  input: {
    session: oneSession,
    chars: s.integer("Characters per line.", { min: 10, max: 400, default: outlineChars }),
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
  async render(data, view) {
    const { number, kind, line, tokens } = data.messages;
    const messages = number.map((index, i) => {
      const { role, type } = data.kinds[kind[i]];
      const content = toOutlineLine({ role, line: line[i], tokens: tokens[i] });
      return { index, role, type, content, tokens: tokens[i] };
    });
    const { showSessionsText } = await import("../../view/show_screen.ts");
    const here = (await view.openStore?.())?.layout.workspace ?? "";
    const session = { ...data, id: data.session_id, project: data.project ?? here, messages };
    const whole = { has_more_before: false, has_more_after: false };
    const shown = { format: "outline", skipped_ids: [], sessions: [{ ...session, ...whole }] };
    const agents = data.agents.map(({ session_id, title, at }) =>
      `${
        view.cut(
          `${view.dim(`sub-agent${at === undefined ? "" : ` of ${at}`}`)} ${session_id} ${title}`,
        )
      }\n`
    );
    return showSessionsText(shown, view) + agents.join("");
  },
});
