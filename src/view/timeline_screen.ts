// `ctx timeline` on a terminal: the entries around one, numbered as in their session.

import { correctedBy } from "../core/rows/corrected_by.ts";
import { isStale, toldFreshness } from "../code/fresh/freshness.ts";
import { kindOf, shownNumbers } from "../command/brief.ts";
import type { View } from "../command/view.ts";
import type { ShownEntry } from "../search/row_shape.ts";
import { type ListRow, placeOf, readTitles, toList } from "./lists.ts";

/** A window of entries. */
export interface ShownTimeline {
  session_id: string | null;
  total: number;
  has_more_before: boolean;
  has_more_after: boolean;
  results: (ShownEntry & { summary: string; anchor: boolean })[];
}

/** The entries in their order, the one asked for marked. */
export async function toTimelineScreen(data: ShownTimeline, view: View): Promise<string> {
  const titles = await readTitles(view, [data, ...data.results]);
  const numbers = shownNumbers(data.results.map(({ message_index = 0 }) => message_index));
  const rows = data.results.map((row, i): ListRow => {
    const text = row.title ?? row.summary;
    const said = correctedBy(row);
    const corrected = said ? ` ${view.warning(`(${said})`)}` : "";
    const stale = isStale(row.freshness) ? ` ${view.warning(`(${toldFreshness(row)})`)}` : "";
    return {
      facts: [
        row.anchor ? view.good("→") : " ",
        // Among all sessions, or those of none, it would only be a place in this list.
        data.session_id === null || numbers[i] === "" ? "" : view.dim(`#${numbers[i]}`),
        view.id(row.id),
        view.time(row.ts),
        row.author ? `${kindOf(row)} by ${row.author}` : kindOf(row),
      ],
      text: (row.anchor ? view.bold(text) : text) + corrected + stale,
      where: data.session_id === null ? placeOf(row, titles) : undefined,
    };
  });
  const session = data.session_id;
  const title = session === null ? undefined : titles.get(session);
  const head = [
    view.title(view.cut(title ?? (session === null ? "All sessions" : session))),
    view.dim(
      view.cut(
        [title && session, `${view.count(data.total)} entries`].filter(Boolean).join(" · "),
      ),
    ),
  ];
  const more = [
    data.has_more_before && "earlier: --before N",
    data.has_more_after && "later: --after N",
  ].filter(Boolean).join(" · ");
  return [...head, "", toList(rows, { view, right: [1] }), ...(more ? ["", view.dim(more)] : [])]
    .join("\n") + "\n";
}
