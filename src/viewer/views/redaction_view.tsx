// What redaction replaced: by which rule, in which entry, with the words around it.

import type { JSX } from "preact";
import { marksIn } from "../../core/redact/marks.ts";
import type { AnswerOf } from "../data/call.ts";
import { toCommandLine } from "../data/command_line.ts";
import { usePage } from "../data/page_context.ts";
import { useRoute } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";
import { countOf } from "../parts/count_of.ts";
import { Choice, ListPane, ListStatus, RowLink } from "../parts/list_pane.tsx";
import { MarkedWords, type Places } from "../parts/marked_words.tsx";
import { Pages } from "../parts/pages.tsx";

const pageRows = 50;

type Redacted = AnswerOf<"redactions">["redactions"][number];

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
    <ListPane
      label="Redaction"
      line={toCommandLine("redactions", [], { rule, offset: offset || undefined })}
    >
      <ListStatus isAsking={isAsking} error={error}>
        {answer && (marks === 0
          ? "Nothing redacted yet."
          : `${countOf(marks, "secret")} replaced before being written, by ${
            countOf(answer.rules.length, "rule")
          }${answer.unsure > 0 ? `; ${answer.unsure} may be quoted placeholders` : ""}`)}
      </ListStatus>
      <div class="actions" role="group" aria-label="Rules">
        {answer?.rules.map(({ rule: name, count, entries }) => (
          <Choice
            key={name}
            sets={{ rule: name === rule ? undefined : name, offset: undefined, id: undefined }}
            isOn={name === rule}
            title={`${count} in ${countOf(entries, "entry", "entries")}`}
          >
            {name} <small>{count}</small>
          </Choice>
        ))}
      </div>
      <ol class="rows context">
        {answer?.redactions.map((row) => (
          <RedactedRow key={row.id + row.rule + row.where} row={row} isOpen={row.id === id} />
        ))}
      </ol>
      <Pages offset={offset} rows={answer?.redactions} size={pageRows} total={answer?.total} />
    </ListPane>
  );
}

function RedactedRow({ row, isOpen }: { row: Redacted; isOpen: boolean }): JSX.Element {
  const { facts, act } = usePage();
  const { id, ts, type, rule, where, snippet, count, source } = row;
  return (
    <li>
      <RowLink sets={{ id }} isOpen={isOpen}>
        <span class="snippet">
          <code>{rule}{count > 1 && ` ×${count}`}</code>{" "}
          <MarkedWords text={snippet} places={findMarks(snippet)} />
        </span>
        <span class="facts">
          in {where} · {type} · <Age ts={ts} />
          {source && ` · ${source}`}
        </span>
      </RowLink>
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
