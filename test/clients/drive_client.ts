// Three sessions of one client through the settings that `ctx setup` wrote: the first decides
// something, the second must know it without asking and find it when it searches, the third is told
// nothing at its start and must be told by what it is asked. Then what was stored, given and left
// behind is held against what was said.

import { type ClientCheck, ClientChecks } from "./client_checks.ts";
import { clientDrivers } from "./client_drivers.ts";
import { checkRemoved, checkToolSearch, checkTrust, checkWithoutStore } from "./client_edges.ts";
import { checkGuard, checkGuardRemoved } from "./client_guards.ts";
import { checkHint } from "./client_hints.ts";
import { checkSubagent } from "./client_subagents.ts";
import { ClientHome } from "./client_home.ts";
import { type ClientWorld, fencesIn, holdSession } from "./client_session.ts";
import { earlierWork } from "./earlier_work.ts";
import type { InstalledClient } from "./install_clients.ts";
import { type ModelStep, toolSearch } from "./model_step.ts";
import { ScriptedModel, type SeenRequest } from "./scripted_model.ts";

const asked = [
  "Which queue should the billing worker use? Decide, and write it into docs/queue.md.",
  "How should the billing worker queue retry a failed job?",
  "For how long are billing jobs kept after they are done, and why?",
];
const answered = [
  "We decided to use Redis Streams for the billing worker queue, because it keeps the order per " +
  "customer and survives a restart. RabbitMQ was rejected because nobody here runs it.",
  "A failed job is claimed again after thirty seconds, at most five times.",
  "As long as was decided then.",
];
const decision = "Redis Streams";
const reason = "keeps the order per customer";
const saved = "Billing jobs are kept for thirty days after they are done.";

/** Drives a client; what goes wrong on the way is a failed check too. */
export async function driveClient(client: InstalledClient, ctx: string): Promise<ClientCheck[]> {
  await using home = new ClientHome(ctx);
  await using model = new ScriptedModel();
  const driver = clientDrivers[client.name];
  const run = new ClientChecks();
  const world: ClientWorld = { client, home, model, run };
  home.write("home", driver.files(model.url));
  await home.ctx("init");
  home.write("home", { "earlier.ndjson": earlierWork() });
  await home.ctx("import", "contextfs", "--root", `${home.root}/home/earlier.ndjson`);
  const settings = (path: string): boolean => isSettings(path);
  const before = home.texts(settings);
  const setUp = ["setup", client.name, "--allow-reads", "yes", "--ask-agent", "yes"];
  const roundTrip = await home.ctx(...setUp);
  await home.ctx("setup", client.name, "--remove", "--yes");
  run.same("setup --remove restores every byte", home.texts(settings), before);
  const { check } = await home.ctx(...setUp);
  run.add("setup's own check", check?.ok === true, `${check?.tools} tools, ${check?.ms} ms`);
  run.add(
    "setup twice is once",
    !(await home.ctx(...setUp)).changed,
    `${roundTrip.changes.length} files`,
  );

  const file = `${home.project}/docs/queue.md`;
  const scripts: ModelStep[][] = [
    [
      driver.write(file, `Queue: ${decision}.`),
      { tool: "save_memory", input: { text: saved, type: "decision" } },
      { text: answered[0] },
    ],
    [{ tool: "search", input: { query: "billing worker queue" } }, {
      text: answered[1],
    }],
    [{ text: answered[2] }],
  ];
  await checkWithoutStore(world);
  await checkTrust(world);
  const sessions: SeenRequest[][] = [];
  for (const [i, prompt] of asked.entries()) {
    if (i === 2) await home.ctx("config", "set", "inject.start", "false");
    const script = driver.searchesTools ? scripts[i].flatMap(withSearch) : scripts[i];
    const { requests } = await holdSession(world, { prompt, script }, `session ${i + 1}`);
    sessions.push(requests);
    const left = await home.waitForProcesses();
    run.add(`session ${i + 1} leaves no process`, left.length === 0, left.join("; ") || "none");
  }
  run.add("only known requests", model.unknown.length === 0, model.unknown.join("; ") || "none");
  checkGiven(run, home, sessions);
  await checkStored(run, home, driver.source);
  await checkHint(world);
  await checkSubagent(world);
  await checkGuard(world);
  await checkGuardRemoved(world);
  await checkToolSearch(world);
  await checkRemoved(world);
  await home.ctx("setup", client.name, "--remove", "--yes");
  const left = Object.entries(home.texts(settings)).filter(([, text]) => /\bctx\b/.test(text));
  run.add(
    "nothing of ctx is left in settings",
    left.length === 0,
    left.map(([path]) => path).join() || "nothing",
  );
  return run.checks;
}

/** The same step of a model that is not shown the tools of servers: it looks for them first. */
function withSearch(step: ModelStep): ModelStep[] {
  const isOurs = "tool" in step && ["save_memory", "search"].includes(step.tool);
  return isOurs
    ? [{ tool: toolSearch, input: { query: `select:mcp__ctx__${step.tool}` } }, step]
    : [step];
}

