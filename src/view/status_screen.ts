// `ctx status` on a terminal: where the store is and why this one, what is in it, what came in and went
// out last, the agents, and what is wrong with the next command beside it. One screen.

import { countOf, type View } from "../command/view.ts";
import { toFacts } from "./lists.ts";

/** How a memory stands. */
export interface ShownStatus {
  store: string;
  why: string;
  hides?: string;
  entries: number;
  sessions: number;
  held: number;
  disk_bytes: number;
  agents: ShownAgent[];
  last_capture?: { ts: string; agent: string; entries: number };
  last_session?: string;
  last_injection?: { ts: string; agent: string; event: string; lines: number; tokens: number };
  wrong: { problem: string; next: string; ts?: string }[];
}

interface ShownAgent {
  agent: string;
  connected: boolean;
  hooks: boolean;
  last_capture?: string;
  last_call?: string;
  next?: string;
}

/** Names on the left, how it stands on the right. */
export function toStatusScreen(data: ShownStatus, view: View): string {
  const { last_capture: captured, last_injection: given } = data;
  const held = data.held > 0 ? `, ${countOf(data.held, "prompt")} held for their transcript` : "";
  const session = data.last_session
    ? `; the last session ended ${view.age(data.last_session)}`
    : "";
  const rows: [string, string][] = [
    [
      "holds",
      `${countOf(data.entries, "entry", "entries")} in ${countOf(data.sessions, "session")}, ${
        view.size(data.disk_bytes)
      }${held}`,
    ],
    [
      "captured",
      captured
        ? `${view.age(captured.ts)} from ${captured.agent}, ${
          countOf(captured.entries, "entry", "entries")
        }`
        : `nothing by a hook yet${session}`,
    ],
    [
      "given",
      given
        ? `${countOf(given.lines, "line")}, ${
          countOf(given.tokens, "token")
        }, to ${given.agent} at ${given.event}, ${view.age(given.ts)}`
        : "nothing to an agent yet",
    ],
  ];
  const parts = [
    ...toFacts(rows, { view, left }),
    ...toAgentLines(data.agents, view),
    ...toWrongLines(data.wrong, view),
  ];
  const hides = data.hides
    ? `\n${view.wrap(`it hides the store of ${view.path(data.hides)}`)}`
    : "";
  const place = view.wrap(view.path(data.store)).split("\n").map(view.title).join("\n");
  const why = view.wrap(`used because ${data.why}`);
  return `${place}\n${view.dim(why + hides)}\n\n${parts.join("\n")}\n`;
}

const left = 10;

function lay(name: string, value: string, view: View): string {
  return toFacts([[name, value]], { view, left }).join("");
}

function toAgentLines(agents: readonly ShownAgent[], view: View): string[] {
  if (agents.length === 0) return [lay("agents", "none is connected: ctx setup lists them", view)];
  const rows = agents.map((row) => [
    `${
      row.hooks ? view.good("●") : row.connected ? view.warning("●") : view.dim("○")
    } ${row.agent}`,
    row.hooks ? "connected" : row.connected ? "server only" : "not connected",
    toLast(row, view),
  ]);
  const table = view.table(rows, { indent: " ".repeat(left) });
  return [view.dim("agents".padEnd(left)) + table.slice(left)];
}

function toLast({ hooks, last_capture, last_call, next }: ShownAgent, view: View): string {
  if (next !== undefined) return next;
  if (last_capture !== undefined) return `captured ${view.age(last_capture)}`;
  if (last_call !== undefined) return `called ${view.age(last_call)}, nothing captured yet`;
  return view.dim(hooks ? "not heard from yet" : "");
}

function toWrongLines(wrong: ShownStatus["wrong"], view: View): string[] {
  if (wrong.length === 0) return [lay("wrong", view.good("nothing"), view)];
  return wrong.flatMap(({ problem, next, ts }, i) => {
    const said = ts === undefined ? problem : problem.replace(`at ${ts}`, view.age(ts));
    return [
      lay(i === 0 ? "wrong" : "", `${view.error("✗")} ${said}`, view),
      `${" ".repeat(left + 2)}${view.dim("next:")} ${next}`,
    ];
  });
}
