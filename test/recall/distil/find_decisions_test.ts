import assert from "node:assert/strict";
import { distilSession, type RecordDraft } from "../../../src/recall/distil/distil_session.ts";
import { isObject } from "../../../src/core/json.ts";
import { recordOf } from "../../../src/core/rows/record.ts";
import { packLine, withTitle } from "../../../src/recall/pack/pack_line.ts";
import { madeSession, type Step } from "../../support/stores/made_session.ts";

/** The decisions of a session. */
function decide(steps: readonly Step[]): RecordDraft[] {
  return distilSession("S-made", madeSession(steps)).filter(({ type }) => type === "decision");
}

const offer: Step[] = [
  { user: "How should the label printer be reached from the packing table?" },
  {
    agent: "## Options\n\n1. **Serial line** with a driver of our own\n" +
      "2. **Print server** in the office network, shared by all tables\n3. **Cloud service**\n\n" +
      "| Option | Cost |\n|---|---|\n| A | two days of work on the driver |\n| B | a licence a year |",
  },
];

for (
  const [reply, expected] of [
    ["2", ["2. **Print server** in the office network, shared by all tables"]],
    ["okay, let's do 2", ["2. **Print server** in the office network, shared by all tables"]],
    ["I like option 2", ["2. **Print server** in the office network, shared by all tables"]],
    ["Option B", ["B: a licence a year"]],
    ["let's do 1 and 3", [
      "1. **Serial line** with a driver of our own\n3. **Cloud service**",
    ]],
    ["I like option 7", []],
    ["yes, let's do that", []],
  ] satisfies [string, string[]][]
) {
  Deno.test(`the reply "${reply}" ${expected.length > 0 ? "has an object" : "is no decision"}`, () => {
    const found = decide([...offer, { user: reply }, { agent: "That is what the table gets." }]);
    assert.deepEqual(found.map(({ text }) => text), expected);
  });
}

Deno.test("a question typed without its mark chooses nothing", () => {
  const choose = (reply: string): unknown[] =>
    decide([...offer, { user: reply }, { agent: "That is what the table gets." }])
      .map((row) => recordOf(row)?.grade);
  const choice = "we use a print server instead of the serial line";
  assert.deepEqual(choose(`For the label printer ${choice}`), ["derived"]);
  assert.deepEqual(choose(`How much work is it for the tables if ${choice}`), []);
  assert.deepEqual(choose(`Which tables are slower when ${choice}`), []);
});

Deno.test("an assent takes the proposal of the answer before, where it was carried out", () => {
  const proposed: Step[] = [
    { user: "The label printer loses jobs" },
    {
      agent: "The queue is kept in memory, so a restart loses it. " +
        "Want me to keep the queue of the label printer in SQLite?",
    },
    { user: "yes, please do that" },
  ];
  const done: Step[] = [{ edit: "src/queue.ts" }, { agent: "The queue is kept in a file now." }];
  const [made] = decide([...proposed, ...done]);
  assert.equal(made.text, "Keep the queue of the label printer in SQLite.");
  assert.deepEqual(made.refs.slice(0, 2), ["S-made-3", "S-made-2"]);
  assert.equal(recordOf(made)?.grade, "candidate");
  assert.deepEqual(decide([...proposed, { agent: "Tell me first which version you have." }]), []);
});

/** A question that the agent asks with a tool, and its answer. */
function ask(
  answer: string,
  name = "AskUserQuestion",
  question = "Where should the queue of the label printer be kept?",
  reason = "Survives a restart of the table",
): Step[] {
  const input = {
    questions: [{
      question,
      header: "Print queue",
      options: [
        { label: "SQLite (Recommended)", description: reason },
        { label: "Memory", description: "Nothing to set up" },
        { label: "You decide", description: "Whatever fits the table best" },
        { label: "Yes, in SQLite", description: "As it was proposed" },
        { label: "Looks good", description: "The queue is kept as shown" },
      ],
    }],
  };
  return [
    {
      row: {
        type: "tool_call",
        text: name,
        tool: { name, input, call_id: `q${question.length}` },
      },
    },
    {
      row: {
        role: "tool",
        type: "tool_output",
        text: `User has answered your questions: "${question}"="${answer}". You can now continue.`,
        tool: { name, call_id: `q${question.length}` },
      },
    },
  ];
}

