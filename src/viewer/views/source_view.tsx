// Why the source is as it is: the files of the workspace, and behind each line of one the session,
// the prompt and the decision.

import type { JSX } from "preact";
import type { SourceFiles, SourceText as Source } from "../../read/overview/read_source.ts";
import { receive } from "../data/call.ts";
import { toCommandLine } from "../data/command_line.ts";
import { usePage } from "../data/page_context.ts";
import { hrefOf, useRoute } from "../data/route.ts";
import { useLoaded } from "../data/use_answer.ts";
import { countOf } from "../parts/count_of.ts";
import { Empty } from "../parts/empty.tsx";
import { Failure } from "../parts/failure.tsx";
import { ShellLine } from "../parts/shell_line.tsx";
import { FileTree } from "../source/file_tree.tsx";
import { isKnown } from "../source/line_stories.ts";
import { SourceText } from "../source/source_text.tsx";

export function SourceView(): JSX.Element {
  const { facts } = usePage();
  if (!facts.session) return <Source />;
  return <p class="list">Source comes from all sessions, but this page is limited to one.</p>;
}

function Source(): JSX.Element {
  const path = useRoute().params.get("path") ?? undefined;
  const files = useLoaded("source", (key, signal) => receive<SourceFiles>(key, { signal }));
  const file = useLoaded(
    path && `source?${new URLSearchParams({ path })}`,
    (key, signal) => receive<Source>(key, { signal }),
  );
  const source = file.answer?.path === path ? file.answer : undefined;
  return (
    <div class={path ? "source open" : "source"} aria-busy={files.isAsking || file.isAsking}>
      <section class="source-files" aria-label="Files">
        <Failure error={files.error} />
        {files.answer && <FileTree files={files.answer.files} current={path} />}
        {files.answer?.files.length === 0 && (
          <Empty title="No files">
            ctx explains files that git tracks. Run <code>git init</code>{" "}
            and commit, then reload this page.
          </Empty>
        )}
      </section>
      <section class="source-file" aria-label="Source">
        {path === undefined && (
          <Empty title="Choose a file">
            Each line shows the session, the prompt and the decision behind it.
          </Empty>
        )}
        {path && (
          <header>
            <a class="back" href={hrefOf("source")} aria-label="All files">←</a>
            <h2>{path}</h2>
            <small>{source && toCount(source)}</small>
          </header>
        )}
        <Failure error={file.error} />
        {path && !source && file.isAsking && <p class="waiting">Reading the history…</p>}
        {source && <SourceText key={path} source={source} />}
        {path && <ShellLine line={toCommandLine("why", [path])} />}
      </section>
    </div>
  );
}

/** How much of a file is known, and how many sessions wrote it. */
function toCount({ stories }: Source): string {
  const known = stories.filter(isKnown);
  const sessions = new Set(known.map(({ session_id }) => session_id)).size;
  return sessions === 0 ? "No known session for these lines" : countOf(sessions, "session");
}
