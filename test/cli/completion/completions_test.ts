// Completion: what may follow some words, and the scripts in the real shells, which ask ctx for it.

import assert from "node:assert/strict";
import { notOnWindows } from "../../support/not_on_windows.ts";
import { openContext } from "../../../src/app/app.ts";
import { completeWords } from "../../../src/cli/completion/complete_words.ts";
import { completionScripts } from "../../../src/cli/completion/completion_scripts.ts";
import { loadForms } from "../../../src/cli/task_list.ts";
import { isMissing } from "../../support/processes/find_program.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

type Shell = keyof typeof completionScripts;

/** Words so far (the last is being typed), and all that may be offered. */
const cases: [string[], string[] | "files" | "directories"][] = [
  [["timel"], ["timeline"]],
  [["trac"], ["traces"]],
  [["show", "--out"], ["--outline"]],
  [["show", "S-1", "--outline", "--cha"], ["--chars"]],
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
  [["--workspace", ""], "directories"],
  [["search", "x", "--color", "a"], ["always", "auto"]],
  [["docs", "add", "handbook", "do"], "files"],
  [["search", "x", "--since", ""], []],
  [["search", "x", "--tag", "a"], ["auth"]],
  [["nonsense", ""], []],
];

Deno.test("what may follow words: names, flags, their values, and what the store has", async (t) => {
  await using store = await tempStore();
  await store.ctx(["save", "We rotate tokens", "--tag", "auth"]);
  await store.ctx(["session", "start", "Refactor the parser"]);
  const context = openContext({ workspace: store.workspace });
  const complete = async (words: string[]) => {
    const found = await completeWords(words, { context, loadForms });
    return typeof found === "string" ? found : found.map(({ value }) => value).sort();
  };
  for (const [words, expected] of cases) {
    await t.step(words.join(" "), async () => assert.deepEqual(await complete(words), expected));
  }
  const [session] = await complete(["search", "x", "--session", "S-"]);
  assert.deepEqual(await complete(["show", "S-"]), [session]);
  assert.match(String(session), /^S-\w{17}$/);
});

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

/** What the ctx below answers, by the words that the scripts give it. */
const answers: [string[], string[]][] = [
  [["timel"], ["timeline"]],
  [["show", "--o"], ["--outline", "--out"]],
  [["show", "S-"], ["S-12", "S-13"]],
  [["context", ""], ["last", "now"]],
];

const noScript = notOnWindows("a shell script stands in for ctx");

for (const shell of ["bash", "zsh", "fish"] as const) {
  Deno.test({
    name: `the completion script works in ${shell}`,
    ignore: noScript || isMissing(shell),
    async fn(t) {
      const script = `${bin}/script.${shell}`;
      await Deno.writeTextFile(script, completionScripts[shell]);
      await run(shell, ["-n", script]);
      for (const [words, expected] of answers) {
        await t.step(words.join(" "), async () => {
          const found = await ask[shell](script, words);
          assert.deepEqual([...new Set(found)].sort(), expected.toSorted());
        });
      }
      await t.step("directories are the shell's to find", async () => {
        const found = await ask[shell](script, ["--workspace", `${bin}/`]);
        assert.ok(found.some((path) => /inside\/?$/.test(path)), found.join());
        assert.ok(!found.some((path) => path.includes("script.")));
      });
    },
  });
}

Deno.test({
  name: "bash runs nothing of what it is offered, and inserts it quoted",
  ignore: noScript || isMissing("bash"),
  async fn() {
    const script = `${bin}/hostile.bash`;
    await Deno.writeTextFile(script, completionScripts.bash);
    const found = await ask.bash(script, ["search", "--tag", ""]);
    assert.deepEqual(found, [`x\\$\\(touch\\$\\{IFS\\}${bin}/ran\\)`, "y\\ z"]);
    assert.ok(![...Deno.readDirSync(bin)].some(({ name }) => name === "ran"));
  },
});

/** Stands for ctx where the scripts ask it for values. */
const bin = Deno.makeTempDirSync({ prefix: "ctx-bin-" });
Deno.mkdirSync(`${bin}/inside`);
Deno.writeTextFileSync(
  `${bin}/ctx`,
  `#!/bin/sh
case "$*" in
${
    answers.map(([words, offers]) =>
      `  "completions ${words.map((word) => `--word=${word}`).join(" ")}") printf -- '${
        offers.map((offer) => `${offer}\\tOne: two\\n`).join("")
      }' ;;`
    ).join("\n")
  }
  "completions --word=--workspace --word=${bin}/") echo :directories ;;
  "completions --word=search --word=--tag --word=") printf '%s\\t\\n' 'x$(touch\${IFS}${bin}/ran)' 'y z' ;;
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
