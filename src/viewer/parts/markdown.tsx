// Stored text as Markdown: HTML in it stays text, links lead only to the web, nothing is fetched. Two
// guards, marked's renderer and DOMPurify, and the page's policy behind them.

import DOMPurify, { type Config } from "dompurify";
import { Marked } from "marked";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Longer texts are shown as they are. */
const maxChars = 60_000;

const marked = new Marked({
  gfm: true,
  breaks: true,
  async: false,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ text, href }) => escapeHtml(text || href),
  },
});

const allowed: Config & { RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS: [
    ..."p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del a".split(" "),
    ..."table thead tbody tr th td".split(" "),
  ],
  ALLOWED_ATTR: ["href", "title", "align", "start"],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

/** Text as Markdown. */
export function Markdown({ text }: { text: string }): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => host.current?.replaceChildren(toFragment(text)), [text]);
  return <div class="markdown" ref={host} />;
}

/** What may be shown of a text. */
function toFragment(text: string): Node {
  if (text.length > maxChars) {
    const plain = document.createElement("pre");
    plain.textContent = text;
    return plain;
  }
  const html = marked.parse(text) as string;
  const fragment = DOMPurify.sanitize(html, allowed);
  for (const link of fragment.querySelectorAll("a")) {
    link.rel = "noopener noreferrer nofollow";
    link.target = "_blank";
  }
  // A block that scrolls must be reachable without a mouse.
  for (const block of fragment.querySelectorAll("pre")) block.tabIndex = 0;
  return fragment;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
