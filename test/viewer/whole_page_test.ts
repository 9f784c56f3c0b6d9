// The frame of the page: menu, palette, help, and what holds for every view.

import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { pageKeys } from "../../src/viewer/data/page_keys.ts";
import { viewList } from "../../src/viewer/view_list.ts";
import { startListening } from "../support/processes/listening_ctx.ts";
import { assertSound, goTo, openPage, pageTest } from "../support/servers/open_page.ts";
import { tempStore } from "../support/stores/temp_store.ts";

pageTest("g and a letter goes to every view, the palette too; ? shows every key", async () => {
  await using t = await tempStore({ entries: ["One thing"] });
  await using open = await openPage({ workspace: t.workspace });
  const { page } = open;
  for (const { name, title, letter } of viewList) {
    await page.keyboard.press("g");
    await page.keyboard.press(letter);
    await page.locator(`nav a[aria-current=page]`).getByText(title, { exact: true }).waitFor();
    assert.match(page.url(), new RegExp(`#/${name}`));
  }
  for (const { name, title } of viewList) {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Action" }).fill(`go to ${title}`);
    await page.keyboard.press("Enter");
    await page.waitForURL(new RegExp(`#/${name}`));
  }
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Action" }).fill("desicions");
  await page.getByRole("option", { name: "Go to Decisions" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/decisions/);
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await help.waitFor();
  const shown = await help.locator("kbd").allTextContents();
  assert.equal(shown.length, pageKeys.length + viewList.length);
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
  assertSound(open);
});

pageTest("the page is at most 140 KB, compressed, before code is shown", async () => {
  await using t = await tempStore();
  await using open = await openPage({ workspace: t.workspace });
  const sizes = await open.page.evaluate(async () =>
    await Promise.all(
      ["", ...performance.getEntriesByType("resource").map(({ name }) => name)].map(async (url) => {
        const { body } = await fetch(url);
        const packed = new Response(body?.pipeThrough(new CompressionStream("gzip")));
        return (await packed.arrayBuffer()).byteLength;
      }),
    )
  );
  assert.ok(sizes.length > 4, `${sizes}`);
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= 140_000, `${sizes}`);
});

