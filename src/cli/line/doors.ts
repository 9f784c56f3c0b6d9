// The commands by what people want to do. Few of them are doors, with a name to remember; what belongs
// to a door is a flag of it or a word after it: `ctx show SESSION --outline`. Each of these is a command
// whose own name (`ctx outline SESSION`) is accepted too, everywhere, and is what MCP, HTTP and the
// library call it. Help, completions and documentation show the forms of this table.

import type { AnyCommand, Example } from "../../command/command.ts";
import { inputSchemaOf } from "../../command/parse_input.ts";

/** The headings of help: the doors that the first screen shows, and the others. */
export const tasks: Readonly<Record<string, { first?: string[]; more: string[] }>> = {
  "Get started": { first: ["start", "setup", "import", "status"], more: ["init"] },
  "Find and read": {
    first: ["search", "ask", "why", "sessions", "show", "get", "ui"],
    more: ["timeline", "pick", "ls", "chat", "chats"],
  },
  "Save and correct": {
    first: ["save", "pin", "records", "review", "forget", "undo"],
    more: ["guard", "audit", "edit", "redactions"],
  },
  "Agents and team": { first: ["context", "team", "sync"], more: ["suggest"] },
  "Sessions": { more: ["now", "resume", "handoff", "session", "pr", "export"] },
  "Documents": { more: ["docs"] },
  "Numbers": { more: ["stats", "traces"] },
  "Connect programs": { more: ["mcp", "serve", "hook"] },
  "Settings and maintenance": {
    more: [
      "config",
      "trust",
      "doctor",
      "reindex",
      "compact",
      "upgrade",
      "completions",
      "eval",
      "isolation",
    ],
  },
};

/** First words that are no command alone: what they are for. */
export const families: Readonly<Record<string, string>> = {
  context: "Show what agents get: now, last time, and whether it helped.",
  team: "Share with your team: join, invite, choose what to share.",
  session: "Start, end or rename a session of your own; list the commits of any session.",
  docs: "Keep collections of Markdown files searchable.",
  config: "Read and change settings.",
  guard: "Make rules bind: check what agents run and edit.",
};

/** What else the help of such a word says. */
export const familyHints: Readonly<Record<string, string>> = {
  team:
    "To share through git instead: `ctx init --commit` adds the logs to it, and teammates get them with `git pull`.",
};

/**
 * What a door with a flag or a word means. `--range=ranges` gives its value to that input, `ID` is any
 * word. A command is shown in its first form, unless it is a door itself.
 */
const forms: Readonly<Record<string, string>> = {
  "show --outline": "outline",
  "show --range=ranges": "read",
  "show --find=text": "find",
  "show --scan": "scan",
  "show --batch": "batch",
  "pin --list": "pins",
  "pin --remove=target": "unpin",
  "records --type rule": "rules",
  "records --type stale": "stale",
  "records --confirm=id": "confirm",
  "records --summary=period": "summarize",
  "records --derive": "distil",
  "pr --list": "changes",
  "forget --purge=pattern": "purge",
  "forget --gc": "gc",
  "forget --quarantine=session": "quarantine",
  "forget --release=session": "release",
  "context now": "preview",
  "context pack": "pack",
  "context last": "injected",
  "context worth": "worth",
  "suggest list": "suggestions",
  "suggest feedback": "feedback",
  "suggest subscribe": "subscribe",
  "suggest unsubscribe": "unsubscribe",
  "suggest subscriptions": "subscriptions",
  "suggest pause": "subscriptions pause",
  "suggest resume": "subscriptions resume",
  "suggest poll": "poll",
  "suggest watch": "watch",
  "team status": "remote status",
  "team init": "remote init",
  "team add": "remote add",
  "team members": "remote members",
  "team invite": "remote invite",
  "team revoke": "remote revoke",
  "team token": "remote token",
  "team leave": "remote leave",
  "team share": "share",
  "team unshare": "unshare",
  "team sync": "sync",
  "stats --activity": "activity",
  "stats --cost": "cost",
  "traces ID": "trace",
};

/** What a door means that is no command, alone or with flags only. */
const alone: Readonly<Record<string, string>> = {
  context: "preview",
  team: "remote status",
  docs: "docs list",
  config: "config list",
  guard: "guard list",
};

/** The forms that begin with a word, by what follows it. */
export function formsOf(door: string): { by: string; name: string }[] {
  return Object.entries(forms).filter(([form]) => form.startsWith(`${door} `))
    .map(([form, name]) => ({ by: form.slice(door.length + 1), name }));
}

