// `deno task soak [SECONDS] [PROCESSES] [--burners N] [--seed N]`: PROCESSES (8) work at random on
// one store for SECONDS (60), while N (0) threads do nothing but keep a processor busy; prints the
// account. Half an hour under load: `deno task soak 1800 8 --burners 2`. With --team eight stores sync
// at random for SECONDS instead, over a PostgreSQL that crashes now and then.

import { parseArgs } from "node:util";
import { soak } from "../support/stores/soak.ts";
import { postgresStage } from "../support/servers/history_stage.ts";
import { HistoryTeam } from "../support/servers/team_history.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    burners: { type: "string", default: "0" },
    seed: { type: "string", default: String(Date.now() % 1e6) },
    team: { type: "boolean", default: false },
  },
});
const [seconds, processes, burners, seed] = [
  positionals[0] ?? "60",
  positionals[1] ?? "8",
  values.burners,
  values.seed,
].map(toCount);
const setting = { seconds, processes, burners, seed };
// Threads and not processes: whatever ends this program ends them too. In turns: a thread that never
// gets to its event loop cannot be ended.
const turn = "const end = Date.now() + 50; while (Date.now() < end);";
const spin = `data:text/javascript,setInterval(() => { ${turn} }, 0)`;
const fires = Array.from({ length: burners }, () => new Worker(spin, { type: "module" }));
try {
  const report = values.team
    ? await soakTeam()
    : await soak({ processes, steps: Infinity, milliseconds: seconds * 1000, seed });
  say({ ...setting, ...report });
} catch (error) {
  say({ ...setting, failed: true });
  throw error;
} finally {
  for (const fire of fires) fire.terminate();
}

/** Histories of a team, one after the other; fails with the seed of the one that went wrong. */
async function soakTeam(): Promise<{ histories: number }> {
  await using team = await HistoryTeam.make(postgresStage);
  const end = Date.now() + seconds * 1000;
  let histories = 0;
  for (; Date.now() < end; histories++) {
    await team.run({ seed: seed + histories, steps: 40, serverCrash: histories % 10 === 9 });
  }
  return { histories };
}

function toCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 0) throw new Error(`Cannot soak: "${text}" is no count`);
  return count;
}

function say(line: object): void {
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(line) + "\n"));
}
