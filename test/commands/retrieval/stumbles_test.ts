// Small things that a new user stumbled over.

import assert from "node:assert/strict";
import { hasTerminal, runOnTerminal } from "../../support/processes/run_on_terminal.ts";
import { TempRepository } from "../../support/temp_repository.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

Deno.test(
  "get shows people the files and tags of an entry",
  { ignore: !hasTerminal() },
  async () => {
    await using t = await tempStore({
      entries: [{
        id: "H-1",
        text: "We wait",
        files: ["src/wait.ts", "src/b.ts"],
        tags: ["retry"],
      }],
    });
    const { screen } = await runOnTerminal(["get", "H-1"], {
      cwd: t.workspace,
      env: { NO_COLOR: "1" },
    });
    assert.match(screen, /\nfiles: src\/wait\.ts, src\/b\.ts\ntags: retry\nWe wait\n/);
    assert.equal((await t.ctx(["get", "H-1"])).stdout, "We wait", "a pipe gets the text alone");
  },
);

Deno.test("a search for decisions that finds nothing says how to list them", async () => {
  await using t = await tempStore({ entries: [{ type: "decision", text: "Use tabs" }] });
  const { stderr } = await t.ctx(["search", "what was decided"]);
  assert.match(stderr, /to list decisions: ctx records --type decision/);
  assert.doesNotMatch((await t.ctx(["search", "zebra"])).stderr, /to list decisions/);
});

Deno.test("confidence is of the row, not of the page it is on", async () => {
  const entries = ["one", "two", "three"].map((word, i) => ({
    id: `H-${i}`,
    text: `rotate the signing key, part ${word}`,
  }));
  await using t = await tempStore({ entries });
  interface Found {
    results: { id: string; confidence: string; score_final: number }[];
  }
  const find = async (k: number, offset: number): Promise<Found["results"]> =>
    (await t.run<Found>("search", { query: "rotate signing key", k, offset })).results;
  const pages = [await find(1, 0), await find(1, 1), await find(1, 2)].flat();
  const whole = await find(3, 0);
  const told = (rows: Found["results"]) => rows.map(({ id, confidence }) => [id, confidence]);
  assert.deepEqual(told(pages), told(whole));
  assert.ok(
    whole.every(({ confidence }) => confidence !== "strong"),
    "none is ahead of the others",
  );
});

Deno.test("a word that is nearly a choice is answered with the choice", async () => {
  await using t = await tempStore();
  const { code, stderr } = await t.ctx(["setup", "claude"]);
  assert.equal(code, 2);
  assert.match(stderr, /not "claude" \(did you mean "claude-code"\?\)/);
});

Deno.test("records names every kind when it does not know one", async () => {
  await using t = await tempStore();
  const { stderr } = await t.ctx(["records", "--type", "5"]);
  assert.match(stderr, /the types are .*decision.*, rule, stale/);
});

Deno.test("why of what is not there exits with an error and says what to ask", async () => {
  await using t = await tempStore();
  const repository = new TempRepository(t.workspace);
  await repository.git("init", "-q", "-b", "main");
  await repository.commit("Start", { "a.ts": "export const one = 1;\n" });
  for (const target of ["src/none.ts", "src/none.ts:3", "nowhere"]) {
    const { code, stdout } = await t.ctx(["why", target]);
    assert.equal(code, 3, target);
    assert.match(stdout, /because there is no file.*\n(?: +because.*\n)? +next +ctx why FILE:LINE/);
  }
  assert.equal((await t.ctx(["why", "a.ts:1"])).code, 0);
});
