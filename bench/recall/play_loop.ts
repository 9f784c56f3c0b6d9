// Plays the sessions of loop_script.ts and measures after each one: are there echoes in what is found,
// does the next session start with the decision that holds, what does it cost, is anything there twice.

import { isObject } from "../../src/core/json.ts";
import { shortNotice } from "../../src/core/rows/fence.ts";
import { ownToolOf } from "../../src/core/rows/own_tool.ts";
import { countTokens } from "../../src/core/tokens.ts";
import { playedSessions, questions, type Ruling } from "./loop_script.ts";
import { PlayedWorkspace, type PlayOptions } from "./played_workspace.ts";

/** What was measured after one session. */
export interface SessionFigures {
  about: string;
  /** Tokens given at the start and, together, at the prompts. */
  startTokens: number;
  promptTokens: number;
  /** Rows in the store. */
  rows: number;
  /** Rows that the questions found, and those of them that ctx itself had told before. */
  found: number;
  echoes: number;
  /** The place of the decision that holds among the rows of each question; 0 when it is not there. */
  ranks: number[];
  /** Whether the next session starts with the decision that holds, and with lines of those before. */
  names: boolean;
  stale: string[];
  /** Rows that are there twice: one message under two ids, or one prompt in two rows. */
  twice: string[];
}

/** What is left at the end. */
export interface LoopFigures {
  sessions: SessionFigures[];
  /** Sessions in the list, and rows that a later import added. */
  listed: number;
  imported: number;
}

type Row = Record<string, unknown>;

const dayMs = 86_400_000;

/** Plays the first sessions, all unless a number is given. */
export async function playLoop(
  options: PlayOptions,
  count = playedSessions.length,
): Promise<LoopFigures> {
  const workspace = new PlayedWorkspace(options);
  await workspace.run(["init"]);
  const played = playedSessions.slice(0, count);
  const sessions: SessionFigures[] = [];
  const past: Ruling[] = [];
  let ruling: Ruling | undefined;
  for (const [i, session] of played.entries()) {
    const startMs = Date.now() - (played.length - i) * dayMs;
    const { start, prompts } = await workspace.play(session, startMs);
    if (session.ruling) {
      if (ruling) past.push(ruling);
      ruling = session.ruling;
    }
    const rows = await readRows(workspace);
    const figures: SessionFigures = {
      about: session.about,
      startTokens: countTokens(start),
      promptTokens: prompts.reduce((sum, text) => sum + countTokens(text), 0),
      rows: rows.length,
      found: 0,
      echoes: 0,
      ranks: [],
      ...toldOf(await workspace.start(), { ruling, past }),
      twice: findTwice(rows),
    };
    for (const question of questions) {
      const found = await workspace.search(question);
      const whole = found.map(({ id }) => rows.find((row) => row.id === id) ?? {});
      figures.found += found.length;
      figures.echoes += whole.filter(isEcho).length;
      figures.ranks.push(1 + whole.findIndex(({ text }) => ruling?.sign.test(String(text))));
    }
    sessions.push(figures);
  }
  const before = (await readRows(workspace)).length;
  await workspace.run(["import", "claude-code", "--root", workspace.root]);
  const imported = (await readRows(workspace)).length - before;
  const list: unknown = JSON.parse(await workspace.run(["sessions", "--json"]));
  return { sessions, imported, listed: isObject(list) ? Number(list.total) : 0 };
}

/** Whether a start names the decision that holds, and the lines in which it names others. */
function toldOf(
  start: string,
  { ruling, past }: { ruling?: Ruling; past: readonly Ruling[] },
): Pick<SessionFigures, "names" | "stale"> {
  const lines = start.split("\n");
  return {
    names: lines.some((line) => ruling?.sign.test(line)),
    stale: lines.filter((line) => past.some(({ sign }) => sign.test(line))),
  };
}

async function readRows(workspace: PlayedWorkspace): Promise<Row[]> {
  const text = await workspace.run(["export"]);
  const rows: Row[] = text.split("\n").filter((line) => line !== "").map((line) =>
    JSON.parse(line)
  );
  return rows.filter(({ id }) => id !== undefined);
}

/** Whether a row is what ctx told, or a call that asked for it. */
function isEcho({ type, text, tool }: Row): boolean {
  const own = isObject(tool) && typeof tool.name === "string"
    ? ownToolOf(tool.name, tool.input)
    : undefined;
  return type === "recall" || own !== undefined || String(text).includes(shortNotice);
}

/** One message under two ids, or the same words of the user in two rows. */
function findTwice(rows: Row[]): string[] {
  const keys = rows.flatMap((row) => {
    const words = row.role === "user" && row.type === "turn" ? [`user: ${row.text}`] : [];
    return [`id: ${row.id}`, ...words];
  });
  return keys.filter((key, i) => keys.indexOf(key) !== i);
}
