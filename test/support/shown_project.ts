// A small project that looks real: a git repository whose commits came out of sessions with agents.
// Pictures of the page are taken of it, and its source is asked for.

import type { Entry } from "../../src/core/entry.ts";
import { runProcess } from "./processes/run_ctx.ts";
import { type TempStore, tempStore, toLog } from "./stores/temp_store.ts";

interface Story {
  session: string;
  agent: string;
  title: string;
  /** Before now. */
  days: number;
  prompt: string;
  answer: string;
  decision?: { title: string; text: string };
  /** Left open. */
  open?: { title: string; text: string };
  files: Record<string, string>;
  commit?: string;
  /** It is committed there, and `main` goes on without it. */
  branch?: string;
}

const retry = `// Delivers parcels' events; a failed delivery is tried again later.

export interface Delivery {
  id: string;
  url: string;
  attempt: number;
}

const delayMs = 5_000;

export function nextDelay(_delivery: Delivery): number {
  return delayMs;
}
`;
const backoff = retry.replace(
  "const delayMs = 5_000;\n",
  `const firstMs = 1_000;
const mostMs = 60_000;
const maxAttempts = 5;
`,
).replace(
  "_delivery: Delivery): number {\n  return delayMs;",
  `{ attempt }: Delivery): number | undefined {
  if (attempt >= maxAttempts) return undefined;
  const delay = Math.min(mostMs, firstMs * 2 ** attempt);
  // Half of it is random, so that clients do not come back all at once.
  return delay / 2 + Math.random() * delay / 2;`,
);
const refresh = `// Refresh tokens: each is used once, and a second use ends its family.

import { families, type Family } from "./families.ts";

const accessMinutes = 15;

export async function refreshToken(token: string): Promise<{ access: string; refresh: string }> {
  const family = await families.findByToken(token);
  if (family === undefined) throw new Error("Unknown token");
  if (family.isUsed(token)) {
    await families.revoke(family.id);
    throw new Error("Token was used twice");
  }
  return await rotate(family, token);
}

async function rotate(family: Family, token: string): Promise<{ access: string; refresh: string }> {
  await families.markUsed(family.id, token);
  return { access: family.sign({ minutes: accessMinutes }), refresh: await family.issue() };
}
`;
const label = `// Labels as PDF, one page each.

export function toLabel(parcel: { id: string; to: string }): string {
  return ["PARCEL", parcel.id, parcel.to].join("\\n");
}
`;

const deliver = `// Delivers one event to one partner.

import { nextDelay } from "./retry.ts";
import { partnerOf } from "../partners/partner.ts";

export async function deliver(event: { id: string; partner: string; body: string }): Promise<void> {
  const partner = await partnerOf(event.partner);
  const headers = { "content-type": "application/json", "idempotency-key": event.id };
  const response = await fetch(partner.url, { method: "POST", headers, body: event.body });
  if (!response.ok) throw new Error(\`\${partner.name} answered \${response.status}\`);
}
`;
const timeout = deliver.replace(
  "headers, body: event.body }",
  "headers, body: event.body, signal: AbortSignal.timeout(slowestMs) }",
).replace(
  "\nexport async",
  "\n/** Partners that take longer are tried again later. */\nconst slowestMs = 8_000;\n\nexport async",
);
const partner = `// Who gets events, and where.

export interface Partner {
  name: string;
  url: string;
  requestsPerMinute: number;
}

export async function partnerOf(id: string): Promise<Partner> {
  const partner = await Deno.readTextFile(\`partners/\${id}.json\`);
  return JSON.parse(partner);
}
`;
const limits = `// A bucket of requests per partner, filled again while time passes.

const buckets = new Map<string, { left: number; touched: number }>();

export function takeRequest(partner: string, perMinute: number, nowMs: number): boolean {
  const bucket = buckets.get(partner) ?? { left: perMinute, touched: nowMs };
  const refilled = bucket.left + (nowMs - bucket.touched) * perMinute / 60_000;
  bucket.left = Math.min(perMinute, refilled) - 1;
  bucket.touched = nowMs;
  buckets.set(partner, bucket);
  return bucket.left >= 0;
}
`;
const code = `// The QR code of a parcel: its id, signed, so that a copied label is noticed.

export function toCode(parcel: { id: string }, sign: (text: string) => string): string {
  const signature = sign(parcel.id).slice(0, 12);
  return \`parcel:\${parcel.id}:\${signature}\`;
}
`;

