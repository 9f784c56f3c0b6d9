// The files that a command of a shell reads and may show, by the programs that agents use for it: `cat`,
// `head`, `grep`, `source`, `cp` and `<`. What a program does inside is not seen. Pure.

/** What a run and its redirections read, as it is written in the line. */
export function readsOf(run: readonly string[], sources: readonly string[]): string[] {
  const [program = "", ...rest] = run;
  const words = rest.filter((word) => !word.startsWith("-"));
  if (readers.has(program)) return [...sources, ...words];
  if (searchers.has(program)) {
    // The first word is what is looked for, unless a flag has it.
    const isGiven = rest.some((word) => /^-(?:e|f|-regexp|-expression|-file)/.test(word));
    return [...sources, ...words.slice(isGiven ? 0 : 1)];
  }
  // The last word is where it goes.
  return program === "cp" ? [...sources, ...words.slice(0, -1)] : [...sources];
}

const readers: ReadonlySet<string> = new Set(
  "cat less more head tail bat tac nl strings xxd od hexdump base64 sort uniq cut wc source . open code vim vi nano diff"
    .split(" "),
);
const searchers: ReadonlySet<string> = new Set("grep egrep fgrep rg sed awk jq yq".split(" "));
