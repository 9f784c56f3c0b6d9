// Reads a session: its messages as a list of any length, its prompts and files beside it.

import type { JSX } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useKeys } from "../data/page_keys.ts";
import { goTo, hrefOf, setParams, useRoute } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { EntryPane } from "../parts/entry_pane.tsx";
import { Failure } from "../parts/failure.tsx";
import { type ListHandle, VirtualList } from "../parts/virtual_list.tsx";
import { FindBar } from "./find_bar.tsx";
import type { Chapter } from "./chapters.ts";
import { markFound, revealRange } from "./mark_found.ts";
import { labelOf, MessageRow } from "./message_row.tsx";
import { guessHeight, indexRows, isOpenAtFirst, type ReaderRow, toRows } from "./reader_rows.ts";
import { SessionHead } from "./session_head.tsx";
import { SessionSide } from "./session_side.tsx";
import { useChapters } from "./use_chapters.ts";
import { lineChars, useOutlines } from "./use_outlines.ts";
import { useCurrent, useFlips } from "./use_place.ts";
import { useTexts, type Wanted } from "./use_texts.ts";

/** Rows before and after the visible ones whose texts are loaded too. */
const ahead = 20;
/** How long a row stays in place after a jump while the texts around it load. */
const holdMs = 2000;

interface Due {
  align: "start" | "nearest";
  isFocused: boolean;
  isFound: boolean;
  heldUntil: number;
}

