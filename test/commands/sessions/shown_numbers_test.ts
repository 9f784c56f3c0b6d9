// Numbers of messages mean one thing on every surface, and a save joins only a session that is in use.

import assert from "node:assert/strict";
import { hasTerminal, runOnTerminal } from "../../support/processes/run_on_terminal.ts";
import { type TempStore, tempStore, testNow } from "../../support/stores/temp_store.ts";

/** What a person sees, without styles. */
async function seen(t: TempStore, words: string[]): Promise<string> {
  const { screen } = await runOnTerminal(words, { cwd: t.workspace, env: { NO_COLOR: "1" } });
  return screen;
}

const at = (minute: number): string => `2026-01-01T10:0${minute}:00.000Z`;
const said = [
  { id: "H-1", index: 1, role: "user" as const, type: "turn", text: "First question" },
  { id: "H-2", index: 2, role: "assistant" as const, type: "turn", text: "First answer" },
  { id: "H-3", index: 3, role: "user" as const, type: "turn", text: "Second question" },
  { id: "H-4", role: "note" as const, type: "note", text: "Saved beside it" },
  { id: "H-5", role: "note" as const, type: "decision", text: "Decided beside it" },
].map((entry, i) => ({ ...entry, session_id: "S-1", ts: at(i) }));

Deno.test("what was saved beside a message repeats its number nowhere that people read", async () => {
  await using t = await tempStore({ entries: said });
  const numbersIn = (text: string, form: RegExp): string[] =>
    [...text.matchAll(form)].map(([, number]) => number);
  const asked = [["show", "S-1"], ["show", "S-1", "--outline"], ["timeline", "H-3"]];
  for (const words of hasTerminal() ? asked : []) {
    const screen = await seen(t, words);
    assert.deepEqual(numbersIn(screen, /#(\d+) /g), ["1", "2", "3"], words.join(" "));
    assert.match(screen, /Decided beside it/);
  }
  const piped = (await t.ctx(["show", "S-1"])).stdout;
  assert.deepEqual(numbersIn(piped, /^(\d+) \[/gm), ["1", "2", "3"]);
  const read = (await t.ctx(["show", "S-1", "--range", "2-3"])).stdout;
  assert.deepEqual(numbersIn(read, /^(\d+) \[/gm), ["2", "3"]);
  assert.match(read, /^\[note\] .*\nDecided beside it/m);
});

Deno.test("both ways to ask for an outline show the same", async () => {
  const [first, ...rest] = said;
  const long = { ...first, text: `## About /home/dev/app/a.ts: ${"long ".repeat(40)}` };
  await using t = await tempStore({
    entries: [long, ...rest].map((entry) => ({ ...entry, project: "/home/dev/app" })),
  });
  const piped = async (words: string[]): Promise<string> => (await t.ctx(words)).stdout;
  for (const ask of [piped, ...(hasTerminal() ? [(words: string[]) => seen(t, words)] : [])]) {
    const one = await ask(["show", "S-1", "--outline"]);
    assert.equal(one, await ask(["show", "S-1", "--format", "outline"]));
    assert.match(one, /About a\.ts: long/);
  }
});

Deno.test("an entry of no session shows no number", { ignore: !hasTerminal() }, async () => {
  await using t = await tempStore({
    entries: [{ id: "H-a", text: "alone in the dark" }, { id: "H-b", text: "another" }],
  });
  for (const words of [["search", "alone"], ["timeline", "H-a"]]) {
    const screen = await seen(t, words);
    assert.match(screen, /alone in the dark/);
    assert.doesNotMatch(screen, /#\d/, words.join(" "));
  }
});

Deno.test("save joins the open session for twelve hours, then says that it does not", async () => {
  await using t = await tempStore();
  interface Saved {
    id: string;
    session_id?: string;
  }
  const hour = 3_600_000;
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  const run = (name: string, input: object, hours: number): Promise<Saved> =>
    t.run<Saved>(name, { ...input }, { now: () => testNow + hours * hour, warn });
  const { session_id } = await run("session start", {}, 0);
  assert.equal((await run("save", { text: "soon" }, 1)).session_id, session_id);
  assert.equal((await run("save", { text: "later" }, 12)).session_id, session_id);
  assert.equal((await run("save", { text: "still in use" }, 20)).session_id, session_id);
  assert.deepEqual(warnings, []);
  assert.equal((await run("save", { text: "weeks later" }, 14 * 24)).session_id, undefined);
  assert.deepEqual(warnings, [
    `the open session ${session_id} was last used 13 days ago, so this was saved outside it ` +
    "(--session current joins it; ctx session end closes it)",
  ]);
  await run("pin", { target: "a rule" }, 14 * 24);
  assert.equal(warnings.length, 2);
  const meant = await run("save", { text: "meant", session: "current" }, 14 * 24);
  assert.equal(meant.session_id, session_id);
});
