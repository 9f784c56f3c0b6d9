// The rules that are checked, what they caught, and the log. A mode is set on the user's terminal only:
// the page gives the command for it, so nobody who gets at the page can loosen a guard.

import type { JSX } from "preact";
import type { AnswerOf } from "../data/call.ts";
import { toCommandLine } from "../data/command_line.ts";
import { usePage } from "../data/page_context.ts";
import { useKeys } from "../data/page_keys.ts";
import { setParams, useRoute } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";
import { countOf } from "../parts/count_of.ts";
import { Empty } from "../parts/empty.tsx";
import { Choice, ListPane, ListStatus, RowLink } from "../parts/list_pane.tsx";

type Guard = AnswerOf<"guardList">["guards"][number];
const modes = ["shadow", "ask", "deny"] as const;
const logRows = 50;

export function GuardsView(): JSX.Element {
  const { facts } = usePage();
  const { params } = useRoute();
  const guard = params.get("guard") ?? undefined;
  const mode = modes.find((one) => one === params.get("mode"));
  const input = facts.session ? undefined : {};
  const { answer, error, isAsking } = useAnswer("guardList", input);
  const log = useAnswer("guardLog", input && { limit: logRows });
  const choose = (mode: string) => (): boolean | void => {
    const row = document.activeElement?.closest("[data-guard]") ??
      document.querySelector("[data-guard]");
    if (row === null) return false;
    setParams({ guard: row.getAttribute("data-guard") ?? undefined, mode });
  };
  useKeys({ s: choose("shadow"), a: choose("ask"), d: choose("deny") });
  const events = log.answer?.events.filter((one) => guard === undefined || one.guard === guard);
  return (
    <ListPane
      label="Guards"
      line={guard && mode
        ? toCommandLine("guard set", [guard], { mode })
        : toCommandLine("guard list")}
    >
      <ListStatus isAsking={isAsking} error={error ?? log.error}>
        {facts.session
          ? "This page shows one session; guards apply to all of them."
          : mode
          ? "Run the command below in your terminal to set the mode."
          : answer && answer.guards.length > 0 && countOf(answer.guards.length, "guard")}
      </ListStatus>
      {answer?.guards.length === 0 && (
        <Empty title="No guards yet">
          Add one in your terminal: <code>ctx guard add RULE</code>
        </Empty>
      )}
      {[...answer?.faults ?? [], ...answer?.unchecked ?? []].map((line) => <p key={line}>{line}
      </p>)}
      <ol class="rows">
        {answer?.guards.map((one) => (
          <GuardRow
            key={one.id}
            guard={one}
            chosen={one.id === guard ? mode ?? one.mode : one.mode}
            isOpen={one.id === guard}
          />
        ))}
      </ol>
      {events && events.length > 0 && (
        <>
          <h2>Log</h2>
          <ol class="rows" aria-label="Log">
            {events.map(({ ts, event, guard, mode, what, found }, at) => (
              <li key={ts + at}>
                <span class="title">
                  <span class="badge">{mode === "shadow" ? "counted" : event}</span>
                  {found ?? what ?? ""}
                </span>
                <span class="facts">
                  {guard} · <Age ts={ts} />
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
    </ListPane>
  );
}

function GuardRow(
  { guard, chosen, isOpen }: { guard: Guard; chosen: string; isOpen: boolean },
): JSX.Element {
  const { id, rule, checks, caught, passed, binding, mode, note } = guard;
  return (
    <li data-guard={id}>
      <RowLink sets={{ guard: isOpen ? undefined : id, mode: undefined }} isOpen={isOpen}>
        <span class="title">{rule}</span>
        <span class="facts">
          {id} · {caught} caught, {passed} passed · {checks}
          {mode !== "shadow" && !binding && " · breaches are only counted until you approve it"}
        </span>
        {note && <span class="facts">{note}</span>}
      </RowLink>
      <div class="actions" role="group" aria-label={`Mode of ${id}`}>
        {modes.map((one) => (
          <Choice key={one} sets={{ guard: id, mode: one }} isOn={one === chosen}>{one}</Choice>
        ))}
      </div>
    </li>
  );
}
