// `ctx remote members|invite|revoke`: who is in the space.

import { readMembers } from "../../store/team/team_log.ts";
import { define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { countOf } from "../../command/view.ts";

export const remoteMembers = define({
  name: "remote members",
  summary: "List members and their stores, as of the last sync.",
  input: {},
  output: {
    space: s.nullable(s.text()),
    members: s.listOf(s.object({
      name: s.text(),
      owner: s.boolean(),
      me: s.boolean(),
      stores: s.listOf(s.text()),
      /** owner, member, invited (has not joined yet), left (no store any more) or revoked. */
      status: s.text(),
      revoked: s.nullable(s.text()),
    })),
  },
  effect: "read",
  access: "network",
  local: true,
  unscoped: true,
  examples: [{ argv: ["team", "members"], about: "List members." }],
  async run(_input, context) {
    const store = await context.openStore();
    const { readRemote } = await import("../../store/team/remote_file.ts");
    const me = readRemote(store);
    const known = readMembers(store.files, store.layout);
    const writersOf = (name: string) => known?.writers.filter((item) => item.name === name) ?? [];
    const storesOf = (name: string): string[] =>
      writersOf(name).filter((item) => item.left_at === undefined).map(({ writer }) => writer);
    const statusOf = ({ name, owner, revoked_at }: NonNullable<typeof known>["members"][0]) => {
      if (revoked_at !== undefined) return "revoked";
      if (owner) return "owner";
      if (storesOf(name).length > 0) return "member";
      return writersOf(name).length > 0 ? "left" : "invited";
    };
    return {
      space: me?.space ?? null,
      members: (known?.members ?? []).map((member) => ({
        name: member.name,
        owner: member.owner,
        me: member.name === me?.name,
        stores: storesOf(member.name),
        status: statusOf(member),
        revoked: member.revoked_at ?? null,
      })),
    };
  },
  render(data, view) {
    if (data.space === null) {
      return "This project is not shared with a team yet. Join one with: ctx team add --invite FILE\n";
    }
    return view.table(data.members.map(({ name, status, me, stores }) => [
      view.bold(name),
      status,
      countOf(stores.length, "store"),
      me ? "you" : "",
    ])) + "\n";
  },
});

export const remoteInvite = define({
  name: "remote invite",
  summary: "Invite someone: writes an invitation file for them.",
  description:
    "Creates a login for them, or uses the one given with --role (a space in a folder has no logins), and writes the invitation to a file that only you can read. Treat the file like a password: anyone who has it can join as NAME with `ctx team add --invite FILE`. Only the owner of the space can invite. If nobody has joined with a name yet, you can invite it again, which cancels the earlier invitation. If you own the space and give your own name, the invitation is for another machine of yours.",
  input: {
    name: s.text("Their name in the space.", 1),
    role: s.optionalText("An existing database login role."),
  },
  output: { ...s.each(s.text(), "space", "name", "role", "path"), yours: s.boolean() },
  positional: ["name"],
  effect: "write",
  access: "network",
  local: true,
  unscoped: true,
  examples: [{ argv: ["team", "invite", "ada"], about: "Invite Ada.", server: true }],
  async run({ name, role }, context) {
    const store = await context.openStore();
    const world = { ...context, store };
    const { getIdentity } = await import("../../team/sync/open_space.ts");
    const { inviteMember } = await import("../../team/sync/invite_member.ts");
    const identity = await getIdentity(world, `invite "${name}"`);
    const invited = await inviteMember(world, identity, { name, role });
    return { space: identity.me.space, name, ...invited };
  },
  render: (data, view) =>
    `The invitation of ${view.bold(data.name)} to ${data.space} is in ${view.path(data.path)}\n` +
    (data.yours
      ? "Treat the file like a password: it makes another machine of yours an owner too. There, run: ctx team add --invite FILE\n"
      : "Treat the file like a password. They run: ctx team add --invite FILE\n"),
});

export const remoteRevoke = define({
  name: "remote revoke",
  summary: "End a membership; their entries stay, and an encrypted space gets a new key.",
  description:
    "They can no longer read or push. What is already on their disks stays there. Their entries stay in the space; the owner can erase one with `ctx forget ID --now`.",
  input: {
    name: s.text("The member's name.", 1),
    dry_run: s.flag("Show what would happen; change nothing."),
  },
  output: {
    ...s.each(s.text(), "space", "name"),
    ...s.each(s.boolean(), "role_removed", "dry_run"),
    epoch: s.optional(s.number()),
  },
  positional: ["name"],
  effect: "destroy",
  access: "network",
  question: (input, planned) => planned && `Revoke ${input.name} from ${planned.space}?`,
  local: true,
  unscoped: true,
  examples: [{
    argv: ["team", "revoke", "bob"],
    about: "Remove Bob from the space.",
    server: true,
  }],
  async run({ name, dry_run }, context) {
    const store = await context.openStore();
    const world = { ...context, store };
    const { getIdentity } = await import("../../team/sync/open_space.ts");
    const { revokeMember } = await import("../../team/sync/invite_member.ts");
    const identity = await getIdentity(world, `revoke "${name}"`);
    const done = await revokeMember(world, identity, { name, dry_run });
    return { space: identity.me.space, name, ...done, dry_run };
  },
  render: (data) =>
    data.dry_run
      ? `Would end the membership of ${data.name} in ${data.space}.\n`
      : `${data.name} is no longer in ${data.space}${
        data.epoch === undefined ? "" : "; the other members have a new key"
      }.\nTo let them in again: ctx team invite ${data.name}\n`,
});
