// A session of another agent, handed to this client by `ctx handoff`: the client resumes it with the printed
// command, and the request to its model holds the earlier exchange. Then it reads the Markdown form.

import { type NativeAgent, said, writeNative } from "../recall/handoff/native_sessions.ts";
import { type ClientCheck, ClientChecks } from "./client_checks.ts";
import { clientDrivers } from "./client_drivers.ts";
import { ClientHome } from "./client_home.ts";
import { type ClientWorld, fencesIn, holdSession } from "./client_session.ts";
import { listCodexHooks, trustCodexHooks } from "./codex_hooks.ts";
import type { InstalledClient } from "./install_clients.ts";
import { ScriptedModel } from "./scripted_model.ts";

const prompt = "Go on with the documentation, please.";
const answer = "The documentation names the setting now.";

/** Hands a foreign session to a client and lets it go on. */
export async function driveHandoff(client: InstalledClient, ctx: string): Promise<ClientCheck[]> {
  await using home = new ClientHome(ctx);
  await using model = new ScriptedModel();
  const run = new ClientChecks();
  const world: ClientWorld = { client, home, model, run };
  home.write("home", clientDrivers[client.name].files(model.url));
  await home.ctx("init");
  await home.ctx("setup", client.name, "--allow-reads", "yes", "--ask-agent", "no");
  if (client.name === "codex") trustCodexHooks(home, await listCodexHooks(client, home));
  const from: NativeAgent = client.name === "claude-code" ? "codex" : "claude-code";
  const root = writeForeign(from, home);
  await home.ctx("import", from, "--root", root);
  await checkMarkdown(world, await checkResumed(world));
  const left = await home.waitForProcesses();
  run.add("no process is left", left.length === 0, left.join("; ") || "none");
  return run.checks;
}

/** A session of another agent in this project. */
function writeForeign(from: NativeAgent, home: ClientHome): string {
  const root = writeNative(from, `${home.root}/foreign`);
  for (const name of Object.keys(home.texts((path) => path.startsWith("foreign/")))) {
    const path = `${home.root}/${name}`;
    const text = Deno.readTextFileSync(path);
    Deno.writeTextFileSync(path, text.replaceAll("/work/app", home.project));
  }
  return root;
}

/** What the model must be sent: what was said, asked of tools and answered by them. */
const exchange = [said.first, said.plan, said.command, said.failure, said.done, said.last];

/** Resumes the session with the printed command; gives its id. */
async function checkResumed(world: ClientWorld): Promise<string> {
  const { client, home, model, run } = world;
  const handed = await home.ctx("handoff", "--to", client.name);
  const before = home.log("history.ndjson").length;
  const lines: string[] = handed.resume;
  for (const line of lines.slice(0, -1)) {
    const { code, stdout, stderr } = await home.run(
      [...client.words, ...line.split(" ").slice(1)],
      { env: clientDrivers[client.name].env(model.url) },
    );
    run.add(
      "the transcript is imported",
      code === 0,
      line.replace(/\/\S*\//, ""),
      `${stdout}${stderr}`,
    );
  }
  const words = lines[lines.length - 1].split(" ").slice(1);
  const { requests } = await holdSession(
    world,
    { prompt, script: [{ text: answer }], words },
    "a session that was handed over",
  );
  const sent = requests[0]?.text ?? "";
  const missing = exchange.filter((text) => !sent.includes(JSON.stringify(text).slice(1, -1)));
  run.add(
    "the request holds the earlier exchange",
    requests.length > 0 && missing.length === 0,
    missing.length === 0 ? `${exchange.length} of ${exchange.length}` : `not ${missing.join("; ")}`,
  );
  const places = [...exchange, prompt].map((text) => sent.lastIndexOf(text));
  run.add("in its order", places.every((at, i) => at >= (places[i - 1] ?? 0)), places.join(" "));
  const brief = sent.search(/Handed over|handed over|ctx_memory/);
  run.add("the brief stands before it", brief >= 0 && brief < places[0], `at ${brief}`);
  // The brief is one; what was learned from the session is in the session.
  run.add("it is told nothing of it again", fencesIn(sent) === 1, `fences ${fencesIn(sent)}`);
  const added = home.log("history.ndjson").slice(before)
    .filter(({ record, type }) => record === undefined && type === "turn").map(({ text }) => text);
  run.same("only what was added is stored", added, [prompt, answer]);
  return handed.session_id;
}

async function checkMarkdown(world: ClientWorld, session: string): Promise<void> {
  const { client, home, run } = world;
  const { path } = await home.ctx("handoff", session, "--to", "cursor");
  const { requests } = await holdSession(world, {
    prompt: "Read the file that ctx wrote, and go on.",
    script: [clientDrivers[client.name].read(path), { text: answer }],
  }, "a session that reads the Markdown");
  const sent = requests.at(-1)?.request.results.at(-1) ?? "";
  const has = [said.first, said.done].every((text) => sent.includes(text));
  run.add(
    "the model reads the brief and the exchange",
    has,
    has ? path.replace(/.*\//, "") : sent.slice(0, 200),
  );
}
