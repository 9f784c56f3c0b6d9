// The VS Code extension against a `vscode` that writes down what it is told, and a program in ctx's
// place that answers as `ctx why --json` does.

import assert from "node:assert/strict";
import { writePackages } from "../../build/packages/write_packages.ts";
import { isMissing } from "../support/processes/find_program.ts";

const ignore = isMissing("node") || Deno.build.os === "windows";

Deno.test(
  { name: "the extension marks and explains lines, and never as Markdown", ignore },
  async () => {
    const root = await Deno.makeTempDir({ prefix: "ctx-vscode-" });
    try {
      await writePackages(`${root}/packages`);
      await Deno.mkdir(`${root}/node_modules/vscode`, { recursive: true });
      await Deno.writeTextFile(`${root}/node_modules/vscode/index.js`, fakeVscode);
      await Deno.writeTextFile(`${root}/ctx`, program, { mode: 0o755 });
      await Deno.writeTextFile(`${root}/drive.js`, drive);
      const { code, stdout, stderr } = await new Deno.Command("node", {
        args: ["drive.js", `${root}/ctx`],
        cwd: root,
      }).output();
      assert.equal(code, 0, new TextDecoder().decode(stderr));
      const done = JSON.parse(new TextDecoder().decode(stdout));
      assert.deepEqual(done, {
        marked: [[3, 3], [6, 8]],
        hover: "session: Queue (80 % sure)\n\nasked: Retry [it](command:evil)\n\n",
        unknown: null,
        dirty: null,
        calls: 1,
        missing: ['"/nowhere/ctx" is not on the PATH'],
      });
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  },
);

const program = `#!/bin/sh
echo called >> "$0.calls"
printf '%s' '{"results": [
  {"lines": "4, 7-9", "session_id": "S-1", "title": "Queue", "confidence": 0.8, "decisions": [],
   "prompt": {"text": "Retry [it](command:evil)"}},
  {"lines": "1-3", "because": "no session", "decisions": []}]}'
`;

const fakeVscode = `
const seen = { marked: [], errors: [], settings: { why: true, path: "" } };
module.exports = {
  seen,
  Uri: { file: (path) => path },
  Range: class { constructor(a, _b, c) { this.lines = [a, c]; } },
  Hover: class { constructor(text) { this.text = text.text; } },
  // As VS Code: appendText escapes, so that what was said is no Markdown.
  MarkdownString: class { text = ""; appendText(words) { this.text += words; } },
  languages: { registerHoverProvider: (_at, provider) => { seen.provider = provider; } },
  commands: { registerCommand: (name, run) => { seen[name] = run; } },
  window: {
    createTextEditorDecorationType: () => ({}),
    onDidChangeActiveTextEditor: () => {},
    showInputBox: () => Promise.resolve("lantern"),
    showErrorMessage: (text) => seen.errors.push(text),
  },
  workspace: {
    onDidSaveTextDocument: () => {},
    onDidCloseTextDocument: () => {},
    getConfiguration: () => ({ get: (name) => seen.settings[name] }),
  },
};
`;

const drive = `
const { readFileSync } = require("node:fs");
const vscode = require("vscode");
const { seen } = vscode;
seen.settings.path = process.argv[2];
const fileName = __dirname + "/a.ts";
vscode.window.activeTextEditor = {
  document: { fileName, uri: { scheme: "file" } },
  setDecorations: (_kind, ranges) => { seen.marked = ranges.map(({ lines }) => lines); },
};
const extension = require("./packages/vscode/extension.cjs");
(async () => {
  await extension.activate({ extensionPath: "", subscriptions: [] });
  const ask = async (line, isDirty) =>
    (await seen.provider.provideHover({ fileName, isDirty }, { line }))?.text ?? null;
  const [hover, unknown, dirty] = [await ask(7, false), await ask(0, false), await ask(7, true)];
  const calls = readFileSync(process.argv[2] + ".calls", "utf8").trim().split("\\n").length;
  seen.settings.path = "/nowhere/ctx";
  await seen["ctx.search"]();
  console.log(JSON.stringify({ marked: seen.marked, hover, unknown, dirty, calls, missing: seen.errors }));
})();
`;
