// What people see: the screens of commands on terminals of three widths, compared with those that
// somebody looked at and kept in screens/. A file has the screen and, below it, a letter of the style
// under each character. Without colour the same screen appears with no style at all.
//
// CTX_SCREENS=write deno task test test/terminal/screens_test.ts   keeps what there is now: look at it.

import assert from "node:assert/strict";
import { isFullLength } from "../support/full_length.ts";
import { hasTmux, Pty } from "../support/processes/pty.ts";
import { makeProject } from "./made_project.ts";
import { readStyles } from "./read_styles.ts";

const widths = [60, 80, 200];
const commands: Record<string, string[]> = {
  "search": ["search", "leaked refresh token"],
  "search-nothing": ["search", "kubernetes operator"],
  "timeline": ["timeline", "H-1hyk7m2qvxr4z8tn3", "--before", "2", "--after", "2"],
  "ls": ["ls"],
  "sessions": ["sessions"],
  "show": ["show", "S-1hf8zk2m0a7thr3wk"],
  "show-outline": ["show", "S-1hg4q7w9xcart5pcs", "--format", "outline"],
  "stats": ["stats"],
  "status": ["status"],
  "help": ["help"],
  "help-search": ["help", "search"],
};

const ignore = !hasTmux();

Deno.test({
  name: `screens fit 60, 80 and 200 columns and look as they were kept${
    ignore ? " (skipped: tmux is missing)" : ""
  }`,
  ignore,
  async fn(t) {
    for (const [name, words] of Object.entries(commands)) {
      await t.step(name, async () => {
        const { home, workspace } = await makeProject();
        try {
          for (const columns of widths) {
            const env = { HOME: home, LANG: "C.UTF-8", TZ: "Europe/Berlin" };
            const colored = await see(words, { cwd: workspace, env, columns });
            assert.equal(colored.broken, "", `a line of ${name} is wider than ${columns}`);
            if (isFullLength || columns === 80) {
              const plain = await see(words, {
                cwd: workspace,
                env: { ...env, NO_COLOR: "1" },
                columns,
              });
              assert.equal(plain.styles.trim(), "", `${name} has styles in spite of NO_COLOR`);
              assert.equal(plain.text, colored.text, `${name} differs without colour`);
            }
            const screen = `${colored.text}\n${"=".repeat(columns)}\n${colored.styles}\n`;
            const file = new URL(`screens/${name}-${columns}.txt`, import.meta.url);
            if (Deno.env.get("CTX_SCREENS") === "write") Deno.writeTextFileSync(file, screen);
            assert.equal(screen, Deno.readTextFileSync(file), `${name} at ${columns} columns`);
          }
        } finally {
          Deno.removeSync(home, { recursive: true });
        }
      });
    }
  },
});

/** What a command leaves on a terminal: its text, its styles, and lines that did not fit. */
async function see(
  words: string[],
  options: { cwd: string; env: Record<string, string>; columns: number },
): Promise<{ text: string; styles: string; broken: string }> {
  await using pty = await Pty.start(words, { ...options, rows: 100 });
  const end = /^exit \d+$/m;
  await pty.until(end);
  const cut = (screen: string): string => screen.slice(0, screen.search(end)).trimEnd();
  const { text, styles } = readStyles(await pty.screen({ styles: true }));
  const shown = cut(text);
  const lines = new Set(shown.split("\n"));
  const joined = cut(await pty.joined()).split("\n").map((line) => line.trimEnd());
  return {
    text: shown,
    styles: styles.split("\n").slice(0, shown.split("\n").length).join("\n").trimEnd(),
    broken: joined.filter((line) => !lines.has(line)).join("\n"),
  };
}
