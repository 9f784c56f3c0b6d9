// Finds text in a session. The server searches all messages, including those not on the page.

import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useKeys } from "../data/page_keys.ts";
import { setParams } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { countOf } from "../parts/count_of.ts";
import { Failure } from "../parts/failure.tsx";
import { FindInput } from "../parts/find_input.tsx";

/** After the last key. */
const settleMs = 150;

/** The input field, the count, and buttons for the previous and next match. */
export function FindBar(
  { session, text, index, place, onJump }: {
    session: string;
    text: string;
    /** The rows of entries. */
    index: ReadonlyMap<string, number>;
    /** The row that is being read. */
    place(): number;
    onJump(row: number): void;
  },
): JSX.Element {
  const [typed, setTyped] = useState(text);
  const [at, setAt] = useState(-1);
  const isWaiting = useRef(false);
  const { answer, error, isAsking } = useAnswer("find", text ? { session, text } : undefined);
  const hits = useMemo(() => {
    const rows = answer?.messages.flatMap(({ id }) => index.get(id) ?? []) ?? [];
    return [...new Set(rows)].sort((a, b) => a - b);
  }, [answer, index]);
  const said = useRef(text);
  const ask = (): void => {
    said.current = typed.trim();
    setParams({ find: said.current || undefined }, { replace: true });
  };
  const step = (by: 1 | -1): void => {
    if (hits.length === 0) return;
    const here = place();
    const next = by > 0
      ? hits.findIndex((row) => at < 0 ? row >= here : row > here)
      : hits.findLastIndex((row) => row < here);
    const to = next >= 0 ? next : by > 0 ? 0 : hits.length - 1;
    setAt(to);
    onJump(hits[to]);
  };
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(ask, settleMs);
    return () => clearTimeout(timer);
  }, [typed]);
  // Update the field if the address changes for another reason than typing.
  useEffect(() => {
    setAt(-1);
    if (text !== said.current) setTyped(said.current = text);
  }, [text]);
  // If enter was pressed before the answer arrived, continue now.
  useEffect(() => {
    if (!isWaiting.current || isAsking || answer === undefined) return;
    isWaiting.current = false;
    step(1);
  }, [answer, isAsking]);
  useKeys({ n: () => step(1), N: () => step(-1) });
  const press = (event: KeyboardEvent): void => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (typed.trim() === text && !isAsking) return step(event.shiftKey ? -1 : 1);
    isWaiting.current = true;
    ask();
  };
  return (
    <div class="find-bar" role="search">
      <FindInput
        label="Find in this session"
        value={typed}
        onType={setTyped}
        onKeyDown={press}
      />
      {text && (
        <>
          <span role="status" aria-busy={isAsking}>
            {answer && toCount(hits.length, answer.matches, at)}
          </span>
          <button
            type="button"
            disabled={hits.length === 0}
            onClick={() => step(-1)}
            aria-label="Previous match (N)"
          >
            ↑
          </button>
          <button
            type="button"
            disabled={hits.length === 0}
            onClick={() => step(1)}
            aria-label="Next match (n)"
          >
            ↓
          </button>
        </>
      )}
      <Failure error={error} />
    </div>
  );
}

function toCount(rows: number, matches: number, at: number): string {
  if (matches === 0) return "No matches";
  const here = at >= 0 ? `${at + 1} of ${rows}` : countOf(rows, "message");
  return `${here} · ${countOf(matches, "match", "matches")}`;
}
