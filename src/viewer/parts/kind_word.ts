// What people call the kinds of entries; the log's own words stay in the log.

const words: Record<string, string> = {
  assistant: "Agent",
  thinking: "thought",
  tool_call: "tool call",
  tool_output: "output",
  user: "You",
};

/** Who asked, by what a request came in through. */
export function surfaceWord(surface: string): string {
  return { cli: "terminal", http: "this page", mcp: "agent" }[surface] ?? surface;
}

/** The word for an entry's type, for a turn by who said it; for a role alone as well. */
export function kindWord(type: string, role = ""): string {
  const kind = type === "turn" ? role || "message" : type;
  return words[kind] ?? kind.replaceAll("_", " ");
}
