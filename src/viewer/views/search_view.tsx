// Home: one box to search as you type, or to ask. Results with highlighted matches, filters, and how each score is calculated.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { AnswerOf, InputOf } from "../data/call.ts";
import { toCommandLine } from "../data/command_line.ts";
import { usePage } from "../data/page_context.ts";
import { useKeys } from "../data/page_keys.ts";
import { setParams, useRoute } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";
import { countOf } from "../parts/count_of.ts";
import { FindInput } from "../parts/find_input.tsx";
import { Icon } from "../parts/icon.tsx";
import { kindWord } from "../parts/kind_word.ts";
import { FreshnessMark } from "../parts/freshness_mark.tsx";
import { ListPane, ListStatus, RowLink } from "../parts/list_pane.tsx";
import { MarkedWords } from "../parts/marked_words.tsx";
import { Pages } from "../parts/pages.tsx";
import { ScoreSteps } from "../parts/score_steps.tsx";
import { AskedAnswer } from "./asked_answer.tsx";
import { facetNames, Facets } from "./facets.tsx";
import { HomePanels } from "./home_panels.tsx";

const pageRows = 20;
/** After a key; too short to notice. */
const typingMs = 25;
/** After the last key: the full search, with vectors and facets. */
const settleMs = 350;

type Row = AnswerOf<"search">["results"][number];

export function SearchView(): JSX.Element {
  const { facts } = usePage();
  const { params } = useRoute();
  const query = params.get("q") ?? "";
  const [typed, setTyped] = useState(query);
  const [isTyping, setTyping] = useState(false);
  const isExplained = params.has("explain");
  const input = toInput(params, isTyping);
  const { answer, error, isAsking } = useAnswer("search", input);
  const facets = useLast(answer?.facets);
  const said = useRef(query);
  // Update the field if the address changes for another reason than typing.
  useEffect(() => {
    if (query === said.current) return;
    said.current = query;
    setTyped(query);
  }, [query]);
  useEffect(() => {
    if (typed === said.current) return;
    const timer = setTimeout(() => {
      // Enter was faster.
      if (typed === said.current) return;
      said.current = typed;
      setTyping(true);
      setParams({ q: typed, ask: undefined, offset: undefined, id: undefined }, { replace: true });
    }, typingMs);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => {
    const timer = setTimeout(() => setTyping(false), settleMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const ask = (event: Event): void => {
    event.preventDefault();
    setTyping(false);
    said.current = typed;
    setParams({ q: typed, ask: typed.trim() === "" ? undefined : "1", offset: undefined });
  };
  useKeys({ e: () => setParams({ explain: isExplained ? undefined : "1" }, { replace: true }) });
  const filters = Object.fromEntries(facetNames.map((name) => [name, params.get(name) ?? ""]));
  return (
    <ListPane
      label="Search"
      line={input && toCommandLine("search", [query], {
        ...filters,
        since: params.get("since") ?? "",
        until: params.get("until") ?? "",
        explain: isExplained,
      })}
    >
      <form class="ask-box" role="search" onSubmit={ask}>
        <Icon name="search" />
        <FindInput
          label="Search or ask"
          placeholder="Search, or ask and press Enter"
          value={typed}
          onType={setTyped}
        />
      </form>
      {query !== "" && params.has("ask") && <AskedAnswer query={query} />}
      {query !== "" && <Facets facets={facets} filters={filters} titles={titlesOf(answer)} />}
      <ListStatus isAsking={isAsking} error={error}>{toCount(query, answer)}</ListStatus>
      <ol class="rows" data-for={answer?.query}>
        {answer?.results.map((row) => (
          <ResultRow key={row.id} row={row} isOpen={row.id === params.get("id")} />
        ))}
      </ol>
      <Pages
        offset={answer?.offset ?? 0}
        rows={answer?.results}
        total={answer?.total}
        size={pageRows}
      />
      {query === "" && !facts.session && <HomePanels />}
    </ListPane>
  );
}

/** The last value: facets are not counted while typing. */
function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}

/** The search to run; undefined for an empty query. */
function toInput(params: URLSearchParams, isTyping: boolean): InputOf<"search"> | undefined {
  const query = (params.get("q") ?? "").trim();
  if (query === "") return undefined;
  const filters = [...facetNames, "since", "until"].flatMap((name) => {
    const value = params.get(name);
    return value ? [[name, value]] : [];
  });
  return {
    query,
    k: pageRows,
    offset: Number(params.get("offset") ?? 0),
    include_current: true,
    // The pane beside the list shows what is around a row.
    unit: "row",
    marks: true,
    ...(isTyping
      ? { typing: true }
      : { facets: facetNames.join(), explain: params.has("explain") }),
    ...Object.fromEntries(filters),
  };
}

/** The titles of the sessions in the results. */
function titlesOf(answer: AnswerOf<"search"> | undefined): Map<string, string> {
  return new Map(
    (answer?.results ?? []).flatMap(({ session_id: id, session_title: title }) =>
      id && title ? [[id, title]] : []
    ),
  );
}

function toCount(query: string, answer: AnswerOf<"search"> | undefined): string {
  if (query.trim() === "" || answer === undefined) return "";
  const { total, results, retrieval } = answer;
  if (total === 0) return "No results.";
  const corrected = Object.entries(retrieval.corrected ?? {})
    .map(([word, used]) => `. No results for "${word}": showing results for "${used}"`);
  const order = results.length < total ? ", best first" : "";
  return countOf(total, "result") + order + corrected.join("");
}

function ResultRow({ row, isOpen }: { row: Row; isOpen: boolean }): JSX.Element {
  const title = row.title ?? row.summary ?? "";
  return (
    <li>
      <RowLink sets={{ id: row.id }} isOpen={isOpen}>
        <span class="title">
          <span class={`badge ${row.type}`}>{kindWord(row.type, row.role)}</span>
          <MarkedWords text={title} places={row.title === undefined ? [] : row.marks?.title} />
        </span>
        <span class="snippet">
          <MarkedWords text={row.snippet} places={row.marks?.snippet} />
        </span>
        <span class="facts">
          <Age ts={row.ts} />
          {row.source?.agent && ` · ${row.source.agent}`}
          {row.session_title && ` · ${row.session_title}`}{" "}
          <FreshnessMark freshness={row.freshness} />
        </span>
      </RowLink>
      {row.explain && <ScoreSteps explain={row.explain} score={row.score_final} />}
    </li>
  );
}
