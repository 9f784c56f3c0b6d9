// `ctx completions`: the completion script of a shell, made from the tables of commands and
// processes. Part of the command line, because it describes it.

import { encode } from "../../command/execute.ts";
import { shells, toCompletionScript } from "./completion_script.ts";
import { defineProcess } from "../line/process.ts";
import { writeOut } from "../line/terminal.ts";
import { oneOf, optional, text } from "../../command/shape.ts";
import { CtxError } from "../../core/errors.ts";
import { toLine } from "../../core/text.ts";
import { listOffered, offered } from "../../app/names/offered_values.ts";
import { versionInfo } from "../../version.ts";

/** Prints a completion script. */
export const completions = defineProcess({
  name: "completions",
  summary: "Print the completion script for bash, zsh or fish, or the man page.",
  description:
    'bash: eval "$(ctx completions bash)" in ~/.bashrc. zsh: ctx completions zsh > "${fpath[1]}/_ctx". fish: ctx completions fish > ~/.config/fish/completions/ctx.fish. man: ctx completions man > ~/.local/share/man/man1/ctx.1; install.sh does that.',
  input: {
    shell: optional(oneOf([...shells, "man"], "The shell, or man.")),
    of: optional(oneOf(offered, "For the scripts: values that the store has for a word.")),
    word: optional(text("With --of: the word so far.")),
  },
  positional: ["shell"],
  examples: [{ argv: ["completions", "bash"], about: "The script for bash." }],
  async run({ shell, of, word = "" }, { json, loadForms, workspace }) {
    if (of !== undefined) {
      const { openContext } = await import("../../app/app.ts");
      using context = openContext({ surface: "cli", workspace });
      const found = await listOffered(of, word, context);
      const lines = found.filter(({ value }) => toSeen(value) === value)
        .map(({ value, about }) => `${value}\t${toLine(toSeen(about), 60)}\n`);
      writeOut("stdout", lines.join(""));
      return 0;
    }
    if (shell === undefined) {
      throw new CtxError("USAGE", `Cannot complete: name a shell: ${shells.join(", ")}`, {
        hint: "ctx completions --help",
      });
    }
    const script = shell === "man"
      ? (await import("./man_page.ts")).toManPage(await loadForms(), versionInfo().version)
      : toCompletionScript(shell, await loadForms());
    writeOut("stdout", json ? encode({ shell, script }) + "\n" : script);
    return 0;
  },
});

/** Shells print what they are offered: without what a terminal obeys. */
function toSeen(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
}
