// The lines an agent gets and those left out, each with the reason and its actions.

import type { JSX } from "preact";
import type { AnswerOf } from "../data/call.ts";
import { usePage } from "../data/page_context.ts";
import { hrefOf } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";
import { capitalize } from "../data/capitalize.ts";
import { countOf } from "../parts/count_of.ts";
import { EntryButtons } from "../parts/entry_buttons.tsx";
import { FreshnessMark } from "../parts/freshness_mark.tsx";
import { kindWord } from "../parts/kind_word.ts";
import { RowLink } from "../parts/list_pane.tsx";

type Line = AnswerOf<"preview">["lines"][number];
type Left = AnswerOf<"preview">["left_out"][number];

export function ContextLines(
  { lines, openId }: { lines: readonly Line[]; openId?: string },
): JSX.Element {
  return (
    <ol class="rows context" aria-label="Lines">
      {lines.map((line) => {
        const { id, subject, kind, text, tokens, pinned, ts, freshness, because, derived } = line;
        return (
          <li key={id ?? text}>
            <LineRow id={id} subject={subject} openId={openId}>
              <span class="snippet">
                <span class={`badge ${kind}`}>{kindWord(kind)}</span>
                {withoutHead(text)}
              </span>
              <span class="facts">
                {because ? capitalize(because) : !id && subject ? toPath(subject) : kindWord(kind)}
                {ts && " · "}
                {ts && <Age ts={ts} />}
                {` · ${countOf(tokens, "token")} `}
                <FreshnessMark freshness={freshness} />
              </span>
            </LineRow>
            {id && (
              <EntryButtons id={id} isPinned={pinned} about={withoutHead(text)}>
                {derived && !pinned && <StopSending id={id} about={withoutHead(text)} />}
              </EntryButtons>
            )}
            {!id && subject === "pins.md" && <UnpinText text={text} />}
          </li>
        );
      })}
    </ol>
  );
}

/** What was found but is not sent. */
export function LeftOut(
  { left, openId }: { left: readonly Left[]; openId?: string },
): JSX.Element | null {
  if (left.length === 0) return null;
  const count = left.reduce((sum, line) => sum + line.count, 0);
  return (
    <details class="left-out">
      <summary>Left out: {count.toLocaleString("en")}</summary>
      <ol class="rows context">
        {left.map(({ id, kind, text, why, count }) => (
          <li key={id ?? why}>
            <LineRow id={id} openId={openId}>
              <span class="snippet">
                {kind && <span class={`badge ${kind}`}>{kind.replaceAll("_", " ")}</span>}
                {text ?? `${count.toLocaleString("en")} more`}
              </span>
              <span class="facts">{why}</span>
            </LineRow>
            {id && <EntryButtons id={id} isPinned={false} about={text} />}
          </li>
        ))}
      </ol>
    </details>
  );
}

/** A row that links to its entry, or to the context before an edit of its file. */
export function LineRow(
  { id, subject = "", openId, children }: {
    id?: string;
    subject?: string;
    openId?: string;
    children: (JSX.Element | false | undefined)[];
  },
): JSX.Element {
  if (id) return <RowLink sets={{ id }} isOpen={id === openId}>{children}</RowLink>;
  const file = /^code:([^#]+)/.exec(subject)?.[1];
  if (!file) return <div class="row">{children}</div>;
  return <a data-row href={hrefOf("context", { at: "edit", about: file })}>{children}</a>;
}

/** Keeps a derived line from being sent, for good; what it was derived from stays. */
function StopSending({ id, about }: { id: string; about: string }): JSX.Element {
  const { act } = usePage();
  return (
    <button
      type="button"
      data-answer="stop"
      title="Never send this again; the session stays (n)"
      aria-label={`Don't send: ${about.slice(0, 80)}`}
      onClick={() => void act("reviewReject", { ids: [id] }, "Not sent again")}
    >
      Don't send
    </button>
  );
}

/** A pin written by hand has no entry: it can only be removed. */
function UnpinText({ text }: { text: string }): JSX.Element | null {
  const { facts, act } = usePage();
  const { answer } = useAnswer("pins", {});
  const pin = answer?.pins.find((pin) =>
    pin.id === undefined && text.includes(pin.text.slice(0, 60))
  );
  if (facts.read_only || pin === undefined) return null;
  return (
    <div class="actions">
      <button
        type="button"
        aria-label={`Unpin: ${pin.text.slice(0, 80)}`}
        onClick={() => void act("unpin", { target: pin.text }, "Unpinned")}
      >
        Unpin
      </button>
    </div>
  );
}

/** Drops the prefix of a line (id, kind, age, number), which is shown separately. */
function withoutHead(text: string): string {
  return text.replace(/^- (?:\[[^\]]*\] )?[^:]{1,80}: |^\d+\. /, "");
}

function toPath(subject: string): string {
  return subject.replace(/^code:/, "");
}
