// Forgotten text does not come back: not in a title, a summary, a trace, a chat or any other text
// made of it, by no way of forgetting, and not when its transcript has grown and is read again.

import assert from "node:assert/strict";
import { type ForgottenStore, forgottenStore } from "../../support/stores/forgotten_store.ts";

const canaries = { "short words": "my pin is 4821 ok", "long words": "zorblaxquux vaultphrase" };

/** Every way to forget; whether the bytes are gone with it. */
const ways: Record<string, { erases: boolean; run: (f: ForgottenStore) => Promise<unknown> }> = {
  "forget ID": {
    erases: false,
    run: (f) => f.store.run("forget", { ids: f.ids() }),
  },
  "forget ID --now": {
    erases: true,
    run: (f) => f.store.run("forget", { ids: f.ids(), now: true }),
  },
  "forget --session": {
    erases: false,
    run: async ({ store, session }) => {
      for (const name of [session, "S-live", "current"]) {
        await store.run("forget", { session: name });
      }
    },
  },
  "forget --before": {
    erases: true,
    run: ({ store }) => store.run("forget", { before: "2030-01-01", now: true }),
  },
  "purge": {
    erases: true,
    run: ({ store, canary }) => store.run("purge", { pattern: canary }),
  },
  "gc after forget": {
    erases: true,
    run: async (f) => {
      await f.store.run("forget", { ids: f.ids() });
      await f.store.run("gc");
    },
  },
};

Deno.test("no command, tool, resource or prompt shows what was forgotten, whatever it is asked", async () => {
  await using f = await forgottenStore(canaries["short words"]);
  assert.ok((await f.probe()).length > 20, "the probe sees what is there");
  await f.store.run("forget", { ids: f.ids() });
  assert.deepEqual(await f.probe(), []);
});

for (const [kind, canary] of Object.entries(canaries)) {
  for (const [way, { erases, run }] of Object.entries(ways)) {
    Deno.test(`${way} leaves no text made of ${kind}, now or after another capture`, async () => {
      await using f = await forgottenStore(canary);
      assert.ok(f.holders().length >= 9, `only ${f.holders()} hold the text`);
      assert.ok((await f.showers()).length >= 15, "the text is shown before");
      await run(f);
      assert.deepEqual(f.ids(), []);
      assert.deepEqual(await f.showers(), [], "shown at once");
      if (erases) assert.deepEqual(f.holders(), []);

      f.transcript.say("user", "And the family of tokens?");
      f.transcript.add({ type: "ai-title", aiTitle: canary, sessionId: f.transcript.id });
      f.transcript.add({ type: "custom-title", customTitle: canary, sessionId: f.transcript.id });
      f.transcript.say("user", `Summary: ${canary}`, { isCompactSummary: true });
      const receipt = await f.capture();
      assert.equal(receipt.entries, 1);
      assert.ok(!JSON.stringify(receipt).includes(canary), "in the receipt");
      assert.deepEqual(await f.showers(), [], "shown after another capture");
      await f.store.run("gc");
      assert.deepEqual(f.holders(), []);
      assert.deepEqual(await f.store.ailments(), []);
      const { sessions } = await f.store.run<{ sessions: { id: string; title: string }[] }>(
        "sessions",
        { limit: 100 },
      );
      const title = sessions.find(({ id }) => id === f.session)?.title;
      assert.equal(title, "And the family of tokens?");
    });
  }
}
