// The memory loop: ten sessions in a row on one topic, each played through the hooks and over MCP with
// the built file, and what the next one gets of it.

import { buildFile } from "../support/built_file.ts";
import { playLoop } from "./play_loop.ts";
import type { BenchTable } from "../support/table.ts";

/** Plays the sessions with the built file. */
export async function run(): Promise<BenchTable[]> {
  const directory = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "ctx-bench-loop-" }));
  const [workspace, home] = ["workspace", "home"].map((name) => `${directory}/${name}`);
  for (const path of [workspace, home]) Deno.mkdirSync(path);
  try {
    const given = Deno.env.get("CTX_BINARY");
    const path = given ?? (await buildFile(`${directory}/built`, { gzip: false })).path;
    const { sessions, listed, imported } = await playLoop({ program: [path], workspace, home });
    const twice = sessions.at(-1)?.twice ?? [];
    return [{
      title: "Ten sessions on one topic, decided in 1, anew in 4 and in 7",
      head: [
        "session",
        "tokens at the start",
        "at its prompts",
        "rows stored",
        "echoes in what is found",
        "place of the decision, three questions",
        "the next start names it",
        "and those before",
      ],
      rows: sessions.map((session, i) => [
        `${i + 1} ${session.about}`,
        `${session.startTokens}`,
        `${session.promptTokens}`,
        `${session.rows}`,
        `${session.echoes} of ${session.found}`,
        session.ranks.map((rank) => rank || "–").join(", "),
        session.names ? "yes" : "no",
        `${session.stale.length}`,
      ]),
    }, {
      title: "At the end",
      head: ["what", "count"],
      rows: [
        ["sessions in the list", `${listed}`],
        ["rows that are there twice", `${twice.length}`],
        ["rows that a later `ctx import` adds", `${imported}`],
      ],
    }];
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}
