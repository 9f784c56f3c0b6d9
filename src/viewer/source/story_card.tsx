// The story behind some lines: what was asked, what was decided, which session and commit.

import type { JSX } from "preact";
import { hrefOf } from "../data/route.ts";
import { Age } from "../parts/age.tsx";
import { capitalize } from "../data/capitalize.ts";
import { Markdown } from "../parts/markdown.tsx";
import { changeHref, rangeOf } from "./change_href.ts";
import { isKnown, type Run, type Story } from "./line_stories.ts";

/** Where the exchange that led to some lines can be read; undefined where nobody knows. */
export function exchangeOf(story: Story | undefined): string | undefined {
  if (!isKnown(story)) return undefined;
  const at = story.prompt?.id ?? story.id;
  return hrefOf("sessions", { session: story.session_id, at });
}

export function StoryCard({ run: { from, to, story } }: { run: Run }): JSX.Element {
  const place = from === to ? `Line ${from}` : `Lines ${from} to ${to}`;
  return (
    <section class="story" aria-label="Story">
      <p class="facts">{place}</p>
      {isKnown(story) ? <Known story={story} /> : (
        <>
          <h2>No known session</h2>
          <p class="facts">{capitalize(story?.because ?? "nothing is known about these lines")}.</p>
        </>
      )}
      {story?.commit && (
        <>
          <h3>Committed</h3>
          <p>
            <a href={changeHref(rangeOf(story.commit))}>{story.subject ?? "a commit"}</a>{" "}
            <code>{story.commit.slice(0, 8)}</code>
            <br />
            <small>
              {story.author}
              {story.committed && (
                <>
                  , <Age ts={story.committed} />
                </>
              )}
            </small>
          </p>
        </>
      )}
      {story?.note && <p class="facts">{story.note}</p>}
    </section>
  );
}

function Known({ story }: { story: Story }): JSX.Element {
  const { title, agent, ts, prompt, decisions, confidence } = story;
  return (
    <>
      <h2>{title ?? "A session"}</h2>
      <p class="facts">
        {agent}
        {ts && (
          <>
            {agent && " · "}
            <Age ts={ts} />
          </>
        )} · {Math.round(confidence * 100)} % sure
      </p>
      {prompt && (
        <>
          <h3>Asked</h3>
          <blockquote>
            <Markdown text={prompt.text} />
          </blockquote>
        </>
      )}
      {decisions.length > 0 && (
        <>
          <h3>Decided</h3>
          {decisions.map(({ id, text }) => <Markdown key={id} text={text} />)}
        </>
      )}
      <p>
        <a class="button primary" href={exchangeOf(story)}>Open the exchange</a>
      </p>
    </>
  );
}
