// The views of the page, in the order of the menu; `g` and the letter goes to one.

import type { JSX } from "preact";
import type { IconName } from "./parts/icon.tsx";
import { ContextView } from "./views/context_view.tsx";
import { DecisionsView } from "./views/decisions_view.tsx";
import { GuardsView } from "./views/guards_view.tsx";
import { RedactionView } from "./views/redaction_view.tsx";
import { ReviewView } from "./views/review_view.tsx";
import { SearchView } from "./views/search_view.tsx";
import { SessionsView } from "./views/sessions_view.tsx";
import { SourceView } from "./views/source_view.tsx";
import { StatsView } from "./views/stats_view.tsx";
import { SuggestionsView } from "./views/suggestions_view.tsx";
import { TimelineView } from "./views/timeline_view.tsx";
import { TracesView } from "./views/traces_view.tsx";

export interface ViewEntry {
  /** As the address names it. */
  name: string;
  title: string;
  /** What it is for, below its title; views that draw their own head have none. */
  about?: string;
  /** The letter after `g`. */
  letter: string;
  /** Views without one are under More. */
  icon?: IconName;
  Component: () => JSX.Element;
}

/** All views; to add one: a file in views/, and a line here. */
export const viewList: readonly ViewEntry[] = [
  { name: "home", title: "Home", letter: "h", icon: "home", Component: SearchView },
  {
    name: "sessions",
    title: "Sessions",
    about: "Every conversation with your agents, newest first.",
    letter: "s",
    icon: "sessions",
    Component: SessionsView,
  },
  {
    name: "source",
    title: "Source",
    letter: "w",
    icon: "source",
    Component: SourceView,
  },
  {
    name: "review",
    title: "Review",
    about: "What ctx would remember. Agents get a line only after you accept it.",
    letter: "v",
    icon: "review",
    Component: ReviewView,
  },
  {
    name: "context",
    title: "Context",
    about: "What agents get as context, and why each line is there.",
    letter: "c",
    icon: "context",
    Component: ContextView,
  },
  {
    name: "decisions",
    title: "Decisions",
    about: "What was decided, fixed and left open, with the code behind it.",
    letter: "d",
    Component: DecisionsView,
  },
  { name: "timeline", title: "Timeline", letter: "t", Component: TimelineView },
  {
    name: "stats",
    title: "Stats",
    about: "Activity, tokens and disk use.",
    letter: "a",
    Component: StatsView,
  },
  {
    name: "suggestions",
    title: "Suggestions",
    about: "What ctx suggested to agents, and whether it was used.",
    letter: "u",
    Component: SuggestionsView,
  },
  {
    name: "traces",
    title: "Traces",
    about: "How each request was answered.",
    letter: "r",
    Component: TracesView,
  },
  {
    name: "guards",
    title: "Guards",
    about: "The rules that are checked in what agents run and edit, and what they caught.",
    letter: "k",
    Component: GuardsView,
  },
  {
    name: "redaction",
    title: "Redaction",
    about: "Secrets that were replaced before anything was written.",
    letter: "x",
    Component: RedactionView,
  },
];
