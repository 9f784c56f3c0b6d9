// Sessions as coding agents leave them: a prompt, turns of an answer, calls and their results, 100 to
// 900 bytes a row. Words follow Zipf's law from the first one that carries meaning on, so that a
// question of common words matches more than half of all rows, as it does in a store of years.

import { fillers, makeRandom, makeVocabulary, makeZipf, subjects } from "./generate.ts";

/** Seven words that most rows have one of. */
export const commonQuestion = "which server request has the client user data and config value";
/** One of them. */
export const commonWord = "server";

/** How much of a text are words that carry no meaning. */
const fillerShare = 0.4;

/** Yields NDJSON lines of history, oldest first. */
export function* generateSessions(options: { rows: number; seed?: number }): Generator<string> {
  const random = makeRandom(options.seed ?? 18);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const nextWord = makeZipf(makeVocabulary(random).slice(fillers.length), random);
  const words = (least: number, most: number): string => {
    const count = least + Math.floor(random() ** 2 * (most - least));
    return Array.from({ length: count }, () => random() < fillerShare ? pick(fillers) : nextWord())
      .join(" ");
  };
  const toHex = (): string => Math.floor(random() * 2 ** 24).toString(16).padStart(6, "0");
  let time = Date.UTC(2024, 0, 1);
  let session = "";
  let turns = 0;
  let made = 0;
  const toLine = (role: string, type: string, rest: object): string => {
    time += 500 + Math.floor(random() * 20_000);
    const ts = new Date(time).toISOString();
    const id = `H-${time.toString(32)}${toHex()}`;
    return JSON.stringify({ id, ts, role, type, session_id: session, ...rest }) + "\n";
  };
  while (true) {
    if (turns-- <= 0) {
      turns = 2 + Math.floor(random() * 8);
      session = `S-${toHex()}${toHex()}`;
      time += 60_000 * Math.floor(random() * 90);
    }
    const exchange = [toLine("user", "turn", { text: `${words(6, 50)}?` })];
    for (let calls = Math.floor(random() * 4); calls > 0; calls--) {
      const file = `src/${pick(subjects)}/${pick(subjects)}.ts`;
      const edits = random() < 0.4;
      const tool = edits
        ? { name: "Edit", effect: "write", input: { file_path: file, new_string: words(8, 60) } }
        : { name: "Bash", effect: "run", input: { command: `deno test ${file} # ${words(2, 8)}` } };
      const text = edits ? `Edit ${file}` : tool.input.command;
      if (random() < 0.4) exchange.push(toLine("assistant", "turn", { text: words(6, 30) }));
      exchange.push(toLine("assistant", "tool_call", { text, tool, files: [file] }));
      const result = { text: words(5, 90), tool: { name: tool.name } };
      exchange.push(toLine("tool", "tool_output", result));
    }
    exchange.push(toLine("assistant", "turn", { text: words(20, 120) }));
    for (const line of exchange) {
      if (made++ === options.rows) return;
      yield line;
    }
  }
}

/** Questions of seven such words each. */
export function commonQuestions(count: number, seed = 7): string[] {
  const random = makeRandom(seed);
  const common = subjects.slice(0, 24);
  return Array.from({ length: count }, () => {
    const left = [...common];
    const words = Array.from({ length: 7 }, () => {
      const [word] = left.splice(Math.floor(random() * left.length), 1);
      return word;
    });
    return words.join(" ");
  });
}
