// Which unpacked copies the launcher clears away, and which stay.

import assert from "node:assert/strict";
import { bareMachine } from "../support/processes/bare_machine.ts";
import {
  changeByte,
  ctx,
  headerBytes,
  ignore,
  isThere,
  leftovers,
  namesOf,
  newer,
  pack,
  stampIn,
  unpackedIn,
} from "../support/processes/fake_built.ts";

Deno.test({
  name: "a copy that a server runs from stays when it is replaced, until the server has ended",
  ignore,
  async fn() {
    await using machine = await bareMachine();
    await machine.run([ctx, "mcp"]);
    const [copy] = unpackedIn(machine);
    const suffix = copy.slice(-6);
    const marks = (): string[] => leftovers(machine).filter((name) => name.startsWith("run."));
    assert.match(marks().join(), new RegExp(`^run\\.${suffix}\\.\\d+$`));
    await Deno.writeTextFile(`${machine.cache}/run.${suffix}.${Deno.pid}`, "");
    changeByte(`${copy}/app/mod.js`);
    assert.equal((await machine.run([ctx, "--version"])).code, 0);
    assert.equal(unpackedIn(machine).length, 2);
    // Its own mark is gone with it, ours stays while we run.
    assert.deepEqual(marks(), [`run.${suffix}.${Deno.pid}`]);
    await Deno.remove(`${machine.cache}/run.${suffix}.${Deno.pid}`);
    const [now] = unpackedIn(machine).filter((path) => path !== copy);
    changeByte(`${now}/app/mod.js`);
    assert.equal((await machine.run([ctx, "--version"])).code, 0);
    assert.equal(unpackedIn(machine).length, 1);
  },
});

Deno.test({
  name: "what a killed first start left is cleared away, and versions before the last",
  ignore,
  async fn() {
    await using machine = await bareMachine();
    await machine.run([ctx, "--version"]);
    const id = stampIn(machine);
    await Deno.mkdir(`${id}.AbCdEf/app`, { recursive: true });
    await Deno.writeTextFile(`${id}.AbCdEf.stamp`, "half");
    await Deno.remove(id);
    for (const name of ["models", "index.db", "f00"]) {
      await Deno.writeTextFile(`${machine.cache}/${name}`, "another program's");
    }
    await Deno.writeTextFile(`${machine.cache}/pid.AbCdEf`, "999999999\n");
    for (const version of ["0", "1"]) {
      const name = `${machine.cache}/${version.repeat(32)}`;
      await Deno.mkdir(`${name}.AbCdEf`);
      await Deno.writeTextFile(name, "stamp");
      // The times of files are no finer than the system's tick.
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    assert.equal((await machine.run([ctx, "--version"])).code, 0);
    const before = "1".repeat(32);
    assert.deepEqual(leftovers(machine).sort(), [
      before,
      `${before}.AbCdEf`,
      "f00",
      "index.db",
      "models",
    ]);
  },
});

Deno.test({
  name: "installing a version removes the copies and compiled code of all others",
  ignore,
  async fn() {
    await using machine = await bareMachine();
    await machine.run([ctx, "--version"]);
    const old = stampIn(machine);
    const install = async (file = newer): Promise<void> => {
      const env = { ...machine.env, CTX_INSTALLING: "1" };
      const { code, stdout, stderr } = await machine.run([file, "--version"], { env });
      assert.deepEqual([code, stderr], [0, ""]);
      assert.match(stdout, /^deno run /);
    };
    await machine.run([newer, "--version"]);
    assert.ok(isThere(old), "the last version stays while both are used");
    await install();
    assert.deepEqual(namesOf(machine, old), []);
    const [copy] = unpackedIn(machine);
    // What is sound is not unpacked again: it could not be.
    await Deno.copyFile(newer, `${machine.root}/header`);
    await Deno.truncate(`${machine.root}/header`, headerBytes(newer));
    await install(`${machine.root}/header`);
    assert.deepEqual(unpackedIn(machine), [copy]);

    // A server's copy stays, and goes with the first server that starts after it has ended.
    await machine.run([ctx, "--version"]);
    const [running] = unpackedIn(machine).filter((path) => path !== copy);
    const mark = `${machine.cache}/run.${running.slice(-6)}.${Deno.pid}`;
    await Deno.writeTextFile(mark, "");
    await install();
    assert.equal(namesOf(machine, old).length, 4, `${namesOf(machine, old)}`);
    await machine.run([newer, "mcp"]);
    assert.ok(isThere(`${running}/app/mod.js`));
    await Deno.remove(mark);
    await machine.run([newer, "mcp"]);
    assert.deepEqual(namesOf(machine, old), []);
    assert.ok(isThere(`${copy}/app/mod.js`));
  },
});

Deno.test({
  name: "a copy that a command runs from stays too, where the system tells",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using machine = await bareMachine();
    const sleeper = await pack("sleeper", { gzip: true, code: "sleep();\n", deno: "/bin/sleep" });
    await machine.run([sleeper, "ask", "why"]);
    const [copy] = unpackedIn(machine);
    const running = new Deno.Command(`${copy}/deno`, { args: ["1000"] }).spawn();
    const env = { ...machine.env, CTX_INSTALLING: "1" };
    try {
      await machine.run([newer, "--version"], { env });
      assert.ok(isThere(`${copy}/deno`));
    } finally {
      running.kill("SIGKILL");
      await running.status;
    }
    await machine.run([newer, "--version"], { env });
    assert.ok(!isThere(`${copy}/deno`));
  },
});
