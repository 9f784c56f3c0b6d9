// Asks the person at the terminal before something is destroyed or sent: shows what would be done,
// and goes on for `y` or `yes` only. Where nobody can be asked, `--yes` is needed.

import { CtxError } from "../../core/errors.ts";
import { toShellWord } from "../../core/shell_word.ts";
import type { Proposal } from "../../table/command.ts";
import { withoutMarks } from "../../table/view.ts";
import { isSomeoneThere, openView, wantsColor, writeOut } from "./terminal.ts";

/** Whether it is agreed to; throws UNCONFIRMED, with the flag that is needed, where nobody can say. */
export async function askConsent(
  { command, question, planned }: Proposal,
  { words, json }: { words: readonly string[]; json: boolean },
): Promise<boolean> {
  const canAsk = isSomeoneThere() && !json;
  if (!canAsk && planned === undefined) return true;
  if (planned !== undefined && !json) {
    const view = await openView({ stream: "stderr", nowMs: Date.now() });
    writeOut("stderr", command.render(withoutMarks(planned), view), wantsColor("stderr"));
  }
  if (!canAsk) {
    const message = `Cannot run ${command.name}: nobody confirmed "${question}"; nothing was done`;
    const hint = `ctx ${[command.name, "--yes", ...words.map(toShellWord)].join(" ")}`;
    throw new CtxError("UNCONFIRMED", message, { hint });
  }
  writeOut("stderr", `${question} [y/N] `);
  return /^y(es)?$/i.test((await readAnswer()).trim());
}

/** A line from the terminal; empty at the end of input. Not in one go: Ctrl-C must be heard meanwhile. */
async function readAnswer(): Promise<string> {
  const chunk = new Uint8Array(1024);
  let said = "";
  while (!said.includes("\n")) {
    const length = await Deno.stdin.read(chunk);
    if (length === null) {
      // Whoever ends the input has not ended the line.
      writeOut("stderr", "\n");
      return "";
    }
    said += new TextDecoder().decode(chunk.subarray(0, length));
  }
  return said.slice(0, said.indexOf("\n"));
}
