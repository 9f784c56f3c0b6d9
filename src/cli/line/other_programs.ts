// Command lines of the documents that ctx grew from, with the name of their program: `ctx dex list` does
// what `dex list` does there, and says as data what is said there. Loaded only when a command is not
// one of ours.

/** Begins the word that names the tool of a document in whose words a line is answered as data. */
export const toldAs = "--told-as=";

const programs: ReadonlySet<string> = new Set(["ctx-sys", "ctxpkg", "dex", "hive-mind"]);

/** Lines that are more than the same line without the program's name. */
const lines: Readonly<Record<string, readonly string[]>> = {
  "dex stats": ["stats", `${toldAs}dex_stats`],
  "dex list": ["sessions", `${toldAs}dex_list`],
  "dex search": ["search", "--k=10", "--group=session", `${toldAs}dex_search`],
  "dex show": ["show", `${toldAs}dex_get`],
  "dex serve": ["serve", "--tools=dex"],
  "ctxpkg mcp": ["mcp", "--tools=ctxpkg"],
  "ctxpkg mcp agent": ["mcp", "agent"],
  "hive-mind index": ["sessions", "--limit=1000", "--turns"],
  "hive-mind scan": ["scan", "--turns"],
  "hive-mind read": ["read", "--turns", "--json"],
};

/** Whether a line is only the name of a document's program, or that and flags. */
export function isProgramAlone([program, name]: readonly string[]): boolean {
  return programs.has(program) && (name === undefined || name.startsWith("-"));
}

/** Our words for a line that begins with the name of a document's program. */
export function findProgramLine(words: readonly string[]): string[] | undefined {
  if (!programs.has(words[0]) || isProgramAlone(words)) return undefined;
  for (const length of [3, 2]) {
    const said = words.slice(0, length).join(" ");
    if (Object.hasOwn(lines, said)) return [...lines[said], ...words.slice(length)];
  }
  return words.slice(1);
}
