// Where one reads in a session, and what is open there.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { setParams } from "../data/route.ts";

/** How long after a move the address is updated. */
const followMs = 300;

/** A set of keys that can be toggled. */
export function useFlips(): [ReadonlySet<string>, (key: string, isIn?: boolean) => void] {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const flip = useCallback((key: string, isIn?: boolean): void => {
    setKeys((before) => {
      if (before.has(key) === isIn) return before;
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  }, []);
  return [keys, flip];
}

/** The current entry: from the address, which is updated after moves. */
export function useCurrent(at: string | undefined): [string | undefined, (key: string) => void] {
  const [current, setCurrent] = useState(at);
  const said = useRef(at);
  useEffect(() => {
    if (at === said.current) return;
    said.current = at;
    if (at) setCurrent(at);
  }, [at]);
  // Browsers let a page change its address only so often.
  useEffect(() => {
    if (current === said.current) return;
    const timer = setTimeout(() => {
      said.current = current;
      setParams({ at: current }, { replace: true });
    }, followMs);
    return () => clearTimeout(timer);
  }, [current]);
  return [current, setCurrent];
}
