// What the header of the self-extracting form answers without starting Deno.

import assert from "node:assert/strict";
import { firstNames, renderOverview } from "../../src/cli/line/help.ts";
import { loadForms } from "../../src/cli/task_list.ts";
import { makeView } from "../../src/command/view.ts";
import { bareMachine } from "../support/processes/bare_machine.ts";
import { changeByte, ctx, ignore, shells, unpackedIn } from "../support/processes/fake_built.ts";

/** A device that is always full: Linux has one. */
const existsFull = Deno.build.os === "linux";

Deno.test({
  name: "the header itself tells the version and the help, once a copy is sound",
  ignore,
  async fn(t) {
    await using machine = await bareMachine();
    const { stdout: first } = await machine.run([ctx, "--version"]);
    assert.match(first, /^deno run .* --version\n$/, "the first start proves that ctx starts");
    const help = renderOverview(await loadForms(firstNames), makeView({}));
    const expected: [words: string[], answer: string | RegExp][] = [
      [["--version"], "ctx 1.2.3\n"],
      [["-V"], "ctx 1.2.3\n"],
      [["version"], "ctx 1.2.3\n"],
      [["--help"], help],
      [["-h"], help],
      [["help"], help],
      [[], help],
      [["--version", "--json"], /^deno run .* --version --json\n$/],
      [["help", "search"], /^deno run .* help search\n$/],
      [["--help", "--color=always"], /^deno run .* --help --color=always\n$/],
    ];
    for (const shell of shells) {
      for (const [words, answer] of expected) {
        await t.step([...shell, "ctx", ...words].join(" "), async () => {
          const { code, stdout, stderr } = await machine.run([...shell, ctx, ...words]);
          assert.deepEqual([code, stderr], [0, ""]);
          if (typeof answer === "string") assert.equal(stdout, answer);
          else assert.match(stdout, answer);
        });
      }
      const name = [...shell, "ctx"].join(" ");
      await t.step(`${name} --help with colour is left to ctx`, async () => {
        const env = { ...machine.env, CLICOLOR_FORCE: "1" };
        const { stdout } = await machine.run([...shell, ctx, "--help"], { env });
        assert.match(stdout, /^deno run .* --help\n$/);
      });
      await t.step(`${name} is unpacked again before it tells`, async () => {
        const [copy] = unpackedIn(machine);
        changeByte(`${copy}/deno`);
        assert.match((await machine.run([...shell, ctx, "-V"])).stdout, /^deno run .* -V\n$/);
        assert.notEqual(unpackedIn(machine)[0], copy);
      });
      await t.step({
        name: `${name} leaves to ctx what cannot be written`,
        ignore: !existsFull,
        async fn() {
          const write = ["/bin/sh", "-c", '"$@" > /dev/full', "sh", ...shell, ctx, "-V"];
          const { code, stderr } = await machine.run(write);
          assert.notEqual(code, 0);
          assert.match(stderr, /No space left|I\/O error|write error/);
        },
      });
    }
  },
});
