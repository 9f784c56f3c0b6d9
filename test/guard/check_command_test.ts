// Commands as agents write them, against what must not be run.

import assert from "node:assert/strict";
import { checkCommand, matchRun } from "../../src/guard/check_command.ts";
import { commandRuns } from "../../src/guard/command_runs.ts";
import type { Guard } from "../../src/guard/guard_kinds.ts";

function guardOf(runs: string[], more: { branches?: string[]; except?: string[] } = {}): Guard {
  const { except, ...rest } = more;
  const check = { on: "command", runs, ...rest } as const;
  return { id: "g", rule: "r", since: "", mode: "deny", check, ...(except ? { except } : {}) };
}

async function isCaught(guard: Guard, command: string, branch = "work"): Promise<boolean> {
  return (await checkCommand([guard], command, () => branch)).length > 0;
}

Deno.test("a program is found wherever a shell would run it", async () => {
  const npm = guardOf(["npm", "npx"]);
  for (
    const command of [
      "npm install",
      "cd app && npm i left-pad",
      "env CI=1 npm ci",
      "FOO=1 sudo -u me npm ci",
      "bash -c 'cd x; npm test'",
      'sh -lc "npm run build | tee log"',
      "(npm ci)",
      "x=$(npm view left-pad version)",
      "if true; then npm i; fi",
      "timeout 60 npm test",
      "/usr/local/bin/npm ci",
      "ls | xargs npm i",
      "npx cowsay hi",
    ]
  ) assert.ok(await isCaught(npm, command), command);
  for (
    const command of [
      "pnpm install",
      "echo npm install",
      'git commit -m "drop npm install"',
      "cat <<EOF\nnpm install\nEOF",
      "ls node_modules/npm",
      "rg 'npm install' docs # npm",
    ]
  ) assert.ok(!await isCaught(npm, command), command);
});

Deno.test("words stand in order, flags anywhere, and short flags together", () => {
  const run = (line: string): readonly string[] => commandRuns(line)[0];
  assert.ok(matchRun("git push --force", run("git push origin x --force")));
  assert.ok(matchRun("git push -f", run("git push -uf origin x")));
  assert.ok(matchRun("rm -rf", run("rm -fr /tmp/x")));
  assert.ok(!matchRun("rm -rf", run("rm -r /tmp/x")));
  assert.ok(matchRun("git push * main", run("git push origin main")));
  assert.ok(!matchRun("git push * main", run("git push origin maintenance")));
  assert.ok(!matchRun("git push * main", run("git push")));
});

Deno.test("a rule about a branch holds on it, and an exception lets through", async () => {
  const commit = guardOf(["git commit"], { branches: ["main"] });
  assert.ok(await isCaught(commit, "git commit -m x", "main"));
  assert.ok(!await isCaught(commit, "git commit -m x", "work"));
  const npm = guardOf(["npm"], { except: ["npm publish"] });
  assert.ok(!await isCaught(npm, "npm publish"));
  assert.ok(await isCaught(npm, "npm install"));
});

Deno.test("a hostile command line ends", async () => {
  const npm = guardOf(["npm"]);
  await isCaught(npm, `npm${"(".repeat(15_000)}`);
  await isCaught(npm, "bash -c ".repeat(2000) + "npm");
  await isCaught(guardOf(["*a*a*a*a*a*b"]), "a".repeat(10_000));
});
