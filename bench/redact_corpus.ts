// The corpus that redaction is measured on: secrets of many kinds in five contexts each, and lines
// that only look like some. Filled in from a seed, so that no secret stands in the repository. The
// kinds are split in two by the same seed: rules are tuned on one half and reported on both. Kinds
// that were found missing later belong to the tuned half.

import { seededRandom } from "./support/seeded_random.ts";

/** Where a secret stands. */
export const contexts = ["prose", "shell", "json", "escaped", "fit"] as const;
/** One of `contexts`. */
export type Context = typeof contexts[number];
/** Which half of the corpus: only the first was looked at while rules were written. */
export type Half = "tuned" | "held out";

/** A text with a secret in it. */
export interface SecretCase {
  kind: string;
  half: Half;
  /** One of `contexts`; another corpus may have others. */
  context: string;
  text: string;
  secret: string;
}

/** A text without one. */
export interface HarmlessCase {
  half: Half;
  text: string;
}

/** Every kind of secret in every context: those of services, and the shapes they stand in. */
export function secretCases(): SecretCase[] {
  return [...serviceCases(15), ...shapeCases(35)];
}

function shapeCases(seed: number): SecretCase[] {
  const random = seededRandom(seed);
  const lines = readLines("redact_shapes.txt");
  const halves = splitInTwo(lines, undefined, random);
  return lines.flatMap((line, i) => {
    const [kind, text] = line.split(" | | ");
    return casesOf(kind, halves[i], readLine(fill(text, random), i));
  });
}

/** A line with its secret marked, in every context. */
function readLine(filled: string, i: number): { secret: string; place: Record<Context, string> } {
  const secret = /«([^]*)»/.exec(filled)?.[1] ?? filled;
  return { secret, place: placeLine(filled.replace(/[«»]/g, ""), i) };
}

function casesOf(
  kind: string,
  half: Half,
  { secret, place }: { secret: string; place: Record<Context, string> },
): SecretCase[] {
  return contexts.map((context) => ({ kind, half, context, text: place[context], secret }));
}

function serviceCases(seed: number): SecretCase[] {
  const random = seededRandom(seed);
  const lines = readLines("redact_secrets.txt");
  const isKnown = isBefore(lines, "aws-secret-key");
  const kinds = lines.map((line) => line.split(" | "));
  const halves = splitInTwo(lines, "dockerfile-env |", random);
  return kinds.flatMap(([kind, name, pattern], i) => {
    const filled = fill(pattern ?? name.replace(/^\| /, ""), random);
    return casesOf(
      kind,
      halves[i],
      pattern === undefined
        ? readLine(filled, i)
        : { secret: filled, place: placeNamed(name, filled, i, isKnown(i)) },
    );
  });
}

/** Every harmless line. */
export function harmlessCases(): HarmlessCase[] {
  return [
    ...harmlessOf("redact_harmless.txt", "ENV NODE_ENV ", 16),
    ...harmlessOf("redact_plain.txt", undefined, 36),
  ];
}

function harmlessOf(name: string, added: string | undefined, seed: number): HarmlessCase[] {
  const random = seededRandom(seed);
  const lines = readLines(name);
  const halves = splitInTwo(lines, added, random);
  return lines.map((line, i) => ({ half: halves[i], text: fill(line, random) }));
}

/** Whether something of a secret is left: a piece of 12 characters, or all of a shorter one. */
export function isLeft(secret: string, text: string): boolean {
  return secret.split("\n").some((piece) => {
    if (piece.length <= 12) return text.includes(piece);
    for (let i = 0; i + 12 <= piece.length; i++) {
      if (text.includes(piece.slice(i, i + 12))) return true;
    }
    return false;
  });
}

