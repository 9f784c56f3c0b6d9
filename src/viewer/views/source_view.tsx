// Why the source is as it is: the files of the workspace with the story of each line, and the commits
// with what led to them.

import type { ComponentChildren, JSX } from "preact";
import type { FolderHeat as Heat } from "../../read/overview/read_heat.ts";
import type { SourceFiles, SourceText as Source } from "../../read/overview/read_source.ts";
import { receive } from "../data/call.ts";
import { toCommandLine } from "../data/command_line.ts";
import { usePage } from "../data/page_context.ts";
import { hrefOf, useRoute } from "../data/route.ts";
import { useAnswer, useLoaded } from "../data/use_answer.ts";
import { countOf } from "../parts/count_of.ts";
import { Empty } from "../parts/empty.tsx";
import { Failure } from "../parts/failure.tsx";
import { ShellLine } from "../parts/shell_line.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { changeHref } from "../source/change_href.ts";
import { ChangeList } from "../source/change_list.tsx";
import { ChangeStory } from "../source/change_story.tsx";
import { FolderHeat } from "../source/folder_heat.tsx";
import { FileTree } from "../source/file_tree.tsx";
import { isKnown } from "../source/line_stories.ts";
import { SourceText } from "../source/source_text.tsx";

/** More branches and commits than these are for a terminal. */
const mostChanges = 60;

export function SourceView(): JSX.Element {
  const { facts } = usePage();
  const isChanges = useRoute().params.get("tab") === "changes";
  if (!facts.session) return isChanges ? <Changes /> : <Files />;
  return <p class="list">Source comes from all sessions, but this page is limited to one.</p>;
}

/** What there is on the left, and what is open on the right; one of them on a phone. */
function Sides(
  { name, isOpen, isBusy, side, children }: {
    name: "Files" | "Changes";
    isOpen: boolean;
    isBusy: boolean;
    side: ComponentChildren;
    children: ComponentChildren;
  },
): JSX.Element {
  const tabs = [["Files", hrefOf("source")], ["Changes", changeHref()]];
  return (
    <div
      class={["source", name.toLowerCase(), ...isOpen ? ["open"] : []].join(" ")}
      aria-busy={isBusy}
    >
      <section class="source-files" aria-label={name}>
        <p class="tabs">
          {tabs.map(([title, href]) => (
            <a key={title} href={href} aria-current={title === name ? "true" : undefined}>
              {title}
            </a>
          ))}
        </p>
        {side}
      </section>
      <section class="source-file" aria-label="Source">{children}</section>
    </div>
  );
}

function Changes(): JSX.Element {
  const range = useRoute().params.get("range") ?? undefined;
  const { answer, error, isAsking } = useAnswer("changes", { limit: mostChanges });
  return (
    <Sides
      name="Changes"
      isOpen={range !== undefined}
      isBusy={isAsking}
      side={
        <>
          <Failure error={error} />
          {answer === undefined && isAsking && <Skeleton rows={8} />}
          {answer && <ChangeList listed={answer} current={range} />}
        </>
      }
    >
      {range ? <ChangeStory key={range} range={range} /> : (
        <Empty title="Choose a commit or branch">
          See the sessions behind it: what was asked, decided, dropped and left open.
        </Empty>
      )}
    </Sides>
  );
}

function Files(): JSX.Element {
  const { params } = useRoute();
  const [path, asked] = ["path", "folder"].map((name) => params.get(name) ?? undefined);
  const folder = path === undefined ? asked ?? "" : undefined;
  const files = useLoaded("source", (key, signal) => receive<SourceFiles>(key, { signal }));
  const file = useLoaded(
    path && `source?${new URLSearchParams({ path })}`,
    (key, signal) => receive<Source>(key, { signal }),
  );
  const source = file.answer?.path === path ? file.answer : undefined;
  const heat = useLoaded(
    folder === undefined ? undefined : `source?${new URLSearchParams({ folder })}`,
    (key, signal) => receive<Heat>(key, { signal }),
  );
  const isFolder = folder !== undefined && files.answer?.files.length !== 0;
  return (
    <Sides
      name="Files"
      isOpen={(path ?? asked) !== undefined}
      isBusy={files.isAsking || file.isAsking || heat.isAsking}
      side={
        <>
          <Failure error={files.error} />
          {files.answer === undefined && files.isAsking && <Skeleton rows={8} />}
          {files.answer && <FileTree files={files.answer.files} current={path ?? asked} />}
          {files.answer?.files.length === 0 && (
            <Empty title="No files">
              ctx explains files that git tracks. Run <code>git init</code>{" "}
              and commit, then reload this page.
            </Empty>
          )}
        </>
      }
    >
      {isFolder && (
        <>
          <header>
            {asked && <a class="back" href={upFrom(asked)} aria-label="Up">←</a>}
            <h2>{folder || "All files"}</h2>
          </header>
          <Failure error={heat.error} />
          <div class="folder-heat">
            {heat.answer?.folder === folder
              ? <FolderHeat heat={heat.answer} />
              : <Skeleton rows={6} />}
          </div>
        </>
      )}
      {path && (
        <header>
          <a class="back" href={upFrom(path)} aria-label="Up">←</a>
          <h2>{path}</h2>
          <small>{source && toCount(source)}</small>
        </header>
      )}
      <Failure error={file.error} />
      {path && !source && file.isAsking && <Skeleton rows={8} />}
      {source && <SourceText key={path} source={source} />}
      {path && <ShellLine line={toCommandLine("why", [path])} />}
    </Sides>
  );
}

/** The folder that a file or folder is in. */
function upFrom(path: string): string {
  const folder = path.replace(/[^/]+\/?$/, "");
  return hrefOf("source", { folder });
}

/** How much of a file is known, and how many sessions wrote it. */
function toCount({ stories }: Source): string {
  const known = stories.filter(isKnown);
  const sessions = new Set(known.map(({ session_id }) => session_id)).size;
  return sessions === 0 ? "No known session for these lines" : countOf(sessions, "session");
}
