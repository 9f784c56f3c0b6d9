// Traces, suggestions and subscriptions by the beginning of their id.

import { readTraces } from "../../store/logs/read_traces.ts";
import type { Store } from "../../store/store.ts";
import { readSubscriptions } from "../../recall/edit/deliver/subscription.ts";
import { readSuggestionEvents } from "../../recall/edit/suggestion_log.ts";
import { type Named } from "../../command/shape.ts";
import type { Candidate } from "./candidate.ts";

/** All that an id of this kind may name. */
export function findLogged(names: Named, { files, layout }: Store): Candidate[] {
  if (names === "T") {
    return readTraces({ files, layout }).map(({ trace_id: id, ts, command, query }) => ({
      id,
      ts,
      title: `${command} ${query ?? ""}`,
    }));
  }
  if (names === "G") {
    return [...readSuggestionEvents(files, layout)].flatMap(({ event }) =>
      event.event === "suggested"
        ? [{ id: event.id, ts: event.ts, title: event.trigger.source }]
        : []
    );
  }
  return [...readSubscriptions(files, layout).values()].map(({ id, ts, patterns }) => ({
    id,
    ts,
    title: patterns.map(({ type, pattern }) => `${type}:${pattern}`).join(" "),
  }));
}
