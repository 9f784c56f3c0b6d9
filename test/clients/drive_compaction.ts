// A session that is compacted by its client: what its summary lacks must reach the model afterwards, and
// what the summary has must not. The scripted model writes the summary.

import { type ClientCheck, ClientChecks } from "./client_checks.ts";
import { clientDrivers } from "./client_drivers.ts";
import { ClientHome } from "./client_home.ts";
import { type ClientWorld, holdSession } from "./client_session.ts";
import { listCodexHooks, trustCodexHooks } from "./codex_hooks.ts";
import type { ClientName, InstalledClient } from "./install_clients.ts";
import { ScriptedModel } from "./scripted_model.ts";

const prompt = "Look at the ledger and at the retries, then count the jobs.";
const summary =
  "<state_snapshot>The user wants the jobs counted. src/retries.md was read and is complete.</state_snapshot>";
const command = "sh src/count.sh";
const goOn = "Go on, please.";
const done = ["They were counted.", "It goes on."];

/** How a client is made to compact: by a prompt, or when it goes on, by words or settings of a small window. */
interface Way {
  /** What is said to have it compact, and what the model answers to that. */
  compact?: string;
  answer?: string;
  next: string[];
  settings?: (text: string) => Record<string, string>;
}

const ways: Record<ClientName, Way> = {
  "claude-code": { compact: "/compact", next: ["--continue"] },
  "codex": { next: ["-c", "model_auto_compact_token_limit=12", "resume", "--last"] },
  "opencode": {
    next: ["--continue"],
    settings: (text) => ({
      // Without a tail: what is kept word for word is not lost.
      ".config/opencode/opencode.json": text.replace(
        '{"$schema"',
        '{"compaction":{"tail_turns":0},"$schema"',
      ).replace(
        '"tool_call":true',
        '"tool_call":true,"limit":{"context":20000,"output":1000}',
      ),
    }),
  },
  // Its window of a million tokens is full at a share of them; its hooks run before that is looked at.
  "gemini": {
    compact: "Then wait.",
    answer: "It waits.",
    next: ["--resume", "latest"],
    settings: (text) => ({
      ".gemini/settings.json": text.replace(
        '"security"',
        '"model": {"compressionThreshold": 0.001}, "security"',
      ),
    }),
  },
  "qwen": { compact: "/compress", next: ["--continue"] },
};

/** Has a client compact a session with work in it, and go on. */
export async function driveCompaction(
  client: InstalledClient,
  ctx: string,
): Promise<ClientCheck[]> {
  await using home = new ClientHome(ctx);
  await using model = new ScriptedModel();
  const run = new ClientChecks();
  const world: ClientWorld = { client, home, model, run };
  const driver = clientDrivers[client.name];
  const way = ways[client.name];
  home.write("home", driver.files(model.url));
  // Qwen Code does not compact a short history.
  const ledger = Array.from({ length: 400 }, (_, i) => `job ${i} was done and paid for\n`).join("");
  home.write("project", {
    "src/ledger.md": ledger,
    "src/retries.md": "five\n",
    "src/count.sh": "echo 2\n",
  });
  await home.ctx("init");
  await home.ctx("setup", client.name, "--allow-reads", "yes", "--ask-agent", "no");
  if (client.name === "codex") trustCodexHooks(home, await listCodexHooks(client, home));
  const script = [
    driver.read(`${home.project}/src/ledger.md`),
    driver.read(`${home.project}/src/retries.md`),
    driver.run(command),
    { text: done[0] },
  ];
  model.promptTokens = 50_000;
  await holdSession(world, { prompt, script, words: driver.running }, "a session with work");
  model.summary = summary;
  const [own] = Object.keys(driver.files(model.url));
  const text = Deno.readTextFileSync(`${home.root}/home/${own}`);
  home.write("home", way.settings?.(text) ?? {});
  if (way.compact !== undefined) {
    const script = [{ text: way.answer ?? "" }];
    await holdSession(world, { prompt: way.compact, script, words: way.next }, "its compaction");
  }
  const { requests } = await holdSession(
    world,
    { prompt: goOn, script: [{ text: done[1] }], words: way.next },
    "the session after it",
  );
  run.add("the model writes a summary", model.summaries > 0, `${model.summaries} times`);
  const sent = requests.at(-1)?.text ?? "";
  run.add("the request has the summary", sent.includes("is complete"), `${sent.length} chars`);
  const at = sent.indexOf("missing from its summary");
  const told = at < 0 ? "" : sent.slice(at).split("/ctx_memory")[0];
  run.add("what the summary lacks reaches the model", at >= 0, at < 0 ? "not told" : "told");
  const lines = told.split("\\n").filter((line) => line.startsWith("- "));
  // Codex reads files with its shell: that is no read to ctx.
  if (client.name !== "codex") {
    run.add("the file it does not name", /- read:[^\n]*ledger\.md/.test(told), lines.join("; "));
  }
  run.add("the command it does not name", told.includes(command), lines.join("; "));
  run.add("nothing that it names", at >= 0 && !/retries\.md/.test(told), lines.join("; "));
  const left = await home.waitForProcesses();
  run.add("no process is left", left.length === 0, left.join("; ") || "none");
  return run.checks;
}
