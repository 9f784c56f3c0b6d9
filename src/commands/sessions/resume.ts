// `ctx resume`: what recent sessions left, and the command that continues one in an agent.

import { CtxError } from "../../core/errors.ts";
import { compareText, toShellWord } from "../../core/text.ts";
import { type Context, define } from "../../command/command.ts";
import { findStore } from "../../command/find_store.ts";
import { openReach, resolveSession } from "../../command/session_scope.ts";
import * as s from "../../command/shape.ts";
import type { View } from "../../command/view.ts";
import type { SessionRow } from "../../read/session_list.ts";
import { resumeCommands } from "../../recall/handoff/resume_commands.ts";
import type { Store } from "../../store/store.ts";

/** So many of the newest sessions are looked at in each project. */
const maxLooked = 40;

const row = s.object({
  ...s.each(s.text(), "id", "title", "project", "ended"),
  ...s.each(s.optional(s.text()), "source", "branch", "workspace"),
  left: s.listOf(s.text()),
});
type Row = s.ValueOf<typeof row>;

export const resume = define({
  name: "resume",
  summary: "Show what sessions left open, and how to continue one.",
  description:
    "Lists the newest sessions of this project with what they left open: uncommitted files, failed tests, questions for you, unanswered prompts, open steps and interrupted turns. On a terminal, choose one of them and then the agent to continue it in; ctx prints the command, or hands the session over first (ctx handoff). With SESSION (an id or title, also of another of your projects, or @1 for the first of the list), it shows the commands that continue that session: in its own agent, and in the others with ctx handoff. It does not start an agent. --brief lists only sessions that left something open, in all of your projects, newest first. All of it comes from the log and from git, without a model.",
  input: {
    session: s.naming(
      "S of any project",
      s.optional(s.text("A session id or title, or current (default: list them).", 1)),
    ),
    brief: s.flag("List only sessions with open work, in all of your projects."),
    limit: s.integer("Sessions to list.", { min: 1, max: 100, default: 10 }),
  },
  output: {
    sessions: s.listOf(row),
    /** For one session: the commands that continue it. */
    commands: s.listOf(s.object(s.each(s.text(), "agent", "command"))),
    notes: s.optional(s.listOf(s.text())),
  },
  list: {
    of: "sessions",
    columns: ["id", "ended", "source", "left", "title"],
    also: ["project"],
  },
  positional: ["session"],
  local: true,
  effect: "read",
  examples: [
    { argv: ["resume", "--limit", "2"], about: "Show what the two newest sessions left." },
    { argv: ["resume", "--brief"], about: "Show open work in all of your projects." },
  ],
  async run(input, context) {
    if (input.session !== undefined) return await showOne(input.session, context);
    const { store, projects = [], notes = [] } = await openReach(context, input.brief);
    const said = notes.length > 0 ? { notes } : {};
    const stores = [store, ...projects];
    const looked = (await Promise.all(stores.map(listOwn))).flat()
      .sort((a, b) => compareText(b.found.ended, a.found.ended));
    const sessions: Row[] = [];
    // The logs are read once for the sessions that will be shown.
    const shownFirst = looked.slice(0, input.limit);
    const places = new Map(
      stores.map((one) => [
        one,
        one.readSessionPlaces(
          shownFirst.flatMap(({ found, store }) => store === one ? found.id : []),
        ),
      ]),
    );
    for (const { found, store } of looked) {
      if (sessions.length >= input.limit) break;
      const { workspace } = store.layout;
      // Worktrees share a store.
      const isElsewhere = stores.length > 1 || found.project !== workspace;
      const place = isElsewhere ? { workspace } : {};
      const shown = { ...await toRow(found, store, places.get(store)?.get(found.id)), ...place };
      if (!input.brief || shown.left.length > 0) sessions.push(shown);
    }
    return { sessions, commands: [], ...said };
  },
  render({ sessions, commands }, view) {
    if (sessions.length === 0) return "No open work found.\n";
    const text = sessions.map((one) => toText(one, view)).join("\n");
    const steps = commands.map(({ agent, command }) => [view.dim(agent), command]);
    if (steps.length > 0) return `${text}\n${view.table(steps)}\n`;
    return `${text}\n${view.dim("Continue one: ctx resume SESSION")}\n`;
  },
  // A pipe gets the rows alone; the commands are for the person beside it.
  note: ({ notes = [], commands }, view) => {
    const [own, ...others] = view.terminal ? [] : commands.map(({ command }) => command);
    const steps = own === undefined
      ? []
      : [`continue it: ${own}`, ...others.map((one) => `or: ${one}`)];
    return [...notes, ...steps].join("\n") || undefined;
  },
});

