// `ctx status`: where the store is and why this one, what is in it, what came in and went
// out last, the agents, and what is wrong with the next command beside it. One screen.

import * as s from "../command/shape.ts";
import { countOf, type View, withCommas } from "../command/view.ts";
import { toFacts } from "./lists.ts";

const agentShape = s.object({
  agent: s.text(),
  ...s.each(s.boolean(), "connected", "hooks"),
  /** What shows that it is on this machine, and the command that connects it. */
  ...s.each(s.optional(s.text()), "last_capture", "last_call", "found", "next"),
  failure: s.optional(s.object({
    ts: s.text(),
    hook: s.optional(s.text()),
    problem: s.text(),
  })),
});

/** How a memory stands. */
export const statusShape = {
  ...s.each(s.text(), "workspace", "store", "why", "now"),
  /** The workspace above, whose memory is not seen here. */
  hides: s.optional(s.text()),
  ...s.each(s.number(), "entries", "sessions", "held", "disk_bytes"),
  /** Vectors and records that are being made or are still to be made. */
  pending: s.optional(s.object({
    running: s.boolean(),
    ...s.each(s.number(), "rows", "embedded", "sessions"),
  })),
  /** How many of the entries other members of the team wrote. */
  team_entries: s.optional(s.number()),
  /** The space that this workspace is in, as whom, and when it was last synced. */
  team: s.optional(s.object({
    ...s.each(s.text(), "space", "name"),
    last_sync: s.nullable(s.text()),
  })),
  /** Sessions of which nothing is sent to agents, and since when. */
  quarantined: s.optional(s.listOf(s.object(s.each(s.text(), "session_id", "since")))),
  agents: s.listOf(agentShape),
  last_capture: s.optional(s.object({
    ...s.each(s.text(), "ts", "agent"),
    entries: s.number(),
  })),
  /** When the session that ended last did. */
  last_session: s.optional(s.text()),
  last_injection: s.optional(s.object({
    ...s.each(s.text(), "ts", "agent", "event"),
    ...s.each(s.number(), "lines", "tokens"),
  })),
  problems: s.listOf(s.text()),
  /** The problems again, each with the command that goes on from there. */
  wrong: s.listOf(s.object({
    ...s.each(s.text(), "problem", "next"),
    ts: s.optional(s.text()),
  })),
};
export type Status = s.ObjectOf<typeof statusShape>;

/** Names on the left, how it stands on the right. */
export function toStatusScreen(data: Status, view: View): string {
  const { last_capture: captured, last_injection: given } = data;
  const held = data.held > 0 ? `, ${countOf(data.held, "prompt")} waiting for a transcript` : "";
  const session = data.last_session ? `; last activity ${view.age(data.last_session)}` : "";
  const others = data.team_entries ? `, ${data.team_entries} of them by others` : "";
  const rows: [string, string][] = [
    [
      "stored",
      `${countOf(data.entries, "entry", "entries")} in ${
        countOf(data.sessions, "session")
      }${others}, ${view.size(data.disk_bytes)}${held}`,
    ],
    ["pending", data.pending === undefined ? "" : toPending(data.pending)],
    ["team", data.team === undefined ? "" : toTeam(data.team, view)],
    [
      "captured",
      captured
        ? `${view.age(captured.ts)} from ${captured.agent}, ${
          countOf(captured.entries, "entry", "entries")
        }`
        : `nothing yet${session}`,
    ],
    [
      "context",
      given
        ? `${countOf(given.lines, "line")}, ${
          countOf(given.tokens, "token")
        }, to ${given.agent} at ${given.event}, ${view.age(given.ts)}`
        : "no agent has received anything yet",
    ],
    ["not sent", toQuarantine(data.quarantined ?? [], view)],
  ];
  const parts = [
    ...toFacts(rows, { view, left }),
    ...toAgentLines(data.agents, view),
    ...toWrongLines(data.wrong, view),
  ];
  const hides = data.hides
    ? `\n${view.wrap(`it hides the store in ${view.path(data.hides)}`)}`
    : "";
  const place = view.wrap(view.path(data.store)).split("\n").map(view.title).join("\n");
  const why = view.wrap(data.why);
  return `${place}\n${view.dim(why + hides)}\n\n${parts.join("\n")}\n`;
}

const left = 10;

function toPending(
  { running, rows, embedded, sessions }: NonNullable<Status["pending"]>,
): string {
  const parts = [
    embedded < rows && `vectors: ${withCommas(embedded)} of ${countOf(rows, "row")}`,
    sessions > 0 && `records: ${countOf(sessions, "session")} to go`,
    running ? "a background process is running" : "to finish now: ctx import --wait",
  ];
  return parts.filter(Boolean).join("; ");
}

function toQuarantine(sessions: NonNullable<Status["quarantined"]>, view: View): string {
  if (sessions.length === 0) return "";
  const names = sessions.map(({ session_id, since }) => `${session_id} (${view.age(since)})`);
  return `in quarantine: ${names.join(", ")}; to release one: ctx forget --release SESSION`;
}

function toTeam({ space, name, last_sync }: NonNullable<Status["team"]>, view: View): string {
  const when = last_sync === null
    ? "not synced yet; next: ctx sync"
    : `last sync ${view.age(last_sync)}`;
  return `${space}, as ${name}, ${when}`;
}

function lay(name: string, value: string, view: View): string {
  return toFacts([[name, value]], { view, left }).join("");
}

function toAgentLines(agents: Status["agents"], view: View): string[] {
  if (agents.length === 0) return [lay("agents", "none connected; ctx setup lists them", view)];
  const rows = agents.map((row, i) => [
    view.dim((i === 0 ? "agents" : "").padEnd(left - 2)),
    `${
      row.hooks ? view.good("●") : row.connected ? view.warning("●") : view.dim("○")
    } ${row.agent}`,
    row.hooks ? "connected" : row.connected ? "MCP only" : "not connected",
    toLast(row, view),
  ]);
  return [view.table(rows)];
}

function toLast(
  { hooks, last_capture, last_call, next }: Status["agents"][number],
  view: View,
): string {
  if (next !== undefined) return next;
  if (last_capture !== undefined) return `captured ${view.age(last_capture)}`;
  if (last_call !== undefined) return `called ${view.age(last_call)}, nothing captured yet`;
  return view.dim(hooks ? "not heard from yet" : "");
}

function toWrongLines(wrong: Status["wrong"], view: View): string[] {
  if (wrong.length === 0) return [lay("problems", view.good("none"), view)];
  return wrong.flatMap(({ problem, next, ts }, i) => {
    const said = ts === undefined || !view.terminal
      ? problem
      : problem.replace(`at ${ts}`, view.age(ts));
    return [
      lay(i === 0 ? "problems" : "", `${view.error("✗")} ${said}`, view),
      `${" ".repeat(left + 2)}${view.dim("next:")} ${next}`,
    ];
  });
}
