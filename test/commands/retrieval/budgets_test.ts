// Budgets hold: what a command returns never costs more tokens than it was given, as much as fits is
// returned, a larger budget never returns less, and what is left out is said. Counted by the one
// estimator on the rows as they are encoded, or on the text where the result is a text.

import assert from "node:assert/strict";
import { openContext } from "../../../src/app/app.ts";
import { encode } from "../../../src/command/execute.ts";
import { loadCommands } from "../../../src/commands/mod.ts";
import { countTokens, roomWithin } from "../../../src/core/tokens.ts";
import { makeCatalog } from "../../../src/serve/mcp/catalog.ts";
import { type TempStore, tempStore, testNow } from "../../support/stores/temp_store.ts";

// deno-lint-ignore no-explicit-any
type Result = any;

/** A command with a budget: how to ask, what it returned, what it costs, what it says is missing. */
interface Case {
  words: string[];
  input: Record<string, unknown>;
  /** The name of the budget, and its flag. */
  budget: string;
  least: number;
  /** What is returned, most wanted first. */
  ids(result: Result): string[];
  cost(result: Result): number;
  /** Whether the result says that something is left out. */
  saysMore(result: Result): boolean;
}

const sum = (rows: unknown[]): number =>
  rows.reduce((total: number, row) => total + countTokens(encode(row)), 0);
const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id);
const all = Array.from({ length: 30 }, (_, i) => `H-H${i + 1}`);

const cases: Record<string, Case> = {
  search: {
    words: ["search", "token", "--k", "30"],
    input: { query: "token", k: 30 },
    budget: "budget",
    least: 50,
    ids: ({ results }) => idsOf(results),
    cost: ({ results }) => sum(results),
    saysMore: ({ over_budget }) => over_budget > 0,
  },
  timeline: {
    words: ["timeline", "H-H15", "--before", "14", "--after", "15"],
    input: { id: "H-H15", before: 14, after: 15 },
    budget: "max_tokens",
    least: 50,
    ids: ({ results }) => idsOf(results).toSorted((a, b) => away(a) - away(b)),
    cost: ({ results }) => sum(results),
    saysMore: ({ over_budget, has_more_before, has_more_after }) =>
      over_budget > 0 && (has_more_before || has_more_after),
  },
  sessions: {
    words: ["sessions", "--limit", "30"],
    input: { limit: 30 },
    budget: "max_tokens",
    least: 50,
    ids: ({ sessions }) => idsOf(sessions),
    cost: ({ sessions }) => sum(sessions),
    saysMore: ({ over_budget }) => over_budget > 0,
  },
  get: {
    words: ["get", ...all],
    input: { ids: all },
    budget: "max_tokens",
    least: 1,
    ids: ({ results }) => idsOf(results),
    cost: ({ results }) => sum(results),
    saysMore: ({ results, skipped_ids }) =>
      skipped_ids.length > 0 && results.length + skipped_ids.length === all.length,
  },
  read: {
    words: ["read", "S-talk"],
    input: { session: "S-talk" },
    budget: "max_tokens",
    least: 1,
    ids: ({ messages }) => idsOf(messages),
    cost: ({ messages }) =>
      sum(messages.map(({ estimated_tokens: _own, ...row }: Record<string, unknown>) => row)),
    saysMore: ({ messages, skipped }) =>
      skipped.length > 0 && messages.length + skipped.length === all.length,
  },
  show: {
    words: ["show", "S-talk", "S-20"],
    input: { sessions: ["S-talk", "S-20"] },
    budget: "max_tokens",
    least: 1,
    ids: ({ sessions }) =>
      sessions.flatMap((session: { id: string; messages: { index: number }[] }) =>
        session.messages.map(({ index }) => `${session.id} ${index}`)
      ),
    cost: ({ sessions }) => sum(sessions),
    saysMore: ({ sessions, skipped_ids }) =>
      skipped_ids.length > 0 ||
      sessions.some(({ has_more_after, more_files = 0 }: Result) =>
        has_more_after || more_files > 0
      ),
  },
  scan: {
    words: ["scan", "S-talk"],
    input: { session: "S-talk" },
    budget: "budget",
    least: 50,
    ids: ({ shown }) => Array.from({ length: shown }, (_, i) => String(i)),
    cost: ({ text }) => countTokens(text),
    saysMore: ({ shown, total, cut }) => shown < total || cut > 0,
  },
  pack: {
    words: ["pack", "--format", "json"],
    input: { format: "json" },
    budget: "budget",
    least: 128,
    ids: ({ packed }) => Array.from({ length: packed.recent }, (_, i) => String(i)),
    cost: ({ text }) => countTokens(text),
    saysMore: ({ left_out, truncated_ids }) => left_out.recent > 0 || truncated_ids.length > 0,
  },
};

const budgets = [1, 50, 64, 90, 128, 150, 220, 333, 500, 800, 1200, 2000, 4000, 9000, 50_000];
const surfaces = { command: runCommand, tool: callTool };