export function SessionReader({ session }: { session: string }): JSX.Element {
  const { params } = useRoute();
  const id = params.get("id") ?? undefined;
  const find = params.get("find") ?? "";
  const { answer: outline, error } = useAnswer("outline", { session, chars: lineChars });
  const [agents, flipAgent] = useFlips();
  const [flipped, flip] = useFlips();
  const [whole, flipWhole] = useFlips();
  const [isSideShown, setSideShown] = useState(false);
  const inner = useOutlines(agents);
  const helpers = useMemo(
    () => new Map([...inner].filter(([agent]) => agents.has(agent))),
    [inner, agents],
  );
  const rows = useMemo(() => outline ? toRows(outline, helpers) : [], [outline, helpers]);
  const index = useMemo(() => indexRows(rows), [rows]);
  const edits = useMemo(() => listEdits(rows), [rows]);
  const texts = useTexts();
  const list = useRef<ListHandle>(null);
  const [current, setCurrent] = useCurrent(params.get("at") ?? undefined);
  /** What the next render has to do; until then, loading texts must not move the row away. */
  const due = useRef<Due>({ align: "start", isFocused: false, isFound: false, heldUntil: 0 });
  const currentRow = current === undefined ? undefined : index.get(current);
  const chapters = useChapters(rows, currentRow);
  const { shown, placeOf } = chapters;
  const heads = useMemo(
    () => chapters.list.flatMap(({ key, from }) => key === "" ? [] : [from]),
    [chapters.list],
  );
  const chapterOf = (row: number): Chapter => chapters.list[chapters.indexOf(row)];
  const isHead = (row: ReaderRow): boolean => row.kind === "prompt" && row.depth === 0;
  const isOpen = (row: ReaderRow): boolean =>
    isHead(row)
      ? chapters.isOpen(chapterOf(index.get(row.key) ?? 0))
      : row.kind === "agent"
      ? agents.has(row.key)
      : isOpenAtFirst(row) !== flipped.has(row.key);
  const open = (row: ReaderRow): void => {
    if (!isHead(row)) return (row.kind === "agent" ? flipAgent : flip)(row.key);
    const chapter = chapterOf(index.get(row.key) ?? 0);
    // What is folded away is not what one reads any more.
    const isCurrent = currentRow !== undefined && chapterOf(currentRow) === chapter;
    if (isCurrent && chapters.isOpen(chapter)) setCurrent(row.key);
    chapters.set(chapter, !chapters.isOpen(chapter));
  };
  const place = (): number => {
    const seen = list.current?.seen() ?? { first: 0, last: 0 };
    const first = shown[seen.first] ?? 0;
    if (currentRow === undefined) return first;
    // The list is still scrolling to the row: the next key continues from there.
    const isHeld = performance.now() < due.current.heldUntil;
    const at = placeOf(currentRow);
    return isHeld || (at >= seen.first && at <= seen.last) ? currentRow : first;
  };
  const go = (
    row: number | undefined,
    { align = "start", isFound = false }: { align?: "start" | "nearest"; isFound?: boolean } = {},
  ): void => {
    if (row === undefined || rows[row] === undefined) return;
    const heldUntil = performance.now() + holdMs;
    due.current = { align, isFocused: !isFound, isFound, heldUntil };
    setSideShown(false);
    setCurrent(rows[row].key);
    const chapter = chapterOf(row);
    if (row !== chapter.from && !chapters.isOpen(chapter)) chapters.set(chapter, true);
    if (!isFound) return;
    if (!isOpen(rows[row]) && rows[row].kind !== "agent") flip(rows[row].key);
    flipWhole(rows[row].key, true);
  };
  const step = (by: 1 | -1): void => {
    const here = place();
    const next = Math.min(shown.length - 1, Math.max(0, placeOf(here) + by));
    go(here === currentRow ? shown[next] : here, { align: "nearest" });
  };
  const goToEdit = (by: 1 | -1): void => {
    const here = place();
    const isHere = here === currentRow;
    go(
      by < 0
        ? edits.findLast((row) => row < here)
        : edits.find((row) => isHere ? row > here : row >= here),
    );
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    J: () => {
      const here = place();
      // At the very beginning the first prompt is the next one.
      const isBefore = currentRow === undefined && here === 0;
      go(heads.find((row) => isBefore ? row >= here : row > here));
    },
    K: () => go(heads.findLast((row) => row < place())),
    e: () => goToEdit(1),
    E: () => goToEdit(-1),
    r: () => replay(),
    // First leave the focused element.
    esc: () => document.activeElement === document.body && goTo(hrefOf("sessions")),
  });
  useLayoutEffect(() => {
    if (currentRow === undefined) return;
    const { align, isFocused } = due.current;
    list.current?.show(placeOf(currentRow), align);
    due.current.heldUntil = performance.now() + holdMs;
    if (isFocused) list.current?.find(placeOf(currentRow))?.focus({ preventScroll: true });
  }, [current, currentRow === undefined]);
  useLayoutEffect(() => {
    if (currentRow === undefined || performance.now() > due.current.heldUntil) return;
    list.current?.show(placeOf(currentRow), due.current.align);
  }, [texts]);
  const letGo = (): void => {
    due.current.heldUntil = 0;
  };
  // If the address names an output, open its call.
  useEffect(() => {
    const row = currentRow === undefined ? undefined : rows[currentRow];
    if (row === undefined || currentRow === undefined) return;
    const chapter = chapterOf(currentRow);
    if (currentRow !== chapter.from && !chapters.isOpen(chapter)) chapters.set(chapter, true);
    if (row.key !== current && !isOpen(row)) flip(row.key);
  }, [current, currentRow === undefined]);
  const drawn = (first: number, last: number): void => {
    const near = shown.slice(Math.max(0, first - ahead), last + ahead).map((row) => rows[row]);
    texts.want(near.filter(isOpen).flatMap(toWanted));
    const host = document.querySelector(".session-messages > .virtual");
    const ranges = markFound(host, find);
    if (!due.current.isFound || currentRow === undefined || host === null) return;
    const element = list.current?.find(placeOf(currentRow));
    const range = ranges.find(({ startContainer }) => element?.contains(startContainer));
    if (range === undefined) return;
    due.current.isFound = false;
    letGo();
    requestAnimationFrame(() => revealRange(range, host));
  };
  useEffect(() => () => void markFound(null, ""), []);
  const here = hrefOf("sessions", { ...Object.fromEntries(params), id: undefined });
  const toEntry = (entry: string): string => `${here}&id=${encodeURIComponent(entry)}`;
  const keyOf = useCallback((i: number) => rows[shown[i]].key, [rows, shown]);
  const replay = (): void => setParams({ replay: "1", id: undefined });
  const jumpTo = (entries: readonly string[]): void => {
    const found = [...new Set(entries.flatMap((entry) => index.get(entry) ?? []))];
    const here = place();
    go(found.find((row) => row > here) ?? found[0]);
  };
  const toAttributes = (row: ReaderRow, isCurrent: boolean): Record<string, unknown> => ({
    class: `message ${row.kind}${isHead(row) ? " chapter" : ""}`,
    tabIndex: -1,
    "data-row": "",
    "data-depth": Math.min(row.depth, 3),
    "aria-label": toLabel(row),
    "aria-current": isCurrent ? "true" : undefined,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "Enter" || event.target !== event.currentTarget) return;
      if (isOpenAtFirst(row) && !isHead(row)) setParams({ id: row.key });
      else open(row);
    },
  });
  return (
    <div class={id ? "panes open" : "panes"}>
      <section
        class={isSideShown ? "reader side-shown" : "reader"}
        aria-label="Session"
        aria-busy={outline === undefined && error === undefined}
      >
        <SessionHead
          outline={outline}
          session={session}
          onReplay={edits.length > 0 ? replay : undefined}
        />
        <Failure error={error ?? texts.error} />
        <div class="reader-bar">
          <FindBar
            session={session}
            text={find}
            index={index}
            place={place}
            onJump={(row) => go(row, { isFound: true })}
          />
          {edits.length > 0 && (
            <button
              type="button"
              onClick={() => goToEdit(1)}
              title="Next edit (e)"
            >
              Next edit
            </button>
          )}
          {heads.length > 1 && (
            <button
              type="button"
              onClick={() => chapters.setAll(!chapters.areAllOpen)}
            >
              {chapters.areAllOpen ? "Fold all" : "Open all"}
            </button>
          )}
          <button
            type="button"
            class="side-switch"
            aria-expanded={isSideShown}
            onClick={() => setSideShown(!isSideShown)}
          >
            Details
          </button>
        </div>
        <div
          class="session-messages"
          onWheel={letGo}
          onPointerDown={letGo}
          onTouchStart={letGo}
          onKeyDown={({ key }) => /^(Page|Arrow|Home|End| )/.test(key) && letGo()}
        >
          <VirtualList
            label="Messages"
            count={shown.length}
            keyOf={keyOf}
            guess={(i) => guessHeight(rows[shown[i]], isOpen(rows[shown[i]]))}
            kept={currentRow === undefined ? undefined : placeOf(currentRow)}
            handle={list}
            onDrawn={drawn}
            attributes={(i) => toAttributes(rows[shown[i]], shown[i] === currentRow)}
            draw={(i) => {
              const row = rows[shown[i]];
              return (
                <MessageRow
                  row={row}
                  facts={isHead(row) ? chapters.factsOf(chapterOf(shown[i])) : undefined}
                  texts={texts}
                  isOpen={isOpen(row)}
                  toEntry={toEntry}
                  isWhole={whole.has(row.key)}
                  onOpen={() => open(row)}
                  onWhole={() => flipWhole(row.key)}
                />
              );
            }}
          />
        </div>
        {outline && <SessionSide outline={outline} onJump={jumpTo} />}
      </section>
      {id && <EntryPane id={id} />}
    </div>
  );
}

/** The rows that are edits, also of sub-agents that are opened. */
function listEdits(rows: readonly ReaderRow[]): number[] {
  return rows.flatMap(({ kind }, i) => kind === "edit" ? i : []);
}

function toLabel(row: ReaderRow): string {
  if (row.agent) return `Sub-agent: ${row.agent.title}`;
  const { name, line } = labelOf(row);
  return `${name}: ${line}`;
}

function toWanted({ kind, outline, at, outputs }: ReaderRow): Wanted[] {
  if (kind === "agent") return [];
  const { number, id } = outline.messages;
  return [at, ...outputs].map((one) => ({
    session: outline.session_id,
    number: number[one],
    id: id[one],
  }));
}
