// Previous and next page of a list; `offset` in the address is the first row shown.

import type { JSX } from "preact";
import { setParams } from "../data/route.ts";

/** Shows the buttons if there is more than one page. */
export function Pages(
  { offset, rows, total = 0, size }: {
    offset: number;
    rows?: readonly unknown[];
    total?: number;
    size: number;
  },
): JSX.Element | null {
  if (rows === undefined) return null;
  const end = offset + rows.length;
  if (offset === 0 && end >= total) return null;
  const to = (from: number): void => setParams({ offset: from > 0 ? String(from) : undefined });
  return (
    <p class="actions">
      <button type="button" disabled={offset === 0} onClick={() => to(offset - size)}>
        Previous
      </button>
      <span>{offset + 1} to {end}</span>
      <button type="button" disabled={end >= total} onClick={() => to(end)}>Next</button>
    </p>
  );
}
