// What a person wrote of a prompt: without what a harness put in, without code, quotations and what
// was copied from a terminal. Pure.

/** The user's own words of a prompt. */
export function toOwnWords(prompt: string): string {
  const lines = withoutFences(withoutHarness(prompt).split("\n"));
  const pasted = lines.findIndex((line) => /^\s*(?:[❯➜$%]|PS [A-Z]:|\w+@[\w.-]+[:~])/.test(line));
  return (pasted < 0 ? lines : lines.slice(0, pasted))
    .filter((line) => !/^\s*>/.test(line)).join("\n").trim();
}

/** Without the blocks of code; one that nobody closed stays. */
function withoutFences(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let open: { mark: string; at: number } | undefined;
  for (const [i, line] of lines.entries()) {
    const mark = /^\s*(`{3,})/.exec(line)?.[1];
    if (open === undefined) {
      if (mark === undefined) kept.push(line);
      else open = { mark, at: i };
    } else if (mark?.startsWith(open.mark)) {
      open = undefined;
      kept.push("");
    }
  }
  return open === undefined ? kept : [...kept, ...lines.slice(open.at)];
}

/** What agents write into prompts, with its text: reminders, notices, output, files that were attached. */
const harnessTag =
  /<(\/?)((?:system|task|user|ide|local|command|bash|hook|session|environment|attached|selected|open|current|additional|tool|manually|file|code)[-_][\w-]{1,40})\b([^<>\n]{0,200})>/gi;
const maxBlockChars = 50_000;

/** Each tag is looked at once: of many that nobody closed none is searched for its end again. */
function withoutHarness(prompt: string): string {
  const tags = [...prompt.matchAll(harnessTag)].map(([whole, slash, name, more], i, all) => ({
    from: all[i].index,
    to: all[i].index + whole.length,
    name: name.toLowerCase(),
    isEnd: slash !== "" && more === "",
    isStart: slash === "",
  }));
  const ends = Map.groupBy(tags.filter(({ isEnd }) => isEnd).reverse(), ({ name }) => name);
  let kept = "";
  let at = 0;
  for (const { from, to, name, isStart } of tags) {
    if (!isStart || from < at) continue;
    const later = ends.get(name) ?? [];
    while ((later.at(-1)?.from ?? to) < to) later.pop();
    const end = later.at(-1);
    if (end === undefined || end.from - to > maxBlockChars) continue;
    kept += `${prompt.slice(at, from)}\n`;
    at = end.to;
  }
  return kept + prompt.slice(at);
}
