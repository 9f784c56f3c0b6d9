// Marks a text wherever it stands in what is drawn, without changing the page: by ranges that the style
// sheet colours. Where a browser cannot, nothing is marked.

import { toFindPattern } from "../../core/rows/find_pattern.ts";

/** As the style sheet names it. */
const name = "found";
const mostMarks = 2000;

/** Highlights a text below an element; an empty text removes the highlights. Returns the ranges. */
export function markFound(host: Element | null, text: string): Range[] {
  const marks = globalThis.CSS?.highlights;
  const pattern = toFindPattern(text);
  if (!marks || !host || !pattern) {
    marks?.delete(name);
    return [];
  }
  const ranges: Range[] = [];
  const nodes = document.createTreeWalker(host, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node && ranges.length < mostMarks; node = nodes.nextNode()) {
    for (const found of node.nodeValue?.matchAll(pattern) ?? []) {
      const range = new Range();
      range.setStart(node, found.index);
      range.setEnd(node, found.index + found[0].length);
      ranges.push(range);
    }
  }
  marks.set(name, new Highlight(...ranges));
  return ranges;
}

/** Scrolls a range into view; `host` is the outermost element that may scroll. */
export function revealRange(range: Range, host: Element): void {
  let box = range.startContainer.parentElement;
  while (box !== null) {
    if (box.scrollHeight > box.clientHeight + 1 && getComputedStyle(box).overflowY !== "visible") {
      const { top, bottom } = range.getBoundingClientRect();
      const { top: from, bottom: to, height } = box.getBoundingClientRect();
      if (top < from || bottom > to) box.scrollTop += top - from - height / 3;
    }
    if (box === host) return;
    box = box.parentElement;
  }
}