pageTest("the focus is never lost: / finds a field, dialogs and rows give it back", async () => {
  await using t = await tempStore({
    entries: ["Plan of one", "Plan of two", "Plan of three"],
  });
  await using open = await openPage({ workspace: t.workspace, at: "#/stats" });
  const { page } = open;
  await page.getByRole("heading", { level: 1, name: "Stats" }).waitFor();
  assert.match(await page.title(), /^Stats · ctx · /);
  await page.keyboard.press("/");
  const field = page.getByRole("searchbox", { name: "Search or ask" });
  await field.and(page.locator(":focus")).waitFor();
  await page.keyboard.type("plan");
  await page.getByText("3 results").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  const second = page.locator("[data-row]:focus");
  const href = await second.getAttribute("href");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator(`[data-row]:focus[href="${href}"]`).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Pin", exact: true }).waitFor();
  await page.keyboard.press("c");
  await page.getByRole("textbox", { name: "Text" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Escape");
  await second.waitFor();
  await page.keyboard.press("x");
  await page.getByRole("button", { name: "Yes" }).click();
  await page.getByText("2 results").waitFor();
  // What took the place of the row that is gone is next.
  await page.keyboard.press("j");
  assert.equal(await page.locator("[data-row]").nth(1).and(second).count(), 1);
  assertSound(open);
});

pageTest("without the link, from another host or origin, there is nothing", async () => {
  await using t = await tempStore({ entries: ["A secret plan"] });
  await using open = await openPage({ workspace: t.workspace });
  const { page, origin, root } = open;
  await using other = await stranger(page);
  for (const path of ["", "viewer.js", "api/ls", "page.json", "?token=guess"]) {
    for (const from of [root, `${origin}/`]) {
      const response = await other.page.goto(from + path);
      assert.equal(response?.status(), 401, path);
      assert.doesNotMatch(await other.page.content(), /secret plan|<script/, path);
    }
  }
  // By another name of this machine, the page's cookie is not there, and its requests are refused.
  const renamed = await page.goto(root.replace("127.0.0.1", "localhost"));
  assert.equal(renamed?.status(), 401);
  const asked = await page.evaluate(async (to) => {
    try {
      const response = await fetch(`${to}api/ls`, { method: "POST", credentials: "include" });
      return await response.text();
    } catch {
      return "refused";
    }
  }, root);
  assert.equal(asked, "refused");
});

Deno.test("a token that lasts is never put into the link", async () => {
  await using t = await tempStore();
  const env = { CTX_TOKEN: "the-token-of-serve", CTX_LINK: "known/known" };
  await using served = await startListening(["ui", "--no-open"], { cwd: t.workspace, env });
  assert.match(served.said.url, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/\?token=[\w-]{32}$/);
});

pageTest(
  "tabs that nobody looks at hold no connection, and catch up when they are seen",
  async () => {
    await using t = await tempStore({ entries: ["One thing"] });
    await using open = await openPage({ workspace: t.workspace, at: "#/home?q=thing" });
    const look = (page: Page, state: "visible" | "hidden"): Promise<void> =>
      page.evaluate((now) => {
        Object.defineProperty(document, "visibilityState", { get: () => now, configurable: true });
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
      }, state);
    await open.page.getByText("One thing").first().waitFor();
    await look(open.page, "hidden");
    // More than the connections that a browser makes.
    for (let i = 0; i < 7; i++) {
      const tab = await open.page.context().newPage();
      await tab.goto(`${open.root}#/home?q=thing`, { timeout: 20_000 });
      await tab.getByText("One thing").first().waitFor({ timeout: 20_000 });
      await look(tab, "hidden");
    }
    await t.ctx(["save", "Another thing"]);
    await look(open.page, "visible");
    await open.page.getByText("Another thing").first().waitFor();
    assertSound(open);
  },
);

pageTest("other servers on this machine are not sent the page's cookie", async () => {
  await using t = await tempStore({ entries: ["A secret plan"] });
  await using open = await openPage({ workspace: t.workspace });
  const sent: (string | null)[] = [];
  const options = { hostname: "127.0.0.1", port: 0, onListen() {} };
  await using other = Deno.serve(options, (request) => {
    sent.push(request.headers.get("cookie"));
    return new Response("a page of another server");
  });
  const { port } = other.addr;
  for (const path of ["/", "/api/ls", "/?token=x"]) {
    await open.page.goto(`http://127.0.0.1:${port}${path}`);
  }
  assert.ok(sent.length >= 3);
  assert.deepEqual(sent.filter((cookie) => cookie !== null), []);
  await open.page.goto(open.root);
  await open.page.getByRole("navigation", { name: "Views" }).waitFor();
});

pageTest(
  "the policy blocks scripts, styles, images and requests that are not the page's own",
  async () => {
    await using t = await tempStore({ entries: ["One thing"] });
    await using open = await openPage({ workspace: t.workspace });
    const { page, problems } = open;
    const ran = await page.evaluate(async () => {
      const tries: Record<string, boolean> = {};
      const script = document.createElement("script");
      try {
        script.textContent = "globalThis.ran = true";
      } catch {
        tries.typed = true;
      }
      document.body.append(script);
      tries.inline = "ran" in globalThis;
      try {
        document.body.setAttribute("onclick", "globalThis.clicked = true");
      } catch {
        tries.typed = true;
      }
      document.body.click();
      tries.handler = "clicked" in globalThis;
      const load = (element: HTMLElement): Promise<boolean> =>
        new Promise((resolve) => {
          element.onload = () => resolve(true);
          element.onerror = () => resolve(false);
          document.body.append(element);
          setTimeout(() => resolve(false), 2000);
        });
      const image = new Image();
      image.src = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=";
      tries.image = await load(image);
      const frame = document.createElement("iframe");
      frame.src = "data:text/html,hi";
      document.body.append(frame);
      tries.fetched = await fetch("https://example.com/").then(() => true, () => false);
      return tries;
    });
    const { typed, ...rest } = ran;
    assert.equal(typed, true, "text of a script is no trusted type");
    assert.deepEqual(rest, { inline: false, handler: false, image: false, fetched: false });
    assert.ok(problems.some((problem) => /Content Security Policy/.test(problem)), `${problems}`);
  },
);

pageTest("--read-only offers nothing that changes, and the server takes nothing", async () => {
  await using t = await tempStore({
    entries: ["A plan that stays", { text: "src/a.ts decides", type: "decision" }],
  });
  Deno.mkdirSync(`${t.workspace}/src`);
  Deno.writeTextFileSync(`${t.workspace}/src/a.ts`, "export const a = 1;\n");
  await t.ctx(["save", `The build used ghp_${"a1B2".repeat(9)} on Monday`]);
  await t.ctx(["suggest", "src/a.ts"]);
  const words = ["--read-only"];
  await using open = await openPage({
    workspace: t.workspace,
    words,
    at: "#/home?q=plan&id=H-H1",
  });
  const { page } = open;
  const pane = page.getByRole("complementary", { name: "Entry" });
  await pane.getByText("A plan that stays").waitFor();
  for (const name of ["Pin", "Correct", "Forget"]) {
    assert.equal(await pane.getByRole("button", { name }).count(), 0, name);
  }
  await page.keyboard.press("x");
  await page.keyboard.press("p");
  const changes = /^(Pin|Unpin|Correct|Forget|Rename|Undo|Still valid)$/;
  for (const { name } of viewList) {
    await goTo(page, `#/${name}`);
    await page.waitForLoadState("networkidle");
    const offered = await page.locator("main button").allTextContents();
    assert.deepEqual(offered.filter((text) => changes.test(text.trim())), [], name);
    assert.equal(await page.locator("[data-verdict]").count(), 0, name);
  }
  const status = await page.evaluate(async () => {
    const body = JSON.stringify({ ids: ["H-H1"], confirm: true });
    return (await fetch("api/forget", { method: "POST", body })).status;
  });
  assert.equal(status, 403);
  assert.match((await t.ctx(["get", "H-H1"])).stdout, /A plan that stays/);
});

pageTest("--session shows that session and nothing else, whatever is asked", async () => {
  const [own, other] = ["S-1m2few700s4d0k3nc", "S-1m2few700s4d0k3nd"];
  await using t = await tempStore({
    entries: [
      { text: "The plan of ours", session_id: own },
      { text: "The plan of others", session_id: other },
    ],
  });
  const words = ["--session", own];
  await using open = await openPage({ workspace: t.workspace, words, at: "#/home?q=plan" });
  const { page } = open;
  await page.getByText("1 result").waitFor();
  assert.equal(await page.getByText("The plan of others").count(), 0);
  for (const { name } of viewList) {
    await goTo(page, `#/${name}?id=H-H2&session=${other}`);
    await page.waitForLoadState("networkidle");
    assert.doesNotMatch(await page.content(), /plan of others/, name);
  }
  for (const { name } of viewList) {
    await goTo(page, `#/${name}?id=H-H1`);
    await page.waitForLoadState("networkidle");
    assert.equal(await page.getByRole("alert").count(), 0, name);
  }
  await page.getByRole("button", { name: "Pin", exact: true }).click();
  await page.getByRole("status").getByText("Pinned").waitFor();
  assertSound(open);
});

/** A browser that never saw the link. */
async function stranger(page: import("playwright-core").Page) {
  const context = await page.context().browser()?.newContext();
  assert.ok(context);
  return { page: await context.newPage(), [Symbol.asyncDispose]: () => context.close() };
}

pageTest("an answer that is none of ctx's is told as such, and the page goes on", async () => {
  await using t = await tempStore({ entries: ["One thing"] });
  await using open = await openPage({ workspace: t.workspace });
  const { page } = open;
  // Such as of a proxy, or of another ctx that a tab has outlived.
  const bodies: [status: number, body: string, told: RegExp][] = [
    [200, "[]", /Unexpected response from ctx \(200\)\s*reload the page/],
    [200, "null", /Unexpected response from ctx \(200\)/],
    [404, '{"error":"none"}', /Unexpected response from ctx \(404\)/],
    [404, '{"error":{"code":"X","message":"No such thing","hint":7}}', /\(404\)/],
    [404, '{"error":{"code":"X","message":"No such thing","hint":"try"}}', /No such thing\s*try/],
  ];
  for (const [status, body, told] of bodies) {
    await page.route(
      "**/api/sessions",
      (route) => route.fulfill({ status, body, contentType: "application/json" }),
    );
    await goTo(page, "#/sessions");
    await page.getByRole("alert").filter({ hasText: told }).first().waitFor();
    await page.unroute("**/api/sessions");
    await goTo(page, "#/home");
  }
  await goTo(page, "#/sessions");
  await page.getByRole("alert").first().waitFor({ state: "detached" });
  assertSound(open);
});
