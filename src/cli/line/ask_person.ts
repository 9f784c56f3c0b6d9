// Asks the person at the terminal: for yes or no, and, before something is destroyed
// or sent, for consent to what is shown. Where nobody can be asked, consent needs `--yes`.

import { CtxError } from "../../core/errors.ts";
import { toShellWord } from "../../core/text.ts";
import type { Proposal } from "../../command/command.ts";
import { withoutMarks } from "../../command/view.ts";
import { shownAs } from "./doors.ts";
import { isSomeoneThere, openView, wantsColor, writeOut } from "./terminal.ts";
import { toLines } from "./to_terminal.ts";

/** Whether it is agreed to; throws UNCONFIRMED, with the flag that is needed, where nobody can say. */
export async function askConsent(
  { command, question, planned }: Proposal,
  { words, json }: { words: readonly string[]; json: boolean },
): Promise<boolean> {
  const canAsk = isSomeoneThere() && !json;
  if (!canAsk && planned === undefined) return true;
  if (planned !== undefined && !json) {
    const view = await openView({ stream: "stderr", nowMs: Date.now() });
    const text = await command.render(withoutMarks(planned), view);
    writeOut("stderr", text, wantsColor("stderr"));
  }
  if (!canAsk) {
    const message = `Cannot run ${
      shownAs(command.name).name
    }: "${question}" was not confirmed; nothing was done`;
    const hint = `ctx ${
      [shownAs(command.name).name, "--yes", ...words.map(toShellWord)].join(" ")
    }`;
    throw new CtxError("UNCONFIRMED", message, { hint });
  }
  return await askYes(question);
}

/** Whether it is answered with `y` or `yes`; an empty line means `otherwise`, the end of input no. */
export async function askYes(question: string, otherwise = false): Promise<boolean> {
  const said = await readAnswer(`${toLines(question)} ${otherwise ? "[Y/n]" : "[y/N]"} `);
  return said?.trim() === "" ? otherwise : /^\s*y(es)?\s*$/i.test(said ?? "");
}

/** A line from the terminal, or undefined at its end. Not in one go: Ctrl-C must be heard meanwhile. */
async function readAnswer(question: string): Promise<string | undefined> {
  writeOut("stderr", question);
  const chunk = new Uint8Array(1024);
  const decoder = new TextDecoder();
  let said = "";
  while (!said.includes("\n")) {
    const length = await Deno.stdin.read(chunk);
    if (length === null) {
      // Whoever ends the input has not ended the line.
      writeOut("stderr", "\n");
      return undefined;
    }
    said += decoder.decode(chunk.subarray(0, length), { stream: true });
  }
  return said.slice(0, said.indexOf("\n"));
}
