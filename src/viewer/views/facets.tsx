// Search filters: the values found in the results, with counts, and time.

import type { JSX } from "preact";
import { toWholePath } from "../../core/platform_path.ts";
import type { AnswerOf } from "../data/call.ts";
import { useRoute } from "../data/route.ts";
import { kindWord } from "../parts/kind_word.ts";
import { Choice } from "../parts/list_pane.tsx";
import { sinceChoices } from "../data/since_choices.ts";

/** What rows are counted by. */
export const facetNames = ["source", "project", "session", "role", "type"] as const;

const maxValues = 8;
const maxChars = 32;

/** Shows the values; clicking one filters by it, clicking again removes the filter. */
export function Facets(
  { facets, filters, titles }: {
    facets: AnswerOf<"search">["facets"];
    filters: Record<string, string>;
    /** What sessions are called, by their ids. */
    titles: ReadonlyMap<string, string>;
  },
): JSX.Element {
  const { params } = useRoute();
  const since = params.get("since") ?? "";
  const chosen = [...Object.values(filters), since].filter((value) => value !== "").length;
  return (
    <details class="facets" open={chosen > 0}>
      <summary>Filter{chosen > 0 && ` (${chosen})`}</summary>
      <div>
        <fieldset>
          <legend>time</legend>
          {sinceChoices.map(([value, title]) => (
            <Choice sets={{ since: value, offset: undefined }} isOn={since === value}>
              {title}
            </Choice>
          ))}
        </fieldset>
        {facetNames.map((name) => (
          <Facet
            name={name}
            values={facets?.[name]?.values ?? {}}
            chosen={filters[name]}
            titles={titles}
          />
        ))}
      </div>
    </details>
  );
}

function Facet(
  { name, values, chosen, titles }: {
    name: string;
    values: Record<string, number>;
    chosen: string;
    titles: ReadonlyMap<string, string>;
  },
): JSX.Element | null {
  const found = Object.entries(values).filter(([value]) => value !== "");
  const shown = found.sort((a, b) => b[1] - a[1]).slice(0, maxValues);
  if (chosen && !shown.some(([value]) => value === chosen)) shown.push([chosen, 0]);
  if (shown.length === 0) return null;
  return (
    <fieldset>
      <legend>{name}</legend>
      {shown.map(([value, count]) => (
        <Choice
          sets={{ [name]: value === chosen ? undefined : value, offset: undefined, id: undefined }}
          isOn={value === chosen}
          title={value}
        >
          {toLabel(titles.get(value) ?? (isKind(name) ? kindWord(value) : value))}{" "}
          <small>{count}</small>
        </Choice>
      ))}
    </fieldset>
  );
}

function isKind(facet: string): boolean {
  return facet === "role" || facet === "type";
}

/** Long names by their beginning, paths by their last two parts: the last alone many share. */
function toLabel(value: string): string {
  if (toWholePath(value) !== undefined) return value.split(/[\\/]/).slice(-2).join("/");
  return value.length > maxChars ? `${value.slice(0, maxChars)}…` : value;
}
