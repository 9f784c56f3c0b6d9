// `ctx sessions` (also `list`, `index`): sessions by what is known of them.

import { compareText, guessAt, toLine } from "../../core/text.ts";
import { shareProject, withoutShared } from "../../core/rows/share_project.ts";
import { parseRange } from "../../core/time/parse_when.ts";
import { briefMeasure, minuteOf, withoutEmpty } from "../../command/brief.ts";
import { fitRows } from "../../command/budget.ts";
import type { SessionRow } from "../../read/session_list.ts";
import type { Store } from "../../store/store.ts";
import { define } from "../../command/command.ts";
import { byTurns, pageInputs } from "../../command/inputs.ts";
import { openReach } from "../../command/session_scope.ts";
import * as s from "../../command/shape.ts";

/** The inputs that pick sessions. */
export const sessionFilters = {
  project: s.optionalText("Only projects whose path contains this."),
  source: s.optionalText("Only sessions of this agent."),
  branch: s.optionalText("Only sessions on this branch."),
  author: s.optionalText("Only sessions of this team member."),
  mine: s.flag("Only your own sessions."),
  since: s.optionalText("Only sessions active after this time (2026-11-15, 7d, yesterday)."),
  until: s.optionalText("Only sessions started up to this time; a date includes the whole day."),
};

export const sessions = define({
  name: "sessions",
  aliases: ["list", "index", "session list"],
  summary: "List sessions, newest first.",
  input: {
    ...sessionFilters,
    all_projects: s.flag("Include all of your projects."),
    turns: byTurns,
    ...pageInputs("Sessions"),
    max_tokens: s.optionalInteger("Only the first sessions that fit this limit.", { min: 50 }),
  },
  output: {
    ...s.each(s.number(), "total", "offset"),
    sessions: s.listOf(s.object({
      ...s.each(s.text(), "id", "title", "project", "started", "ended", "first_user_line"),
      ...s.each(s.optional(s.text()), "source", "branch", "workspace", "author"),
      open: s.boolean(),
      ...s.each(s.number(), "message_count", "estimated_tokens", "files_touched"),
    })),
    ...s.each(s.number(), "over_budget", "estimated_tokens"),
    notes: s.optional(s.listOf(s.text())),
  },
  list: {
    of: "sessions",
    columns: ["id", "ended", "message_count", "source", "title"],
    also: ["workspace", "author"],
  },
  localInputs: ["all_projects", "turns"],
  effect: "read",
  tool: "list",
  examples: [{ argv: ["sessions", "--limit", "2"], about: "List the two newest sessions." }],
  async run(input, context) {
    const { store, projects, notes = [] } = await openReach(context, input.all_projects);
    const stores = [store, ...projects ?? []];
    const rows = await findSessions(stores, input, context.now());
    if (rows.length === 0) notes.push(...await noteStrangers(stores, input));
    const listed = rows.slice(input.offset, input.offset + input.limit);
    const page = input.turns ? await countTurns(listed, stores) : listed;
    const own = withoutShared(page);
    const measure = briefMeasure(context.surface, (row: FoundSession) => briefRow(own(row)));
    const { rows: sessions, ...budget } = fitRows(page, input.max_tokens, measure);
    const said = notes.length > 0 ? { notes } : {};
    return { total: rows.length, offset: input.offset, sessions, ...budget, ...said };
  },
  brief({ total, over_budget, sessions }) {
    const { project, rows } = shareProject(sessions);
    return {
      total,
      ...(over_budget > 0 ? { over_budget } : {}),
      project,
      sessions: rows.map(briefRow),
    };
  },
  async render(data, view) {
    const { toSessionsScreen } = await import("../../view/sessions_screen.ts");
    return toSessionsScreen(data, view);
  },
  note: ({ notes }) => notes?.join("; "),
});

