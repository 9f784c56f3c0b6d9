// `ctx status`: one screen: is this memory alive? What it holds, which agents are connected, when each
// was last captured, what was given to them, and what is wrong.

import { homeOf } from "../../core/platform_path.ts";
import { pools } from "../../core/entry.ts";
import { readSessionList } from "../../read/session_list.ts";
import { sourceNames } from "../../intake/import/source_table.ts";
import { type ClientState, findClients } from "../../setup/find_clients.ts";
import { explainWorkspace } from "../../disk/explain_workspace.ts";
import { findUnwritable } from "../../store/lifecycle/check_readable.ts";
import { findCaptureProblems } from "../../store/lifecycle/check_captures.ts";
import { type CaptureState, captureStates, readCaptures } from "../../store/logs/capture_log.ts";
import { readHeld } from "../../store/logs/held_words.ts";
import { readGiven } from "../../store/logs/injection_log.ts";
import { findLosses } from "../../store/state.ts";
import { readQuarantined } from "../../store/quarantined_sessions.ts";
import type { Store } from "../../store/store.ts";
import { readRemote } from "../../store/team/remote_file.ts";
import { findPending, isMuch } from "../../recall/hook/pending_work.ts";
import { type Context, define } from "../../command/command.ts";
import { type Status, statusShape, toStatusScreen } from "../../view/status_screen.ts";

export const status = define({
  name: "status",
  summary: "Show which agents are connected and what needs attention.",
  description:
    "An agent is connected when its settings, yours or the workspace's, include ctx. With hooks, ctx also captures its turns: `last_call` is when its hooks last ran, `last_capture` when they last captured something. `held` counts prompts waiting for their agent's transcript. `pending` is background work that is running or due: vectors and records after an import. Each problem comes with the command to run next.",
  input: {},
  output: statusShape,
  effect: "read",
  local: true,
  examples: [{ argv: ["status"], about: "Check that your agents' turns are captured." }],
  async run(_input, context) {
    const store = await context.openStore();
    const { workspace, root } = store.layout;
    const { logs } = store.readState();
    const home = homeOf(context.env);
    const clients = home ? await findClients({ home, workspace, path: context.env("PATH") }) : [];
    // Whatever else once called is no agent's name: nothing would ever come of it.
    const states = captureStates(readCaptures(store))
      .filter(({ agent }) => sourceNames.includes(agent));
    const captured = states.flatMap(({ last }) => last ?? [])
      .reduce((a, b) => a === undefined || b.ts > a.ts ? b : a, states[0]?.last);
    const given = readGiven(store).at(-1);
    const sessions = readSessionList(store);
    const quarantined = [...readQuarantined(store)]
      .map(([session_id, since]) => ({ session_id, since }));
    const pending = await findPending(context);
    const wrong = [
      ...findWrong(store, { clients, now: context.now() }),
      ...await findGuardFaults(store, context),
      ...await findSwitchedOff(store, context),
    ];
    return {
      workspace,
      store: root,
      ...explainWorkspace(workspace, context),
      now: new Date(context.now()).toISOString(),
      entries: pools.reduce((sum, pool) => sum + logs[pool].rows - logs[pool].tombstones, 0),
      ...(logs.team.rows > 0 ? { team_entries: logs.team.rows - logs.team.tombstones } : {}),
      ...await readTeam(store),
      sessions: sessions.length,
      held: readHeld(store).length,
      pending: isMuch(pending) ? pending : undefined,
      disk_bytes: store.files.list(root).reduce(
        (sum, name) => sum + (store.files.findSize(`${root}/${name}`) ?? 0),
        0,
      ),
      ...(quarantined.length > 0 ? { quarantined } : {}),
      agents: toAgents(clients, states),
      last_capture: captured &&
        { ts: captured.ts, agent: captured.agent, entries: captured.entries ?? 0 },
      last_session: sessions[0]?.ended,
      last_injection: given && {
        ts: given.ts,
        agent: given.agent,
        event: given.event,
        lines: given.lines.length,
        tokens: given.tokens,
      },
      problems: wrong.map(({ problem }) => problem),
      wrong,
    };
  },
  render: toStatusScreen,
  note: (data, view) =>
    view.terminal || data.agents.some(({ hooks }) => hooks)
      ? undefined
      : "connect an agent: ctx setup AGENT",
});

async function readTeam(store: Store): Promise<Pick<Status, "team">> {
  const me = readRemote(store);
  if (me === undefined) return {};
  const { readSynced } = await import("../../team/sync/sync_store.ts");
  return { team: { space: me.space, name: me.name, last_sync: readSynced(store) ?? null } };
}

/** Agents that are connected, that called, or that are on this machine and could be connected. */
function toAgents(
  clients: readonly ClientState[],
  states: readonly CaptureState[],
): Status["agents"] {
  const here = clients.filter(({ connected, found }) => connected || found !== undefined);
  const names = new Set([...here.map(({ client }) => client), ...states.map(({ agent }) => agent)]);
  return [...names].map((agent) => {
    const client = clients.find((one) => one.client === agent);
    const { last, heard, failure } = states.find((one) => one.agent === agent) ?? {};
    const { connected = false, hooks = false, found } = client ?? {};
    const isDone = client === undefined || hooks || connected && client.missing.length === 0;
    return {
      agent,
      connected,
      hooks,
      last_capture: last?.ts,
      last_call: heard,
      found,
      next: isDone ? undefined : `ctx setup ${agent}`,
      failure: failure && { ts: failure.ts, hook: failure.hook, problem: failure.problem ?? "" },
    };
  });
}

/** A file of guards that cannot be read. */
async function findGuardFaults(
  { files, layout }: Store,
  { env }: Context,
): Promise<Status["wrong"]> {
  if (files.findSize(layout.guards) === undefined) return [];
  const { findFaults } = await import("../../guard/guard_file.ts");
  return (await findFaults(files, layout, env)).map((problem) => ({
    problem,
    next: "ctx guard list",
  }));
}

/** Context that a trial found to hurt, which is therefore not sent. */
async function findSwitchedOff(store: Store, { readConfig }: Context): Promise<Status["wrong"]> {
  if ((await readConfig()).get("inject.trial") === 0) return [];
  const { readTrial } = await import("../../store/logs/trial_log.ts");
  const isOff = readTrial(store).some((row) => row.event === "look" && row.verdict === "hurts");
  if (!isOff) return [];
  return [{
    problem: "agents get no context: the trial found that sessions without it cost less",
    next: "ctx context worth --trial",
  }];
}

/** What a quick look finds; `ctx doctor` reads everything. */
function findWrong(
  store: Store,
  { clients, now }: { clients: readonly ClientState[]; now: number },
): Status["wrong"] {
  const unwritable = findUnwritable(store.files, store.layout);
  return [
    ...findLosses(store.files, store.layout, store.readState())
      .map((problem) => ({ problem, next: "ctx doctor" })),
    ...findCaptureProblems(store, now).flatMap(({ agent, ...problem }) =>
      sourceNames.includes(agent) ? [problem] : []
    ),
    ...clients.flatMap(({ client, gone }) =>
      gone === undefined ? [] : [{
        problem: `${client}: it starts ${gone}, which does not exist`,
        next: `ctx setup ${client}`,
      }]
    ),
    ...clients.flatMap(({ todo }) => todo ?? []),
    ...(unwritable === undefined ? [] : [{
      problem: `${unwritable}; nothing is captured`,
      next: `check the permissions of ${store.layout.root}`,
    }]),
  ];
}
