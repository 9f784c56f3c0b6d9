// A seeded generator of developer conversations, so that benches run on the same rows everywhere.
// Words follow Zipf's law over a vocabulary of prose, identifiers, paths and numbers; sessions have
// topics. About 720 bytes a row.

const prose =
  `the to a and of is in it that this for on with be as we you not but are have was if can so at or
  from by an do when there then will they which should just like all has what how would use one no
  only now also get up our because into out some than about its more need does here after were any
  where their make too other been over them could before each still`.split(/\s+/);
const subject =
  `error file test function build type run code server client request response user data config value
  string number array object class method module import export return async promise callback event
  handler stream buffer cache index query search database table column row schema migration model
  controller service router middleware token auth session cookie header body json yaml parser lexer
  compiler runtime memory heap stack thread process worker queue job task schedule timer timeout
  retry backoff lock mutex race deadlock leak profile benchmark latency throughput deploy release
  version branch commit merge rebase conflict diff patch review lint format docker container image
  volume network port socket proxy gateway cluster node kubernetes secret variable flag option
  argument command shell script terminal log metric trace span alert dashboard debug exception
  assert mock fixture snapshot coverage integration regression pipeline artifact package dependency
  registry publish upgrade workspace frontend backend component props state hook render effect
  reducer store action dispatch style layout theme button modal form input validation locale route
  page fetch graphql websocket kafka redis postgres sqlite vector embedding tokenizer prompt agent
  tool transcript summary chunk segment offset cursor pagination limit filter sort order aggregate
  join transaction rollback replica shard partition backup restore checksum hash encrypt decrypt
  sign verify certificate oauth permission role policy audit feature rollout incident ticket issue
  refactor cleanup rename extract simplify interface generic decorator template iterator closure`
    .split(/\s+/);
/** Words that carry no meaning in a text of the trade, and those that do, most frequent first. */
export const [fillers, subjects] = [prose, [...new Set(subject)]];
const syllables =
  "ba be bi bo bu ca ce ci co cu da de di do du fa fe fi fo ga ge go la le li lo lu ma me mi mo mu na ne ni no nu pa pe pi po ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo za ze zo"
    .split(" ");
const extensions = ["ts", "ts", "ts", "tsx", "js", "rs", "py", "go", "md", "json", "sql"];
const folders = ["src", "src/lib", "src/cli", "src/core", "packages/api/src", "test", "docs"];

/** What a generated store looks like. */
export interface GenerateOptions {
  rows: number;
  seed?: number;
}

/** Yields NDJSON lines of history, oldest first. */
export function* generateRows(options: GenerateOptions): Generator<string> {
  const random = makeRandom(options.seed ?? 42);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const vocabulary = makeVocabulary(random);
  const nextWord = makeZipf(vocabulary, random);
  let time = Date.UTC(2024, 0, 1);
  let left = 0;
  let session = "";
  let topic: string[] = [];
  for (let i = 0; i < options.rows; i++) {
    if (left-- <= 0) {
      left = 5 + Math.floor(random() * 70);
      session = `S-${toHex(random)}${toHex(random)}`;
      time += 60_000 * Math.floor(random() * 90);
      topic = Array.from({ length: 12 }, () => vocabulary[100 + Math.floor(random() * 20_000)]);
    }
    time += 500 + Math.floor(random() * 40_000);
    const text = makeText(random, () => random() < 0.22 ? pick(topic) : nextWord());
    const row = {
      id: `H-${time.toString(32)}${toHex(random)}`,
      ts: new Date(time).toISOString(),
      role: pick(["user", "assistant", "assistant", "tool", "assistant"]),
      type: random() < 0.9 ? "turn" : pick(["decision", "note", "tool_output"]),
      session_id: session,
      text,
      ...(random() < 0.3 ? { tags: [pick(subject), pick(subject)] } : {}),
      ...(random() < 0.2
        ? { files: [`${pick(folders)}/${pick(subject)}.${pick(extensions)}`] }
        : {}),
    };
    yield JSON.stringify(row) + "\n";
  }
}

