// A sub-agent that the model starts: its first request holds the rules and what concerns its task, in few
// tokens, and what it found is in the store before the session that started it ends.

import { countTokens } from "../../src/core/tokens.ts";
import { subagentTokens } from "../../src/recall/hook/subagent_block.ts";
import { clientDrivers } from "./client_drivers.ts";
import { type ClientWorld, holdSession } from "./client_session.ts";

const rule = "Amounts are written in cents, never as floats.";
const told = "Refunds wait two days, because the bank books them back until then.";
const other = "The start page has no animation, because it made old phones hot.";
const task =
  "Find out why refunds wait two days before the bank books them, and where that is set.";
const found = "Refunds wait in src/worker.ts, set by the constant refundDelay.";

/** Codex goes on while its sub-agent works: a few seconds are waited for. */
const look =
  "for i in 1 2 3 4 5 6 7 8; do grep -q 'constant refundDelay' .contextfs/history.ndjson && break; " +
  "sleep 1; done; echo stored: $(grep -c 'constant refundDelay' .contextfs/history.ndjson)";

/** A session whose model gives a task to a sub-agent. */
export async function checkSubagent(world: ClientWorld): Promise<void> {
  const { client, home, model, run } = world;
  const driver = clientDrivers[client.name];
  if (driver.delegate === undefined) return;
  await home.ctx("config", "set", "inject.start", "true");
  await home.ctx("pin", rule);
  await home.ctx("save", told, "--type", "decision");
  await home.ctx("save", other, "--type", "decision");
  const prompt = "Have somebody look at the refunds, please.";
  model.subagent = {
    outside: prompt,
    script: [driver.read(`${home.project}/src/worker.ts`), { text: found }],
  };
  const { requests } = await holdSession(world, {
    prompt,
    script: [
      driver.delegate(task),
      driver.run(look),
      { text: "The refunds were looked at." },
    ],
    words: driver.running,
  }, "a session with a sub-agent");
  model.subagent = undefined;
  const [first] = requests.filter(({ text }) => !text.includes(prompt));
  const given = first?.text ?? "";
  // One block of rules, one of what the task is about.
  const blocks = given.match(/<ctx_memory[\s\S]*?<\/ctx_memory>/g) ?? [];
  const [block, lines] = [blocks.join("\n"), blocks.join("").match(/- \[[^\n]*?(?=\\n)/g) ?? []];
  const tokens = countTokens(block.replaceAll("\\n", "\n"));
  const seen = lines.join("; ") || "nothing";
  run.add("a sub-agent is given rules", block.includes(rule), seen);
  run.add("and what concerns its task", block.includes(told), seen);
  run.add("and nothing else", lines.length === 2 && !given.includes(other), seen);
  run.add(
    `in ${subagentTokens} tokens at most`,
    tokens > 0 && tokens <= subagentTokens,
    `${tokens} tokens`,
  );
  const [, stored = "nothing"] = requests.at(-1)?.request.results ?? [];
  run.add("what it found is stored when it ends", /stored: [1-9]/.test(stored), "stored", stored);
}
