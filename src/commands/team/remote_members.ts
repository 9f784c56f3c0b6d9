// `ctx remote members|invite|revoke`: who is in the space.

import { readMembers } from "../../store/team/team_log.ts";
import { define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { countOf } from "../../command/view.ts";

export const remoteMembers = define({
  name: "remote members",
  summary: "List the members of the space and their stores, as of the last sync.",
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
  examples: [{ argv: ["team", "members"], about: "Who is in the space?" }],
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
    if (data.space === null) return "This workspace is in no space: ctx remote add --invite FILE\n";
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
  summary: "Invite somebody to the space: writes a file that is for them alone.",
  description:
    "Makes a login for them, or takes the one that --role names, and writes the invitation to a file that only you can read; hand it over as you would a password. Whoever has it can join as NAME: `ctx remote add --invite FILE`. Only the owner of the space can invite. A name that nobody has joined by can be invited again, which ends the earlier invitation.",
  input: {
    name: s.text("Their name in the space.", 1),
    role: s.optionalText("A login role that they already have in the database."),
  },
  output: { ...s.each(s.text(), "space", "name", "role", "path") },
  positional: ["name"],
  effect: "write",
  access: "network",
  local: true,
  unscoped: true,
  examples: [{ argv: ["team", "invite", "ada"], about: "A file for Ada.", server: true }],
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
    "Hand the file over as you would a password; they run: ctx remote add --invite FILE\n",
});

export const remoteRevoke = define({
  name: "remote revoke",
  summary:
    "End somebody's membership; their rows stay, and in an encrypted space the key is renewed.",
  description:
    "They can neither read nor push from then on. What they have on their disks cannot be called back. Their entries stay in the space; the owner erases one with `ctx forget ID --now`.",
  input: {
    name: s.text("The member's name.", 1),
    dry_run: s.flag("Only say what would happen."),
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
  examples: [{ argv: ["team", "revoke", "bob"], about: "Bob has left.", server: true }],
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
        data.epoch === undefined ? "" : "; those who stay have a new key"
      }.\nTo let them in again: ctx remote invite ${data.name}\n`,
});
