// Eight writers at random, with everything that can go wrong between them: with a server, and in folders. The long form:
// `deno task soak SECONDS --team`; CTX_HISTORY=N begins with another seed.

import assert from "node:assert/strict";
import { runsOf } from "../../support/full_length.ts";
import { hasNoPostgres } from "../../support/servers/postgres.ts";
import { foldersStage } from "../../support/servers/history_folders.ts";
import { postgresStage } from "../../support/servers/history_stage.ts";
import { HistoryTeam } from "../../support/servers/team_history.ts";

const ignore = hasNoPostgres();
const histories = Number(Deno.env.get("CTX_HISTORIES") ?? runsOf(500));
const first = Number(Deno.env.get("CTX_HISTORY") ?? 1);

Deno.test({
  name: "in the end all stores hold the same rows, and forgotten ones are nowhere",
  ignore,
  async fn() {
    await using team = await HistoryTeam.make(postgresStage);
    for (let seed = first; seed < first + histories; seed++) {
      await team.run({ seed, steps: 20, serverCrash: seed % 50 === 25 });
    }
    if (histories >= 50) assert.ok(team.tally.size >= 11, [...team.tally.keys()].join());
  },
});

Deno.test({
  name: "the same in folders, however their files are carried, and whatever else lies there",
  async fn() {
    await using team = await HistoryTeam.make(foldersStage);
    for (let seed = first; seed < first + histories; seed++) await team.run({ seed, steps: 20 });
    if (histories >= 50) assert.ok(team.tally.size >= 15, [...team.tally.keys()].join());
  },
});
