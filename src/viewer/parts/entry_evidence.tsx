// The evidence for an entry: its code and how that changed, the entries it was derived from, and the
// entry that replaced it.

import type { JSX } from "preact";
import type { ReadEntry } from "../data/call.ts";
import { useKeys } from "../data/page_keys.ts";
import { usePage } from "../data/page_context.ts";
import { hrefOf, readRoute } from "../data/route.ts";
import { kindWord } from "./kind_word.ts";
import { useAnswer } from "../data/use_answer.ts";

/** How much of each piece of evidence is shown. */
const headChars = 160;

/** Shows the evidence; an entry whose code changed can be confirmed. */
export function EntryEvidence({ entry }: { entry: ReadEntry }): JSX.Element {
  const { facts, act } = usePage();
  const { id, refs = [], changed, freshness = "", lineage } = entry;
  const origins = new Map(lineage?.evidence.map((one) => [one.id, `${one.from} (${one.trust})`]));
  const { answer } = useAnswer("get", refs.length > 0 ? { ids: refs, head: headChars } : undefined);
  const hasMoved = /^(drifted|gone|reverted)$/.test(freshness) && !facts.read_only;
  const confirm = (): void => void act("confirm", { id }, "Confirmed");
  useKeys({ o: () => hasMoved && confirm() });
  return (
    <>
      {changed?.says && (
        <section aria-label="What changed">
          <h3>What changed</h3>
          <p>
            {changed.says}
            {changed.by && (
              <>
                {" "}
                <EntryLink id={changed.by}>See the later edit</EntryLink>
              </>
            )}
          </p>
          {hasMoved && <button type="button" title="o" onClick={confirm}>Still valid</button>}
        </section>
      )}
      {entry.supersedes && (
        <p class="facts">
          Corrects <EntryLink id={entry.supersedes}>{entry.supersedes}</EntryLink>
        </p>
      )}
      {entry.superseded_by && (
        <p class="facts">
          Corrected by <EntryLink id={entry.superseded_by}>{entry.superseded_by}</EntryLink>
        </p>
      )}
      {answer && (
        <section aria-label="Evidence">
          <h3>Derived from</h3>
          {lineage && (
            <p class="facts">
              Trust: {lineage.trust}
              {lineage.trust === "outside" && " · never sent to agents"}
            </p>
          )}
          <ol class="evidence">
            {answer.results.map((row) => (
              <li key={row.id}>
                <EntryLink id={row.id}>
                  <span class="badge">{kindWord(row.type, row.role)}</span>
                  {row.title ?? row.text.trim()}
                  {row.truncated && "…"}
                </EntryLink>
                {origins.has(row.id) && <small>{origins.get(row.id)}</small>}
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}

function EntryLink(
  { id, children }: { id: string; children: JSX.Element["props"]["children"] },
): JSX.Element {
  const { view, params } = readRoute();
  return <a href={hrefOf(view, { ...Object.fromEntries(params), id })}>{children}</a>;
}
