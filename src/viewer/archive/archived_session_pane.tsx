// One session of an archive, as the file of a single session shows it.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { sessionParts } from "../../read/share/session_html.ts";
import type { SharedSession } from "../../read/share/shared_session.ts";

/** Reads it when it is opened, and goes to the message that the address names. */
export function ArchivedSession(
  { number, load, anchor }: {
    number: number;
    load: (number: number) => Promise<SharedSession>;
    anchor: string;
  },
): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const [isThere, setIsThere] = useState(false);
  useEffect(() => {
    let isGone = false;
    void load(number).then((session) => {
      if (isGone || host.current === null) return;
      // Every text in it was escaped, and the file's policy runs nothing that it does not name.
      host.current.innerHTML = [...sessionParts(session, `s${number}m`)].join("");
      setIsThere(true);
    });
    return () => void (isGone = true);
  }, []);
  useEffect(() => {
    if (isThere) show(document.getElementById(anchor) ?? host.current);
  }, [isThere, anchor]);
  return (
    <section class="archive-session" aria-label="Session" aria-busy={!isThere} tabIndex={-1}>
      <p class="back">
        <a href="#">All sessions</a>
      </p>
      <div ref={host} />
    </section>
  );
}

/** Brings an element into view and opens what it is folded into. */
function show(element: HTMLElement | null): void {
  for (let outer = element?.parentElement; outer; outer = outer.parentElement) {
    if (outer instanceof HTMLDetailsElement) outer.open = true;
  }
  const inner = element?.tagName === "ARTICLE" ? element.querySelector("details") : undefined;
  if (inner) inner.open = true;
  for (const old of document.querySelectorAll(".shown")) old.classList.remove("shown");
  if (element?.tagName === "ARTICLE") element.classList.add("shown");
  element?.scrollIntoView({ block: "start" });
}
