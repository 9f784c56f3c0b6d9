// A list of any length: only the visible rows and those around them are in the page. Heights are
// estimated, then measured.

import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from "@tanstack/virtual-core";
import type { ComponentChildren, JSX, RefObject } from "preact";
import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Controls a list from outside. */
export interface ListHandle {
  /** Brings a row into view; at the top, or only as far as it takes. */
  show(index: number, align: "start" | "nearest"): void;
  /** The first and the last row that are seen. */
  seen(): { first: number; last: number };
  /** The element of a row, where it is in the page. */
  find(index: number): HTMLElement | null;
}

/** A list and how its rows are drawn. */
export interface VirtualListProps {
  label: string;
  count: number;
  /** Steady for a row; the function changes when the rows do. */
  keyOf(index: number): string;
  guess(index: number): number;
  /** The children of a row. */
  draw(index: number): ComponentChildren;
  /** What else a row's element has. */
  attributes?(index: number): Record<string, unknown>;
  /** A row that stays in the page, so that it keeps the focus. */
  kept?: number;
  handle?: RefObject<ListHandle | null>;
  /** Called after each drawing with the rows in the page. */
  onDrawn?(first: number, last: number): void;
  role?: "feed" | "list";
}

/** Rows rendered beyond the visible ones. */
const overscan = 4;

/** Shows the list; its parent gives it a height. */
export function VirtualList(props: VirtualListProps): JSX.Element {
  const { label, count, keyOf, guess, kept, handle, role = "feed" } = props;
  const host = useRef<HTMLDivElement>(null);
  const [, redraw] = useState(0);
  const range = useCallback((seen: Parameters<typeof defaultRangeExtractor>[0]): number[] => {
    const indexes = defaultRangeExtractor(seen);
    if (kept === undefined || kept >= seen.count || indexes.includes(kept)) return indexes;
    return [...indexes, kept].sort((a, b) => a - b);
  }, [kept]);
  const options = {
    count,
    getScrollElement: () => host.current,
    estimateSize: guess,
    getItemKey: keyOf,
    rangeExtractor: range,
    overscan,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => redraw((one) => one + 1),
  };
  const [list] = useState(() => new Virtualizer<HTMLDivElement, HTMLElement>(options));
  list.setOptions(options);
  useLayoutEffect(() => list._didMount(), []);
  useLayoutEffect(() => list._willUpdate());
  if (handle) handle.current ??= toHandle(list, host);
  const items = list.getVirtualItems();
  const { startIndex = 0, endIndex = 0 } = list.range ?? {};
  useLayoutEffect(() => {
    if (list.range) props.onDrawn?.(startIndex, endIndex);
  });
  return (
    <div class="virtual" ref={host} tabIndex={role === "list" ? 0 : undefined}>
      <div role={role} aria-label={label} style={{ height: `${list.getTotalSize()}px` }}>
        {items.map(({ index, key, start }) => (
          <div
            key={key}
            ref={list.measureElement}
            data-index={index}
            role={role === "feed" ? "article" : "listitem"}
            aria-posinset={index + 1}
            aria-setsize={count}
            style={{ transform: `translateY(${start}px)` }}
            {...props.attributes?.(index)}
          >
            {props.draw(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

function toHandle(
  list: Virtualizer<HTMLDivElement, HTMLElement>,
  host: RefObject<HTMLDivElement | null>,
): ListHandle {
  return {
    show(index, align) {
      const size = list.measurementsCache[index]?.size ?? 0;
      const isHigh = size > (list.scrollRect?.height ?? 0) * 0.8;
      list.scrollToIndex(index, { align: align === "start" || isHigh ? "start" : "auto" });
    },
    seen: () => ({ first: list.range?.startIndex ?? 0, last: list.range?.endIndex ?? 0 }),
    find: (index) => host.current?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? null,
  };
}
