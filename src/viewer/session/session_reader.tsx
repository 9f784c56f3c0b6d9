// Reads a session: its messages as a list of any length, its prompts and files beside it.

import type { JSX } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { toCommandLine } from "../data/command_line.ts";
import { useKeys } from "../data/page_keys.ts";
import { goTo, hrefOf, setParams, useRoute } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";
import { EntryPane } from "../parts/entry_pane.tsx";
import { Failure } from "../parts/failure.tsx";
import { ShellLine } from "../parts/shell_line.tsx";
import { type ListHandle, VirtualList } from "../parts/virtual_list.tsx";
import { FindBar } from "./find_bar.tsx";
import { markFound, revealRange } from "./mark_found.ts";
import { labelOf, MessageRow } from "./message_row.tsx";
import { SessionActions } from "./session_actions.tsx";
import {
  guessHeight,
  indexRows,
  isOpenAtFirst,
  type Outline,
  type ReaderRow,
  toRows,
} from "./reader_rows.ts";
import { FileList, PromptList } from "./session_side.tsx";
import { lineChars, useOutlines } from "./use_outlines.ts";
import { useTexts, type Wanted } from "./use_texts.ts";

/** Rows before and after the visible ones whose texts are loaded too. */
const ahead = 20;
/** How long after a move the address is updated. */
const followMs = 300;

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
  const shown = useMemo(
    () => new Map([...inner].filter(([agent]) => agents.has(agent))),
    [inner, agents],
  );
  const rows = useMemo(() => outline ? toRows(outline, shown) : [], [outline, shown]);
  const index = useMemo(() => indexRows(rows), [rows]);
  const prompts = useMemo(() => findPrompts(rows), [rows]);
  const texts = useTexts();
  const list = useRef<ListHandle>(null);
  const [current, setCurrent] = useCurrent(params.get("at") ?? undefined);
  const [promptAt, setPromptAt] = useState(-1);
  /** What the next render has to do; until then, loading texts must not move the row away. */
  const due = useRef<Due>({ align: "start", isFocused: false, isFound: false, heldUntil: 0 });
  const currentRow = current === undefined ? undefined : index.get(current);
  const isOpen = (row: ReaderRow): boolean =>
    row.kind === "agent" ? agents.has(row.key) : isOpenAtFirst(row) !== flipped.has(row.key);
  const open = (row: ReaderRow): void => (row.kind === "agent" ? flipAgent : flip)(row.key);
  const place = (): number => {
    const { first, last } = list.current?.seen() ?? { first: 0, last: 0 };
    if (currentRow === undefined) return first;
    // The list is still scrolling to the row: the next key continues from there.
    const isHeld = performance.now() < due.current.heldUntil;
    return isHeld || (currentRow >= first && currentRow <= last) ? currentRow : first;
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
    if (!isFound) return;
    if (!isOpen(rows[row]) && rows[row].kind !== "agent") flip(rows[row].key);
    flipWhole(rows[row].key, true);
  };
  const step = (by: 1 | -1): void => {
    const here = place();
    go(here === currentRow ? Math.min(rows.length - 1, Math.max(0, here + by)) : here, {
      align: "nearest",
    });
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    J: () => {
      const here = place();
      // At the very beginning the first prompt is the next one.
      const isBefore = currentRow === undefined && here === 0;
      go(prompts.find((row) => isBefore ? row >= here : row > here));
    },
    K: () => go(prompts.findLast((row) => row < place())),
    // First leave the focused element.
    esc: () => document.activeElement === document.body && goTo(hrefOf("sessions")),
  });
  useLayoutEffect(() => {
    if (currentRow === undefined) return;
    const { align, isFocused } = due.current;
    list.current?.show(currentRow, align);
    due.current.heldUntil = performance.now() + holdMs;
    if (isFocused) list.current?.find(currentRow)?.focus({ preventScroll: true });
  }, [current, currentRow === undefined]);
  useLayoutEffect(() => {
    if (currentRow === undefined || performance.now() > due.current.heldUntil) return;
    list.current?.show(currentRow, due.current.align);
  }, [texts]);
  const letGo = (): void => {
    due.current.heldUntil = 0;
  };
  // If the address names an output, open its call.
  useEffect(() => {
    const row = currentRow === undefined ? undefined : rows[currentRow];
    if (row && row.key !== current && !isOpen(row)) flip(row.key);
  }, [current, currentRow === undefined]);
  const drawn = (first: number, last: number): void => {
    texts.want(
      rows.slice(Math.max(0, first - ahead), last + ahead).filter(isOpen).flatMap(toWanted),
    );
    const reading = currentRow !== undefined && currentRow >= first && currentRow <= last
      ? currentRow
      : first;
    setPromptAt(prompts.findLastIndex((row) => row <= reading));
    const host = document.querySelector(".session-messages > .virtual");
    const ranges = markFound(host, find);
    if (!due.current.isFound || currentRow === undefined || host === null) return;
    const element = list.current?.find(currentRow);
    const range = ranges.find(({ startContainer }) => element?.contains(startContainer));
    if (range === undefined) return;
    due.current.isFound = false;
    letGo();
    requestAnimationFrame(() => revealRange(range, host));
  };
  useEffect(() => () => void markFound(null, ""), []);
  const here = hrefOf("sessions", { ...Object.fromEntries(params), id: undefined });
  const toEntry = (entry: string): string => `${here}&id=${encodeURIComponent(entry)}`;
  const keyOf = useCallback((i: number) => rows[i].key, [rows]);
  const jumpTo = (entries: readonly string[]): void => {
    const found = [...new Set(entries.flatMap((entry) => index.get(entry) ?? []))];
    const here = place();
    go(found.find((row) => row > here) ?? found[0]);
  };
  return (
    <div class={id ? "panes open" : "panes"}>
      <section
        class={isSideShown ? "reader side-shown" : "reader"}
        aria-label="Session"
        aria-busy={outline === undefined && error === undefined}
      >
        <ReaderHead outline={outline} session={session} />
        <Failure error={error ?? texts.error} />
        <div class="reader-bar">
          <FindBar
            session={session}
            text={find}
            index={index}
            place={place}
            onJump={(row) => go(row, { isFound: true })}
          />
          <button
            type="button"
            class="side-switch"
            aria-expanded={isSideShown}
            onClick={() => setSideShown(!isSideShown)}
          >
            Outline
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
            count={rows.length}
            keyOf={keyOf}
            guess={(i) => guessHeight(rows[i], isOpen(rows[i]))}
            kept={currentRow}
            handle={list}
            onDrawn={drawn}
            attributes={(i) => ({
              class: `message ${rows[i].kind}`,
              tabIndex: -1,
              "data-row": "",
              "data-depth": Math.min(rows[i].depth, 3),
              "aria-label": toLabel(rows[i]),
              "aria-current": i === currentRow ? "true" : undefined,
              onKeyDown: (event: KeyboardEvent) => {
                if (event.key !== "Enter" || event.target !== event.currentTarget) return;
                if (isOpenAtFirst(rows[i])) setParams({ id: rows[i].key });
                else open(rows[i]);
              },
            })}
            draw={(i) => (
              <MessageRow
                row={rows[i]}
                texts={texts}
                isOpen={isOpen(rows[i])}
                toEntry={toEntry}
                isWhole={whole.has(rows[i].key)}
                onOpen={() => open(rows[i])}
                onWhole={() => flipWhole(rows[i].key)}
              />
            )}
          />
        </div>
        {outline && (
          <aside class="session-side" aria-label="Outline">
            <SessionActions outline={outline} />
            <PromptList rows={rows} prompts={prompts} current={promptAt} onJump={go} />
            <FileList outline={outline} onJump={jumpTo} />
            <ShellLine line={toCommandLine("show", [session])} />
          </aside>
        )}
      </section>
      {id && <EntryPane id={id} />}
    </div>
  );
}

