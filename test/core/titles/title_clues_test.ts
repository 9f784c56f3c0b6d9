// What a session is called, where nobody gave it a title.

import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import {
  addClue,
  firstLineOf,
  isGoodTitle,
  type TitleClues,
  titleFrom,
} from "../../../src/core/titles/title_clues.ts";

type Row = Partial<Entry> & { text: string };

const at = "2026-03-01T10:00:00.000Z";
const say = (text: string, more: Partial<Entry> = {}): Row => ({ text, ...more });
const call = (command: string, id = "c1"): Row => ({
  role: "assistant",
  type: "tool_call",
  text: `Bash: ${command}`,
  tool: { name: "Bash", input: { command }, effect: "run", call_id: id },
});
const output = (text: string, id = "c1"): Row => ({
  role: "tool",
  type: "tool_output",
  text,
  tool: { name: "Bash", call_id: id },
});

function cluesOf(rows: readonly Row[]): TitleClues {
  const clues: TitleClues = {};
  rows.forEach((row, i) =>
    addClue(clues, { role: "user", type: "turn", id: `H-${i}`, ts: at, ...row })
  );
  return clues;
}

const titleOf = (...rows: Row[]): string => titleFrom(cluesOf(rows));

Deno.test("a session is called by the first words that name a subject, without what only asks", () => {
  assert.equal(
    titleOf(say("Rotate the API tokens every week")),
    "Rotate the API tokens every week",
  );
  assert.equal(
    titleOf(say("hey, can you please rotate the API tokens every week?")),
    "Rotate the API tokens every week?",
  );
  assert.equal(
    titleOf(say("Given the sessions expire now, I'd like to rotate the API tokens weekly")),
    "Rotate the API tokens weekly",
  );
  assert.equal(
    titleOf(say("Thanks!"), say("fix this"), say("the checkout page flickers on Safari")),
    "the checkout page flickers on Safari",
  );
  assert.equal(
    titleOf(say("Hi there.\nThe invoice total ignores discounts. Why?")),
    "The invoice total ignores discounts. Why?",
  );
});

Deno.test("a language without spaces names a subject too", () => {
  assert.equal(
    titleOf(say("ログインの期限を直す"), say("then rotate the tokens weekly")),
    "ログインの期限を直す",
  );
});

Deno.test("commands, notices and pasted text name nothing", () => {
  const asked = say("Sort invoices by due date");
  for (
    const before of [
      "/model",
      "/clear",
      "! git pull",
      "<command-name>/init</command-name>",
      "<system-reminder>\nInvoices are sorted weekly\n</system-reminder>",
      "[Request interrupted by user]",
      "```\ninvoice parser crashed badly\n```",
      "hello",
    ]
  ) assert.equal(titleOf(say(before), asked), "Sort invoices by due date", before);
  assert.equal(titleOf(say("/model")), "");
  assert.equal(titleOf(say("fix this")), "fix this");
});

Deno.test("a plan names its session by its heading", () => {
  const plan = (text: string): Row => say(`Implement the following plan:\n\n${text}`);
  assert.equal(
    titleOf(
      plan("# Plan: Status line in the terminal\n\n## Context\n\nIt is missing."),
      say("commit this"),
    ),
    "Status line in the terminal",
  );
  // A heading that fits any plan is passed over.
  assert.equal(
    titleOf(plan("# Implementation Plan\n\n## Context\n\nThe webhook retries forever.")),
    "The webhook retries forever.",
  );
  assert.equal(
    titleOf(say("Make webhook retries configurable"), plan("# Other\n\ntext")),
    "Make webhook retries configurable",
  );
});

