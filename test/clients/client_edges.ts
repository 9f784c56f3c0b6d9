// A client where something is missing: no store in the project, no trust for its hooks, tools that
// have to be searched for, and ctx itself removed from the machine.

import { coreTools } from "../../src/serve/mcp/catalog.ts";
import { clientDrivers } from "./client_drivers.ts";
import { type ClientWorld, holdSession } from "./client_session.ts";
import { listCodexHooks, trustCodexHooks } from "./codex_hooks.ts";
import { isOfServer, toolSearch } from "./model_step.ts";

const sum = { prompt: "How much is two and two?", script: [{ text: "Two and two is four." }] };

/** In a project without a store the model is sent one line of the server's, and no tool. */
export async function checkWithoutStore(world: ClientWorld): Promise<void> {
  const { home, run } = world;
  const name = "a session without a store";
  const talk = { ...sum, cwd: home.elsewhere };
  const { requests, ran } = await holdSession(world, talk, name);
  const sent = requests.map(({ text }) => text).join("\n");
  const lines = sent.split("ctx has no memory of this project").length - 1;
  // Some clients only name tools in a text, and Gemini and Qwen Code have a save_memory of their own.
  const names = [...requests.flatMap(({ request }) => request.tools), ...sent.split(/\W+/)];
  const tools = coreTools.filter((tool) => names.some((name) => isOfServer(name, tool)));
  run.add(
    "it is sent one line at most, and no tool",
    requests.length > 0 && lines <= requests.length && tools.length === 0,
    `${lines} lines in ${requests.length} requests, tools: ${tools.join(", ") || "none"}`,
  );
  const noise = complaintsIn(ran.stderr);
  run.add("it complains of nothing", noise.length === 0, noise.join("; ") || "nothing");
}

/** Codex's hooks: ctx says that they wait, and no longer once Codex's own fingerprints are trusted. */
export async function checkTrust({ client, home, run }: ClientWorld): Promise<void> {
  if (client.name !== "codex") return;
  const says = async (): Promise<string> => {
    const { wrong } = await home.ctx("status");
    const { todo } = await home.ctx("setup", "codex", "--no-check");
    const { checks } = await home.ctx("doctor");
    const asked = "trust them";
    return [["status", wrong], ["setup", todo ?? ""], ["doctor", checks]]
      .filter(([, said]) => JSON.stringify(said).includes(asked)).map(([name]) => name).join(", ");
  };
  const before = await listCodexHooks(client, home);
  const untrusted = before.every(({ trustStatus }) => trustStatus === "untrusted");
  run.add("Codex does not trust the hooks yet", untrusted, `${before.length} hooks`);
  const said = await says();
  run.add("ctx says so", said === "status, setup, doctor", said || "nowhere");
  trustCodexHooks(home, before);
  const after = await listCodexHooks(client, home);
  const trusted = after.filter(({ trustStatus }) => trustStatus === "trusted").length;
  run.add("then they are trusted", trusted === before.length, `${trusted} hooks`);
  const still = await says();
  run.add("and ctx says nothing more", still === "", still || "nothing");
}

/** What people ask for when they look for a memory, and the tool that it should find. */
const sought = [
  ["search project memory for past decisions", "search"],
  ["history of previous conversations", "search"],
  ["remember this decision for later", "save_memory"],
];

/** A model that is shown no tools finds them by words, and can call what it found. */
export async function checkToolSearch(world: ClientWorld): Promise<void> {
  const { run, client } = world;
  const words = clientDrivers[client.name].searching;
  if (words === undefined) return;
  const { requests } = await holdSession(world, {
    prompt: "What do we know of the billing worker?",
    script: [
      ...sought.map(([query]) => ({ tool: toolSearch, input: { query } })),
      { tool: "search", input: { query: "billing worker queue" } },
      { text: "That is what we know." },
    ],
    words,
  }, "a session with tool search");
  const offered = requests[0]?.request.tools ?? [];
  const shown = offered.filter((name) => /ctx/.test(name));
  run.add("no tool of ctx is shown", shown.length === 0, `${offered.length} others`);
  const results = requests.at(-1)?.request.results ?? [];
  for (const [i, [query, tool]] of sought.entries()) {
    const isFound = new RegExp(`"(?:mcp__ctx__)?${tool}\\\\?"`).test(results[i] ?? "");
    run.add(`"${query}" finds ${tool}`, isFound, isFound ? "found" : results[i] ?? "no result");
  }
  const answer = results[sought.length] ?? "";
  run.add("what was found can be called", answer.includes("Redis Streams"), answer.slice(0, 60));
}

/** Settings outlive the program: each prompt must still reach the model. */
export async function checkRemoved(world: ClientWorld): Promise<void> {
  const { home, run } = world;
  home.removeCtx();
  const { requests, ran } = await holdSession(world, sum, "a session with ctx removed");
  run.add("its prompt reaches the model", requests.length > 0, `${requests.length} requests`);
  const noise = complaintsIn(ran.stderr).filter((line) => /hook/i.test(line));
  run.add("no hook complains", noise.length === 0, noise.join("; ") || "nothing");
  home.installCtx();
}

/** Lines about ctx that a person would take for a failure. */
function complaintsIn(stderr: string): string[] {
  return stderr.split("\n").filter((line) =>
    /\bctx\b|hook/i.test(line) && /error|fail|not found|warn/i.test(line)
  );
}
