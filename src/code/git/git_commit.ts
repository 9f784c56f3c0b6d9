// What a commit says: its tree and parents, who wrote it and when, its message and trailers. Pure.

/** Who did something, and when. */
export interface GitPerson {
  name: string;
  email: string;
  /** Milliseconds since the epoch; 0 when the time makes no sense. */
  ts: number;
}

export interface GitCommit {
  tree: string;
  parents: string[];
  author: GitPerson;
  committer: GitPerson;
  subject: string;
  message: string;
}

const maxParents = 100;
const maxSeconds = 8.64e12;
const maxSubject = 200;

/** Reads a commit object; what it does not say is empty. */
export function parseCommit(data: Uint8Array): GitCommit {
  const text = new TextDecoder().decode(data);
  const end = text.indexOf("\n\n");
  const head = end < 0 ? text : text.slice(0, end);
  const message = end < 0 ? "" : text.slice(end + 2);
  return {
    tree: /^tree ([0-9a-f]+)$/m.exec(head)?.[1] ?? "",
    parents: [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].slice(0, maxParents)
      .map((match) => match[1]),
    author: findPerson(head, "\nauthor "),
    committer: findPerson(head, "\ncommitter "),
    subject: message.trimStart().split("\n", 1)[0].slice(0, maxSubject),
    message,
  };
}

function findPerson(head: string, label: string): GitPerson {
  const start = head.indexOf(label);
  if (start < 0) return { name: "", email: "", ts: 0 };
  const end = head.indexOf("\n", start + label.length);
  const line = head.slice(start + label.length, end < 0 ? undefined : end);
  const [open, close] = [line.indexOf("<"), line.lastIndexOf(">")];
  const seconds = Number(/^ (\d+) [+-]\d{4}$/.exec(line.slice(close + 1))?.[1] ?? 0);
  return {
    name: line.slice(0, Math.max(0, open)).trim(),
    email: open < 0 ? "" : line.slice(open + 1, close).trim(),
    ts: seconds <= maxSeconds ? seconds * 1000 : 0,
  };
}

const botName =
  /\[bot\]|^(?:dependabot|renovate|greenkeeper|snyk|mergify|github-actions|pre-commit-ci)\b|[-_ ]bot$|^bot[-_ ]/i;
const botEmail =
  /\[bot\]@|\bbot@|(?:^|[+-])(?:dependabot|renovate|github-actions|actions)(?:\[bot\])?@/i;
/** Accounts of coding agents: someone asked for what they commit, and their sessions may be recorded. */
const agentName =
  /(?:^|[-_ ])(?:aider|amp|augment|claude|cline|codegen|codex|copilot|cursor|devin|droid|gemini|goose|grok|jules|junie|kilo|kimi|kiro|lovable|opencode|openhands|qwen|replit|roomote|roo|sweep|v0|warp|windsurf|zed)(?:ai|bot|code|connect)?(?=$|[-_ [])/i;

/**
 * Whether a commit was written by a program that works by itself: updates, releases, formatting. Coding
 * agents are none, whatever their accounts are called.
 */
export function isBotCommit({ author }: Pick<GitCommit, "author">): boolean {
  const isBot = botName.test(author.name) || botEmail.test(author.email);
  return isBot && !agentName.test(author.name);
}

/** The trailers at the end of a message (`Key: value`), in order; a key may come twice. */
export function findTrailers(message: string): { key: string; value: string }[] {
  const paragraphs = message.trimEnd().split(/\n[ \t]*\n/);
  if (paragraphs.length < 2) return [];
  const found: { key: string; value: string }[] = [];
  for (const line of paragraphs.at(-1)!.split("\n")) {
    const match = /^([A-Za-z0-9][A-Za-z0-9-]{0,99}):[ \t]*(.*)$/.exec(line);
    if (match !== null) found.push({ key: match[1], value: match[2].trim() });
    else if (/^[ \t]/.test(line) && found.length > 0) found.at(-1)!.value += ` ${line.trim()}`;
  }
  return found;
}
