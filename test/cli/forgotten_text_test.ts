// Forgotten text and the program that people run: a hook captures a turn, the user forgets it, the
// transcript grows, the hook runs again. Nothing of it is shown or on disk afterwards.

import assert from "node:assert/strict";
import { Transcript } from "../support/stores/forgotten_store.ts";
import { tempStore } from "../support/stores/temp_store.ts";

const canary = "my pin is 4821 ok";

const ways: Record<string, (id: string) => string[][]> = {
  "forget ID --now": (id) => [["forget", id, "--now", "--yes"]],
  "forget ID, then gc": (id) => [["forget", id, "--yes"], ["gc", "--yes"]],
  "purge": () => [["purge", "--pattern", "4821", "--yes"]],
};

for (const [way, commands] of Object.entries(ways)) {
  Deno.test(`ctx: what a hook captured and ${way} took away stays away`, async () => {
    await using t = await tempStore();
    const transcript = new Transcript(t.workspace);
    const hook = async (): Promise<void> => {
      const stdin = JSON.stringify({
        session_id: transcript.id,
        transcript_path: transcript.path,
        cwd: t.workspace,
        hook_event_name: "Stop",
      });
      const { code, stdout } = await t.ctx(["hook", "claude-code"], { stdin });
      assert.deepEqual([code, stdout], [0, ""]);
    };
    transcript.say("user", canary);
    await hook();
    const before = await t.ctx(["sessions"]);
    assert.match(before.stdout, /my pin is 4821 ok/);
    await t.ctx(["search", "4821 pin"]);
    await t.ctx(["search", "my pin", "--type", "decision"]);
    const [id] = t.ids();
    for (const words of commands(id)) assert.equal((await t.ctx(words)).code, 0, words.join(" "));
    assert.deepEqual(t.filesWith(/4821|my pin/), []);

    transcript.say("assistant", "We rotate tokens.");
    transcript.add({ type: "ai-title", aiTitle: canary, sessionId: transcript.id });
    await hook();
    assert.deepEqual(t.filesWith(/4821|my pin/), []);
    assert.equal(t.ids().length, 1);
    for (const words of [["sessions"], ["ls"], ["stats"], ["pack"], ["traces"], ["export"]]) {
      const { code, stdout } = await t.ctx(words);
      assert.deepEqual([code, /4821|my pin/.test(stdout)], [0, false], words[0]);
    }
  });
}
