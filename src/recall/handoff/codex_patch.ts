// One change of one file as a patch of Codex, and back. A patch of several files or places stays a
// patch: no other agent has a tool for it. Pure.

/** A call by the names that agents have in common. */
interface FileChange {
  tool: string;
  args: Record<string, unknown>;
}

const begin = "*** Begin Patch";
const end = "*** End Patch";

/** The patch of an edit or of a new file; undefined where a patch cannot say it. */
export function toPatch({ tool, args }: FileChange): string | undefined {
  const { path, content, old, new: now, all } = args;
  if (typeof path !== "string" || /[\r\n]/.test(path) || all === true) return undefined;
  const body = tool === "write"
    ? marked("+", content)
    : typeof old === "string" && typeof now === "string"
    ? ["@@", ...marked("-", old) ?? [], ...marked("+", now) ?? []]
    : undefined;
  if (body === undefined) return undefined;
  const kind = tool === "write" ? "Add" : "Update";
  return [begin, `*** ${kind} File: ${path}`, ...body, end].join("\n");
}

/** The edit or new file that a patch is; undefined where it is more than one. */
export function fromPatch(patch: string): FileChange | undefined {
  const lines = patch.trimEnd().split("\n");
  const head = /^\*\*\* (Add|Update) File: (.+)$/.exec(lines[1] ?? "");
  if (lines[0] !== begin || lines.at(-1) !== end || head === null) return undefined;
  const [, kind, path] = head;
  const body = lines.slice(2, -1);
  if (kind === "Add") {
    if (!body.every((line) => line.startsWith("+"))) return undefined;
    return {
      tool: "write",
      args: { path, content: body.map((line) => `${line.slice(1)}\n`).join("") },
    };
  }
  const hunk = body[0]?.startsWith("@@") ? body.slice(1) : body;
  if (hunk.length === 0 || !hunk.every((line) => /^[-+ ]/.test(line))) return undefined;
  const side = (marks: string) =>
    hunk.filter((line) => marks.includes(line[0])).map((line) => line.slice(1)).join("\n");
  return { tool: "edit", args: { path, old: side("- "), new: side("+ ") } };
}

/** The lines of a text behind a mark; none for an empty one. */
function marked(mark: string, text: unknown): string[] | undefined {
  if (typeof text !== "string") return undefined;
  if (text === "") return [];
  return text.replace(/\n$/, "").split("\n").map((line) => mark + line);
}