/** A secret with a name; one that is known by how it begins also stands without it. */
function placeNamed(
  name: string,
  secret: string,
  i: number,
  isKnown: boolean,
): Record<Context, string> {
  const words = name.split(/[_-]|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
  const snake = words.join("_");
  const camel = words.map((word, at) => at === 0 ? word : word[0].toUpperCase() + word.slice(1))
    .join("");
  const isShown = /[a-z]/.test(name) ? name : camel;
  const quoted = /^[\w.:/+=~%-]*$/.test(secret) ? secret : `'${secret}'`;
  const fits = [
    `const client = new Client({ ${camel}: "${secret}", retries: 3 });`,
    `services:\n  app:\n    ${snake}: ${secret}\n    port: 8080`,
    `GET /v1/items HTTP/1.1\nAuthorization: Bearer ${secret}\nAccept: */*`,
    `https://api.example.com/v1/items?page=2&${snake}=${secret}`,
    `client = Client(${snake}='${secret}')`,
  ];
  const nested = isKnown
    ? JSON.stringify({ stdout: `logged in\n${secret}\ndone`, code: 0 })
    : JSON.stringify({ service: "app", [snake]: secret, retries: 3 });
  return {
    prose: isKnown
      ? `I pasted ${secret} into the terminal by mistake, what now?`
      : `The ${words.join(" ")} is ${secret} and it must be rotated.`,
    shell: /[a-z]/.test(name) ? `${name} = ${quoted}` : `export ${name}=${quoted}\nnpm start`,
    json: JSON.stringify({ service: "app", [isShown]: secret, retries: 3 }),
    escaped: escapeTwice(nested, i),
    // Not everything can stand in a URL as it is.
    fit: i % fits.length === 3 && !/^[\w.~-]*$/.test(secret) ? fits[0] : fits[i % fits.length],
  };
}

function placeLine(line: string, i: number): Record<Context, string> {
  const fits = [`\`\`\`\n${line}\n\`\`\``, `diff --git a/x b/x\n+${line.replaceAll("\n", "\n+")}`];
  return {
    prose: `I found this in the notes: ${line}`,
    shell: `cd /srv/app\n${line}\nls -la`,
    json: JSON.stringify({ command: line, timeout: 120 }),
    escaped: escapeTwice(JSON.stringify({ command: line, timeout: 120 }), i),
    fit: fits[i % fits.length],
  };
}

/** A JSON text inside a transcript's line; every other one inside a further one. */
function escapeTwice(text: string, i: number): string {
  const once = JSON.stringify({ type: "tool_result", content: text });
  return i % 2 === 0 ? once : JSON.stringify({ type: "user", message: once });
}

const alphabets: Record<string, string> = {
  a: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
  l: "abcdefghijklmnopqrstuvwxyz0123456789",
  u: "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
  w: "abcdefghijklmnopqrstuvwxyz",
  h: "0123456789abcdef",
  H: "0123456789ABCDEF",
  b: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_",
  s: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/",
  B: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
  d: "0123456789",
  v: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!@#%^*-_=+",
};

function fill(pattern: string, random: () => number): string {
  const some = (alphabet: string, count: number): string =>
    Array.from({ length: count }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
  return pattern.replaceAll("\\n", "\n").replaceAll("\\t", "\t").replaceAll("{P}", "PRIVATE")
    .replaceAll("\\|", "|")
    .replaceAll("{g}", () => [8, 4, 4, 4, 12].map((count) => some(alphabets.h, count)).join("-"))
    .replace(/\{([a-zA-Z])(\d+)\}/g, (_, name, count) => some(alphabets[name], Number(count)));
}

/** Whether a line comes before the one of a kind: the file is in parts. */
function isBefore(lines: string[], kind: string): (i: number) => boolean {
  const first = lines.findIndex((line) => line.startsWith(`${kind} |`));
  return (i) => i < first;
}

/** What was added since, from a line on, was looked at while its rules were written. */
function splitInTwo(lines: string[], added: string | undefined, random: () => number): Half[] {
  const count = added === undefined
    ? lines.length
    : lines.findIndex((line) => line.startsWith(added));
  const order = Array.from({ length: count }, (_, i) => ({ i, at: random() }))
    .sort((a, b) => a.at - b.at);
  const halves: Half[] = lines.map(() => "tuned");
  for (const [rank, { i }] of order.entries()) halves[i] = rank % 2 === 0 ? "tuned" : "held out";
  return halves;
}

function readLines(name: string): string[] {
  const text = Deno.readTextFileSync(new URL(`./fixtures/${name}`, import.meta.url));
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("# "));
}