/** The same line with the name of the command that it means; as it is where no form is meant. */
export function throughDoor([door, ...rest]: readonly string[]): readonly string[] {
  for (const { by, name } of formsOf(door)) {
    const words = withoutForm(rest, by);
    if (words !== undefined) return [...name.split(" "), ...words];
  }
  const isAlone = rest.length === 0 || rest[0].startsWith("-");
  const meant = isAlone && Object.hasOwn(alone, door) ? alone[door] : door;
  return [...meant.split(" "), ...rest];
}

export function exampleWords({ name }: AnyCommand, { argv }: Example): readonly string[] {
  return throughDoor(argv).slice(name.split(" ").length);
}

/** The words of a command that was said in a form; undefined where they are not in it. */
function withoutForm(words: readonly string[], form: string): string[] | undefined {
  if (form === "ID") return words[0]?.startsWith("-") === false ? [...words] : undefined;
  if (!form.startsWith("-")) return words[0] === form ? words.slice(1) : undefined;
  const [, flag, field, value] = /^(--[a-z]+)(?:=(\w+)| (\w+))?$/.exec(form) ?? [];
  const end = words.indexOf("--");
  const at = words.findIndex((word, i) =>
    (end < 0 || i < end) && word.split("=")[0] === flag &&
    (value === undefined || value === (word === flag ? words[i + 1] : word.slice(flag.length + 1)))
  );
  if (at < 0) return undefined;
  const inline = words[at] === flag ? undefined : words[at].slice(flag.length + 1);
  const next = words.at(at + 1);
  // `pin ID --remove`: what it removes may stand before it.
  const takesNext = inline === undefined && next !== undefined &&
    (value !== undefined || field !== undefined && !/^--?[a-z]/i.test(next));
  const given = inline ?? (takesNext ? next : undefined);
  const said = field === undefined || given === undefined ? [] : [`--${field}=${given}`];
  return words.toSpliced(at, takesNext ? 2 : 1, ...said);
}

/** A command as people are shown it: its door, what makes the form, and the input that its flag takes. */
export interface Shown {
  /** `show --outline`, or the command's own name. */
  name: string;
  door: string;
  flag?: string;
  field?: string;
}

export function shownAs(name: string): Shown {
  const isDoor = Object.values(tasks).some(({ first = [], more }) =>
    first.includes(name) || more.includes(name)
  );
  const form = isDoor ? undefined : Object.keys(forms).find((one) => forms[one] === name);
  if (form === undefined) return { name, door: name.split(" ")[0] };
  const [door, ...by] = form.split(" ");
  const [word, field] = by.join(" ").split("=");
  if (word === "ID") return { name: door, door };
  if (!word.startsWith("-")) return { name: `${door} ${word}`, door };
  return { name: `${door} ${word}`, door, flag: word, field };
}

/** Names under which a command is accepted beside the one that is shown. */
export function otherNamesOf({ name, aliases = [] }: AnyCommand): string[] {
  return shownAs(name).name === name ? aliases : [name, ...aliases];
}

/** A command with its arguments, as it is typed: `get ID…`, `show SESSION --range RANGE`. */
export function usageOf(command: AnyCommand): string {
  const { properties, required = [] } = inputSchemaOf(command);
  const { name, door, flag, field } = shownAs(command.name);
  const wordOf = (one: string): string =>
    one.toUpperCase().replace(/S$/, "") + (properties[one].type === "array" ? "…" : "");
  const words = (command.positional ?? []).filter((one) => one !== field)
    .map((one) => required.includes(one) ? wordOf(one) : `[${wordOf(one)}]`);
  if (flag === undefined) return [name, ...words].join(" ");
  return [door, ...words, flag, ...(field === undefined ? [] : [wordOf(field)])].join(" ");
}

/** The commands that a word begins, in whichever of their names: the door, then its forms in order. */
export function behindDoor(door: string, commands: readonly AnyCommand[]): AnyCommand[] {
  const order = formsOf(door).map(({ name }) => name);
  const rankOf = ({ name }: AnyCommand): number => order.indexOf(name);
  return commands.filter(({ name }) => order.includes(name) || name.split(" ")[0] === door)
    .toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** The commands of each heading, each door before its forms. */
export function toTasks(
  commands: readonly AnyCommand[],
): { title: string; doors: { door: string; members: AnyCommand[] }[] }[] {
  return Object.entries(tasks).map(([title, { first = [], more }]) => ({
    title,
    doors: [...first, ...more].map((door) => ({
      door,
      members: behindDoor(door, commands).filter(({ name }) => shownAs(name).door === door),
    })),
  }));
}