/** When it ended, how long it is and what it was about. */
function briefRow(row: Omit<FoundSession, "parent" | "project"> & { project?: string }): object {
  return withoutEmpty({
    id: row.id,
    ended: minuteOf(row.ended),
    project: row.project,
    source: row.source,
    branch: row.branch,
    author: row.author,
    open: row.open,
    messages: row.message_count,
    tokens: row.estimated_tokens,
    title: toLine(row.title, 100),
  });
}

/** The rows with their messages counted as `scan --turns` numbers them. */
async function countTurns(
  rows: readonly FoundSession[],
  stores: readonly Store[],
): Promise<FoundSession[]> {
  const { getMessages, toTurns } = await import("../../read/session_messages.ts");
  const counted: FoundSession[] = [];
  for (const row of rows) {
    const store = stores.find(({ layout }) => layout.workspace === row.workspace) ?? stores[0];
    // A session may be open and hold nothing yet.
    const messages = row.message_count === 0 ? [] : await getMessages(store, row.id);
    counted.push({ ...row, message_count: toTurns(messages).length });
  }
  return counted;
}

/** A session, and its workspace where several are looked at. */
type FoundSession = SessionRow & { workspace?: string };

/** The sessions of some stores that the filters let through, newest first. */
export async function findSessions(
  stores: readonly Store[],
  { project, source, branch, author, mine, ...times }: s.ObjectOf<typeof sessionFilters>,
  nowMs: number,
): Promise<FoundSession[]> {
  // A server lists these commands at every start and seldom runs them.
  const { readSessionList } = await import("../../read/session_list.ts");
  const { since, until } = parseRange(times, nowMs);
  const lists = stores.map((store): FoundSession[] => {
    const { workspace } = store.layout;
    const rows = readSessionList(store);
    return stores.length > 1 ? rows.map((row) => ({ ...row, workspace })) : rows;
  });
  const rows = lists.flat();
  if (lists.length > 1) {
    rows.sort((a, b) => compareText(b.ended, a.ended) || compareText(a.id, b.id));
  }
  const own = author === undefined && !mine ? undefined : await findOwnName(stores);
  const agent = source === undefined ? undefined : await findAgent(source, rows);
  return rows.filter((row) =>
    (project === undefined || row.project.includes(project)) &&
    (agent === undefined || (row.source ?? ownSource) === agent) &&
    (branch === undefined || row.branch === branch) &&
    (author === undefined || (row.author ?? own) === author) &&
    (!mine || row.author === undefined || row.author === own) &&
    (since === undefined || row.ended >= since) &&
    (until === undefined || row.started <= until)
  );
}

/** What one is called in the space of a store. */
async function findOwnName([store]: readonly Store[]): Promise<string | undefined> {
  const { readRemote } = await import("../../store/team/remote_file.ts");
  return readRemote(store)?.name;
}

/** What sessions that no agent recorded are counted as, as in `ctx stats`. */
const ownSource = "ctx";

/** The agent that is meant; one of which there is no session here may be asked for too. */
async function findAgent(said: string, rows: SessionRow[]): Promise<string> {
  const known = new Set(rows.map(({ source }) => source ?? ownSource));
  if (known.has(said)) return said;
  const { getAgent } = await import("../../core/rows/agent_names.ts");
  return getAgent(said, known);
}

/** What no session has of what was asked for, with what is near. */
async function noteStrangers(
  stores: readonly Store[],
  { project, branch }: { project?: string; branch?: string },
): Promise<string[]> {
  if (project === undefined && branch === undefined) return [];
  const { readSessionList } = await import("../../read/session_list.ts");
  const rows = stores.flatMap((store) => readSessionList(store));
  const say = (name: string, wanted: string, values: string[]): string =>
    `no session has ${name} "${wanted}"${guessAt(wanted, values)}`;
  const projects = rows.map((row) => row.project);
  const branches = rows.flatMap((row) => row.branch ?? []);
  return [
    ...(project === undefined || projects.some((path) => path.includes(project))
      ? []
      : [say("project", project, projects)]),
    ...(branch === undefined || branches.includes(branch) ? [] : [say("branch", branch, branches)]),
  ];
}
