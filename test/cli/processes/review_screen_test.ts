// `ctx review` on a real terminal: one line at a time, one key each.

import assert from "node:assert/strict";
import { hasTmux, Pty } from "../../support/processes/pty.ts";
import { madeSession } from "../../support/stores/made_session.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const ignore = !hasTmux();
const wishes = [
  "Always use pnpm for installs in this repository.",
  "Never commit generated files.",
  "Always write tests beside the sources they test.",
  "Never push to the main branch directly.",
];

async function makeStore(): Promise<TempStore> {
  const t = await tempStore({
    entries: wishes.flatMap((wish, i) =>
      madeSession([
        { user: `Add page number ${i} to the shop. ${wish}` },
        { agent: `Done: page ${i} is in src/page${i}.ts now, and its tests pass.` },
      ], `S-${i}`).map((row) => ({ ...row, ts: row.ts.replace("05-01", `05-0${9 - i}`) }))
    ),
  });
  await t.run("distil");
  return t;
}

Deno.test({
  name: "keys accept, edit, reject, put off and undo; the end says what was done",
  ignore,
  async fn() {
    await using t = await makeStore();
    await using pty = await Pty.start(["review"], { cwd: t.workspace, columns: 90, rows: 20 });
    const first = await pty.until(/1 of 4/);
    assert.match(first, /Always use pnpm for installs in this repository\./);
    assert.match(first, /preference · meant to last · /);
    assert.match(first, /From .*\n +Add page number 0 to the shop\./);
    assert.match(first, /a accept {3}e edit {3}r reject {3}l later/);
    await pty.write("a");
    await pty.until(/2 of 4[\s\S]*Never commit generated files/);
    await pty.write("r");
    await pty.until(/3 of 4[\s\S]*Always write tests/);
    // What another program does meanwhile is not undone by this screen.
    await t.run("save", { text: "The shop's staging server is in Oslo." });
    await pty.write("u");
    await pty.until(/2 of 4[\s\S]*Undone/);
    await pty.write("r");
    await pty.until(/3 of 4/);
    await pty.write("e");
    await pty.until(/❯ Always write tests beside the sources they test\./);
    await pty.write(" Unit tests only.");
    await pty.press("Enter");
    await pty.until(/4 of 4[\s\S]*Never push/);
    await pty.write("l");
    await pty.until(/2 accepted, 1 rejected, 1 for later, 0 lines unanswered/);
    await pty.write("q");
    const left = await pty.until(/exit 0/);
    assert.match(left, /reviewed 4 lines/);
    const pack = (await t.ctx(["context", "pack"])).stdout;
    assert.match(pack, /Always use pnpm/);
    assert.match((await t.ctx(["search", "staging server Oslo"])).stdout, /is in Oslo/);
    assert.match(pack, /beside the sources they test\. Unit tests only\./);
    assert.doesNotMatch(pack, /generated files/);
    const rest = JSON.parse((await t.ctx(["review", "--json"])).stdout);
    assert.equal(rest.total, 0);
  },
});

Deno.test({
  name: "escape leaves an edit and then the screen; nothing is written",
  ignore,
  async fn() {
    await using t = await makeStore();
    const before = t.read("history.ndjson");
    await using pty = await Pty.start(["review"], { cwd: t.workspace, columns: 60, rows: 12 });
    await pty.until(/1 of 4/);
    await pty.write("e");
    await pty.until(/Enter accepts/);
    await pty.press("Escape");
    await pty.until(/a accept/);
    await pty.press("Escape");
    await pty.until(/exit 0/);
    assert.equal(t.read("history.ndjson"), before);
  },
});
