// The npm package's program on Windows: what it lets Deno start. Node is told that it is on Windows, and
// Deno is a script that prints what it was given.

import assert from "node:assert/strict";
import { findProgram, isMissing } from "../support/processes/find_program.ts";
import { runProcess } from "../support/processes/run_ctx.ts";
import { notOnWindows } from "../support/not_on_windows.ts";
import { repository } from "../support/repository.ts";

const permissions = {
  other_words: {},
  bare_command: "pick",
  start: [],
  local_commands: ["get"],
  self_commands: [],
  editor_commands: ["edit"],
  net_commands: [],
  local: ["--allow-read"],
  net: [],
};

Deno.test({
  name: "on Windows ctx may start the editor, and cmd only for an editor that is a script",
  ignore: isMissing("node") || notOnWindows("this test fakes Windows on Unix"),
}, async () => {
  const root = await Deno.makeTempDir({ prefix: "ctx-launcher-" });
  try {
    const deno = `${root}/node_modules/@deno/win32-${
      Deno.build.arch === "aarch64" ? "arm64" : "x64"
    }`;
    for (const path of [`${root}/bin`, `${root}/programs`, deno]) {
      await Deno.mkdir(path, { recursive: true });
    }
    await Deno.copyFile(`${repository}/build/npm_parts.cjs`, `${root}/npm_parts.cjs`);
    await Deno.copyFile(`${repository}/build/npm_launcher.cjs`, `${root}/bin/ctx`);
    await Deno.writeTextFile(`${root}/permissions.json`, JSON.stringify(permissions));
    await Deno.writeTextFile(`${deno}/package.json`, "{}");
    await Deno.writeTextFile(`${deno}/deno.exe`, '#!/bin/sh\nprintf "%s\\n" "$@"\n', {
      mode: 0o755,
    });
    await Deno.writeTextFile(`${root}/programs/code.cmd`, "");
    await Deno.writeTextFile(`${root}/programs/vim.exe`, "");
    await Deno.writeTextFile(`${root}/programs/vim.cmd`, "");
    const windows = `${root}/windows.cjs`;
    await Deno.writeTextFile(
      windows,
      'Object.defineProperty(process, "platform", { value: "win32" });\n',
    );
    const allowed = async (command: string, editor?: string): Promise<string[]> => {
      const { code, stdout, stderr } = await runProcess(
        [findProgram("node")!, "-r", windows, `${root}/bin/ctx`, command],
        {
          cwd: root,
          env: {
            PATH: `C:\\none;"${root}/programs"`,
            ...(editor === undefined ? {} : { EDITOR: editor }),
          },
        },
      );
      assert.equal(code, 0, stderr);
      return stdout.split("\n").filter((word) => word.startsWith("--allow-"));
    };
    assert.deepEqual(await allowed("get"), ["--allow-read"]);
    assert.deepEqual(await allowed("edit"), ["--allow-read", "--allow-run=notepad"]);
    assert.deepEqual(await allowed("edit", "vim -n"), ["--allow-read", "--allow-run=vim"]);
    assert.deepEqual(await allowed("edit", "code --wait"), [
      "--allow-read",
      "--allow-run=code,cmd",
    ]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
