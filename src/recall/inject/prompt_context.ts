// What a prompt is given: at most three lines that are strongly relevant, never one that this
// conversation was given or said before; mostly nothing.

import { toPackLine } from "../../browse/make_pack.ts";
import { isSameLine, wordsOfLine } from "../../browse/same_line.ts";
import { isoTime } from "../../core/iso_time.ts";
import { fenceMemory, shortNotice } from "../../core/rows/fence.ts";
import { countTokens } from "../../core/tokens.ts";
import type { SearchRow } from "../../search/request.ts";
import { appendInjection, isUptake, readInjections } from "../../store/logs/injection_log.ts";
import { readSessionsOf } from "../../store/logs/session_log.ts";
import type { Store } from "../../store/store.ts";
import type { HookCall } from "./hook_call.ts";
import { gate, maxPromptLines, passesGate } from "./prompt_gate.ts";
import { findPromptLines, isTelling, type PromptLine } from "./prompt_lines.ts";
import { standingIn } from "./standing.ts";

/** The block for a prompt, noted as given; undefined when there is nothing to say. */
export async function promptContext(
  store: Store,
  call: HookCall,
  { nowMs }: { nowMs: number },
): Promise<string | undefined> {
  const { prompt, conversation, agent } = call;
  if (prompt === undefined || conversation === undefined || !isTelling(prompt)) return undefined;
  const needles = [JSON.stringify(conversation), '"uptake"'];
  const log = [...readInjections(store, { needles })];
  const given = new Set(
    log.flatMap((row) =>
      row.conversation !== conversation || isUptake(row) ? [] : row.lines.map(({ id }) => id)
    ),
  );
  const own = readSessionsOf(store, conversation);
  const isWanted = ({ id, session_id, source }: SearchRow): boolean =>
    !given.has(id) && source?.conversation !== conversation &&
    (session_id === undefined || !own.has(session_id));
  const found = await findPromptLines(store, { prompt, isWanted, standing: standingIn(log) });
  const lines = chooseLines(found);
  if (lines.length === 0) return undefined;
  const said = lines.map((line) => toPackLine(line, nowMs));
  const text = fenceMemory(said, { attributes: {}, notice: shortNotice });
  appendInjection(store, {
    ts: isoTime(nowMs),
    agent,
    conversation,
    event: call.event,
    lines: lines.map(({ id }, i) => ({ id, tokens: countTokens(said[i]) })),
    tokens: countTokens(text),
  });
  return text;
}

/** The lines that pass the gate, none twice in other words. */
export function chooseLines(found: PromptLine[], least = gate): PromptLine[] {
  const chosen: { line: PromptLine; words: Set<string> }[] = [];
  for (const line of found) {
    if (chosen.length === maxPromptLines) break;
    const words = wordsOfLine(line.text);
    const isNew = chosen.every((other) => !isSameLine(words, other.words));
    if (isNew && passesGate(line.fit, least)) chosen.push({ line, words });
  }
  return chosen.map(({ line }) => line);
}
