// Search in the browser: by typing and by keys alone.

import assert from "node:assert/strict";
import type { Page, Request } from "playwright-core";
import { until } from "../support/processes/start_server.ts";
import { assertSound, goTo, openPage, pageTest } from "../support/servers/open_page.ts";
import { tempStore } from "../support/stores/temp_store.ts";

const entries = [
  { text: "We rotate refresh tokens on every use", type: "decision", title: "Token rotation" },
  { text: "Backoff of retries doubles up to a minute", type: "note" },
  ...Array.from({ length: 30 }, (_, i) => ({ text: `The token number ${i} was printed` })),
];

pageTest(
  "typing shows rows with their matches; keys open one, explain it and close it",
  async () => {
    await using t = await tempStore({ entries });
    await using open = await openPage({ workspace: t.workspace });
    const { page } = open;
    await page.keyboard.press("/");
    await page.keyboard.type("rotate tokens");
    await page.locator('ol[data-for="rotate tokens"]').waitFor();
    const first = page.locator(".rows [data-row]").first();
    await first.getByText("Token rotation").waitFor();
    assert.deepEqual(await first.locator(".snippet mark").allTextContents(), ["rotate", "tokens"]);
    assert.equal(
      await page.getByRole("searchbox").inputValue(),
      "rotate tokens",
      "no letter is lost",
    );
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    const pane = page.getByRole("complementary", { name: "Entry" });
    await pane.getByText("We rotate refresh tokens on every use").waitFor();
    await page.keyboard.press("e");
    await page.locator(".score-steps").first().getByText("words").waitFor();
    await page.keyboard.press("Escape");
    await pane.waitFor({ state: "detached" });
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    assert.equal(await first.evaluate((row) => row === document.activeElement), true);
    assert.equal(
      await page.locator(".shell-line code").textContent(),
      "ctx search 'rotate tokens' --explain",
    );
    assertSound(open);
  },
);

pageTest("y copies the command for what is shown", async () => {
  await using t = await tempStore({ entries });
  await using open = await openPage({ workspace: t.workspace, at: "#/home?q=rotate" });
  const { page } = open;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByText("1 result").waitFor();
  await page.keyboard.press("y");
  await page.getByRole("status").getByText("Command copied").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "ctx search rotate");
});

pageTest("facets narrow, pages turn, and back goes back", async () => {
  await using t = await tempStore({ entries });
  await using open = await openPage({ workspace: t.workspace, at: "#/home?q=token" });
  const { page } = open;
  await page.getByText("31 results").waitFor();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("21 to 31").waitFor();
  await page.goBack();
  await page.getByText("1 to 20").waitFor();
  await page.getByText("Filter", { exact: true }).click();
  await page.getByRole("button", { name: /^decision/ }).click();
  await page.getByText("1 result").waitFor();
  assert.match(await page.locator(".shell-line code").textContent() ?? "", /--type decision/);
  assertSound(open);
});

pageTest(
  "an entry is pinned, corrected, forgotten and brought back, each time by a key",
  async () => {
    await using t = await tempStore({ entries });
    await using open = await openPage({ workspace: t.workspace, at: "#/home?q=backoff" });
    const { page } = open;
    await page.locator("[data-row]").first().click();
    const pane = page.getByRole("complementary", { name: "Entry" });
    await pane.getByText("Backoff of retries").waitFor();
    await page.keyboard.press("p");
    await pane.getByRole("button", { name: "Unpin" }).waitFor();
    assert.match((await t.ctx(["pins"])).stdout, /Backoff of retries/);
    await page.keyboard.press("c");
    await page.getByRole("textbox", { name: "Text" }).fill("Backoff of retries stays a minute");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").getByText("Corrected").waitFor();
    await page.keyboard.press("x");
    await page.getByRole("dialog", { name: "Confirm" }).getByRole("button", { name: "No" }).click();
    await pane.getByText("Backoff of retries").waitFor();
    await page.keyboard.press("x");
    await page.getByRole("dialog", { name: "Confirm" }).getByRole("button", { name: "Yes" })
      .click();
    await page.getByRole("status").getByText("Forgotten").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("status").getByText("Undone").waitFor();
    assert.match((await t.ctx(["get", "H-H2"])).stdout, /doubles up to a minute/);
    assertSound(open);
  },
);

pageTest("what others save appears by itself", async () => {
  await using t = await tempStore({ entries });
  await using open = await openPage({ workspace: t.workspace, at: "#/home?q=marzipan" });
  await open.page.getByText("No results").waitFor();
  await t.ctx(["save", "The marzipan build is broken on Fridays"]);
  await open.page.getByText("1 result").waitFor();
  assertSound(open);
});

pageTest("searches made elsewhere do not make the page search again", async () => {
  await using t = await tempStore({ entries });
  await using open = await openPage({ workspace: t.workspace });
  const { page } = open;
  const asked: (string | undefined)[] = [];
  page.on("request", (request) => isSearch(request) && asked.push(queryOf(request)));
  const changes = await hearChanges(page);
  await goTo(page, "#/home?q=rotate");
  await page.getByText("1 result").waitFor();
  // When the page hears of the second search, it has long acted on the first.
  await until(async () => {
    await t.ctx(["search", "minute"]);
    return changes.filter((kinds) => kinds.join() === "traces").length >= 2;
  });
  await goTo(page, "#/home?q=backoff");
  await page.locator('ol[data-for="backoff"]').waitFor();
  assert.deepEqual(asked, ["rotate", "backoff"]);
  assertSound(open);
});

pageTest(
  "a slow answer to an earlier search does not replace the results of the next",
  async () => {
    await using t = await tempStore({ entries });
    await using open = await openPage({ workspace: t.workspace });
    const { page } = open;
    const sent = Promise.withResolvers<void>();
    const shown = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<string>();
    const isEarlier = (request: Request): boolean =>
      isSearch(request) && queryOf(request) === "rotate";
    page.on("requestfinished", (request) => isEarlier(request) && ended.resolve("answered"));
    page.on("requestfailed", (request) => isEarlier(request) && ended.resolve("canceled"));
    await page.route(isSearchUrl, async (route) => {
      if (isEarlier(route.request())) {
        sent.resolve();
        await shown.promise;
      }
      // A request that the page has canceled cannot go on.
      await route.continue().catch(() => {});
    });
    await goTo(page, "#/home?q=rotate");
    await sent.promise;
    await goTo(page, "#/home?q=backoff");
    const snippets = page.locator(".rows .snippet");
    await snippets.getByText("Backoff of retries").waitFor();
    shown.resolve();
    assert.equal(await ended.promise, "canceled");
    assert.deepEqual(await snippets.allTextContents(), [
      "Backoff of retries doubles up to a minute",
    ]);
    assertSound(open);
  },
);

function isSearchUrl({ pathname }: URL): boolean {
  return pathname.endsWith("/api/search");
}

function isSearch(request: Request): boolean {
  return isSearchUrl(new URL(request.url()));
}

function queryOf(request: Request): string | undefined {
  return request.postDataJSON()?.query;
}

/** What has changed in the store, event by event, as the page hears it from now on. */
async function hearChanges(page: Page): Promise<string[][]> {
  const changes: string[][] = [];
  const session = await page.context().newCDPSession(page);
  session.on("Network.eventSourceMessageReceived", ({ data }) => {
    changes.push(JSON.parse(data).changed);
  });
  await session.send("Network.enable");
  return changes;
}
