// The README under test: every `ctx` line of its shell blocks is run, in order, in one fresh
// project; its program runs with its deno.json in a project beside ctx; every task it names exists.
// The tour is checked by `deno task docs --check`.

import assert from "node:assert/strict";
import manifest from "../deno.json" with { type: "json" };
import { isFullLength } from "./support/full_length.ts";
import { ctxCommand, denoEnv, runProcess } from "./support/processes/run_ctx.ts";
import { fromFileUrl } from "../src/core/platform_path.ts";
import { notOnWindows } from "./support/not_on_windows.ts";

const root = fromFileUrl(new URL("../", import.meta.url));
const readme = await Deno.readTextFile(`${root}README.md`);
const lines = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap((block) =>
  block[1].trim().split("\n").map((line) => line.replace(/\s+#.*$/, "").trim())
);

Deno.test("every ctx command in the README works in a fresh project", {
  ignore: notOnWindows("its commands need a Unix shell"),
}, async () => {
  const work = await Deno.makeTempDir({ prefix: "ctx-readme-" });
  try {
    await Deno.mkdir(`${work}/bin`);
    const words = ctxCommand().map((word) => `"${word}"`).join(" ");
    await Deno.writeTextFile(`${work}/bin/ctx`, `#!/bin/sh\nexec ${words} "$@"\n`);
    await Deno.chmod(`${work}/bin/ctx`, 0o755);
    await Deno.mkdir(`${work}/project`);
    await run(
      work,
      "git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one",
    );
    const commands = lines.filter((line) => /(^|\| )ctx /.test(line));
    assert.ok(commands.length >= 6, "the README shows the commands");
    for (const line of commands) await run(work, line);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
});

const soundInTypes = isFullLength ? "runs and is sound in its types" : "runs";

Deno.test(`the program in the README ${soundInTypes}, imported as it says`, {
  ignore: notOnWindows("links need a privilege"),
}, async () => {
  const work = await Deno.realPath(await Deno.makeTempDir({ prefix: "ctx-readme-" }));
  try {
    const project = `${work}/project`;
    await Deno.mkdir(project);
    await Deno.symlink(root.replace(/\/$/, ""), `${work}/ctx`);
    for (const [kind, name] of [["json", "deno.json"], ["ts", "main.ts"]]) {
      const [, text] = new RegExp(`\`\`\`${kind}\\n([\\s\\S]*?)\`\`\``).exec(readme) ?? [];
      await Deno.writeTextFile(`${project}/${name}`, text);
    }
    await Deno.writeTextFile(`${project}/deno.lock`, await readersLock());
    // To check its types is to check all of ctx once more, which `deno task ok` has just done.
    const check = isFullLength ? "--check" : "--no-check";
    const words = [Deno.execPath(), "run", "-A", check, "--cached-only", "main.ts"];
    const env = { ...denoEnv(project), NO_COLOR: "1" };
    const { code, stdout, stderr } = await runProcess(words, { cwd: project, env });
    assert.equal(code, 0, stderr);
    assert.equal(
      stdout.replace(/\[H-\w+\]/, "[ID]"),
      "true true We rotate refresh tokens\nWe rotate refresh tokens [ID]\n",
    );
  } finally {
    await Deno.remove(work, { recursive: true });
  }
});

Deno.test("the README fits a visitor's patience", () => {
  assert.ok(readme.split("\n").length <= 161, "move detail to docs/");
});

Deno.test("every task in the README exists and runs with the Deno that the README names", () => {
  const tasks = lines.map((line) => /^npx -y deno@(\S+) task (?:-q )?(\S+)/.exec(line)).filter(
    Boolean,
  );
  assert.ok(tasks.length >= 2);
  for (const task of tasks) {
    assert.equal(task?.[1], "2.9.5");
    assert.ok(Object.hasOwn(manifest.tasks, task?.[2] ?? ""), `task ${task?.[2]}`);
  }
});

/**
 * The lock of a project that links to ctx, with the versions of ctx's own: what `deno install` has
 * put into the cache. Without a lock Deno would ask the registry for the metadata of every package
 * below those, which an install by lock does not fetch; offline their types would silently be `any`.
 * `.ci/run` runs the program online, without a lock, as a reader does.
 */
async function readersLock(): Promise<string> {
  const lock = JSON.parse(await Deno.readTextFile(`${root}deno.lock`));
  const { name, version } = manifest;
  const links = { [`jsr:${name}@${version}`]: { dependencies: lock.workspace.dependencies } };
  const minor = version.replace(/\.\d+$/, "");
  return JSON.stringify({
    ...lock,
    workspace: { dependencies: [`jsr:${name}@${minor}`], links },
  });
}

async function run(work: string, line: string): Promise<void> {
  const { code, stderr } = await runProcess(["bash", "-c", `set -o pipefail; ${line}`], {
    cwd: `${work}/project`,
    env: { PATH: `${work}/bin:${Deno.env.get("PATH")}` },
  });
  assert.equal(code, 0, `${line}\n${stderr}`);
}