function ReaderHead({ outline, session }: { outline?: Outline; session: string }): JSX.Element {
  const { source, branch, project, models = [], started, total, parent } = outline ?? {};
  const facts = [
    source,
    ...models,
    project?.replace(/^.*\//, ""),
    branch,
    total !== undefined && `${total.toLocaleString("en")} messages`,
  ].filter(Boolean);
  return (
    <header>
      <a href={hrefOf("sessions")} aria-label="All sessions">←</a>
      <h1 title={outline?.title}>{outline?.title ?? session}</h1>
      <p class="facts">
        {started && <Age ts={started} />}
        {facts.map((fact) => ` · ${fact}`)}
        {parent && <a href={hrefOf("sessions", { session: parent })}>parent session</a>}
      </p>
    </header>
  );
}

/** A set of keys that can be toggled. */
function useFlips(): [ReadonlySet<string>, (key: string, isIn?: boolean) => void] {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const flip = useCallback((key: string, isIn?: boolean): void => {
    setKeys((before) => {
      if (before.has(key) === isIn) return before;
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  }, []);
  return [keys, flip];
}

/** The current entry: from the address, which is updated after moves. */
function useCurrent(at: string | undefined): [string | undefined, (key: string) => void] {
  const [current, setCurrent] = useState(at);
  const said = useRef(at);
  useEffect(() => {
    if (at === said.current) return;
    said.current = at;
    if (at) setCurrent(at);
  }, [at]);
  // Browsers let a page change its address only so often.
  useEffect(() => {
    if (current === said.current) return;
    const timer = setTimeout(() => {
      said.current = current;
      setParams({ at: current }, { replace: true });
    }, followMs);
    return () => clearTimeout(timer);
  }, [current]);
  return [current, setCurrent];
}

function findPrompts(rows: readonly ReaderRow[]): number[] {
  return rows.flatMap(({ kind, depth }, i) => kind === "prompt" && depth === 0 ? i : []);
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
