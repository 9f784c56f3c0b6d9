// Past suggestions: what for, why, and whether they were used. New ones appear automatically.

import type { JSX } from "preact";
import { type AnswerOf, call } from "../data/call.ts";
import { toCommandLine } from "../data/command_line.ts";
import { tellChange } from "../data/live.ts";
import { usePage } from "../data/page_context.ts";
import { useKeys } from "../data/page_keys.ts";
import { hrefOf, setParams, useRoute } from "../data/route.ts";
import { toCallError, useAnswer } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";
import { AskLine } from "../parts/ask_line.tsx";
import { countOf } from "../parts/count_of.ts";
import { Choice, ListPane, ListStatus } from "../parts/list_pane.tsx";
import { Pages } from "../parts/pages.tsx";
import { SuggestedItems } from "./suggested_items.tsx";

const pageRows = 20;
const states = ["pending", "shown", "used", "dismissed"] as const;

type Suggestion = AnswerOf<"suggestions">["suggestions"][number];

export function SuggestionsView(): JSX.Element {
  const { facts } = usePage();
  const { params } = useRoute();
  const status = states.find((name) => name === params.get("status"));
  const offset = Number(params.get("offset") ?? 0);
  const { answer, error, isAsking } = useAnswer("suggestions", {
    ...(status === undefined ? {} : { status }),
    limit: pageRows,
    offset,
  });
  const none = status
    ? "No suggestions."
    : "No suggestions yet. Ask about a file above, or let a connected agent edit one.";
  useKeys({ u: () => pressVerdict("used"), d: () => pressVerdict("dismissed") });
  return (
    <ListPane
      label="Suggestions"
      line={toCommandLine("suggest list", [], { status, offset: offset || undefined })}
    >
      {!facts.read_only && <AskForFile />}
      <div class="actions chips" role="group" aria-label="Status">
        {[undefined, ...states].map((name) => (
          <Choice
            key={name ?? "all"}
            sets={{ status: name, offset: undefined, id: undefined }}
            isOn={name === status}
          >
            {name ?? "all"}
          </Choice>
        ))}
      </div>
      <ListStatus isAsking={isAsking} error={error}>
        {answer && (answer.total === 0 ? none : countOf(answer.total, "suggestion"))}
      </ListStatus>
      {answer?.suggestions.map((suggestion) => (
        <OneSuggestion
          key={suggestion.id}
          suggestion={suggestion}
          isChosen={suggestion.id === params.get("suggestion")}
        />
      ))}
      <Pages offset={offset} rows={answer?.suggestions} size={pageRows} total={answer?.total} />
    </ListPane>
  );
}

function OneSuggestion(
  { suggestion, isChosen }: { suggestion: Suggestion; isChosen: boolean },
): JSX.Element {
  const { created_at: made, status, trigger, session_id: session } = suggestion;
  return (
    <section class="suggestion" aria-current={isChosen ? "true" : undefined}>
      <h2>
        <span class={`badge ${status}`}>{status}</span>
        {trigger.type === "file"
          ? <a href={hrefOf("context", { at: "edit", about: trigger.source })}>{trigger.source}</a>
          : `${trigger.type} ${trigger.source}`}
      </h2>
      <p class="facts">
        <Age ts={made} /> · <code>{suggestion.id}</code>
        {suggestion.subscription_id && ` · for ${suggestion.subscription_id}`}
        {session && <>· in {session}</>}
      </p>
      <SuggestedItems suggestion={suggestion} />
    </section>
  );
}

function AskForFile(): JSX.Element {
  const { tell } = usePage();
  const ask = async (file: string): Promise<void> => {
    try {
      const { id, suggestions, notes } = await call("suggest", { file, repeat: true });
      const why = notes.length > 0 ? ` (${notes.join("; ")})` : "";
      tell(
        id === null ? `No suggestions for this${why}` : countOf(suggestions.length, "item"),
      );
      if (id === null) return;
      setParams({ suggestion: id, status: undefined, offset: undefined, id: undefined });
      tellChange();
    } catch (error) {
      tell(toCallError(error).message);
    }
  };
  return (
    <AskLine
      label="File or symbol"
      example="Get suggestions for a file or symbol"
      button="Suggest"
      onAsk={(typed) => void ask(typed)}
    />
  );
}

/** Presses the button of the row that has the focus. */
function pressVerdict(verdict: string): boolean | void {
  const row = document.activeElement?.closest("li");
  const button = row?.querySelector<HTMLButtonElement>(`[data-verdict="${verdict}"]`);
  if (!button) return false;
  button.click();
}
