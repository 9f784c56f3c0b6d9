// Fences around code: which lines are in one. Pure.

/** Tells line by line whether a text is in a fence; one that nobody closes reaches to the end. */
export function makeFences(): (line: string) => boolean {
  let open: string | undefined;
  return (line) => {
    const mark = /^\s{0,12}(`{3,}|~{3,}|"{3}(?=\s*$))/.exec(line)?.[1];
    if (open === undefined) return (open = mark) !== undefined;
    const isEnd = mark?.startsWith(open) || (open === '"""' && /"""\s*$/.test(line.slice(-20)));
    if (isEnd) open = undefined;
    return true;
  };
}
