// The sessions that are at work now, and on which lines; nothing where none is.

import type { JSX } from "preact";
import { hrefOf } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";

export function LiveList(): JSX.Element | null {
  const { answer } = useAnswer("now", {});
  if (!answer || answer.sessions.length === 0) return null;
  return (
    <ol class="rows" aria-label="Working now">
      {answer.sessions.map(({ conversation, id, agent, title, last, files }) => (
        <li key={conversation}>
          <a data-row href={id ? hrefOf("sessions", { session: id }) : undefined}>
            <span class="title">{title || agent}</span>
            {files.slice(0, 5).map(({ path, lines, worktree }) => (
              <span class="snippet" key={`${worktree}\n${path}`}>
                {path + (lines && `: ${lines}`) + (worktree ? ` in ${worktree}` : "")}
              </span>
            ))}
            <span class="facts">
              working now · {agent} · <Age ts={last} />
            </span>
          </a>
        </li>
      ))}
    </ol>
  );
}
