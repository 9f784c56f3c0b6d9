// Moves the focus along rows: screen readers announce the focused row, and enter opens it.

import { readRoute } from "../data/route.ts";

/** Where the focus was moved to last: what takes the place of a row that is gone is next. */
let left = { place: "", at: 0 };

/** Focuses the row after or before the one that has the focus; the first where none has it. */
export function moveFocus(selector: string, step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(`main ${selector}`)];
  const { view, params } = readRoute();
  params.delete("id");
  const place = `${selector} ${view} ${params}`;
  const focused = rows.findIndex((row) => row.contains(document.activeElement));
  const last = focused >= 0 ? focused : rows.findIndex((row) => row.hasAttribute("aria-current"));
  const next = last >= 0 ? last + step : left.place === place ? left.at : 0;
  const at = Math.min(rows.length - 1, Math.max(0, next));
  left = { place, at };
  rows[at]?.focus();
  rows[at]?.scrollIntoView({ block: "nearest" });
}