/** Writes a generated history to a file. */
export function writeHistory(path: string, options: GenerateOptions): void {
  writeLines(path, generateRows(options));
}

/** Writes lines to a file, many at once. */
export function writeLines(path: string, rows: Iterable<string>): void {
  using file = Deno.openSync(path, { write: true, create: true, truncate: true });
  const encoder = new TextEncoder();
  let lines: string[] = [];
  const flush = (): void => {
    const bytes = encoder.encode(lines.join(""));
    for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
    lines = [];
  };
  for (const line of rows) if (lines.push(line) >= 4000) flush();
  flush();
}

/** Queries of the kinds people type, from the generator's own vocabulary. */
export function generateQueries(count: number, seed = 7): { kind: string; text: string }[] {
  const random = makeRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const many = (size: number): string =>
    Array.from({ length: size }, () => pick(subject)).join(" ");
  return Array.from({ length: count }, (_, i) => {
    const kind = ["one", "three", "question"][i % 3];
    const text = kind === "one"
      ? pick(subject)
      : kind === "three"
      ? many(3)
      : `how do we ${pick(subject)} the ${pick(subject)} when ${pick(subject)} ${pick(subject)}`;
    return { kind, text };
  });
}

/** Mulberry32: small, fast, the same everywhere. */
export function makeRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Prose first, then the words of the trade, then identifiers, paths and numbers. */
export function makeVocabulary(random: () => number): string[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const capital = (word: string): string => word[0].toUpperCase() + word.slice(1);
  const invented = new Set<string>();
  while (invented.size < 20_000) {
    const length = 2 + Math.floor(random() * 3);
    invented.add(Array.from({ length }, () => pick(syllables)).join(""));
  }
  const names = new Set<string>();
  const words = [...invented];
  while (names.size < 14_000) {
    const [a, b, c] = [pick(subject), pick(random() < 0.6 ? subject : words), pick(subject)];
    const style = random();
    names.add(
      style < 0.5
        ? a + capital(b)
        : style < 0.7
        ? `${a}_${b}`
        : style < 0.85
        ? capital(a) + capital(b) + capital(c)
        : `${a}-${b}`,
    );
  }
  while (names.size < 20_000) {
    names.add(`${pick(folders)}/${pick(subject)}/${pick(words)}.${pick(extensions)}`);
  }
  while (names.size < 22_000) names.add(String(Math.floor(random() * 65_536)));
  const rest = [...words, ...names];
  for (let i = rest.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [rest[i], rest[j]] = [rest[j], rest[i]];
  }
  return [...prose, ...subjects, ...rest];
}

/** Draws words, the first of the vocabulary most often. */
export function makeZipf(vocabulary: readonly string[], random: () => number): () => string {
  const sums = new Float64Array(vocabulary.length);
  let sum = 0;
  for (let i = 0; i < sums.length; i++) sums[i] = sum += 1 / (i + 3.7) ** 1.02;
  return () => {
    const target = random() * sum;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle] < target) low = middle + 1;
      else high = middle;
    }
    return vocabulary[low];
  };
}

/** Sentences up to a log-normal length with a median of about 420 characters. */
function makeText(random: () => number, nextWord: () => string): string {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const target = Math.max(50, Math.min(2000, Math.exp(6.04 + 0.85 * normal)));
  const parts: string[] = [];
  let size = 0;
  while (size < target) {
    const word = nextWord();
    const end = random();
    const mark = end < 0.07 ? ". " : end < 0.09 ? "\n" : end < 0.13 ? ", " : " ";
    parts.push(word, mark);
    size += word.length + mark.length;
  }
  return parts.join("").trim();
}

function toHex(random: () => number): string {
  return Math.floor(random() * 2 ** 24).toString(16).padStart(6, "0");
}
