// Completion scripts in the real shells: what is offered after some words.

import assert from "node:assert/strict";
import { type Shell, toCompletionScript } from "../../../src/cli/completion/completion_script.ts";
import { loadForms } from "../../../src/cli/task_list.ts";
import { isMissing } from "../../support/find_program.ts";

/** Words so far (the last is being typed), and all that may be offered. */
const cases: [string[], string[]][] = [
  [["timel"], ["timeline"]],
  [["trac"], ["traces"]],
  [["show", "--out"], ["--outline"]],
  [["pin", "--re"], ["--remove"]],
  [["suggest", "sub"], ["subscribe", "subscriptions"]],
  [["suggest", "list", "--sta"], ["--status"]],
  [["suggestions", "--sta"], ["--status"]],
  [["context", ""], ["last", "now", "pack", "worth"]],
  [["config", ""], ["get", "list", "path", "set", "unset"]],
  [["get", "--form"], ["--format"]],
  [["get", "--format", ""], ["full", "outline", "stripped", "user_only"]],
  [["completions", ""], ["bash", "fish", "man", "zsh"]],
  [["config", "set", "--us"], ["--user"]],
  [["config", "get", "redac"], ["redact"]],
  [["show", "S-"], ["S-12", "S-13"]],
  [["search", "x", "--session", "S-"], ["S-12", "S-13"]],
];

const ask: Record<Shell, (script: string, words: string[]) => Promise<string[]>> = {
  async bash(script, words) {
    const code = `source "$0"; COMP_WORDS=(ctx "$@"); COMP_CWORD=$#; _ctx
      printf '%s\\n' "\${COMPREPLY[@]}"; complete -p ctx contextfs >&2`;
    return lines(await run("bash", ["--norc", "-c", code, script, ...words]));
  },
  async fish(script, words) {
    const line = ["ctx", ...words].join(" ");
    const code = `source ${script}; complete -C '${line}'`;
    return lines(await run("fish", ["--no-config", "-c", code])).map((row) => row.split("\t")[0]);
  },
  async zsh(script, words) {
    const text = await run("zsh", ["-f", "-c", zshTab, "zsh", script, ["ctx", ...words].join(" ")]);
    const shown = text.split("\x1b[J").at(-1)!.split("\x1b[A")[0].replace(escapes, "");
    return shown.split(/\s+/).filter((word) => word !== "");
  },
};

// deno-lint-ignore no-control-regex
const escapes = /\x1b\[[\d;?]*[a-zA-Z]/g;

/** Types a line into a real zsh, asks for choices, and prints what its terminal showed. */
const zshTab = `
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PROMPT=; autoload -Uz compinit; compinit -u -D; zstyle ':completion:*' verbose no; LISTMAX=9999; source $1"
zpty -w z "bindkey '^I' list-choices; stty cols 500; print READY''X"
zpty -r z out '*READYX*'
zpty -n -w z "$2"$'\\t'
all=
repeat 3600; do
  while zpty -r -t z chunk; do all+=$chunk; done
  [[ $all == *$'\\e[J'*$'\\e[A'* ]] && break
  sleep 0.05
done
zpty -d z
print -r -- "$all"
`;

for (const shell of ["bash", "zsh", "fish"] as const) {
  Deno.test({
    name: `completions work in ${shell}`,
    ignore: isMissing(shell),
    async fn(t) {
      const script = await Deno.makeTempFile({ prefix: "ctx-completions-" });
      try {
        await Deno.writeTextFile(script, toCompletionScript(shell, await loadForms()));
        await run(shell, ["-n", script]);
        for (const [words, expected] of cases) {
          await t.step(words.join(" ") || "nothing", async () => {
            const offered = await ask[shell](script, words);
            assert.deepEqual([...new Set(offered)].sort(), expected);
          });
        }
      } finally {
        await Deno.remove(script);
      }
    },
  });
}

Deno.test({
  name: "bash runs nothing of what it is offered, and inserts it quoted",
  ignore: isMissing("bash"),
  async fn() {
    const script = `${bin}/hostile.bash`;
    await Deno.writeTextFile(script, toCompletionScript("bash", await loadForms()));
    const offered = await ask.bash(script, ["search", "--tag", ""]);
    assert.deepEqual(offered, [`x\\$\\(touch\\$\\{IFS\\}${bin}/ran\\)`, "y\\ z"]);
    assert.ok(![...Deno.readDirSync(bin)].some(({ name }) => name === "ran"));
  },
});

/** Stands for ctx where the scripts ask it for values. */
const bin = Deno.makeTempDirSync({ prefix: "ctx-bin-" });
Deno.writeTextFileSync(
  `${bin}/ctx`,
  `#!/bin/sh
case "$*" in
  "completions --of S --word S-") printf 'S-12\\tOne\\nS-13\\tTwo\\n' ;;
  "completions --of tag --word ") printf '%s\\t\\n' 'x$(touch\${IFS}${bin}/ran)' 'y z' ;;
esac
`,
  { mode: 0o755 },
);
addEventListener("unload", () => Deno.removeSync(bin, { recursive: true }));

async function run(program: string, args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args,
    env: { TERM: "xterm", PATH: `${bin}:${Deno.env.get("PATH")}` },
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

function lines(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}