const stories: Story[] = [
  {
    session: "S-1m2few700s4d0k3ne",
    agent: "claude-code",
    title: "Deliver each event once",
    days: 33,
    prompt: "Partners sometimes get the same event twice when we restart. How can they tell? " +
      "Make deliveries safe to repeat.",
    answer: "Each delivery now carries the event's id as Idempotency-Key, so partners can drop a " +
      "second one.",
    decision: {
      title: "Deliveries carry an idempotency key",
      text: "Each delivery carries the event's id as Idempotency-Key. We tried a lock in Redis " +
        "first, but it doubled the time of every delivery.",
    },
    files: { "src/queue/deliver.ts": deliver, "src/partners/partner.ts": partner },
    commit: "Deliver each event once (#14)",
  },
  {
    session: "S-1m2few700s4d0k3nf",
    agent: "gemini",
    title: "Limit requests per partner",
    days: 20,
    prompt: "Limit the requests that we send to a partner per minute, with bursts allowed.",
    answer: "Requests go through a token bucket per partner; its size is `requestsPerMinute`.",
    decision: {
      title: "Token bucket per partner",
      text:
        "Requests to a partner go through a token bucket in memory, because one process sends " +
        "them all. A shared counter in PostgreSQL is only needed once there are several.",
    },
    files: { "src/partners/limits.ts": limits },
    commit: "Limit requests per partner (#17)",
  },
  {
    session: "S-1m2few700s4d0k3na",
    agent: "claude-code",
    title: "Rotate refresh tokens",
    days: 12,
    prompt:
      "Our refresh tokens live for 30 days. If one leaks, how do we notice? Please **fix** it.",
    answer:
      "Every refresh now returns a new token and invalidates the old one. A second use of an " +
      "old token means that it leaked, so the whole family is revoked.",
    decision: {
      title: "Refresh token rotation",
      text: "Refresh tokens are rotated on every use; using one twice revokes its whole family. " +
        "Access tokens live for 15 minutes.",
    },
    files: { "src/auth/refresh.ts": refresh },
    commit: "Rotate refresh tokens, revoke a family that is used twice",
  },
  {
    session: "S-1m2few700s4d0k3ng",
    agent: "claude-code",
    title: "Time out slow partners",
    days: 8,
    prompt: "One slow partner blocks the queue for minutes. Give up on a delivery after 8 seconds.",
    answer: "Deliveries give up after 8 s and are tried again later.",
    decision: {
      title: "Deliveries time out after 8 s",
      text: "A delivery gives up after 8 s, because 99 of 100 partners answer within 3 s.",
    },
    files: { "src/queue/deliver.ts": timeout },
    commit: "Give up on slow partners after 8 seconds",
  },
  {
    session: "S-1m2few700s4d0k3nb",
    agent: "codex",
    title: "Webhook retries overload partners",
    days: 5,
    prompt: "Partners say our webhook retries take their servers down after an outage. " +
      "Make the retry back off, with some jitter, and stop after a while.",
    answer: "Retries now back off from 1 s to 60 s with jitter and stop after 5 attempts.\n\n" +
      "- `nextDelay` returns `undefined` after the last attempt\n- covered by `retry_test.ts`",
    decision: {
      title: "Delivery retries with backoff",
      text:
        "A failed delivery is tried 5 times with exponential backoff from 1 s, capped at 60 s, " +
        "half of it random. The fixed delay made outages worse.",
    },
    files: { "src/queue/retry.ts": backoff },
    commit: "Back off webhook retries, with jitter",
  },
  {
    session: "S-1m2few700s4d0k3nh",
    agent: "codex",
    title: "QR codes for labels",
    days: 2,
    prompt: "Try QR codes on labels on a branch. A copied label should be noticed at the scan. " +
      "Never merge a branch like this without asking me.",
    answer: "`toCode` signs the parcel's id; a copied label has no valid signature.",
    decision: {
      title: "QR codes are signed",
      text: "The QR code of a label holds the parcel's id and twelve characters of a signature, " +
        "so that a label with another id is noticed at the scan.",
    },
    open: {
      title: "Who rotates the key of labels?",
      text: "Nobody rotates the key that labels are signed with yet.",
    },
    files: { "src/labels/code.ts": code },
    commit: "Sign the QR codes of labels",
    branch: "label-codes",
  },
  {
    session: "S-1m2few700s4d0k3nc",
    agent: "claude-code",
    title: "Print labels as PDF",
    days: 1,
    prompt: "Add a function that renders a parcel's label as PDF. Never log full addresses, " +
      "only parcel ids.",
    answer: "`toLabel` renders id and receiver. What is still open: should labels carry a QR code?",
    files: { "src/labels/label.ts": label },
  },
];

