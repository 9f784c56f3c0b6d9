// What redaction replaced: by which rule, in which entry, with the words around it.

import type { JSX } from "preact";
import { marksIn } from "../../core/redact/marks.ts";
import type { AnswerOf } from "../data/call.ts";
import { toCommandLine } from "../data/command_line.ts";
import { usePage } from "../data/page_context.ts";
import { hrefOf, setParams, useRoute } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";
import { countOf } from "../parts/count_of.ts";
import { EntryPane } from "../parts/entry_pane.tsx";
import { Failure } from "../parts/failure.tsx";
import { MarkedWords, type Places } from "../parts/marked_words.tsx";
import { Pages } from "../parts/pages.tsx";
import { ShellLine } from "../parts/shell_line.tsx";

/** Rows of a page. */
const pageRows = 50;

type Redacted = AnswerOf<"redactions">["redactions"][number];

/** The whole view. */
export function RedactionView(): JSX.Element {
  const { params } = useRoute();
  const rule = params.get("rule") ?? undefined;
  const id = params.get("id") ?? undefined;
  const offset = Number(params.get("offset") ?? 0);
  const { answer, error, isAsking } = useAnswer("redactions", {
    ...(rule === undefined ? {} : { rule }),
    limit: pageRows,
    offset,
  });
  const marks = answer?.rules.reduce((sum, { count }) => sum + count, 0) ?? 0;
  return (
    <div class={id ? "panes open" : "panes"}>
      <section class="list" aria-label="Redaction">
        <p class="count" role="status" aria-busy={isAsking}>
          {answer && (marks === 0
            ? "Nothing redacted yet."
            : `${countOf(marks, "secret")} replaced before being written, by ${
              countOf(answer.rules.length, "rule")
            }${answer.unsure > 0 ? `; ${answer.unsure} may be quoted placeholders` : ""}`)}
        </p>
        <Failure error={error} />
        <div class="actions" role="group" aria-label="Rules">
          {answer?.rules.map(({ rule: name, count, entries }) => (
            <button
              type="button"
              key={name}
              aria-pressed={name === rule}
              title={`${count} in ${entries === 1 ? "1 entry" : `${entries} entries`}`}
              onClick={() =>
                setParams({
                  rule: name === rule ? undefined : name,
                  offset: undefined,
                  id: undefined,
                })}
            >
              {name} <small>{count}</small>
            </button>
          ))}
        </div>
        <ol class="rows context">
          {answer?.redactions.map((row) => (
            <RedactedRow key={row.id + row.rule + row.where} row={row} isOpen={row.id === id} />
          ))}
        </ol>
        {answer && (
          <Pages
            offset={offset}
            shown={answer.redactions.length}
            size={pageRows}
            total={answer.total}
          />
        )}
        <ShellLine line={toCommandLine("redactions", [], { rule, offset: offset || undefined })} />
      </section>
      {id && <EntryPane id={id} />}
    </div>
  );
}

function RedactedRow({ row, isOpen }: { row: Redacted; isOpen: boolean }): JSX.Element {
  const { facts, act } = usePage();
  const { params } = useRoute();
  const { id, ts, type, rule, where, snippet, count, source } = row;
  return (
    <li>
      <a
        data-row
        href={hrefOf("redaction", { ...Object.fromEntries(params), id })}
        aria-current={isOpen ? "true" : undefined}
      >
        <span class="snippet">
          <span class="badge">{rule}{count > 1 && ` ×${count}`}</span>
          <MarkedWords text={snippet} places={findMarks(snippet)} />
        </span>
        <span class="facts">
          in {where} · {type} · <Age ts={ts} />
          {source && ` · ${source}`}
        </span>
      </a>
      {!facts.read_only && (
        <div class="actions">
          <button
            type="button"
            class="danger"
            aria-label={`Forget: ${snippet.slice(0, 80)}`}
            onClick={() => void act("forget", { ids: [id] }, "Forgotten")}
          >
            Forget
          </button>
        </div>
      )}
    </li>
  );
}

/** Where something was taken out. */
function findMarks(text: string): Places {
  return marksIn(text).map(({ start, end }) => [start, end]);
}
