// `search --all-projects`: every workspace on the user's list, which init, import and setup keep; never
// for a server, which is held to its own.

import assert from "node:assert/strict";
import { connectMcp } from "../../support/processes/mcp_client.ts";
import { Projects } from "../../support/projects.ts";
import { hasTmux, Pty } from "../../support/processes/pty.ts";
import { ctxCommand } from "../../support/processes/run_ctx.ts";
import { notOnWindows } from "../../support/not_on_windows.ts";

const getFirst = ctxCommand("get", "@1").map((word) => `"${word}"`).join(" ");

Deno.test("--all-projects finds the rows of every project, names it, and says how to read on", async () => {
  using p = new Projects();
  const shop = await p.make("shop", "We rotate refresh tokens weekly in the shop");
  const blog = await p.make("the blog", "The blog keeps refresh tokens for a day");
  const own = await p.find(shop, "refresh tokens");
  assert.deepEqual(own.results.map(({ workspace }) => workspace), [undefined]);
  const all = await p.find(shop, "refresh tokens", "--all-projects");
  assert.deepEqual(all.results.map(({ workspace }) => workspace).sort(), [shop, blog].sort());
  assert.equal(all.total, 2);
  const there = all.results.find(({ workspace }) => workspace === blog);
  assert.equal(there?.expand.get, `get ${there?.id} --workspace '${blog}'`);
  const here = all.results.find(({ workspace }) => workspace === shop);
  assert.equal(here?.expand.get, `get ${here?.id}`);
  const text = await p.ctx(shop, "search", "refresh tokens", "--all-projects", "--facets", "type");
  assert.match(text.stdout, /\/the blog$/m);
  const got = await p.ctx(shop, "get", there?.id ?? "", "--workspace", blog);
  assert.match(got.stdout, /The blog keeps refresh tokens for a day/);
});

Deno.test("on a pipe rows of several projects are rows too, with their project behind", async () => {
  using p = new Projects();
  const shop = await p.make("shop", "We rotate refresh tokens weekly in the shop");
  const blog = await p.make("the blog", "The blog keeps refresh tokens for a day");
  const { stdout } = await p.ctx(shop, "search", "refresh tokens", "--all-projects");
  const rows = stdout.trimEnd().split("\n").map((line) => line.split("\t"));
  assert.deepEqual(rows.map((row) => row[7]).sort(), [shop, blog].sort());
  assert.ok(rows.every(([id]) => /^H-\w{17}$/.test(id)), stdout);
  const own = await p.ctx(shop, "search", "refresh tokens");
  assert.equal(own.stdout.split("\t").length, 7);
});

Deno.test(
  "on a terminal every project is searched from outside of all of them, and @1 says where a row is",
  {
    ignore: !hasTmux(),
  },
  async () => {
    using p = new Projects();
    const shop = await p.make("shop", "Nothing of that kind");
    const blog = await p.make("the blog", "The blog keeps refresh tokens for a day");
    const env = { HOME: p.home };
    const words = ["search", "refresh tokens", "--all-projects"];
    await using outside = await Pty.start(words, { cwd: p.root, env });
    assert.match(await outside.until(/exit \d+/), /keeps refresh tokens[^]*the blog[^]*exit 0/);
    await using inside = await Pty.start(words, { cwd: shop, env, around: `%; ${getFirst}` });
    const screen = await inside.until(/exit \d+/);
    assert.ok(screen.includes(`Cannot use "@1" here: it is an entry of "${blog}"`), screen);
    assert.match(screen, /hint: ctx get H-\w{17} --workspace '.*the blog'/);
  },
);

Deno.test("the order is the same from every project, and from outside of all of them", async () => {
  using p = new Projects();
  const places = [
    await p.make("a", "token budget of retries", "nothing of it", "token alone"),
    await p.make("b", "a budget for retries and each token", "one more token"),
    p.root,
  ];
  const orders: string[][] = [];
  for (const place of places) {
    const { results } = await p.find(place, "token budget retries", "--all-projects");
    orders.push(results.map(({ id, score_final }) => `${id} ${score_final}`));
  }
  assert.ok(orders[0].length > 2);
  assert.deepEqual(orders, orders.map(() => orders[0]));
  const paged = await p.find(p.root, "token budget retries", "--all-projects", "--offset", "1");
  assert.deepEqual(
    paged.results.map(({ id }) => id),
    orders[0].slice(1).map((row) => row.split(" ")[0]),
  );
});

