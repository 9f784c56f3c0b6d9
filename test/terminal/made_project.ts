// A made-up project whose memory the golden screens show: two sessions of agents, some notes, text
// in other scripts. All of it lies years back, so that times do not change with the day.

import type { Entry } from "../../src/core/entry.ts";
import { TempStore, toLog } from "../support/stores/temp_store.ts";

/** A workspace in a home of its own. */
export interface MadeProject {
  home: string;
  workspace: string;
}

/** Makes the project; whoever asked for it removes `home`. */
export async function makeProject(): Promise<MadeProject> {
  const home = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "ctx-screens-" }));
  const workspace = `${home}/shop`;
  Deno.mkdirSync(workspace);
  const store = new TempStore(workspace);
  await store.run("init");
  store.write("history.ndjson", toLog(rows.map(toRow)));
  store.write("sessions.ndjson", events.map((event) => JSON.stringify(event) + "\n").join(""));
  return { home, workspace };
}

const auth = "S-1hf8zk2m0a7thr3wk";
const cart = "S-1hg4q7w9xcart5pcs";

const events = [
  {
    event: "opened",
    session_id: auth,
    ts: "2024-03-12T13:00:00.000Z",
    title: "Auth rework: refresh tokens",
  },
  {
    event: "opened",
    session_id: cart,
    ts: "2024-03-15T08:30:00.000Z",
    title: "Cart prices are wrong after a currency switch, and nobody knows since when",
  },
  { event: "closed", session_id: auth, ts: "2024-03-12T13:22:00.000Z" },
  { event: "closed", session_id: cart, ts: "2024-03-15T08:41:00.000Z" },
];

type Said = [
  session: string | undefined,
  ts: string,
  role: Entry["role"],
  type: Entry["type"],
  text: string,
];

const rows: Said[] = [
  [
    auth,
    "2024-03-12T13:03:00.000Z",
    "user",
    "turn",
    "A refresh token leaked in a support ticket. What happens now, and how do we keep it from happening again?",
  ],
  [
    auth,
    "2024-03-12T13:04:10.000Z",
    "assistant",
    "turn",
    "Today nothing happens: refresh tokens live for 30 days and are never rotated. Whoever holds one can mint access tokens until it expires. I would rotate them on every use and revoke the whole family when an old one comes back, so that a leaked token is worth one request at most.",
  ],
  [auth, "2024-03-12T13:05:30.000Z", "assistant", "tool_call", "Read src/auth/refresh_token.ts"],
  [
    auth,
    "2024-03-12T13:05:31.000Z",
    "tool",
    "tool_output",
    'export async function refresh(token: string): Promise<Session> {\n  const row = await db.tokens.find(token);\n  if (!row || row.expires < now()) throw new AuthError("expired");\n  return mint(row.user);\n}',
  ],
  [
    auth,
    "2024-03-12T13:20:00.000Z",
    "assistant",
    "decision",
    "Refresh tokens rotate on every use; a second use of an old token revokes its whole family. Rejected: shorter lifetimes (support costs), binding to IP addresses (mobile users).",
  ],
  [
    auth,
    "2024-03-12T13:21:00.000Z",
    "user",
    "turn",
    "Good. Also log it, without the token itself.",
  ],
  [
    cart,
    "2024-03-15T08:31:00.000Z",
    "user",
    "turn",
    "カートの価格が通貨を切り替えた後に間違っています。円では四捨五入されません 🛒",
  ],
  [
    cart,
    "2024-03-15T08:33:00.000Z",
    "assistant",
    "turn",
    "The cart keeps prices as floats and rounds only when it shows them. JPY has no minor unit, so 1099.5 is shown as 1100 but charged as 1099. Prices should be integers of the minor unit, as the orders table has them.",
  ],
  [
    cart,
    "2024-03-15T08:40:00.000Z",
    "assistant",
    "decision",
    "Prices are integers in the minor unit of their currency everywhere, also in the cart; formatting happens at the edge.",
  ],
  [
    undefined,
    "2024-04-02T16:45:00.000Z",
    "note",
    "note",
    "Deploys on Fridays need two people. See docs/deploy.md; the token for the registry is in the vault under ci/registry.",
  ],
];

function toRow([session_id, ts, role, type, text]: Said, index: number): Partial<Entry> {
  const id = `H-1h${"vwxyz12345"[index]}k7m2qvxr4z8tn${index}`;
  const inSession = rows.filter((row, i) => row[0] === session_id && i <= index).length;
  return {
    id,
    ts,
    role,
    type,
    text,
    ...(session_id === undefined ? {} : {
      session_id,
      index: inSession,
      source: { agent: session_id === auth ? "claude-code" : "codex" },
      project: "/home/ada/shop",
      branch: session_id === auth ? "auth-rework" : "main",
    }),
  };
}
