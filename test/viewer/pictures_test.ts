// The pictures of docs/images, taken of the project that looks real: `CTX_PICTURES=write` writes them.
// Without it, only that each is there and small.

/// <reference lib="dom" />

import assert from "node:assert/strict";
import { goTo, openPage, pageTest } from "../support/servers/open_page.ts";
import { repository } from "../support/repository.ts";
import { shownProject } from "../support/shown_project.ts";

const images = `${repository}/docs/images`;
const maxBytes = 150_000;
const places = {
  home: "#/home",
  source: "#/source?path=src/queue/retry.ts",
  session: "#/sessions?session=S-1m2few700s4d0k3nb",
  review: "#/review",
};

if (Deno.env.get("CTX_PICTURES") === "write") {
  pageTest("pictures are taken", async () => {
    await using store = await shownProject();
    await store.ctx(["records", "--derive"]);
    await using open = await openPage({ workspace: store.workspace });
    const { page } = open;
    // A directory for a test has no name that people would give.
    const facts = { workspace: "/home/sam/parcel-api", read_only: false, version: "" };
    await page.route("**/page.json", (route) => route.fulfill({ json: facts }));
    await page.reload();
    for (const [name, place] of Object.entries(places)) {
      await goTo(page, place);
      await page.waitForLoadState("networkidle");
      await page.waitForFunction(() =>
        document.querySelector("main [aria-busy=true], main .waiting") === null
      );
      // Nor has the project in its sessions.
      await page.evaluate((made) => {
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = texts.nextNode(); node; node = texts.nextNode()) {
          node.nodeValue = (node.nodeValue ?? "").replace(made, "parcel-api");
        }
      }, store.workspace.replace(/^.*\//, ""));
      await page.screenshot({ path: `${images}/${name}.png` });
    }
  });
}

Deno.test("docs/images has the four pictures and no other, each small", () => {
  const found = [...Deno.readDirSync(images)].map(({ name }) => name).sort();
  assert.deepEqual(found, Object.keys(places).map((name) => `${name}.png`).sort());
  for (const name of found) assert.ok(Deno.statSync(`${images}/${name}`).size <= maxBytes, name);
});
