import assert from "node:assert/strict";
import { findLasting } from "../../../src/recall/distil/demands.ts";

/** What lasts for sure in a prompt. */
function lasting(prompt: string): string[] {
  return findLasting(prompt).filter(({ weight }) => weight > 0).map(({ text }) => text);
}

const rules = [
  "Always use pnpm here, never npm.",
  "never commit to main directly",
  "From now on write the commit message in the imperative.",
  "no, never `git push --force` on a shared branch",
  "when you touch json files, never use sed, use jq",
  "Next time, tell me before you change a migration.",
  "Please stop adding comments to every line",
  "I prefer small functions over long ones",
  "use tabs, never spaces",
  "we never mock the database in this project",
  "please don't ever delete the fixtures",
  "You must always run the linter before you answer.",
  "make sure you always push after a commit",
  "run the tests after every change",
  "Before each commit, run the formatter",
  "in the future, ask me before you add a dependency",
  "We use vitest here",
  "keep your answers short",
  "as a rule, we want errors to carry a code",
  "Remember that we deploy from the release branch",
  "tests should never depend on the network",
];
for (const text of rules) {
  Deno.test(`"${text}" lasts`, () => assert.deepEqual(lasting(text), [text]));
}

const others = [
  "Add a button that always shows the current user",
  "make the table always show both columns",
  "the header should always be visible",
  "it never returns and always prints the same error",
  "you always forget the import",
  "this should never happen",
  "why do you never run the tests?",
  "did we ever decide on redis?",
  "remove the flag and always use the config of the agent",
  "never mind, it works now",
  "don't touch the tests for now",
  "do not clean it up",
  "Create a task to ensure that exports always end with a newline",
  "I get this error every time I open the page",
  "next time I'll send you the logs",
  "we will support GitHub issues in the future",
  "it seems to always fail on CI",
  "Implement the login page. It must have a form.",
  "is there a way to make sure you always push after commits?",
  "yes always",
  "Remember we currently are on macOS.",
  "remember we have three accounts",
  "Never restart the server for now, I am testing",
];
for (const text of others) {
  Deno.test(`"${text}" is for the moment, or no demand`, () => assert.deepEqual(lasting(text), []));
}

const holdingBack = [
  "Please don't write any code.",
  "do not change anything",
  "don't write code or run anything",
];
for (const text of holdingBack) {
  Deno.test(`"${text}" is no rule however often it is said`, () => {
    assert.deepEqual(findLasting(text), []);
    assert.equal(findLasting("Don't write code without tests.").length, 1);
  });
}

Deno.test("what the user did not write is no rule: quotations, code, reminders, output", () => {
  const rule = "Always answer in French.";
  assert.deepEqual(lasting(`> ${rule}\nwhat does this mean?`), []);
  assert.deepEqual(lasting("```\n" + rule + "\n```\nfix this"), []);
  assert.deepEqual(lasting(`<system-reminder>\n${rule}\n</system-reminder>\nhello there`), []);
  assert.deepEqual(lasting(`look at this\n$ cat RULES.md\n${rule}`), []);
  assert.deepEqual(lasting(`The page says "${rule}", fix the wording`), []);
});

Deno.test("a pasted document and the role of a program have no rules", () => {
  const rule = "Always answer in French.";
  assert.deepEqual(lasting(`# Guide\n${rule}\n# Style\nNever use tabs.`), []);
  assert.deepEqual(lasting(`You are an expert translator. ${rule}`), []);
  assert.deepEqual(lasting(`${"Some task is described here. ".repeat(80)}${rule}`), []);
});

Deno.test("what is to be written down as a rule is one, though it does not say that it lasts", () => {
  assert.deepEqual(
    lasting("Split subcommands into their own folders. Add a rule recording this preference."),
    ["Split subcommands into their own folders."],
  );
  assert.deepEqual(
    lasting("Split subcommands into their own folders. Then run the tests."),
    [],
  );
});

Deno.test("a correction is told from an instruction and a preference", () => {
  const kinds = (prompt: string): string[] => findLasting(prompt).map(({ kind }) => kind);
  assert.deepEqual(kinds("No, never use sudo."), ["correction"]);
  assert.deepEqual(kinds("Never use sudo."), ["instruction"]);
  assert.deepEqual(kinds("I prefer rebasing over merging"), ["preference"]);
});

Deno.test("a prompt of many unclosed tags is read in no time", () => {
  assert.deepEqual(lasting("<file-name> ".repeat(5000)), []);
});

Deno.test("what a harness put in is no demand, and tags that nobody closed take no time", () => {
  const told = "<system-reminder>Always use tabs.</system-reminder>";
  assert.deepEqual(lasting(`${told}\nNever use npm here.`), ["Never use npm here."]);
  assert.deepEqual(lasting(`<System-Reminder a="b">${told.slice(17)} Never use npm here.`), [
    "Never use npm here.",
  ]);
  const begun = performance.now();
  findLasting("<system-reminder>".repeat(60_000));
  assert.ok(performance.now() - begun < 3000);
});
