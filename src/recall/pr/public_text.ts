// Stored text as strangers may read it, on one line: without secrets, without home directories, names of
// machines and addresses; paths as seen from the repository. Pure.

import { homeParents } from "../../core/home_directories.ts";
import { redactText } from "../../core/redact/redact.ts";
import { toLine } from "../../core/text.ts";

/** What is known of this machine. */
export interface Surroundings {
  /** Directories from which paths are told: the workspace, the repository, projects of sessions. */
  roots: readonly string[];
  home?: string;
  host?: string;
}

/** Longer texts are cut before anything is looked for. */
const maxChars = 20_000;

/** A text for everybody, at most so long. */
export function toPublic(
  text: string,
  { roots, home, host, chars }: Surroundings & { chars: number },
): string {
  // What cannot be seen could hide a secret or a path from what follows, or turn the text round.
  const seen = text.slice(0, maxChars).toWellFormed().replace(/[^\P{Cc}\s]|\p{Cf}/gu, "");
  let told = redactText(seen).value;
  const known = [...new Set(roots)].filter((root) => root.length > 1)
    .sort((a, b) => b.length - a.length);
  for (const root of known) told = withoutRoot(told, root);
  if (home !== undefined && home.length > 1) told = withoutPath(told, home);
  for (const pattern of homes) told = told.replace(pattern, "[path]");
  told = told.replace(mailOrLogin, "[address]").replace(privateHost, "[host]")
    .replace(privateAddress, "[address]");
  if (host !== undefined && isTelling(host)) told = withoutHost(told, host);
  return toLine(told, chars);
}

/** A directory of the repository: what is below it is told from there. */
function withoutRoot(text: string, root: string): string {
  return replacePath(text, root, (rest) => rest === "" || rest === "/" ? "." : rest.slice(1));
}

function withoutPath(text: string, path: string): string {
  return replacePath(text, path, () => "[path]");
}

/** Replaces a path with what is below it, wherever it stands as a whole. */
function replacePath(text: string, path: string, tell: (rest: string) => string): string {
  let [told, from] = ["", 0];
  const prefix = "file://";
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, from)) {
    const end = at + path.length;
    if (/[\w.-]/.test(text[at - 1] ?? "") || /[\w-]/.test(text[end] ?? "")) {
      told += text.slice(from, end);
      from = end;
      continue;
    }
    const rest = /^(?:\/[^\s"'`<>|;,()[\]]*)?/.exec(text.slice(end, end + 1000))?.[0] ?? "";
    const before = text.slice(from, at);
    told += (before.endsWith(prefix) ? before.slice(0, -prefix.length) : before) + tell(rest);
    from = end + rest.length;
  }
  return told + text.slice(from);
}

const rest = String.raw`[^\s"'\`<>|;,()[\]]{0,1000}`;
const homes: readonly RegExp[] = [
  new RegExp(String.raw`(?:file:\/\/)?${homeParents.unix}${rest}`, "g"),
  new RegExp(
    String.raw`(?<![\w.~/-])(?:file:\/\/)?${homeParents.root}(?:\/${rest}|(?![\w-]))`,
    "g",
  ),
  new RegExp(String.raw`(?:\/private)?\/var\/folders\/${rest}`, "g"),
  new RegExp(String.raw`(?<![\w~])~\w{0,32}\/${rest}`, "g"),
  new RegExp(`${homeParents.windows}${rest}`, "g"),
];
/** `a@example.org`, `me@laptop:` of a prompt; not `pkg@1.2` and not `pkg@latest`. */
const mailOrLogin =
  /(?<![\w.+-])[\w.+-]{1,64}@(?:[A-Za-z][\w-]{0,62}(?:\.[\w-]{1,63}){0,6}\.[A-Za-z]{2,24}\b|[A-Za-z][\w-]{0,62}(?=:))/g;
const privateHost =
  /(?<=:\/\/|@)[\w-]{1,63}(?:\.[\w-]{1,63}){0,4}\.(?:local|lan|internal|corp|home|localdomain)\b/gi;
const privateAddress =
  /(?<![\w.])(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d{1,3}\.\d{1,3}(?![\w.]*\d)/g;

const words = new Set(
  "build debian desktop docker fedora host laptop localhost main runner server ubuntu".split(" "),
);

function isTelling(host: string): boolean {
  return host.length >= 4 && !words.has(host.toLowerCase());
}

function withoutHost(text: string, host: string): string {
  const name = new RegExp(`(?<![\\w-])${RegExp.escape(host)}(?![\\w-])`, "gi");
  return text.replace(name, "[host]");
}
