// What ctx would remember, best first: accept, edit, reject or put off each line. Keys act on the
// focused row, or else on the first.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { AnswerOf } from "../data/call.ts";
import { toCommandLine } from "../data/command_line.ts";
import { usePage } from "../data/page_context.ts";
import { useKeys } from "../data/page_keys.ts";
import { useRoute } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";
import { countOf } from "../parts/count_of.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Choice, ListPane, ListStatus, RowLink } from "../parts/list_pane.tsx";
import { Pages } from "../parts/pages.tsx";

const pageRows = 30;

type Line = AnswerOf<"reviewList">["lines"][number];

export function ReviewView(): JSX.Element {
  const { facts } = usePage();
  const { params } = useRoute();
  const [edited, setEdited] = useState<Line>();
  const all = params.has("all");
  const offset = Number(params.get("offset") ?? 0);
  const { answer, error, isAsking } = useAnswer(
    "reviewList",
    facts.session ? undefined : { all, limit: pageRows, offset },
  );
  useKeys({
    a: () => pressAnswer("accept"),
    e: () => pressAnswer("edit"),
    r: () => pressAnswer("reject"),
    l: () => pressAnswer("later"),
  });
  return (
    <ListPane label="Review" line={toCommandLine("review", [], { all })}>
      {answer && (answer.others > 0 || all) && (
        <p class="actions chips">
          <Choice sets={{ all: all ? undefined : "1", offset: undefined }} isOn={all}>
            Include lines with no clear reason to remember them
          </Choice>
        </p>
      )}
      <ListStatus isAsking={isAsking} error={error}>
        {facts.session
          ? "This page shows one session; review needs all of them."
          : answer && (answer.total === 0 ? "Nothing to review." : countOf(answer.total, "line"))}
      </ListStatus>
      <ol class="rows">
        {answer?.lines.map((line) => (
          <LineRow
            key={line.id}
            line={line}
            isOpen={line.id === params.get("id")}
            onEdit={() => setEdited(line)}
          />
        ))}
      </ol>
      <Pages offset={offset} rows={answer?.lines} size={pageRows} total={answer?.total} />
      {edited && <EditDialog line={edited} onClose={() => setEdited(undefined)} />}
    </ListPane>
  );
}

function LineRow(
  { line, isOpen, onEdit }: { line: Line; isOpen: boolean; onEdit(): void },
): JSX.Element {
  const { facts, act } = usePage();
  const { id, ts, type, text, why } = line;
  const ids = [id];
  return (
    <li>
      <RowLink sets={{ id }} isOpen={isOpen}>
        <span class="title">
          <span class={`badge ${type}`}>{type}</span>
          {text}
        </span>
        <span class="facts">
          {[...why, ""].join(" · ")}
          <Age ts={ts} />
        </span>
      </RowLink>
      {!facts.read_only && (
        <div class="actions">
          <button
            type="button"
            data-answer="accept"
            onClick={() => void act("reviewAccept", { ids }, "Accepted")}
          >
            Accept
          </button>
          <button type="button" data-answer="edit" onClick={onEdit}>Edit</button>
          <button
            type="button"
            data-answer="reject"
            onClick={() => void act("reviewReject", { ids }, "Rejected")}
          >
            Reject
          </button>
          <button
            type="button"
            data-answer="later"
            onClick={() => void act("reviewLater", { ids }, "Put off for a week")}
          >
            Later
          </button>
        </div>
      )}
    </li>
  );
}

function EditDialog({ line, onClose }: { line: Line; onClose(): void }): JSX.Element {
  const { act } = usePage();
  const [text, setText] = useState(line.text);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await act("reviewEdit", { id: line.id, text }, "Accepted")) onClose();
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

/** Presses a button of the row that has the focus, or of the first one. */
function pressAnswer(answer: string): boolean | void {
  const row = document.activeElement?.closest("li") ?? document;
  const button = row.querySelector<HTMLButtonElement>(`[data-answer="${answer}"]`);
  if (button === null) return false;
  button.click();
}
