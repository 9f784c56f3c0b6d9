// `ctx resume` on a terminal: choose a session and see where it stood, then the agent to continue it in.

import type { Context, ResultOf } from "../../command/command.ts";
import { execute } from "../../command/execute.ts";
import { withoutMarks } from "../../command/view.ts";
import { resume } from "../../commands/sessions/resume.ts";
import { ageOf } from "../../core/time/age_of.ts";
import { writeOut } from "../line/terminal.ts";
import { type Menu, runMenu } from "../picker/menu.ts";

type Resumed = ResultOf<typeof resume>;
type Chosen = { id: string; workspace?: string } & Resumed["commands"][number];

/** Shows the sessions; prints the command for the agent that is chosen, or hands the session to it. */
export async function runResume(
  { sessions }: Resumed,
  { context, runWords }: { context: Context; runWords: (words: string[]) => Promise<number> },
): Promise<number> {
  const chosen = await runMenu<Chosen>({
    title: "Continue a session",
    rows: sessions.map((session) => {
      const { ended, source = "", title, project, branch, left } = session;
      return {
        cells: [ageOf(ended, context.now()), source, title || "(no title)"],
        about: [
          branch === undefined ? project : `${project} (${branch})`,
          ...(left.length === 0 ? ["nothing open"] : left.map((line) => `- ${line}`)),
        ],
        choose: () => chooseAgent(session, context),
      };
    }),
  });
  if (chosen === undefined) return 0;
  const { id, agent, command } = chosen;
  if (isHandoff(command)) {
    const workspace = chosen.workspace ?? (await context.openStore()).layout.workspace;
    return await runWords(["handoff", id, "--to", agent, "--workspace", workspace]);
  }
  writeOut("stdout", `${command}\n`);
  return 0;
}

async function chooseAgent(
  { id, title, workspace }: Resumed["sessions"][number],
  context: Context,
): Promise<Menu<Chosen>> {
  const { commands } = withoutMarks(await execute(resume, { session: id }, context));
  return {
    title: `Continue "${title || id}" in`,
    rows: commands.map(({ agent, command }) => ({
      cells: [agent],
      about: [
        command,
        isHandoff(command)
          ? "Writes the session for this agent and prints the command that resumes it; ctx undo removes it."
          : "Its own agent: prints this command.",
      ],
      choose: () => Promise.resolve({ chosen: { id, agent, command, workspace } }),
    })),
  };
}

function isHandoff(command: string): boolean {
  return command.startsWith("ctx handoff ");
}
