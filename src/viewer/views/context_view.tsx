// The context agents get: at session start, before an edit, with a prompt; and what was sent recently.
// Each line can be pinned, corrected or forgotten right here.

import type { JSX } from "preact";
import type { AnswerOf, InputOf } from "../data/call.ts";
import { toCommandLine } from "../data/command_line.ts";
import { usePage } from "../data/page_context.ts";
import { useKeys } from "../data/page_keys.ts";
import { setParams, useRoute } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { AskLine } from "../parts/ask_line.tsx";
import { countOf } from "../parts/count_of.ts";
import { Failure } from "../parts/failure.tsx";
import { Choice, ListPane } from "../parts/list_pane.tsx";
import { pressAnswer } from "../data/press_answer.ts";
import { Skeleton } from "../parts/skeleton.tsx";
import { ContextLines, LeftOut } from "./context_lines.tsx";
import { SentHistory } from "./sent_history.tsx";

const moments = [
  ["start", "Session start"],
  ["edit", "Before an edit"],
  ["prompt", "With a prompt"],
  ["last", "Recently sent"],
] as const;
type Moment = typeof moments[number][0];

/** The input field of the moments that need one. */
const fields: Partial<Record<Moment, { label: string; example: string }>> = {
  edit: { label: "File and lines", example: "FILE, FILE:LINE or FILE:FROM-TO" },
  prompt: { label: "Prompt", example: "A prompt to the agent" },
};
/** How many deliveries are listed at first, and at most. */
const [firstTimes, mostTimes] = [20, 200];

/** The whole view. Context comes from all sessions, so a page limited to one session does not show it. */
export function ContextView(): JSX.Element {
  const { facts } = usePage();
  if (!facts.session) return <Preview />;
  return <p class="list">Context comes from all sessions, but this page is limited to one.</p>;
}

function Preview(): JSX.Element {
  const { params } = useRoute();
  const moment = moments.find(([name]) => name === params.get("at"))?.[0] ?? "start";
  const about = params.get("about")?.trim() || undefined;
  const session = params.get("session") ?? undefined;
  const id = params.get("id") ?? undefined;
  const isAsSent = params.has("sent");
  const limit = Number(params.get("limit") ?? firstTimes);
  const field = fields[moment];
  const needsWords = field !== undefined;
  const input: InputOf<"preview"> = {
    moment,
    ...(needsWords && about !== undefined ? { about } : {}),
    ...(session === undefined ? {} : { session }),
    ...(moment === "last" ? { limit } : {}),
  };
  const isAsked = !needsWords || about !== undefined;
  const { answer: last, error, isAsking } = useAnswer("preview", isAsked ? input : undefined);
  // Do not show the answer of another moment while this one loads.
  const answer = last?.moment === moment ? last : undefined;
  const turn = (): void => setParams({ sent: isAsSent ? undefined : "1" }, { replace: true });
  useKeys({ v: turn, n: () => pressAnswer("stop") });
  return (
    <ListPane
      label="Context"
      line={isAsked && toCommandLine(
        moment === "start" ? "context" : "context now",
        moment === "start" ? [] : [moment, ...(needsWords && about !== undefined ? [about] : [])],
        { session, limit: moment === "last" ? limit : undefined },
      )}
    >
      <div class="actions" role="group" aria-label="When">
        {moments.map(([name, title]) => (
          <Choice
            key={name}
            sets={{ at: name, about: undefined, id: undefined, limit: undefined }}
            isOn={name === moment}
          >
            {title}
          </Choice>
        ))}
      </div>
      {session && (
        <p class="facts">
          What conversation <code>{session}</code> would get. Nothing is sent twice.{" "}
          <button type="button" onClick={() => setParams({ session: undefined })}>
            Show a new conversation
          </button>
        </p>
      )}
      {field && (
        <AskLine
          key={moment}
          {...field}
          button="Show"
          about={about}
          onAsk={(typed) => setParams({ about: typed, id: undefined })}
        />
      )}
      <Failure error={error} />
      <div aria-busy={isAsking}>
        {answer === undefined && isAsking && <Skeleton rows={5} />}
        {answer && moment !== "last" && (
          <>
            <Cost answer={answer} isAsSent={isAsSent} onTurn={turn} />
            {answer.notes.map((note) => <p class="facts" key={note}>{note}</p>)}
            {isAsSent && answer.text !== ""
              ? <pre tabIndex={0} aria-label="Raw text">{answer.text}</pre>
              : <ContextLines lines={answer.lines} openId={id} />}
            <LeftOut left={answer.left_out} openId={id} />
          </>
        )}
        {answer?.given && (
          <SentHistory
            given={answer.given}
            openId={id}
            onMore={answer.given.length === limit && limit < mostTimes
              ? () => setParams({ limit: String(mostTimes) }, { replace: true })
              : undefined}
          />
        )}
      </div>
    </ListPane>
  );
}

/** How many tokens are used of the budget. */
function Cost(
  { answer, isAsSent, onTurn }: {
    answer: AnswerOf<"preview">;
    isAsSent: boolean;
    onTurn(): void;
  },
): JSX.Element {
  const { lines, tokens, budget, text } = answer;
  if (text === "") return <p class="count" role="status">Nothing would be sent.</p>;
  const of = budget === undefined ? "" : ` of ${budget.toLocaleString("en")}`;
  return (
    <div class="context-cost">
      <span class="count" role="status">
        {countOf(lines.length, "line")}, {tokens.toLocaleString("en")}
        {of} tokens
      </span>
      {budget !== undefined && (
        <meter min={0} max={budget} value={tokens} aria-label="Token budget used" />
      )}
      <button type="button" aria-pressed={isAsSent} onClick={onTurn} title="v">Raw</button>
    </div>
  );
}
