// The views of the page, in the order of the menu; `g` and the letter goes to one.

import type { JSX } from "preact";
import { ContextView } from "./views/context_view.tsx";
import { DecisionsView } from "./views/decisions_view.tsx";
import { RedactionView } from "./views/redaction_view.tsx";
import { ReviewView } from "./views/review_view.tsx";
import { SearchView } from "./views/search_view.tsx";
import { SessionsView } from "./views/sessions_view.tsx";
import { StatsView } from "./views/stats_view.tsx";
import { SuggestionsView } from "./views/suggestions_view.tsx";
import { TimelineView } from "./views/timeline_view.tsx";
import { TracesView } from "./views/traces_view.tsx";

export interface ViewEntry {
  /** As the address names it. */
  name: string;
  title: string;
  /** The letter after `g`. */
  letter: string;
  Component: () => JSX.Element;
}

/** All views; to add one: a file in views/, and a line here. */
export const viewList: readonly ViewEntry[] = [
  { name: "search", title: "Search", letter: "s", Component: SearchView },
  { name: "sessions", title: "Sessions", letter: "r", Component: SessionsView },
  { name: "context", title: "Context", letter: "i", Component: ContextView },
  { name: "timeline", title: "Timeline", letter: "t", Component: TimelineView },
  { name: "decisions", title: "Decisions", letter: "d", Component: DecisionsView },
  { name: "review", title: "Review", letter: "v", Component: ReviewView },
  { name: "traces", title: "Traces", letter: "c", Component: TracesView },
  { name: "suggestions", title: "Suggestions", letter: "u", Component: SuggestionsView },
  { name: "stats", title: "Stats", letter: "a", Component: StatsView },
  { name: "redaction", title: "Redaction", letter: "x", Component: RedactionView },
];