Deno.test("a question is cut for its answer, and has no prompt in front of it", () => {
  const line = (question: string): string => {
    const [{ title, text }] = decide([
      { user: "The most private label printer is obviously one without a network" },
      ...ask("SQLite (Recommended)", undefined, question),
      { edit: "src/queue.ts" },
    ]);
    return packLine(withTitle(title, text), 240).text;
  };
  const chosen = "Chosen: SQLite. Survives a restart of the table";
  const told = "In the old table a queue was a list of jobs, each with its label and its time. ";
  const asked = "Which store comes nearest to what the office wants to have?";
  assert.equal(line(told.repeat(3) + asked), `${asked} ${chosen}`);
  const long = `Which store ${"of the many stores ".repeat(20)}is it?`;
  assert.match(line(long), new RegExp(`^Which store .*… ${chosen}$`));
  assert.equal(line("So, which one?"), `Print queue: So, which one? ${chosen}`);
});

Deno.test("a long question first loses what stands in brackets, and is told then", () => {
  const [{ title, record }] = decide([
    { user: "The label printer loses jobs" },
    ...ask(
      "SQLite (Recommended)",
      undefined,
      `Where should the queue of the printer (${"the old one, ".repeat(12)}or not) be kept?`,
    ),
    { edit: "src/queue.ts" },
  ]);
  assert.equal(title, "Where should the queue of the printer be kept?");
  assert.ok(isObject(record) && record.grade === "derived");
});

Deno.test("an answer that would be cut is not told", () => {
  const grades = (reason: string) =>
    decide([
      { user: "The label printer loses jobs" },
      ...ask("SQLite (Recommended)", undefined, undefined, reason),
      { edit: "src/queue.ts" },
    ]).map((row) => recordOf(row)?.grade);
  assert.deepEqual(grades("Survives a restart."), ["derived"]);
  assert.deepEqual(grades(`Survives ${"a restart of the table, ".repeat(12)}too.`), ["candidate"]);
});

Deno.test("a question that had to be cut is not told", () => {
  const grade = (question: string) =>
    decide([
      { user: "The label printer loses jobs" },
      ...ask("SQLite (Recommended)", undefined, question),
      { edit: "src/queue.ts" },
    ]).map((row) => recordOf(row)?.grade);
  assert.deepEqual(grade("Where should the queue of the label printer be kept?"), ["derived"]);
  assert.deepEqual(
    grade(`Where should the queue of ${"the label printer or ".repeat(20)}be kept?`),
    [
      "candidate",
    ],
  );
});

Deno.test("what was chosen is not told once the user takes it back", () => {
  const grades = (...later: Step[]) =>
    decide([
      { user: "The label printer loses jobs" },
      ...ask("SQLite (Recommended)"),
      { edit: "src/queue.ts" },
      { agent: "The queue of the label printer is kept in SQLite now." },
      ...later,
      { edit: "src/table.ts" },
    ]).filter(({ text }) => text.includes("SQLite")).map((row) => recordOf(row)?.grade);
  const back = ["candidate"];
  assert.deepEqual(
    grades({ user: "I changed my mind. We don't need a queue. Get rid of it" }),
    back,
  );
  assert.deepEqual(grades({ user: "actually no, revert that" }), back);
  assert.deepEqual(grades({ user: "please remove the queue of the label printer again" }), back);
  const typed = "Wait, I changed my mind, we don't need a queue for the labels";
  assert.deepEqual(grades(...ask(typed, undefined, "More about the queue?")).at(0), "candidate");
  const held = ["derived"];
  assert.deepEqual(grades({ user: "remove the unused import of the table" }), held);
  assert.deepEqual(grades({ user: "We don't need the blue header. Get rid of it" }), held);
  assert.deepEqual(grades({ user: "How long does the queue keep its jobs?" }), held);
});