Deno.test("what names little is told with its pull request, its commit or its branch", () => {
  const view = [
    call("gh pr view 12 --json title,body"),
    output('{"body":"x","title":"Cache \\"warm\\" thumbnails"}'),
  ];
  assert.equal(titleOf(say("/review 12"), ...view), 'PR #12: Cache "warm" thumbnails');
  assert.equal(titleOf(say("can you review pr 12?"), ...view), 'PR #12: Cache "warm" thumbnails');
  const link = say("https://example.com/acme/shop/pull/12 please review");
  assert.equal(titleOf(link, ...view), 'PR #12: Cache "warm" thumbnails');
  assert.equal(
    titleOf(
      say("look at issue 7"),
      call("gh issue view 7"),
      output("title:\tCrash on empty carts\nstate:\tOPEN"),
    ),
    "Issue #7: Crash on empty carts",
  );
  assert.equal(
    titleOf(
      say("the nightly tests fail, debug"),
      call("git commit -m x"),
      output("[main 1a2b3c4] Pin the clock in cart tests"),
    ),
    "the nightly tests fail, debug · Pin the clock in cart tests",
  );
  assert.equal(
    titleOf(say("review this branch", { branch: "ana/faster-thumbnail-cache" })),
    "faster thumbnail cache",
  );
  assert.equal(
    titleOf(say("push it"), call('gh pr create --title "Warm the thumbnail cache" --body x')),
    "Warm the thumbnail cache",
  );
});

Deno.test("a pull request that is looked up later is not what a session is about", () => {
  const rows = [
    say("hi"),
    say("Sort invoices by due date"),
    call("gh pr view 9"),
    output("title:\tWarm caches"),
  ];
  assert.equal(titleOf(...rows), "Sort invoices by due date");
});

Deno.test("a commit that says the same adds nothing, one that says more follows", () => {
  const asked = say("Sort invoices by due date");
  assert.equal(
    titleOf(asked, call("git commit -m x"), output("[main 1a2b3c4] Sort invoices by due date")),
    "Sort invoices by due date",
  );
  assert.equal(
    titleOf(asked, call("git commit -m x"), output("[main 1a2b3c4] Add index on billing columns")),
    "Sort invoices by due date · Add index on billing columns",
  );
  // What looks like a commit in another output may be anybody's.
  assert.equal(
    titleOf(asked, call("cat README.md"), output("[main 1a2b3c4] Add index on billing columns")),
    "Sort invoices by due date",
  );
});

Deno.test("a plan that the agent showed first says what a session is about", () => {
  const show = (plan: string): Row => ({
    role: "assistant",
    type: "tool_call",
    text: "ExitPlanMode",
    tool: { name: "ExitPlanMode", input: { plan }, call_id: "p1" },
  });
  const asked = say("do we lose hooks of others in the settings?");
  const plan = "# Plan: Preserve unknown hook types\n\n## Problem";
  assert.equal(titleOf(asked, show(plan)), "Preserve unknown hook types");
  assert.equal(
    titleOf(say("the settings lose what others wrote"), show(plan)),
    "the settings lose what others wrote · Preserve unknown hook types",
  );
  const more = ["push", "and the docs", "thanks"].map((text) => say(text));
  assert.equal(titleOf(asked, ...more, show(plan)), "do we lose hooks of others in the settings?");
});

Deno.test("what names a subject later stands for a first prompt that names none, with the branch it points to", () => {
  assert.equal(
    titleOf(
      say("review the changes in this branch", { branch: "ana/faster-thumbnail-cache" }),
      say("Draw a diagram of upload scenarios"),
    ),
    "Draw a diagram of upload scenarios · faster thumbnail cache",
  );
});

Deno.test("a sub-agent's session is called by what it was given", () => {
  const given = say("Find every caller of the thumbnail cache", { sidechain: true });
  assert.equal(titleOf(given), "Find every caller of the thumbnail cache");
});

Deno.test("titles and first lines are short, and secrets go before anything is cut", () => {
  const clues: TitleClues = {};
  const text = `Rotate ${"x".repeat(200)} secret`;
  const entry = { role: "user", type: "turn", id: "H-1", ts: at, text } as const;
  addClue(clues, entry, (said) => said.replace(/x{200}/, "[gone]"));
  assert.equal(titleFrom(clues), "Rotate [gone] secret");
  const long = cluesOf([say("invoice discount rounding ".repeat(40))]);
  assert.ok(titleFrom(long).length <= 120 && firstLineOf(long).length <= 120);
});