for (const [name, item] of Object.entries(cases)) {
  for (const [surface, ask] of Object.entries(surfaces)) {
    Deno.test(`${name}: its ${item.budget} holds as a ${surface}`, async () => {
      await using t = await talk();
      const most = name === "scan" || name === "pack" ? { [item.budget]: 1_000_000 } : {};
      const whole = await ask(t, name, { ...item.input, ...most });
      let before: string[] = [];
      let left = 0;
      for (const budget of budgets.filter((tokens) => tokens >= item.least)) {
        const result = await ask(t, name, { ...item.input, [item.budget]: budget });
        const ids = item.ids(result);
        const cost = item.cost(result);
        const about = `${budget}: ${ids.length} rows, ${cost} tokens`;
        assert.ok(cost <= budget, `over the budget of ${about}`);
        // A tool does not tell what is there to be counted.
        const told = result.estimated_tokens ?? cost;
        assert.ok(told >= cost && told <= budget && told - cost <= slack(name, cost), about);
        assert.deepEqual(ids.slice(0, before.length), before, `less than before: ${about}`);
        const isAll = ids.length === item.ids(whole).length && !item.saysMore(result);
        if (!isAll) {
          left++;
          assert.ok(item.saysMore(result), `nothing says that rows are missing: ${about}`);
          const next = nextCost(name, whole, result);
          // Packs leave the room by which an estimate may be off.
          const room = name === "pack" ? roomWithin(budget) : budget;
          assert.ok(cost + next > room, `room for more: ${about}, ${next} for the next`);
        }
        before = ids;
      }
      assert.ok(left >= 4 && before.length === item.ids(whole).length, `${left} were short`);
      assert.ok(!item.saysMore(whole));
    });
  }
}

Deno.test("ctx: budgets hold in what the built file prints", async () => {
  await using t = await talk();
  for (const [name, item] of Object.entries(cases)) {
    let before = 0;
    for (const budget of [160, 800]) {
      const flag = `--${item.budget.replace("_", "-")}`;
      const { code, stdout } = await t.ctx([...item.words, flag, String(budget), "--json"]);
      assert.equal(code, 0, name);
      const result = JSON.parse(stdout);
      const cost = item.cost(result);
      assert.ok(cost <= budget && item.saysMore(result), `${name} ${budget}: ${cost}`);
      assert.ok(item.ids(result).length > before || name === "scan", `${name} ${budget}`);
      before = item.ids(result).length;
    }
  }
});

/** A session is counted by its parts before it is whole: marks between them may count twice. */
function slack(name: string, cost: number): number {
  return name === "show" ? 12 + cost / 5 : 0;
}

/** What the first row that was left out would have cost. */
function nextCost(name: string, whole: Result, result: Result): number {
  const rows = (data: Result): { id: string }[] => data.results ?? data.sessions ?? data.messages;
  switch (name) {
    // These cut what does not fit: they may only leave a little.
    case "scan":
      return 60;
    case "pack":
      return 130;
    case "show": {
      const messages = (data: Result): unknown[] =>
        data.sessions.flatMap((session: Result) => session.messages);
      const next = messages(whole)[messages(result).length];
      const isFirst = messages(result).length % all.length === 0;
      const inexact = slack(name, cases.show.cost(result));
      return sum(next === undefined ? [] : [next]) + inexact + (isFirst ? 120 : 0);
    }
    case "timeline": {
      const shown = new Set(idsOf(rows(result)));
      const nearest = rows(whole).filter(({ id }) => !shown.has(id))
        .toSorted((a, b) => away(a.id) - away(b.id));
      return sum(nearest.slice(0, 1));
    }
    default:
      return sum(rows(whole).slice(rows(result).length, rows(result).length + 1));
  }
}

function away(id: string): number {
  const place = Number(id.slice("H-H".length)) - 15;
  return Math.abs(place) + (place > 0 ? 0.5 : 0);
}

async function runCommand(t: TempStore, name: string, input: object): Promise<Result> {
  return await t.run(name, input);
}

async function callTool(t: TempStore, name: string, input: object): Promise<Result> {
  const { workspace } = t;
  const env = (): undefined => undefined;
  using context = openContext({ workspace, cwd: workspace, now: () => testNow, env });
  const commands = await loadCommands();
  const tool = commands.find((command) => command.name === name)?.tool;
  const found = makeCatalog({ commands, context, tools: "all" }).tools
    .find(({ definition }) => definition.name === tool);
  const answer = await found?.call(input, { signal: context.signal });
  assert.notEqual(answer?.isError, true, JSON.stringify(answer?.content));
  const told: Result = answer?.structuredContent;
  return { ...untold, shown: told.total, ...told };
}

/** What a tool leaves out, because it goes without saying. */
const untold = { over_budget: 0, cut: 0, skipped: [], skipped_ids: [], truncated_ids: [] };

/** A session of thirty messages of many lengths, and twenty small sessions. */
async function talk(): Promise<TempStore> {
  const entries = Array.from({ length: 30 }, (_, i) => ({
    session_id: "S-talk",
    role: i % 2 === 0 ? "user" as const : "assistant" as const,
    type: "turn",
    text: `token ${i + 1} ${'"word"\n'.repeat((i * 7) % 23)}`.trim(),
    files: [`src/file_${i}.ts`],
  }));
  const others = Array.from({ length: 20 }, (_, i) => ({
    id: `H-S${i + 1}`,
    session_id: `S-${i + 1}`,
    role: "user" as const,
    type: "turn",
    text: `Session number ${i + 1} begins ${"so ".repeat(i)}`.trim(),
  }));
  return await tempStore({ entries: [...entries, ...others] });
}
