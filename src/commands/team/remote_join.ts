// `ctx remote init|add|leave`: how a workspace comes into a space, and out of it.

import { CtxError } from "../../core/errors.ts";
import { resolvePath } from "../../core/platform_path.ts";
import { toShellWord } from "../../core/text.ts";
import { isDirectory } from "../../disk/outside_files.ts";
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
  summary: "Create a space for a team or for your own machines, owned by this workspace.",
  description:
    "In a folder (a path, ssh://USER@HOST/DIR or s3://BUCKET/DIR), the space is a set of files, which Syncthing, a network share, git or rclone can bring to your other machines. In a PostgreSQL database, ctx's schema is created if it is missing; the login must be able to create a schema, and roles for `ctx team invite`. Without a URL, the schema of this workspace's space is upgraded to this version of ctx. The URL is kept in your own configuration, never in the workspace; missing parts come from PGHOST, PGUSER, PGPASSFILE and so on. Keys for a bucket come from AWS_ACCESS_KEY_ID and so on or from ~/.aws, keys for SSH from your SSH agent or ~/.ssh. Nothing is sent until you run `ctx sync`.",
  input: {
    url: s.optionalText("A folder, ssh://…, s3://… or postgres://…; - for standard input."),
    space: s.optionalText("The name of the space."),
    name: s.optionalText("Your name in the space (default: your login name)."),
    encrypt: s.flag("End-to-end encryption: the server or folder shows only ids, times and sizes."),
  },
  output: { ...joined, schema: s.number() },
  positional: ["url"],
  effect: "write",
  access: "network",
  local: true,
  unscoped: true,
  examples: [
    {
      argv: ["team", "init", "postgres://ops@db.example/memory", "--space", "web"],
      about: "Create a space for the web team.",
      server: true,
    },
    {
      argv: ["team", "init", "/home/ada/Sync/memory", "--space", "mine", "--encrypt"],
      about: "Share with your other machines through a folder.",
      server: true,
    },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const world = { ...context, store };
    if (input.url === undefined) return await bringUp(context);
    if (input.space === undefined) {
      throw new CtxError("USAGE", "Cannot create a space: it has no name", {
        hint: "ctx team init URL --space NAME",
      });
    }
    const { initSpace } = await import("../../team/sync/join_space.ts");
    const url = await readUrl(input.url, context);
    const { findDirectory } = await import("../../team/carrier/open_carrier.ts");
    const directory = findDirectory(url);
    if (directory !== undefined) context.files.makeDirectory(directory);
    const name = input.name ?? context.env("USER") ?? context.env("LOGNAME") ?? "owner";
    const { me, members, schema = 0 } = await initSpace(world, {
      url,
      space: input.space,
      name,
      encrypt: input.encrypt,
    });
    return { ...toOutput(me), members, schema };
  },
  render: (data, view) =>
    `This workspace owns ${view.bold(data.space)}${data.encrypted ? " (encrypted)" : ""} as ` +
    `${data.name}.\nNext: ctx team invite NAME, then ctx sync\n`,
});

export const remoteAdd = define({
  name: "remote add",
  summary: "Join this workspace to a team's space.",
  description:
    "Takes the invitation that the space's owner created with `ctx team invite`: as a file, as the URL itself, or - for standard input, which keeps it out of the shell's history. If the space has another address on this machine, give that URL or folder together with --invite. Another workspace of yours can join by the space's name. Nothing is sent until the first `ctx sync` has shown what would be shared. --again gives this store a new identity in its space; use it after copying the store from another machine or restoring a backup.",
  input: {
    target: s.optionalText("The invitation, a URL or a folder; - for standard input."),
    invite: s.optionalText("The invitation file."),
    space: s.optionalText("The space's name, if you have no invitation."),
    again: s.flag("Join again with a new identity; pushed entries stay yours."),
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
      about: "Join with an invitation.",
      server: true,
    },
    {
      argv: ["team", "add", "--space", "web"],
      about: "Join with another workspace of yours.",
      server: true,
    },
  ],
  async run(input, context) {
    const store = await context.openStore();
    refuseFile(input, context);
    const said = input.target === undefined ? undefined : await readUrl(input.target, context);
    const invited = input.invite === undefined ? undefined : readInvite(input.invite, context);
    const isInvitation = said?.includes("#ctx=") === true;
    const { joinSpace } = await import("../../team/sync/join_space.ts");
    const { me, members } = await joinSpace({ ...context, store }, {
      invitation: invited ?? (isInvitation ? said : undefined),
      url: isInvitation ? undefined : said,
      space: input.space,
      again: input.again,
    });
    return { ...toOutput(me), members };
  },
  render: (data, view) =>
    `Joined ${view.bold(data.space)}${data.encrypted ? " (encrypted)" : ""} as ${data.name}; ` +
    `${countOf(data.members, "member")}.\nNext: ctx sync --dry-run shows what would be shared\n`,
});

export const remoteLeave = define({
  name: "remote leave",
  summary: "Leave the space; others' entries are removed from this disk.",
  description:
    "Your own history is kept. What you pushed stays in the space; to erase it, run `ctx team unshare` and `ctx sync` first. Your invitation still works if you want to join again. --writer removes another store of yours, such as one on a lost machine.",
  input: {
    writer: s.optionalText("Another store of yours, by its writer (ctx team members)."),
    dry_run: s.flag("Show what would be removed; change nothing."),
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
    `Leave ${planned.space} and remove ${
      countOf(planned.rows, "row")
    } of other members from this disk?`,
  local: true,
  unscoped: true,
  examples: [{
    argv: ["team", "leave", "--dry-run"],
    about: "Show what would be deleted.",
    server: true,
  }],
  async run(input, context) {
    const store = await context.openStore();
    const { leaveSpace } = await import("../../team/sync/leave_space.ts");
    return await leaveSpace({ ...context, store }, input);
  },
  render: (data) =>
    `${data.dry_run ? "Would leave" : "Left"} ${data.space}; ${
      countOf(data.rows, "row")
    } of others (${countOf(data.bytes, "byte")}) ${
      data.dry_run ? "would be removed" : "removed"
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
  const schema = await remote.prepare();
  const { members } = await remote.state(me.writer);
  return { ...toOutput(me), members: members.length, schema };
}

/** A URL as it was said, or from standard input, where no list of processes shows it. */
async function readUrl(said: string, context: Context): Promise<string> {
  const { toSpaceUrl } = await import("../../team/carrier/open_carrier.ts");
  const typed = said === "-" ? decodeExact(await context.readInput()).trim() : said;
  return toSpaceUrl(typed, context.cwd);
}

/** An invitation in a file is named with --invite: what stands alone is a URL or a folder. */
function refuseFile(
  { target, invite }: { target?: string; invite?: string },
  { cwd }: Context,
): void {
  if (target === undefined || target === "-" || target.includes("://")) return;
  if (isDirectory(resolvePath(target, cwd))) return;
  const hint = invite === undefined
    ? `for an invitation file: ctx team add --invite ${toShellWord(target)}`
    : "check the path; if the folder is still being copied to this machine, wait until it has arrived";
  throw new CtxError("USAGE", `Cannot join: "${target}" is not a URL or a folder`, { hint });
}

function readInvite(path: string, { cwd, files }: Context): string {
  const bytes = files.findBytes(resolvePath(path, cwd));
  if (bytes !== undefined) return new TextDecoder().decode(bytes).trim();
  throw new CtxError("NOT_FOUND", `Cannot read the invitation "${path}": there is no such file`, {
    hint: "ctx team add - reads it from standard input",
  });
}
