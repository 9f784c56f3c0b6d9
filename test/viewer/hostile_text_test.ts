// Stored text that wants to run: every payload is saved as a memory, in every field that views show,
// and looked at in every view; nothing runs, nothing is fetched, nothing is built of it.

import assert from "node:assert/strict";
import { viewList } from "../../src/viewer/view_list.ts";
import { goTo, openPage, pageTest } from "../support/servers/open_page.ts";
import type { Entry } from "../../src/core/entry.ts";
import { tempStore } from "../support/stores/temp_store.ts";
import { xssPayloads } from "../support/servers/xss_payloads.ts";

const payloads = Object.values(xssPayloads);

const kinds: Partial<Entry>[] = [
  { role: "user", type: "turn" },
  { role: "tool", type: "tool_output" },
  { role: "assistant", type: "decision" },
];
const session = "S-1m2few700s4d0k3nc";
/** Its edits, prompts, models and paths are payloads. */
const edited = "S-1m2few700s4d0k3nd";

pageTest("payloads stored as memory stay inert in every view", async (t) => {
  const entries = payloads.flatMap((payload, i): Partial<Entry>[] => [
    { text: `probe ${payload}`, title: payload, summary: payload, tags: [payload.slice(0, 40)] },
    {
      text: `probe ${payload}`,
      ...kinds[i % 3],
      session_id: session,
      project: payload,
      files: [`src/${payload}.ts`],
    },
  ]);
  entries.push(...payloads.flatMap((payload, i): Partial<Entry>[] => [
    { session_id: edited, role: "user", type: "turn", text: payload, branch: payload },
    {
      session_id: edited,
      role: "assistant",
      type: "tool_call",
      text: `Edit: ${payload}`,
      model: payload,
      files: [`${payload}.html`],
      tool: {
        name: "Edit",
        effect: "edit",
        call_id: `e${i}`,
        input: { file_path: `${payload}.html`, old_string: "", new_string: `${payload}\n` },
      },
    },
  ]));
  await using store = await tempStore({ entries });
  await store.ctx(["session", "title", session, payloads[0]]);
  for (const payload of payloads.slice(0, 3)) {
    await store.ctx(["pin", payload]);
    await store.ctx(["search", payload]);
  }
  await using open = await openPage({ workspace: store.workspace });
  const { page, problems } = open;
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("dialog", async (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  const places = viewList.map(({ name }) => `#/${name}`);
  places.push(
    `#/sessions?session=${session}`,
    `#/sessions?session=${edited}`,
    ...payloads.map((_, i) => `#/sessions?session=${edited}&replay=${i + 1}`),
    "#/home?q=probe&explain=1",
    "#/home?q=probe&k=20",
  );
  for (const i of payloads.keys()) places.push(`#/home?q=probe&id=H-H${2 * i + 1}`);
  for (const place of places) {
    await t.step(place, async () => {
      await goTo(page, place);
      await page.waitForLoadState("networkidle");
      const shown = await page.evaluate(() => ({
        built: [...document.querySelectorAll(
          "script:not([src='viewer.js']), iframe, object, embed, img, svg image, video, audio, " +
            "base, form[action], meta[http-equiv], link:not([href='viewer.css']), style, math, " +
            "a[href^='javascript:' i], a[href^='data:' i], a[href^='vbscript:' i]",
        )].map((element) => element.outerHTML),
        handlers: [...document.querySelectorAll("*")].flatMap((element) =>
          element.getAttributeNames().filter((name) => name.startsWith("on"))
        ),
        ran: Object.keys(globalThis).filter((name) => /^(xss|pwned|hacked)/i.test(name)),
      }));
      assert.deepEqual(shown, { built: [], handlers: [], ran: [] });
    });
  }
  // What is text can be read as it was written.
  await goTo(page, "#/home?q=probe&id=H-H1");
  const pane = page.getByRole("complementary", { name: "Entry" });
  await pane.getByText(payloads[0]).first().waitFor();
  await goTo(page, `#/sessions?session=${edited}&replay=1`);
  const replayed = page.getByRole("region", { name: "File", exact: true });
  await replayed.locator(".added").getByText(payloads[0].split("\n")[0]).first().waitFor();
  const foreign = asked.filter((url) => !url.startsWith(open.origin));
  assert.deepEqual(foreign, []);
  assert.deepEqual(problems, []);
});