Deno.test("a project that is gone is said once and taken off the list; one that said no is not searched", async () => {
  using p = new Projects();
  const shop = await p.make("shop", "We rotate tokens");
  const gone = await p.make("gone", "Tokens of old");
  const quiet = await p.make("quiet", "Tokens of nobody's business");
  Deno.mkdirSync(`${p.root}/secret`);
  await p.ctx(`${p.root}/secret`, "init", "--no-register");
  await p.ctx(`${p.root}/secret`, "save", "Secret tokens");
  assert.doesNotMatch(Deno.readTextFileSync(p.list), /secret/);
  Deno.removeSync(gone, { recursive: true });
  await p.ctx(quiet, "config", "set", "registry", "false");
  const first = await p.find(shop, "tokens", "--all-projects");
  assert.deepEqual(first.results.map(({ workspace }) => workspace), [shop]);
  assert.deepEqual(first.retrieval.notes, [
    `${gone} no longer has a store: removed from your projects`,
  ]);
  assert.deepEqual((await p.find(shop, "tokens", "--all-projects")).retrieval.notes, []);
  await p.make("gone", "Tokens again");
  assert.equal((await p.find(shop, "tokens", "--all-projects")).total, 2);
});

Deno.test("a damaged project is left out and said, the others are searched", {
  ignore: notOnWindows("links need a privilege"),
}, async () => {
  using p = new Projects();
  const shop = await p.make("shop", "We rotate tokens");
  const linked = await p.make("linked", "Tokens elsewhere");
  Deno.renameSync(`${linked}/.contextfs`, `${p.root}/moved`);
  Deno.symlinkSync(`${p.root}/moved`, `${linked}/.contextfs`);
  const { results, retrieval } = await p.find(shop, "tokens", "--all-projects");
  assert.deepEqual(results.map(({ workspace }) => workspace), [shop]);
  assert.match(retrieval.notes[0], /linked was skipped: .*link/);
});

Deno.test("a word that one project has is corrected in none, and one that none has in all", async () => {
  using p = new Projects();
  const texts = [1, 2, 3].map((i) => `The playwright browser test number ${i} is flaky`);
  const shop = await p.make("shop", "Nothing of that kind here");
  await p.make("blog", ...texts);
  for (const words of [["--all-projects"], ["--all-projects", "--scope", "history"]]) {
    const found = await p.find(shop, "playwrihgt", ...words);
    assert.deepEqual(found.retrieval.corrected, { playwrihgt: "playwright" });
    assert.equal(found.total, 3);
  }
});

Deno.test("sessions and ls list every project: newest first, each row names its own", async () => {
  using p = new Projects();
  const shop = await p.make("shop");
  const blog = await p.make("blog");
  for (const [cwd, text] of [[shop, "first"], [blog, "second"], [shop, "third"]]) {
    await p.ctx(cwd, "save", text, "--session", `S-${text}`);
  }
  const listed = await p.ctx(shop, "sessions", "--all-projects");
  const cells = listed.stdout.trim().split("\n").map((line) => line.split("\t"));
  assert.deepEqual(cells.map((row) => [row[0], row.at(-1)]), [
    ["S-third", shop],
    ["S-second", blog],
    ["S-first", shop],
  ]);
  const alone = await p.ctx(shop, "sessions");
  assert.doesNotMatch(alone.stdout, /second|\/shop$/m);
  const newest = await p.ctx(shop, "ls", "--all-projects", "--limit", "2", "--json");
  const { entries, sessions, newest: rows } = JSON.parse(newest.stdout);
  assert.deepEqual([entries, sessions], [3, 3]);
  assert.deepEqual(
    rows.map((row: { summary: string; workspace: string }) => [row.summary, row.workspace]),
    [["third", shop], ["second", blog]],
  );
  const gone = await p.ctx(shop, "sessions", "--all-projects", "--branch", "mian");
  assert.match(gone.stderr, /no session has branch "mian"/);
  const typed = await p.ctx(shop, "export", "--type", "decison");
  assert.match(typed.stderr, /no entry has type "decison"/);
});

Deno.test("a time from which no project has anything is said, with the nearest days", async () => {
  using p = new Projects();
  const shop = await p.make("shop", "We rotate tokens");
  await p.make("blog", "Tokens of the blog");
  const today = new Date().toISOString().slice(0, 4);
  for (const words of [[], ["--all-projects"]]) {
    const { notes } = (await p.find(shop, "tokens on 2001-05-07", ...words)).retrieval;
    assert.match(notes.join(), new RegExp(`^no results from 2001-05-07; nearest: ${today}-..-..$`));
    assert.deepEqual((await p.find(shop, "tokens of today", ...words)).retrieval.notes, []);
  }
});

Deno.test("a server refuses other projects, and does not offer them", async () => {
  using p = new Projects();
  const shop = await p.make("shop", "We rotate tokens");
  await p.make("blog", "Tokens of the blog");
  await using mcp = await connectMcp(shop, { env: { HOME: p.home } });
  const { tools } = await mcp.client.listTools();
  assert.doesNotMatch(JSON.stringify(tools), /all_projects/);
  for (const name of ["all_projects", "allProjects", "all-projects"]) {
    const refused = await mcp.call("search", { query: "tokens", [name]: true });
    assert.match(refused.text, /^DENIED: Cannot search other projects here/);
    assert.doesNotMatch(refused.text, /blog/);
  }
});
