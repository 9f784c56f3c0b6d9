// What happened when: around an entry, or on a day.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { isDay } from "../data/day.ts";
import { setParams, useRoute } from "../data/route.ts";
import { EntryPane } from "../parts/entry_pane.tsx";
import { AroundEntry } from "./around_entry.tsx";
import { DayView } from "./day_view.tsx";

/** The whole view: one day with `day`, otherwise the entries around `around`. */
export function TimelineView(): JSX.Element {
  const { params } = useRoute();
  const id = params.get("id") ?? undefined;
  const day = params.get("day");
  const around = isDay(day) ? undefined : params.get("around") ?? id;
  // An address with only an id centers on it, and stays there when another entry is opened.
  useEffect(() => {
    if (around && !params.has("around")) setParams({ around }, { replace: true });
  }, [around]);
  return (
    <div class={id ? "panes open" : "panes"}>
      {around
        ? <AroundEntry key={around} anchor={around} />
        : <DayView asked={isDay(day) ? day : undefined} />}
      {id && <EntryPane id={id} />}
    </div>
  );
}
