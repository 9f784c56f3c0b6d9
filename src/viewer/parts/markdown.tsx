// Stored text as Markdown: HTML in it stays text, links lead only to the web, nothing is fetched. Two
// guards, the renderer that shared files have too and DOMPurify, and the page's policy behind them.

import DOMPurify, { type Config } from "dompurify";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { markdownHtml } from "../../read/share/markdown_html.ts";

const allowed: Config & { RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS: [
    ..."p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del a".split(" "),
    ..."table thead tbody tr th td".split(" "),
  ],
  ALLOWED_ATTR: ["href", "start"],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

export function Markdown({ text }: { text: string }): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => host.current?.replaceChildren(toFragment(text)), [text]);
  return <div class="markdown" ref={host} />;
}

/** What may be shown of a text. */
function toFragment(text: string): Node {
  const fragment = DOMPurify.sanitize(markdownHtml(text), allowed);
  for (const link of fragment.querySelectorAll("a")) {
    link.rel = "noopener noreferrer nofollow";
    link.target = "_blank";
  }
  // A block that scrolls must be reachable without a mouse.
  for (const block of fragment.querySelectorAll("pre")) block.tabIndex = 0;
  return fragment;
}
