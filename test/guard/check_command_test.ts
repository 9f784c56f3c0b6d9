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
  assert.ok(matchRun("rm -rf", run("rm -r -f /tmp/x")));
  assert.ok(matchRun("git clean", run("git -C app clean -fd")));
  assert.ok(!matchRun("git clean", run("git commit -m clean")));
  assert.ok(!matchRun("git commit", run("git log --grep commit")));
  assert.ok(matchRun("npm test", run("npm run test")));
  assert.ok(!matchRun("pnpm jest", run("pnpm remove jest")));
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

Deno.test("a push goes to a branch by its words, or because the checkout is on it", async () => {
  const guard: Guard = {
    ...guardOf([]),
    check: { on: "command", runs: ["git push"], to: ["main"] },
  };
  for (const command of ["git push", "git push origin HEAD", "git push -u origin main"]) {
    assert.ok(await isCaught(guard, command, "main"), command);
  }
  for (
    const command of [
      "git push origin HEAD:main",
      "git push origin +main",
      "git push origin x:refs/heads/main",
      "git push --all",
    ]
  ) assert.ok(await isCaught(guard, command), command);
  for (const command of ["git push", "git push origin work", "git push origin main:backup"]) {
    assert.ok(!await isCaught(guard, command), command);
  }
});

Deno.test("a line that leaves the branch first is not on it", async () => {
  const commit = guardOf(["git commit"], { branches: ["main"] });
  for (
    const command of ["git checkout -b fix && git commit -m x", "git switch -c fix; git commit"]
  ) {
    assert.ok(!await isCaught(commit, command, "main"), command);
  }
  const at: (string | undefined)[] = [];
  await checkCommand([commit], "cd ../other && git commit -m x", (directory) => {
    at.push(directory);
    return "work";
  });
  assert.deepEqual(at, ["../other"]);
});

Deno.test("a program is found behind those that start it, unless that is meant", async () => {
  for (
    const [program, command] of [
      ["jest", "npx --yes jest src"],
      ["jest", "pnpm exec jest"],
      ["pip", "python3 -m pip install x"],
      ["pytest", "uv run --with x pytest -q"],
      ["npm", "ls | xargs -n 1 npm i"],
      ["npm", "bash <<EOF\nnpm i\nEOF"],
      ["sudo", "sudo apt install x"],
    ]
  ) assert.ok(await isCaught(guardOf([program]), command), command);
  const pytest = guardOf(["pytest"], { except: ["uv run pytest"] });
  assert.ok(!await isCaught(pytest, "uv run pytest -q"));
  assert.ok(await isCaught(pytest, "pytest -q"));
});

Deno.test("a hostile command line ends", async () => {
  const npm = guardOf(["npm"]);
  await isCaught(npm, `npm${"(".repeat(15_000)}`);
  await isCaught(npm, `npm ${"$(".repeat(20_000)}`);
  await isCaught(npm, "bash -c ".repeat(2000) + "npm");
  await isCaught(guardOf(["*a*a*a*a*a*b"]), "a".repeat(10_000));
});

Deno.test("a run that only compiles, lists or shows what it would do is no breach; unless that is forbidden", async () => {
  const tests = guardOf(["go test -tags=e2e"]);
  for (const more of ["-c -o /dev/null", "-run xxx", "-run=^$", "-run NONE", "-list .", "--help"]) {
    assert.ok(!await isCaught(tests, `go test -tags=e2e ${more} ./...`), more);
  }
  for (const more of ["", "-run TestLogin", "-run=Nonexistent.*Login", "-count=1 -v"]) {
    assert.ok(await isCaught(tests, `go test -tags=e2e ${more} ./...`), more);
  }
  assert.ok(!await isCaught(guardOf(["git push"]), "git push --dry-run origin main"));
  assert.ok(await isCaught(guardOf(["npm run deploy"]), "npm run deploy --dry-run"));
  for (const one of ["npm test", "yarn deploy", "bun deploy", "pnpm deploy", "deno task drop"]) {
    for (const flag of ["--dry-run", "--help"]) {
      assert.ok(await isCaught(guardOf([one]), `${one} ${flag}`), `${one} ${flag}`);
    }
  }
  for (const one of ["node scripts/drop.js", "python3 drop.py", "tsx scripts/drop.ts"]) {
    assert.ok(await isCaught(guardOf([one]), `${one} --dry-run`), one);
  }
  assert.ok(!await isCaught(guardOf(["npm publish"]), "npm publish --dry-run"));
  assert.ok(await isCaught(guardOf(["go test -c"]), "go test -c ./..."));
});

Deno.test("a run that only looks like a trial is a breach", async () => {
  for (
    const [pattern, command] of [
      ["kubectl delete", "kubectl delete ns prod --dry-run=none"],
      ["kubectl delete", "kubectl delete ns prod --dry-run=false"],
      ["kubectl delete", "kubectl delete ns prod --dry-run=client --dry-run=none"],
      ["kubectl exec", "kubectl exec pod -- rm --help"],
      ["git commit", "git commit -m --dry-run"],
      ["git commit", "git commit -am --dry-run"],
      ["git commit", "git commit --message --help"],
      ["git commit", "git commit -m x -- --dry-run"],
      ["git push --force", "git push --force -o --help"],
      ["git push --force", "git push --force --push-option --dry-run"],
      ["git push --force", "git push --force --dry-run --no-dry-run"],
      ["go test", "go test -run Node ./..."],
      ["go test", "go test -run None ./..."],
      ["go test", "go test -run x ./..."],
      ["go test", "go test -run xx -run TestLogin ./..."],
      ["go test", "go test -run=^$ -bench=. ./..."],
      ["go test", "go test -tags -c ./..."],
      ["go test", "go test ./... -args -c"],
      ["go test", "go test -run TestLogin ./... -args -run xxx"],
    ]
  ) assert.ok(await isCaught(guardOf([pattern]), command), command);
  for (
    const [pattern, command] of [
      ["kubectl delete", "kubectl delete ns prod --dry-run=client"],
      ["kubectl delete", "kubectl delete -n shop -f a.yaml --dry-run=server"],
      ["helm upgrade", "helm upgrade shop . --dry-run=true"],
      ["git commit", "git commit -m x --dry-run"],
      ["git push --force", "git push --force -o ci.skip --dry-run"],
      ["git push --force", "git push --force --help"],
      ["go test", "go test -run '^xxx$' ./..."],
      ["go test", "go test -run none ./..."],
      ["make deploy", "make -C app -n deploy"],
    ]
  ) assert.ok(!await isCaught(guardOf([pattern]), command), command);
});