const models: Record<string, string> = {
  "claude-code": "claude-opus-4-5",
  codex: "gpt-5.1-codex",
  gemini: "gemini-2.5-pro",
};

/** Makes the project; the first commit is nobody's. */
export async function shownProject(): Promise<TempStore> {
  const store = await tempStore();
  const { workspace } = store;
  const git = async (days: number, ...words: string[]): Promise<void> => {
    const time = new Date(Date.now() - days * 86_400_000).toISOString();
    const env = {
      ...Object.fromEntries(["AUTHOR", "COMMITTER"].flatMap((who) => [
        [`GIT_${who}_NAME`, "Sam Ruiz"],
        [`GIT_${who}_EMAIL`, "sam@example.org"],
        [`GIT_${who}_DATE`, time],
      ])),
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
    };
    const { code, stderr } = await runProcess(["git", ...words], { cwd: workspace, env });
    if (code !== 0) throw new Error(stderr);
  };
  const write = (path: string, text: string): void => {
    const file = `${workspace}/${path}`;
    Deno.mkdirSync(file.slice(0, file.lastIndexOf("/")), { recursive: true });
    Deno.writeTextFileSync(file, text);
  };
  Deno.writeTextFileSync(`${workspace}/.gitignore`, ".contextfs/\n");
  write("README.md", "# parcel-api\n\nDelivers parcels' events to partners.\n");
  write("src/queue/retry.ts", retry);
  await git(40, "init", "-q", "-b", "main");
  await git(40, "add", "-A");
  await git(40, "commit", "-q", "-m", "Start of the parcel API");
  const entries: Partial<Entry>[] = [];
  for (const story of stories) {
    entries.push(...toEntries(story, workspace));
    for (const [path, text] of Object.entries(story.files)) write(path, text);
    await git(story.days, "add", "-A");
    if (story.branch) await git(story.days, "checkout", "-q", "-b", story.branch);
    if (story.commit) await git(story.days, "commit", "-q", "-m", story.commit);
    if (story.branch) await git(story.days, "checkout", "-q", "main");
  }
  store.write("history.ndjson", toLog(entries));
  for (const { session, title } of stories) await store.run("session title", { session, title });
  return store;
}

function toEntries(story: Story, workspace: string): Partial<Entry>[] {
  const start = Date.now() - story.days * 86_400_000 - 1_800_000;
  let minutes = 0;
  const common = { session_id: story.session, project: workspace, source: { agent: story.agent } };
  const next = (entry: Partial<Entry>): Partial<Entry> => ({
    ...common,
    ts: new Date(start + minutes++ * 240_000).toISOString(),
    ...entry,
  });
  const prompt = next({ role: "user", type: "turn", text: story.prompt });
  const edits = Object.entries(story.files).flatMap(([path, text], i) => [
    next({
      role: "assistant",
      type: "tool_call",
      text: `Write: ${path}`,
      files: [path],
      tool: {
        name: "Write",
        effect: "edit",
        call_id: `${story.session}-${i}`,
        input: { file_path: path, content: text },
      },
    }),
    next({
      role: "tool",
      type: "tool_output",
      text: "done",
      tool: { name: "Write", call_id: `${story.session}-${i}` },
    }),
  ]);
  const answer = next({
    role: "assistant",
    type: "turn",
    text: story.answer,
    model: models[story.agent],
    usage: {
      id: story.session,
      input_tokens: 9_400 + 700 * story.prompt.length,
      output_tokens: 2_100 + 18 * Object.values(story.files).join("").length,
      cache_read_tokens: 1_300 * story.prompt.length,
    },
  });
  const decision = story.decision === undefined ? [] : [
    next({ role: "note", type: "decision", ...story.decision, files: Object.keys(story.files) }),
  ];
  const open = story.open === undefined
    ? []
    : [next({ role: "note", type: "open", ...story.open, files: Object.keys(story.files) })];
  return [prompt, ...edits, answer, ...decision, ...open];
}
