// `ctx remote init|add|leave`: how a workspace comes into a space, and out of it.

import { CtxError } from "../../core/errors.ts";
import { toShellWord } from "../../core/shell_word.ts";
import { decodeExact } from "../../core/utf8.ts";
import type { RemoteFile } from "../../store/team/remote_file.ts";
import { type Context, define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { countOf } from "../../command/view.ts";

const joined = {
  ...s.each(s.text(), "space", "name", "writer"),
  ...s.each(s.boolean(), "owner", "encrypted"),
  members: s.number(),
};

export const remoteInit = define({
  name: "remote init",
  summary: "Make a space for a team in a PostgreSQL database; this workspace owns it.",
  description:
    "Creates ctx's schema where it is missing, and the space in it; needs a login that may create a schema, and roles for `ctx remote invite`. Without a URL, the schema of this workspace's space is brought up to this version of ctx. The URL is kept in your own configuration, never in the workspace; what it leaves open comes from PGSERVICE, PGHOST, PGPASSFILE and the like. Nothing is sent before `ctx sync`.",
  input: {
    url: s.optionalText("Where the database is (postgres://…); - reads it from standard input."),
    space: s.optionalText("The name of the space."),
    name: s.optionalText("Your name in the space; else your login's on this machine."),
    encrypt: s.flag("End to end: the server sees ids, times and sizes only."),
  },
  output: { ...joined, schema: s.number() },
  positional: ["url"],
  effect: "write",
  access: "network",
  local: true,
  unscoped: true,
  examples: [{
    argv: ["team", "init", "postgres://ops@db.example/memory", "--space", "web"],
    about: "A space for the web team.",
    server: true,
  }],
  async run(input, context) {
    const store = await context.openStore();
    const world = { ...context, store };
    if (input.url === undefined) return await bringUp(context);
    if (input.space === undefined) {
      throw new CtxError("USAGE", "Cannot make a space: it has no name", {
        hint: "ctx remote init URL --space NAME",
      });
    }
    const { initSpace } = await import("../../team/sync/join_space.ts");
    const name = input.name ?? context.env("USER") ?? context.env("LOGNAME") ?? "owner";
    const { me, members, schema = 0 } = await initSpace(world, {
      url: await readUrl(input.url, context),
      space: input.space,
      name,
      encrypt: input.encrypt,
    });
    return { ...toOutput(me), members, schema };
  },
  render: (data, view) =>
    `This workspace owns ${view.bold(data.space)}${data.encrypted ? " (encrypted)" : ""} as ` +
    `${data.name}.\nNext: ctx remote invite NAME, then ctx sync\n`,
});

export const remoteAdd = define({
  name: "remote add",
  summary: "Join this workspace to a team's space.",
  description:
    "Takes the invitation that the space's owner made with `ctx remote invite`: as a file, as the URL itself, or - for standard input, which keeps it out of the shell's history. A further workspace of yours joins by the name of the space. Nothing is sent before the first `ctx sync` has shown what would leave. --again gives this store a new identity in its space: after it was copied from another machine, or restored from a backup.",
  input: {
    target: s.optionalText("The invitation, or a URL; - reads it from standard input."),
    invite: s.optionalText("The file that has the invitation."),
    space: s.optionalText("The name of the space, where no invitation tells it."),
    again: s.flag("Join anew, under a new identity; what was pushed stays yours."),
  },
  output: joined,
  positional: ["target"],
  effect: "write",
  access: "network",
  local: true,
  unscoped: true,
  examples: [
    {
      argv: ["team", "add", "--invite", "ada.txt"],
      about: "With your invitation.",
      server: true,
    },
    {
      argv: ["team", "add", "--space", "web"],
      about: "One more workspace of yours.",
      server: true,
    },
  ],
  async run(input, context) {
    const store = await context.openStore();
    refuseFile(input.target);
    const said = input.invite === undefined
      ? input.target === undefined ? undefined : await readUrl(input.target, context)
      : readInvite(input.invite, context);
    const { joinSpace } = await import("../../team/sync/join_space.ts");
    const { me, members } = await joinSpace({ ...context, store }, {
      ...(said?.includes("#ctx=") ? { invitation: said } : { url: said }),
      space: input.space,
      again: input.again,
    });
    return { ...toOutput(me), members };
  },
  render: (data, view) =>
    `Joined ${view.bold(data.space)}${data.encrypted ? " (encrypted)" : ""} as ${data.name}; ` +
    `${countOf(data.members, "member")}.\nNext: ctx sync --dry-run shows what would leave\n`,
});

export const remoteLeave = define({
  name: "remote leave",
  summary: "Leave the space: others' rows go from this disk, yours stay in the space.",
  description:
    "Your own history is not touched. What you pushed stays with the others; take it back before with `ctx unshare` and `ctx sync`. Your invitation still works for joining again. --writer ends another store of yours, such as one on a machine that is gone.",
  input: {
    writer: s.optionalText("Another store of yours, by its writer (ctx remote members)."),
    dry_run: s.flag("Only say what would go."),
  },
  output: {
    space: s.text(),
    writer: s.text(),
    ...s.each(s.number(), "rows", "bytes"),
    dry_run: s.boolean(),
  },
  effect: "destroy",
  access: "network",
  question: (_input, planned) =>
    planned &&
    `Leave ${planned.space} and remove ${countOf(planned.rows, "row")} of others from this disk?`,
  local: true,
  unscoped: true,
  examples: [{ argv: ["team", "leave", "--dry-run"], about: "What would go?", server: true }],
  async run(input, context) {
    const store = await context.openStore();
    const { leaveSpace } = await import("../../team/sync/leave_space.ts");
    return await leaveSpace({ ...context, store }, input);
  },
  render: (data) =>
    `${data.dry_run ? "Would leave" : "Left"} ${data.space}; ${
      countOf(data.rows, "row")
    } of others (${countOf(data.bytes, "byte")}) ${
      data.dry_run ? "would go" : "went"
    } from this disk.\n`,
});

function toOutput({ space, name, writer, owner, encrypted }: RemoteFile) {
  return { space, name, writer, owner, encrypted };
}

/** Brings the schema of this workspace's space up to this version. */
async function bringUp(context: Context) {
  const store = await context.openStore();
  const world = { ...context, store };
  const { connectSpace, getIdentity } = await import("../../team/sync/open_space.ts");
  const { me, secrets } = await getIdentity(world, "bring the schema up to date");
  await using remote = await connectSpace(world, secrets);
  const { to } = await remote.migrate();
  const { members } = await remote.state(me.writer);
  return { ...toOutput(me), members: members.length, schema: to };
}

/** A URL as it was said, or from standard input, where no list of processes shows it. */
async function readUrl(said: string, context: Context): Promise<string> {
  return said === "-" ? decodeExact(await context.readInput()).trim() : said;
}

/** An invitation in a file is named with --invite: what stands alone is a URL. */
function refuseFile(target: string | undefined): void {
  if (target === undefined || target === "-" || target.includes("://")) return;
  throw new CtxError("USAGE", `Cannot join: "${target}" is no URL`, {
    hint: `an invitation's file: ctx remote add --invite ${toShellWord(target)}`,
  });
}

function readInvite(path: string, { cwd, files }: Context): string {
  const bytes = files.findBytes(path.startsWith("/") ? path : `${cwd}/${path}`);
  if (bytes !== undefined) return new TextDecoder().decode(bytes).trim();
  throw new CtxError("NOT_FOUND", `Cannot read the invitation "${path}": there is no such file`, {
    hint: "ctx remote add - reads it from standard input",
  });
}
