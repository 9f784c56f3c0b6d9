// Sessions that might have written a made repository (`made_history.ts`): each commit of its main line as
// the edits of a session, with the words before them. Runs git.

const commitsPerSession = 33;

/** The log of a store: about six rows for each commit. */
export async function madeSessions(root: string): Promise<string> {
  const args = ["-C", root, "log", "--first-parent", "--reverse", "-p", "-U0", "--format=%x01%at"];
  const { stdout } = await new Deno.Command("git", { args }).output();
  const rows: string[] = [];
  const commits = new TextDecoder().decode(stdout).split("\u0001").slice(2);
  commits.forEach((text, commit) => {
    const session_id = `S-made${Math.floor(commit / commitsPerSession)}`;
    const time = Number(text.slice(0, text.indexOf("\n"))) * 1000;
    const add = (minutes: number, row: Record<string, unknown>): void => {
      const ts = new Date(time - minutes * 60_000).toISOString();
      rows.push(JSON.stringify({ id: `H-made${rows.length}`, ts, session_id, ...row }));
    };
    const said = `Step ${commit}: the values of this part are wrong, please look at them again.`;
    add(9, { role: "user", type: "turn", text: said });
    add(8, { role: "assistant", type: "turn", text: `I look at step ${commit} first. ${filler}` });
    const read = { name: "Read", effect: "read", input: { file_path: `${root}/README.md` } };
    add(7, { role: "assistant", type: "tool_call", text: "Read: README.md", tool: read });
    add(6, { role: "tool", type: "tool_output", text: filler.repeat(3) });
    for (const part of text.split("\ndiff --git ").slice(1)) {
      const path = /^\+\+\+ b\/(.+)$/m.exec(part)?.[1] ?? "";
      const lines = (sign: string): string =>
        part.split("\n").filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3)))
          .map((line) => line.slice(1)).join("\n");
      const input = {
        file_path: `${root}/${path}`,
        old_string: lines("-"),
        new_string: lines("+"),
      };
      const tool = { name: "Edit", effect: "edit", input };
      add(4, { role: "assistant", type: "tool_call", text: `Edit: ${path}`, project: root, tool });
      add(3, { role: "tool", type: "tool_output", text: "The file was updated." });
    }
    if (commit % 10 === 0) {
      add(2, { role: "note", type: "decision", text: `Step ${commit} counts from zero.` });
    }
  });
  return `${rows.join("\n")}\n`;
}

const filler = "It reads the table, takes the next value and writes what is left of it. ".repeat(4);
