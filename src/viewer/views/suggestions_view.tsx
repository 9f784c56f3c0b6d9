// Past suggestions: what for, why, and whether they were used. New ones appear automatically.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type AnswerOf, call } from "../data/call.ts";
import { toCommandLine } from "../data/command_line.ts";
import { tellChange } from "../data/live.ts";
import { usePage } from "../data/page_context.ts";
import { useKeys } from "../data/page_keys.ts";
import { hrefOf, setParams, useRoute } from "../data/route.ts";
import { toCallError, useAnswer } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";
import { countOf } from "../parts/count_of.ts";
import { EntryPane } from "../parts/entry_pane.tsx";
import { Failure } from "../parts/failure.tsx";
import { Pages } from "../parts/pages.tsx";
import { ShellLine } from "../parts/shell_line.tsx";
import { SuggestedItems } from "./suggested_items.tsx";

/** Suggestions of a page. */
const pageRows = 20;
const states = ["pending", "shown", "used", "dismissed"] as const;

type Suggestion = AnswerOf<"suggestions">["suggestions"][number];

/** The whole view. */
export function SuggestionsView(): JSX.Element {
  const { facts } = usePage();
  const { params } = useRoute();
  const status = states.find((name) => name === params.get("status"));
  const id = params.get("id") ?? undefined;
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
    <div class={id ? "panes open" : "panes"}>
      <section class="list" aria-label="Suggestions">
        {!facts.read_only && <AskForFile />}
        <div class="actions" role="group" aria-label="Status">
          {[undefined, ...states].map((name) => (
            <button
              type="button"
              key={name ?? "all"}
              aria-pressed={name === status}
              onClick={() => setParams({ status: name, offset: undefined, id: undefined })}
            >
              {name ?? "all"}
            </button>
          ))}
        </div>
        <p class="count" role="status" aria-busy={isAsking}>
          {answer && (answer.total === 0 ? none : countOf(answer.total, "suggestion"))}
        </p>
        <Failure error={error} />
        {answer?.suggestions.map((suggestion) => (
          <OneSuggestion
            key={suggestion.id}
            suggestion={suggestion}
            isChosen={suggestion.id === params.get("suggestion")}
          />
        ))}
        {answer && (
          <Pages
            offset={offset}
            shown={answer.suggestions.length}
            size={pageRows}
            total={answer.total}
          />
        )}
        <ShellLine
          line={toCommandLine("suggest list", [], { status, offset: offset || undefined })}
        />
      </section>
      {id && <EntryPane id={id} />}
    </div>
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

/** Asks for suggestions about a file. */
function AskForFile(): JSX.Element {
  const { tell } = usePage();
  const [typed, setTyped] = useState("");
  const ask = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      const { id, suggestions, notes } = await call("suggest", {
        file: typed.trim(),
        repeat: true,
      });
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
    <form class="ask-line" onSubmit={(event) => void ask(event)}>
      <input
        type="text"
        data-find
        aria-label="File or symbol"
        placeholder="Get suggestions for a file or symbol"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <button type="submit" disabled={typed.trim() === ""}>Suggest</button>
    </form>
  );
}

/** Presses the button of the row that has the focus. */
function pressVerdict(verdict: string): boolean | void {
  const row = document.activeElement?.closest("li");
  const button = row?.querySelector<HTMLButtonElement>(`[data-verdict="${verdict}"]`);
  if (!button) return false;
  button.click();
}
