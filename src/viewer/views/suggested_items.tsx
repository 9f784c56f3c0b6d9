// The items of a suggestion, each with its reason and whether it was used.

import type { JSX } from "preact";
import type { AnswerOf } from "../data/call.ts";
import { kindWord } from "../parts/kind_word.ts";
import { usePage } from "../data/page_context.ts";
import { useRoute } from "../data/route.ts";
import { FreshnessMark } from "../parts/freshness_mark.tsx";
import { LineRow } from "./context_lines.tsx";

type Suggestion = AnswerOf<"suggestions">["suggestions"][number];
type Item = Suggestion["suggestions"][number];

/** The items, with buttons to mark them as used or dismissed. */
export function SuggestedItems({ suggestion }: { suggestion: Suggestion }): JSX.Element {
  const { facts } = usePage();
  return (
    <ol class="rows context">
      {suggestion.suggestions.map((item) => (
        <li key={item.item}>
          <ItemRow item={item} />
          {!facts.read_only && <Verdicts id={suggestion.id} item={item} />}
        </li>
      ))}
    </ol>
  );
}

function ItemRow({ item }: { item: Item }): JSX.Element {
  const { params } = useRoute();
  const { entity_id: entity, type, title, summary, reason, relevance_score: score } = item;
  const id = /^H-/.test(entity) ? entity : undefined;
  return (
    <LineRow id={id} subject={entity} openId={params.get("id") ?? undefined}>
      <span class="title">
        <span class={`badge ${type}`}>{kindWord(type)}</span>
        {title}
      </span>
      {summary !== "" && summary !== title && summary !== reason && (
        <span class="snippet">{summary}</span>
      )}
      <span class="facts">
        {score.toFixed(2)} · {reason} <FreshnessMark freshness={item.freshness} />
      </span>
    </LineRow>
  );
}

const verdicts = [["used", "Used", "u"], ["dismissed", "Dismissed", "d"]] as const;

function Verdicts({ id, item }: { id: string; item: Item }): JSX.Element {
  const { act } = usePage();
  return (
    <div class="actions">
      {verdicts.map(([verdict, name, key]) => (
        <button
          type="button"
          key={verdict}
          data-verdict={verdict}
          title={key}
          aria-label={`${name}: ${item.title.slice(0, 80)}`}
          aria-pressed={item.verdict === verdict}
          onClick={() =>
            void act(
              "feedback",
              { suggestion: id, verdict, item: item.item },
              `Marked as ${verdict}`,
            )}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
