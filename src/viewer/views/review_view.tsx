// What ctx would remember, best first: accept, edit, reject or put off each line. Keys act on the
// focused row, or else on the first; the next row is focused then.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { AnswerOf } from "../data/call.ts";
import { toCommandLine } from "../data/command_line.ts";
import { usePage } from "../data/page_context.ts";
import { useKeys } from "../data/page_keys.ts";
import { hrefOf, useRoute } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";
import { countOf } from "../parts/count_of.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Choice, ListPane, ListStatus, RowLink } from "../parts/list_pane.tsx";
import { Empty } from "../parts/empty.tsx";
import { kindWord } from "../parts/kind_word.ts";
import { Pages } from "../parts/pages.tsx";
import { pressAnswer } from "../data/press_answer.ts";
import { Skeleton } from "../parts/skeleton.tsx";
import { LineEvidence } from "./line_evidence.tsx";

const pageRows = 30;

type Line = AnswerOf<"reviewList">["lines"][number];

export function ReviewView(): JSX.Element {
  const { facts } = usePage();
  const { params } = useRoute();
  const [edited, setEdited] = useState<{ line: Line; next: HTMLElement | null }>();
  const all = params.has("all");
  const offset = Number(params.get("offset") ?? 0);
  const { answer, error, isAsking } = useAnswer(
    "reviewList",
    facts.session ? undefined : { all, limit: pageRows, offset },
  );
  const [focused, setFocused] = useState<string>();
  const shown = answer?.lines.find(({ id }) => id === focused) ?? answer?.lines[0];
  const next = useRef<{ row: HTMLElement | null; gone: string }>(undefined);
  // The dialog gives the focus back to its row, which may be gone by then or later.
  useEffect(() => {
    const { row, gone } = next.current ?? {};
    if (document.activeElement !== document.body) return;
    if (answer?.lines.some(({ id }) => id === gone)) return;
    row?.focus();
    next.current = undefined;
  }, [answer, edited]);
  useKeys({
    a: () => pressAnswer("accept"),
    e: () => pressAnswer("edit"),
    r: () => pressAnswer("reject"),
    l: () => pressAnswer("later"),
  });
  return (
    <ListPane
      label="Review"
      line={toCommandLine("review", [], { all })}
      hint={shown && <LineEvidence line={shown} />}
    >
      <ListStatus isAsking={isAsking} error={error}>
        {facts.session
          ? "This page shows one session; review needs all of them."
          : answer && answer.total > 0 && countOf(answer.total, "line")}
      </ListStatus>
      {answer === undefined && isAsking && <Skeleton rows={4} />}
      {answer?.total === 0 && (
        <Empty title="Nothing to review">
          New lines appear after your next sessions. <a href={hrefOf("decisions")}>See decisions</a>
        </Empty>
      )}
      <ol class="rows">
        {answer?.lines.map((line) => (
          <LineRow
            key={line.id}
            line={line}
            isOpen={line.id === params.get("id")}
            isNext={line === shown}
            onFocus={() => setFocused(line.id)}
            onEdit={(next) => setEdited({ line, next })}
          />
        ))}
      </ol>
      <Pages offset={offset} rows={answer?.lines} size={pageRows} total={answer?.total} />
      {answer && (answer.others > 0 || all) && (
        <p class="actions chips">
          <Choice sets={{ all: all ? undefined : "1", offset: undefined }} isOn={all}>
            Include lines with no clear reason to remember them
          </Choice>
        </p>
      )}
      {edited && (
        <EditDialog
          line={edited.line}
          onClose={() => setEdited(undefined)}
          onDone={() => {
            next.current = { row: edited.next, gone: edited.line.id };
            setEdited(undefined);
          }}
        />
      )}
    </ListPane>
  );
}

function LineRow(
  { line, isOpen, isNext, onFocus, onEdit }: {
    line: Line;
    isOpen: boolean;
    /** Whether keys answer it. */
    isNext: boolean;
    onFocus(): void;
    onEdit(next: HTMLElement | null): void;
  },
): JSX.Element {
  const { facts, act } = usePage();
  const { id, ts, type, text, why } = line;
  type Answer = "reviewAccept" | "reviewReject" | "reviewLater";
  const give = (name: Answer, done: string) => (button: EventTarget | null): void => {
    // At once: a key that is pressed quickly is for the next row.
    findNextRow(button)?.focus();
    void act(name, { ids: [id] }, done);
  };
  const answers = {
    Accept: give("reviewAccept", "Accepted"),
    Edit: (button: EventTarget | null) => onEdit(findNextRow(button)),
    Reject: give("reviewReject", "Rejected"),
    Later: give("reviewLater", "Put off for a week"),
  };
  return (
    <li onFocusCapture={onFocus} onMouseEnter={onFocus}>
      <RowLink sets={{ id }} isOpen={isOpen}>
        <span class="title">
          <span class={`badge ${type}`}>{kindWord(type)}</span>
          {text}
        </span>
        <span class="facts">
          {[...why, ""].join(" · ")}
          <Age ts={ts} />
        </span>
      </RowLink>
      {!facts.read_only && (
        <div class="actions">
          {Object.entries(answers).map(([label, answer]) => (
            <button
              key={label}
              type="button"
              class={label === "Accept" && isNext ? "primary" : undefined}
              data-answer={label.toLowerCase()}
              onClick={({ currentTarget }) => answer(currentTarget)}
            >
              {label} {isNext && <kbd aria-hidden="true">{label[0].toLowerCase()}</kbd>}
            </button>
          ))}
        </div>
      )}
    </li>
  );
}

function EditDialog(
  { line, onClose, onDone }: { line: Line; onClose(): void; onDone(): void },
): JSX.Element {
  const { act } = usePage();
  const [text, setText] = useState(line.text);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await act("reviewEdit", { id: line.id, text }, "Accepted")) onDone();
  };
  return (
    <Dialog label="Accept in your own words" onClose={onClose} wide>
      <form onSubmit={(event) => void save(event)}>
        <h2>Accept in your own words</h2>
        <textarea
          aria-label="Text"
          data-first
          rows={4}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p class="actions">
          <button type="submit" disabled={text.trim() === ""}>Accept</button>
          <button type="button" onClick={onClose}>Cancel</button>
        </p>
      </form>
    </Dialog>
  );
}

/** The row that has the focus once this one is answered: the next, or the one before the last. */
function findNextRow(within: EventTarget | null): HTMLElement | null {
  const row = within instanceof Element ? within.closest("li") : null;
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  return next?.querySelector<HTMLElement>("[data-row]") ?? null;
}