/** What the model was sent in the second session, and what the log of injections says of it. */
function checkGiven(run: ClientChecks, home: ClientHome, [, second, third]: SeenRequest[][]): void {
  const [first] = second;
  const given = first?.text ?? "";
  // What the agent only said is a candidate: found by search and at a prompt, told at no start.
  run.add("session 2 knows what was saved", given.includes(saved), `${count(given, saved)} times`);
  const fences = second.map(({ text }) => fencesIn(text));
  run.add(
    "it was given once",
    fences.every((n) => n === fences[0] && n >= 1 && n <= 2),
    `fences ${fences.join(", ")}`,
  );
  const result = second.at(-1)?.request.results.at(-1) ?? "";
  // Rows are cut to what fits the question best: what was decided stands in none of the prompts.
  const isFound = result.includes(decision);
  run.add("search finds it", isFound, isFound ? "found" : result.slice(0, 300));
  const log = home.log("injections.ndjson").filter(({ event }) => event !== "uptake");
  const starts = log.filter(({ event }) => event === "SessionStart");
  const conversations = new Set(starts.map(({ conversation }) => conversation));
  run.add(
    "a start is told once per session",
    starts.length === conversations.size && starts.length >= 1,
    `${starts.length} starts, ${starts.map(({ tokens }) => tokens).join("+")} tokens`,
  );
  const prompts = log.filter(({ event }) => event !== "SessionStart");
  const most = Math.max(0, ...prompts.map(({ lines }) => lines.length));
  run.add("a prompt is told three lines at most", most <= 3, `${most} lines`);
  const told = third[0]?.text ?? "";
  run.add(
    "session 3 is told by its prompt, once",
    count(told, saved) === 1 && fencesIn(told) === 1,
    prompts.map(({ event, tokens }) => `${event} ${tokens} tokens`).join() || "nothing",
  );
  const lines = log.flatMap(({ conversation, lines }) =>
    lines.map(({ id }: { id: string }) => `${conversation} ${id}`)
  );
  run.add(
    "no line twice in a session",
    new Set(lines).size === lines.length,
    `${lines.length} lines`,
  );
}

/** What is in the store, against what was said. */
async function checkStored(run: ClientChecks, home: ClientHome, source: string): Promise<void> {
  const own = (): ReturnType<ClientHome["log"]> =>
    home.log("history.ndjson").filter((row) =>
      row.record === undefined && row.source?.agent !== "aider"
    );
  const entries = own();
  const turns = (role: string): string[] =>
    entries.filter((entry) => entry.role === role && entry.type === "turn").map(({ text }) => text);
  run.same("each prompt is stored once, and no other", turns("user"), asked);
  run.same("each answer is stored once, and no other", turns("assistant"), answered);
  const of = new Set(entries.map(({ session_id }) => session_id));
  run.add("three sessions", of.size === 3, `${of.size} sessions, ${entries.length} entries`);
  const [first] = entries.filter(({ text }) => text === asked[0]);
  const notes = entries.filter(({ text }) => text === saved);
  run.add(
    "what the agent saved is in its session, once",
    notes.length === 1 && notes[0].session_id === first?.session_id,
    notes.map(({ session_id }) => session_id).join("; ") || "not saved",
  );
  const recalls = entries.filter(({ type }) => type === "recall");
  run.add(
    "each call of ctx's own is one row",
    recalls.length === 2,
    recalls.map(({ text }) => text).join("; ") || "none",
  );
  const echoes = entries.filter(({ text }) => /ctx_memory|H-[0-9a-z]{15}/.test(text));
  run.add(
    "nothing that was recalled is stored",
    echoes.length === 0,
    echoes.map(({ text }) => text.slice(0, 120)).join("; ") || "nothing",
  );
  const again = await home.ctx("import", source);
  run.add("import brings nothing new", again.entries === 0, `${again.entries} entries`);
  run.add(
    "and no session",
    new Set(own().map((row) => row.session_id)).size === of.size,
    `${of.size}`,
  );
  const { results } = await home.ctx("search", "which queue does the billing worker use");
  const rows: { type: string; snippet: string; text?: string }[] = results;
  const isEcho = ({ type, snippet }: { type: string; snippet: string }): boolean =>
    type === "recall" || /ctx_memory|ctx search/.test(snippet);
  run.add(
    "no echo among the results",
    rows.length > 0 && !rows.some(isEcho),
    `${rows.length} rows`,
  );
  const rank = rows.findIndex(({ snippet }) => snippet.includes(reason)) + 1;
  run.add("the decision is among the first three", rank >= 1 && rank <= 3, `rank ${rank}`);
  const status = await home.run(["ctx", "doctor"]);
  run.add("doctor is content", status.code === 0, `exit ${status.code}`, status.stdout);
}

/** Settings are what users write; the rest of a home is the client's own. */
function isSettings(path: string): boolean {
  return /^home\/(?:\.claude\.json|\.claude\/settings\.json|\.codex\/(?:config\.toml|hooks\.json)|\.gemini\/settings\.json|\.config\/opencode\/(?:opencode\.jsonc?|plugin\/.*)|\.qwen\/settings\.json)$/
    .test(path) || path === "project/AGENTS.md";
}

function count(text: string, words: string): number {
  return text.split(words).length - 1;
}
