// `ctx completions`: the completion script of a shell, and what the scripts ask for. Part of the
// command line, because it describes it.

import { listOffered, offered } from "../../app/names/offered_values.ts";
import { encode } from "../../command/execute.ts";
import { oneOf, optional, type Shape, withDefault } from "../../command/shape.ts";
import { CtxError } from "../../core/errors.ts";
import { toLine } from "../../core/text.ts";
import { versionInfo } from "../../version.ts";
import { defineProcess } from "../line/process.ts";
import { writeOut } from "../line/terminal.ts";
import { completionScripts } from "./completion_scripts.ts";

const shells = ["bash", "zsh", "fish"] as const;

/** Words that may be empty: the one that is being typed often is. */
const words: Shape<string[]> = {
  required: true,
  schema: {
    type: "array",
    items: { type: "string" },
    description: "Used by the scripts: a word typed so far.",
  },
};

export const completions = defineProcess({
  name: "completions",
  summary: "Print the completion script for a shell, or the man page.",
  description:
    'bash: eval "$(ctx completions bash)" in ~/.bashrc. zsh: ctx completions zsh > "${fpath[1]}/_ctx". fish: ctx completions fish > ~/.config/fish/completions/ctx.fish. man: ctx completions man > ~/.local/share/man/man1/ctx.1; install.sh does that.',
  input: {
    shell: optional(oneOf([...shells, "man"], "The shell, or man.")),
    of: optional(oneOf(offered, "Used by the scripts: list values from the store.")),
    word: withDefault(words, []),
  },
  positional: ["shell"],
  examples: [{ argv: ["completions", "bash"], about: "Print the script for bash." }],
  async run({ shell, of, word }, { json, loadForms, workspace }) {
    if (of !== undefined || word.length > 0) {
      const { openContext } = await import("../../app/app.ts");
      const { completeWords } = await import("./complete_words.ts");
      using context = openContext({ surface: "cli", workspace });
      const found = of === undefined
        ? await completeWords(word, { context, loadForms })
        : await listOffered(of, word.at(-1) ?? "", context);
      const lines = typeof found === "string"
        ? [`:${found}\n`]
        : found.filter(({ value }) => toSeen(value) === value)
          .map(({ value, about }) => `${value}\t${toLine(toSeen(about), 60)}\n`);
      writeOut("stdout", lines.join(""));
      return 0;
    }
    if (shell === undefined) {
      throw new CtxError(
        "USAGE",
        `Cannot print a completion script: give a shell (${shells.join(", ")})`,
        {
          hint: "ctx completions --help",
        },
      );
    }
    const script = shell === "man"
      ? (await import("./man_page.ts")).toManPage(await loadForms(), versionInfo().version)
      : completionScripts[shell];
    writeOut("stdout", json ? encode({ shell, script }) + "\n" : script);
    return 0;
  },
});

/** Shells print what they are offered: without what a terminal obeys. */
function toSeen(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
}
