// `ctx completions`: the completion script of a shell, made from the tables of commands and
// processes. Part of the command line, because it describes it.

import { encode } from "../../table/execute.ts";
import { shells, toCompletionScript } from "./completion_script.ts";
import { defineProcess } from "../line/process.ts";
import { writeOut } from "../line/terminal.ts";
import { oneOf } from "../../table/shape.ts";
import { versionInfo } from "../../version.ts";

/** Prints a completion script. */
export const completions = defineProcess({
  name: "completions",
  group: "Setup",
  summary: "Print the completion script for bash, zsh or fish, or the man page.",
  description:
    'bash: eval "$(ctx completions bash)" in ~/.bashrc. zsh: ctx completions zsh > "${fpath[1]}/_ctx". fish: ctx completions fish > ~/.config/fish/completions/ctx.fish. man: ctx completions man > ~/.local/share/man/man1/ctx.1; install.sh does that.',
  input: { shell: oneOf([...shells, "man"], "The shell, or man.") },
  positional: ["shell"],
  examples: [{ argv: ["completions", "bash"], about: "The script for bash." }],
  async run({ shell }, { json, loadForms }) {
    const script = shell === "man"
      ? (await import("./man_page.ts")).toManPage(await loadForms(), versionInfo().version)
      : toCompletionScript(shell, await loadForms());
    writeOut("stdout", json ? encode({ shell, script }) + "\n" : script);
    return 0;
  },
});
