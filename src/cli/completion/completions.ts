// `ctx completions`: the completion script of a shell, made from the tables of commands and
// processes. Part of the command line, because it describes it.

import { encode } from "../../table/execute.ts";
import { shells, toCompletionScript } from "./completion_script.ts";
import { defineProcess } from "../line/process.ts";
import { writeOut } from "../line/terminal.ts";
import { oneOf } from "../../table/shape.ts";

/** Prints a completion script. */
export const completions = defineProcess({
  name: "completions",
  group: "Setup",
  summary: "Print the completion script for bash, zsh or fish.",
  description:
    'bash: eval "$(ctx completions bash)" in ~/.bashrc. zsh: ctx completions zsh > "${fpath[1]}/_ctx". fish: ctx completions fish > ~/.config/fish/completions/ctx.fish.',
  input: { shell: oneOf(shells, "The shell.") },
  positional: ["shell"],
  examples: [{ argv: ["completions", "bash"], about: "The script for bash." }],
  async run({ shell }, { json, loadForms }) {
    const script = toCompletionScript(shell, await loadForms());
    writeOut("stdout", json ? encode({ shell, script }) + "\n" : script);
    return 0;
  },
});
