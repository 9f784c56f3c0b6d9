// What ctx says beside its results, on 80 columns: nothing of its progress stays on the screen, lines
// break between words, and what is to be agreed to can be read.

import assert from "node:assert/strict";
import { hasTmux, Pty } from "../support/processes/pty.ts";
import { makeProject } from "./made_project.ts";

const ignore = !hasTmux();

Deno.test({
  name: "nothing stands behind what was shown of progress, and no line breaks within a word",
  ignore,
  async fn(t) {
    const { home, workspace } = await makeProject();
    const see = async (words: string[]): Promise<string> => {
      const env = { HOME: home, LANG: "C.UTF-8", NO_COLOR: "1" };
      await using pty = await Pty.start(words, { cwd: workspace, env, columns: 80 });
      const screen = await pty.until(/^exit \d+$/m);
      // Where the edge of the terminal broke a line, putting it together changes it.
      assert.equal(withoutEnds(await pty.joined()), withoutEnds(screen), words.join(" "));
      return screen;
    };
    try {
      await t.step("ask", async () => {
        const screen = await see([
          "ask",
          "what happens when a refresh token leaks?",
          "--use-case=a review",
        ]);
        assert.doesNotMatch(screen, /"query"/);
        assert.match(screen, /Sources\n {2}H-/);
      });
      await t.step("an error", async () => {
        const screen = await see(["search", "--type", "decison", "leaked refresh token"]);
        assert.match(screen, /did you mean\n"decision"/);
      });
      await t.step("get", async () => {
        const screen = await see(["get", "H-1hyk7m2qvxr4z8tn3"]);
        assert.match(screen, /^H-1hyk7m2qvxr4z8tn3 {2}\w{3} \d+ Mar 2024, \d\d:\d\d UTC/);
      });
      await t.step("the keys of the picker", async () => {
        const env = { HOME: home, LANG: "C.UTF-8", NO_COLOR: "1" };
        await using pty = await Pty.start([], { cwd: workspace, env, columns: 80, rows: 24 });
        await pty.until(/newest first/);
        await pty.write("?");
        const keys = await pty.until(/Press any key to go back/);
        assert.match(keys, /, delete\n {29}before, delete after\n/);
      });
      await t.step("start", async () => {
        Deno.mkdirSync(`${home}/.claude`);
        const screen = await see(["start", "--yes"]);
        assert.match(screen, /✓ store {16}\S+\/shop\/\.contextfs already\n {23}exists\n/);
        assert.match(screen, /\n {23}undo: ctx setup claude-code --remove\n/);
      });
    } finally {
      Deno.removeSync(home, { recursive: true });
    }
  },
});

function withoutEnds(screen: string): string {
  return screen.split("\n").map((line) => line.trimEnd()).join("\n").trimEnd();
}