function toText({ id, title, project, workspace, ended, source, left }: Row, view: View): string {
  const facts = [view.id(id), view.time(ended), view.dim(source ?? ""), title || "(no title)"];
  const where = workspace === undefined ? "" : `  ${view.dim(project)}\n`;
  const open = left.length === 0 ? ["nothing open"] : left;
  return `${facts.filter(Boolean).join("  ")}\n${where}${
    open.map((line) => `  - ${line}\n`).join("")
  }`;
}

/** The newest sessions that a person held in a project. */
async function listOwn(store: Store): Promise<{ found: SessionRow; store: Store }[]> {
  const { readOwnSessions } = await import("../../read/own_sessions.ts");
  return (await readOwnSessions(store)).slice(0, maxLooked).map((found) => ({ found, store }));
}

/** One session, of this project or else of another one of the user's, and how it is continued. */
async function showOne(
  word: string,
  context: Context,
): Promise<{ sessions: Row[]; commands: { agent: string; command: string }[]; notes?: string[] }> {
  const { readSessionList } = await import("../../read/session_list.ts");
  const show = async (found: SessionRow, store: Store, place: { workspace?: string } = {}) => ({
    sessions: [{ ...await toRow(found, store), ...place }],
    commands: toCommands(found, { store, ...place }),
  });
  const own = await findStore(context);
  const id = own === undefined ? word : resolveSession(word, own, context);
  const here = own && readSessionList(own).find((one) => one.id === id);
  if (own !== undefined && here !== undefined) return await show(here, own);
  if (context.openProject === undefined) {
    throw new CtxError("NOT_FOUND", `Cannot resume "${word}": there is no such session`, {
      hint: "ctx sessions",
    });
  }
  const { store, projects = [], notes = [] } = await openReach(context, true);
  const isMeant = ({ id, title }: SessionRow): boolean =>
    id === word || word.length > 6 && id.startsWith(word) ||
    title !== "" && title.toLowerCase() === word.toLowerCase();
  const found = [store, ...projects].flatMap((store) =>
    readSessionList(store).filter(isMeant).map((one) => ({ one, store }))
  );
  const [first] = found.filter(({ one }) => one.id === word).concat(found);
  if (first === undefined) {
    throw new CtxError("NOT_FOUND", `Cannot resume "${word}": none of your projects has it`, {
      hint: "ctx resume --brief",
    });
  }
  const { workspace } = first.store.layout;
  return {
    ...await show(first.one, first.store, { workspace }),
    ...(notes.length > 0 ? { notes } : {}),
  };
}

async function toRow(
  found: SessionRow,
  store: Store,
  places = store.readSession(found.id),
): Promise<Row> {
  const { findLeft } = await import("../../recall/handoff/open_work.ts");
  const { id, title, project, ended, source, branch } = found;
  return {
    id,
    title,
    project,
    ended,
    ...(source === undefined ? {} : { source }),
    ...(branch === undefined ? {} : { branch }),
    left: await findLeft(store, places),
  };
}

/** The commands that continue a session: in its own agent, then in the others. */
function toCommands(
  { id, project, source: agent }: SessionRow,
  { store, workspace }: { store: Store; workspace?: string },
): { agent: string; command: string }[] {
  const place = workspace === undefined ? "" : ` --workspace ${toShellWord(workspace)}`;
  const { source } = store.readSession(id).map((place) => store.findRowAt(place))
    .find((entry) => entry?.source?.conversation !== undefined) ?? {};
  const own = Object.entries(resumeCommands).find(([name]) => name === agent)?.[1];
  const conversation = source?.conversation;
  const isOwn = own !== undefined && conversation !== undefined && /^[\w-]+$/.test(conversation);
  return [
    ...(isOwn && agent !== undefined
      ? [{ agent, command: `cd ${toShellWord(project)} && ${own} ${conversation}` }]
      : []),
    ...Object.keys(resumeCommands).filter((one) => one !== agent || !isOwn)
      .map((to) => ({ agent: to, command: `ctx handoff ${id} --to ${to}${place}` })),
  ];
}
