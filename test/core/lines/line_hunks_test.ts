// The lines that changed between two texts, against what the real git says of them.

import assert from "node:assert/strict";
import { diffHunks } from "../../../src/core/lines/line_hunks.ts";
import { TextLines } from "../../../src/core/lines/text_lines.ts";
import { isMissing } from "../../support/processes/find_program.ts";
import { runProcess } from "../../support/processes/run_ctx.ts";

const ignore = isMissing("git");

Deno.test({ name: "diffHunks() marks the lines that git marks", ignore }, async () => {
  const random = makeRandom(9);
  for (let round = 0; round < 60; round++) {
    const old = makeText(random, random(round * 6));
    const now = edit(random, old);
    const [a, b] = [old, now].map((lines, i) => lines.join("\n") + (random(4 + i) ? "\n" : ""));
    await compare(a, b);
  }
});

Deno.test(
  { name: "diffHunks() does not tear a rewritten block at its blank lines", ignore },
  async () => {
    const block = (name: string): string =>
      Array.from({ length: 30 }, (_, i) => i % 6 === 5 ? "\n" : `${name} ${i}\n`).join("");
    const rest = Array.from({ length: 80 }, (_, i) => i % 3 ? `rest ${i}\n` : "\n").join("");
    await compare(rest + block("old") + rest, rest + block("new") + block("newer") + rest);
  },
);

Deno.test({ name: "diffHunks() goes the way of git where it is long", ignore }, async () => {
  const random = makeRandom(77);
  for (const [count, every] of [[6000, 9], [9000, 5], [4000, 40]]) {
    const old = makeText(random, count).map((line, i) => i % 7 ? line : `${line} ${random(900)}`);
    const now = old.flatMap((line, i) => {
      if (i % 500 < 60 || random(every) > 0) return [line];
      return makeText(random, random(4));
    });
    await compare(old.join("\n"), now.join("\n"));
  }
});

Deno.test({
  name: "diffHunks() leaves out long equal ends for blame, and for nothing else",
  ignore,
}, async () => {
  const lines = (count: number): string => "the same line\n".repeat(count);
  await compare(lines(300), lines(301));
  await compare("first\n" + lines(300), "other\n" + lines(310));
  await compare(lines(300) + "last", lines(290) + "last");
});

/** Compares with git, which leaves equal ends out at once when no lines around a change are wanted. */
async function compare(a: string, b: string): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "ctx-diff-" });
  try {
    Deno.writeTextFileSync(`${directory}/a`, a);
    Deno.writeTextFileSync(`${directory}/b`, b);
    const [old, now] = [a, b].map((text) => new TextLines(new TextEncoder().encode(text)));
    for (const context of [0, 1]) {
      const hunks = diffHunks(old, now, { isForBlame: context === 0 });
      const found = {
        removed: hunks.flatMap(({ from, removed }) => range(from + 1, removed)),
        added: hunks.flatMap(({ to, added }) => range(to + 1, added)),
      };
      assert.deepEqual(found, await gitMarks(directory, context), `${context}:\n${a}\n---\n${b}`);
    }
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

Deno.test("diffHunks() of large texts that have little in common ends soon", () => {
  const random = makeRandom(4);
  const [a, b] = [1, 2].map(() =>
    Array.from({ length: 60_000 }, () => `line ${random(3000)}`).join("\n")
  );
  const [old, now] = [a, b].map((text) => new TextLines(new TextEncoder().encode(text)));
  const hunks = diffHunks(old, now);
  const [removed, added] = [
    hunks.reduce((sum, hunk) => sum + hunk.removed, 0),
    hunks.reduce((sum, hunk) => sum + hunk.added, 0),
  ];
  // What stays is the same on both sides, and in the same order.
  assert.equal(old.count - removed, now.count - added);
  const kept = (lines: TextLines, from: "from" | "to", count: "removed" | "added") => {
    const gone = new Set(hunks.flatMap((hunk) => range(hunk[from], hunk[count])));
    return range(0, lines.count).filter((i) => !gone.has(i)).map((i) => lines.textOf(i));
  };
  assert.deepEqual(kept(old, "from", "removed"), kept(now, "to", "added"));
});

async function gitMarks(
  directory: string,
  context: number,
): Promise<{ removed: number[]; added: number[] }> {
  const words = ["diff", "--no-index", "--no-color", `-U${context}`, "a", "b"];
  const { stdout } = await runProcess(["git", ...words], {
    cwd: directory,
    env: { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
  });
  const marks = { removed: new Array<number>(), added: new Array<number>() };
  let [i, j, isInside] = [0, 0, false];
  for (const line of stdout.split("\n")) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (head !== null) {
      isInside = true;
      // A side without lines is named by the line before.
      i = Number(head[1]) + (head[2] === "0" ? 1 : 0);
      j = Number(head[3]) + (head[4] === "0" ? 1 : 0);
    } else if (!isInside) continue;
    else if (line.startsWith("-")) marks.removed.push(i++);
    else if (line.startsWith("+")) marks.added.push(j++);
    else if (line.startsWith(" ")) [i, j] = [i + 1, j + 1];
  }
  return marks;
}

const words = ["", "}", "  }", "  return;", "if (x) {", "    call();", "// note", "\tend"];

function makeText(random: (below: number) => number, count: number): string[] {
  return Array.from(
    { length: count },
    () => random(2) ? words[random(words.length)] : `${"  ".repeat(random(4))}value ${random(60)};`,
  );
}

/** A few runs of lines are replaced, removed, added, doubled or moved. */
function edit(random: (below: number) => number, old: string[]): string[] {
  const lines = [...old];
  for (let i = random(5); i >= 0; i--) {
    const at = random(lines.length + 1);
    const piece = random(3) === 0
      ? lines.slice(random(lines.length + 1)).slice(0, random(8))
      : makeText(random, random(12));
    lines.splice(at, random(10), ...piece);
  }
  return lines;
}

function range(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => from + i);
}

function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}