Deno.test("a question that points or asks what the agent should do now is not told", () => {
  for (
    const question of [
      "Should this queue be kept beside the other jobs of the printer?",
      "Should I create one issue for the queue of the printer or several?",
      "What version should the label printer be bumped to?",
    ]
  ) {
    const steps = [
      { user: "The label printer loses jobs" },
      ...ask("SQLite (Recommended)", undefined, question),
      { edit: "src/queue.ts" },
    ];
    assert.deepEqual(decide(steps).map((row) => recordOf(row)?.grade), ["candidate"], question);
  }
});

Deno.test("an answered question is a decision with its question; told once it was carried out", () => {
  const start: Step = { user: "The label printer loses jobs" };
  const chosen = [start, ...ask("SQLite (Recommended)")];
  const text = "Where should the queue of the label printer be kept? Chosen: SQLite. " +
    "Survives a restart of the table";
  const [made, ...more] = decide([...chosen, { edit: "src/queue.ts" }]);
  assert.deepEqual(more, []);
  assert.equal(made.text, text);
  assert.equal(recordOf(made)?.grade, "derived");
  assert.deepEqual(decide(chosen).map((row) => recordOf(row)?.grade), ["candidate"]);
  const editing = (path: string): Step => ({
    row: {
      type: "tool_call",
      text: `Edit: ${path}`,
      files: [path],
      project: "/work/tables",
      tool: { name: "Edit", effect: "edit", call_id: path },
    },
  });
  const grades = (path: string) =>
    decide([...chosen, editing(path)]).map((row) => recordOf(row)?.grade);
  assert.deepEqual(grades("src/queue.ts"), ["derived"]);
  assert.deepEqual(grades("/home/me/.claude/skills/labels/SKILL.md"), ["candidate"]);
  const typed = decide([
    start,
    ...ask("in the print server of the office, never here"),
    { edit: "src/queue.ts" },
  ]);
  assert.deepEqual(typed.map(({ text }) => text), [
    "Where should the queue of the label printer be kept? " +
    "Answer: in the print server of the office, never here",
  ]);
  assert.equal(recordOf(typed[0])?.grade, "candidate");
  assert.deepEqual(decide([start, ...ask("what do you mean by kept?")]), []);
  assert.deepEqual(decide([start, ...ask("You decide"), { edit: "src/queue.ts" }]), []);
  for (
    const unclear of [
      // Who reads it later does not know what was agreed to, or what the question was about.
      ask("Yes, in SQLite"),
      ask("Looks good", undefined, "Does the queue of the label printer look right?"),
      ask(
        "SQLite (Recommended)",
        undefined,
        `${
          "Where is the queue of the label printer kept? ".repeat(9)
        }(or is there none of its own)`,
      ),
    ]
  ) {
    const grades: (string | undefined)[] = decide([start, ...unclear, { edit: "src/queue.ts" }])
      .map((row) => recordOf(row)?.grade);
    assert.deepEqual(grades, ["candidate"]);
  }
  const forged = ask("SQLite (Recommended)", "mcp__planner__task_create");
  assert.deepEqual(decide([start, ...forged, { edit: "src/queue.ts" }]), []);
});

Deno.test("what an answer says of how it is and why counts where files were changed", () => {
  const told: Step = {
    agent: "The queue is in `src/queue.ts`.\n\n" +
      "- `PrintQueue` writes to SQLite instead of memory, because a restart lost its jobs\n" +
      "- This is only a first step",
  };
  const asked: Step = { user: "The label printer loses jobs when the table restarts" };
  assert.deepEqual(decide([asked, { edit: "src/queue.ts" }, told]).map(({ text }) => text), [
    "`PrintQueue` writes to SQLite instead of memory, because a restart lost its jobs",
  ]);
  assert.deepEqual(decide([asked, told]), []);
});
