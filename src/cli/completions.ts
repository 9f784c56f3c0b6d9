// `ctx completions`: the completion script of a shell, made from the command table. Lives with the
// command line because it describes it.

import * as z from "zod/mini";
import { define } from "../commands/command.ts";
import { loadCommands } from "../commands/mod.ts";
import { loadProcesses } from "./process.ts";
import { toCommandForm } from "./run_process.ts";
import { shells, toCompletionScript } from "./completion_script.ts";

/** Prints a completion script. */
export const completions = define({
  name: "completions",
  group: "Setup",
  summary: "Print the completion script for bash, zsh or fish.",
  description:
    'bash: eval "$(ctx completions bash)" in ~/.bashrc. zsh: ctx completions zsh > "${fpath[1]}/_ctx". fish: ctx completions fish > ~/.config/fish/completions/ctx.fish.',
  input: z.strictObject({ shell: z.enum(shells).check(z.describe("The shell.")) }),
  output: z.object({ shell: z.string(), script: z.string() }),
  positional: ["shell"],
  effect: "read",
  examples: [{ argv: ["completions", "bash"], about: "The script for bash." }],
  async run({ shell }) {
    const processes = (await loadProcesses()).map(toCommandForm);
    return { shell, script: toCompletionScript(shell, [...await loadCommands(), ...processes]) };
  },
  render: (data) => data.script,
});
