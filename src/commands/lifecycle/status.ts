// `ctx status`: one screen: is this memory alive? What it holds, which agents are connected, when each
// was last captured, what was given to them, and what is wrong.

import { readSessionList } from "../../browse/session_list.ts";
import { ageOf } from "../../core/time/age_of.ts";
import { findConnections } from "../../setup/connections.ts";
import { explainWorkspace } from "../../store/files/explain_workspace.ts";
import { findCaptureProblems } from "../../store/lifecycle/check_captures.ts";
import { captureStates, readCaptures } from "../../store/logs/capture_log.ts";
import { readHeld } from "../../store/logs/held_words.ts";
import { isUptake, readInjections } from "../../store/logs/injection_log.ts";
import { define } from "../../table/command.ts";
import * as s from "../../table/shape.ts";
import { countOf, toTable } from "../../table/view.ts";

const agentShape = s.object({
  agent: s.text(),
  ...s.each(s.boolean(), "connected", "hooks"),
  ...s.each(s.optional(s.text()), "last_capture", "last_call"),
  failure: s.optional(s.object({
    ts: s.text(),
    hook: s.optional(s.text()),
    problem: s.text(),
  })),
});

/** Says whether captures and injections work. */
export const status = define({
  name: "status",
  group: "Lifecycle",
  summary: "Show whether this memory is alive: agents, last captures, what is wrong.",
  description:
    "An agent is connected when its settings, yours or the workspace's, hold ctx; with hooks it tells ctx of its turns: when its hooks last called (`last_call`), and last brought something in (`last_capture`). `held` are prompts that wait for their agent's transcript.",
  input: {},
  output: {
    ...s.each(s.text(), "workspace", "store", "why", "now"),
    /** The workspace above, whose memory is not seen here. */
    hides: s.optional(s.text()),
    ...s.each(s.number(), "entries", "sessions", "held"),
    agents: s.listOf(agentShape),
    last_injection: s.optional(s.object({
      ...s.each(s.text(), "ts", "agent", "event"),
      ...s.each(s.number(), "lines", "tokens"),
    })),
    problems: s.listOf(s.text()),
  },
  effect: "read",
  local: true,
  examples: [{ argv: ["status"], about: "Are my agents' turns captured?" }],
  async run(_input, context) {
    const store = await context.openStore();
    const { workspace, root } = store.layout;
    const { logs } = store.readState();
    const home = context.env("HOME") || context.env("USERPROFILE");
    const connections = home ? await findConnections({ home, workspace }) : [];
    const states = new Map(captureStates(readCaptures(store)).map((state) => [state.agent, state]));
    const names = new Set([...connections.map(({ agent }) => agent), ...states.keys()]);
    const given = readInjections(store).filter((row) => !isUptake(row)).toArray().at(-1);
    return {
      workspace,
      store: root,
      ...explainWorkspace(workspace, context),
      now: new Date(context.now()).toISOString(),
      entries: logs.hot.rows + logs.archive.rows - logs.hot.tombstones - logs.archive.tombstones,
      sessions: readSessionList(store).length,
      held: readHeld(store).length,
      agents: [...names].map((agent) => {
        const connection = connections.find((one) => one.agent === agent);
        const { last, heard, failure } = states.get(agent) ?? {};
        return {
          agent,
          connected: connection !== undefined,
          hooks: connection?.hooks ?? false,
          ...(last === undefined ? {} : { last_capture: last.ts }),
          ...(heard === undefined ? {} : { last_call: heard }),
          ...(failure === undefined ? {} : {
            failure: {
              ts: failure.ts,
              ...(failure.hook === undefined ? {} : { hook: failure.hook }),
              problem: failure.problem ?? "",
            },
          }),
        };
      }),
      ...(given === undefined || isUptake(given) ? {} : {
        last_injection: {
          ts: given.ts,
          agent: given.agent,
          event: given.event,
          lines: given.lines.length,
          tokens: given.tokens,
        },
      }),
      problems: findCaptureProblems(store, context.now()),
    };
  },
  render(data, view) {
    const now = Date.parse(data.now);
    const held = data.held > 0 ? `, ${countOf(data.held, "held prompt")}` : "";
    const agents = data.agents.map(({ agent, connected, hooks, ...row }) => [
      `  ${agent}`,
      hooks ? "connected" : connected ? "server only, no hooks" : "not connected",
      row.last_capture !== undefined
        ? `captured ${ageOf(row.last_capture, now)}`
        : row.last_call !== undefined
        ? `called ${ageOf(row.last_call, now)}, nothing captured yet`
        : "never captured",
    ]);
    const { last_injection: given } = data;
    const lines = [
      `${view.path(data.store)}: ${countOf(data.entries, "entry", "entries")} in ${
        countOf(data.sessions, "session")
      }${held}`,
      view.dim(`  used because ${data.why}`) +
      (data.hides ? `; it hides the store of ${data.hides} (--workspace ${data.hides})` : ""),
      agents.length === 0 ? "  no agent is connected" : toTable(agents),
      given === undefined
        ? "nothing was given to an agent yet"
        : `given last: ${
          countOf(given.lines, "line")
        }, ${given.tokens} tokens, to ${given.agent} at ${given.event}, ${ageOf(given.ts, now)}`,
      ...data.problems.map((problem) => `${view.bold("wrong")}: ${problem}`),
      ...(data.problems.length === 0 ? ["nothing is wrong"] : []),
    ];
    return view.wrap(lines.join("\n")) + "\n";
  },
  note: (data) =>
    data.agents.some(({ hooks }) => hooks) ? undefined : "connect one: ctx setup AGENT",
});