Deno.test("an agent's title is good if it says something", () => {
  const titles = [
    "Rotate tokens",
    "/review",
    "Implement the following plan: # A",
    "Fix this",
    "New chat",
    "New login page",
    "",
  ];
  assert.deepEqual(titles.map(isGoodTitle), [true, false, false, false, false, true, false]);
});

Deno.test("what the client wrote is no title, not even where nothing else is known", () => {
  for (
    const text of [
      "This session is being continued from a previous conversation that ran out of context.",
      "Stop hook feedback:\nThe tests of the importer are red",
      "Implement the plan as specified, it is attached for your reference.",
      "Your task is to create a detailed summary of the conversation so far",
      "/model opus",
    ]
  ) assert.equal(titleOf(say(text)).replace("opus", ""), "", text);
});

Deno.test("chatter in German and French does not hide what a session is about", () => {
  assert.equal(
    titleOf(
      say("Hallo, kannst du bitte mal schauen?"),
      say("Die Rechnung ignoriert Rabatte und Gutscheine"),
    ),
    "Die Rechnung ignoriert Rabatte und Gutscheine",
  );
  assert.equal(
    titleOf(say("Bonjour, merci !"), say("La facture ignore remises, coupons")),
    "La facture ignore remises, coupons",
  );
});

Deno.test("a plan that Codex hands on is called by its heading, a pasted document by what it is about", () => {
  assert.equal(
    titleOf(say("PLEASE IMPLEMENT THIS PLAN:\n# Plan: Rotate the tokens\n\nfoo")),
    "Rotate the tokens",
  );
  assert.equal(
    titleOf(say("# Ziel\n\nRechnungen sollen Rabatte einzeln ausweisen.\n\n# Umfang\n\nNur PDF.")),
    "Rechnungen sollen Rabatte einzeln ausweisen.",
  );
});

Deno.test("an edited prompt takes back what it said before", () => {
  assert.equal(
    titleOf(
      say("Rotate the API tokens every week", { index: 1 }),
      say("commit it", { index: 3 }),
      say("Expire the upload links every hour", { index: 1, supersedes: "H-0" }),
    ),
    "Expire the upload links every hour",
  );
});

Deno.test("only what looks an issue up cites it, and only by the head of what is printed", () => {
  const tool = (name: string): Row => ({
    role: "assistant",
    type: "tool_call",
    text: name,
    tool: { name, input: { issue_number: 3 }, call_id: "c1" },
  });
  const found = output('{"title":"Thumbnails are never evicted"}');
  assert.equal(
    titleOf(say("/fix 3"), tool("mcp__github__get_issue"), found),
    "Issue #3: Thumbnails are never evicted",
  );
  for (const name of ["mcp__github__create_issue", "mcp__github__update_issue"]) {
    assert.equal(cluesOf([say("/fix 3"), tool(name), found]).cited, undefined, name);
  }
  const body = output("author:\tbo\n--\ntitle:\tNot the title of it");
  assert.equal(cluesOf([say("/fix 3"), call("gh pr view 3"), body]).cited, undefined);
});

Deno.test("a look at something that led to a new file is called by both, unless something was committed", () => {
  const write = (file: string): Row => ({
    role: "assistant",
    type: "tool_call",
    text: `Write: ${file}`,
    files: [file],
    tool: { name: "Write", effect: "edit", input: { file_path: file }, call_id: "w1" },
  });
  const ask = say("Review NOTES.md for me and validate the assumptions about invoices");
  const file = write("src/billing/discount_rules_test.ts");
  const asked = "Review NOTES.md for me and validate the assumptions about invoices";
  assert.equal(titleOf(ask, file), `${asked} · billing/discount_rules_test.ts`);
  assert.equal(titleOf(ask, write("/tmp/notes/discount_rules.ts")), asked);
  const work = say("Rotate the API tokens every week");
  assert.equal(titleOf(work, file), "Rotate the API tokens every week");
  const done = [call('git commit -m "Round discounts"'), output("[main 1a2b3c4] Round discounts")];
  assert.equal(titleOf(ask, file, ...done), `${asked} · Round discounts`);
});
