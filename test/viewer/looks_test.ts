// How every view looks: nothing that keeps people from using it (axe-core, in light and dark, wide and
// on a phone), nothing wider than the screen. Leaves a picture of each under dist/pages/.

import assert from "node:assert/strict";
import { findBarriers } from "../support/servers/find_barriers.ts";
import { viewList } from "../../src/viewer/view_list.ts";
import { isFullLength } from "../support/full_length.ts";
import { goTo, openPage, pageTest } from "../support/servers/open_page.ts";
import { repository } from "../support/repository.ts";
import { shownProject } from "../support/shown_project.ts";
import type { TempStore } from "../support/stores/temp_store.ts";

const pictures = `${repository}/dist/pages`;
const session = "S-1m2few700s4d0k3nb";

/** Where a view has most to show; the view itself otherwise. */
const places: Record<string, string> = {
  sessions: `#/sessions?session=${session}`,
  source: "#/source?path=src/queue/retry.ts",
};

const looks: { name: string; view?: string; place: string }[] = [
  ...viewList.map(({ name }) => ({ name, place: places[name] ?? `#/${name}` })),
  { name: "search", view: "home", place: "#/home?q=token&explain=1" },
  { name: "replay", view: "sessions", place: `#/sessions?session=${session}&replay=1` },
  { name: "folder", view: "source", place: "#/source?folder=src/" },
  { name: "changes", view: "source", place: "#/source?tab=changes" },
  { name: "change", view: "source", place: "#/source?tab=changes&range=HEAD~5..HEAD" },
  { name: "found", view: "sessions", place: "#/sessions?q=webhok" },
  { name: "branch", view: "source", place: "#/source?tab=changes&range=main..label-codes" },
];

/** The last is a projector of 1920 at 125 %. */
for (const width of isFullLength ? [1280, 390, 1536] : [1280, 390]) {
  const schemes = isFullLength ? [false, true] : [width < 1000];
  const names = schemes.map((dark) => dark ? "dark" : "light").join(" and ");
  pageTest(`every view can be used by everyone at ${width} px, in ${names}`, async (t) => {
    await using store = await makeStore();
    Deno.mkdirSync(pictures, { recursive: true });
    for (const dark of schemes) {
      await using open = await openPage({ workspace: store.workspace, width, dark });
      const { page } = open;
      for (const { name, view = name, place } of looks) {
        await t.step(`${name}, ${dark ? "dark" : "light"}`, async () => {
          await goTo(page, place);
          await page.locator(`nav a[aria-current=page][href="#/${view}"]`)
            .waitFor({ state: "attached" });
          await page.waitForLoadState("networkidle");
          await page.waitForFunction(() =>
            document.querySelector("main [aria-busy=true], main .waiting") === null
          );
          const scheme = dark ? "dark" : "light";
          await page.screenshot({ path: `${pictures}/${name}-${width}-${scheme}.png` });
          assert.deepEqual(await findBarriers(page), []);
          // What main holds does not widen the page: it is cut off.
          const excess = await page.evaluate(() =>
            Math.max(
              ...[...document.querySelectorAll("html, main, main > *")]
                .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
            )
          );
          assert.ok(excess <= 0, `${excess} px wider than the screen`);
        });
      }
    }
  });
}

/** The project that pictures are taken of, with something to show in every view. */
async function makeStore(): Promise<TempStore> {
  const store = await shownProject();
  await store.ctx([
    "save",
    "The key is AKIAIOSFODNN7EXAMPLQ, rotate the token",
    "--type",
    "decision",
  ]);
  await store.ctx(["records", "--derive"]);
  await store.ctx(["search", "token rotation"]);
  return store;
}
