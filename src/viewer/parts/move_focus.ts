// Moves the focus along rows: what is focused is what screen readers say and what enter opens.

/** Focuses the row after or before the one that has the focus; the first where none has it. */
export function moveFocus(selector: string, step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(`main ${selector}`)];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const last = at < 0 ? rows.findIndex((row) => row.hasAttribute("aria-current")) : at;
  const next = rows[last < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, last + step))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
