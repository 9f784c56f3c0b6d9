// `ctx remote token`: lets somebody ask the hub of this store (`ctx serve --remote`).

import { CtxError } from "../../core/errors.ts";
import { readMembers } from "../../store/team/team_log.ts";
import { giveToken, hashToken, revokeToken } from "../../team/sync/hub_tokens.ts";
import { define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";

export const remoteToken = define({
  name: "remote token",
  summary: "Create or revoke an access token for this store's server.",
  description:
    "The server is `ctx serve --remote`. The token is written to a file in your own configuration that only you can read; treat it like a password. The server keeps only its SHA-256. A second token for the same name replaces the first. A revoked token is refused at once; no restart is needed.",
  input: {
    name: s.text("The member's name in the space.", 1),
    revoke: s.flag("Revoke the token."),
  },
  output: {
    ...s.each(s.text(), "space", "name"),
    /** The file with the token; none when it was revoked. */
    path: s.optional(s.text()),
    revoked: s.boolean(),
  },
  positional: ["name"],
  effect: "write",
  local: true,
  unscoped: true,
  examples: [{ argv: ["team", "token", "ada"], about: "Give Ada access.", server: true }],
  async run({ name, revoke }, context) {
    const store = await context.openStore();
    const { getMembership } = await import("../../team/sync/open_space.ts");
    const remote = getMembership(store, "create a token");
    // It becomes the name of a file.
    if (!/^[\p{L}\p{N}][\p{L}\p{N}_.@+-]{0,63}$/u.test(name)) {
      throw new CtxError("USAGE", `Cannot create a token for "${name}": that is not a valid name`, {
        hint: "letters, digits and _ . @ + -, at most 64",
      });
    }
    const whose = { writer: remote.writer, name };
    const said = { space: remote.space, name };
    if (revoke) {
      if (await revokeToken(context, whose)) return { ...said, revoked: true };
      throw new CtxError("NOT_FOUND", `Cannot revoke the token of "${name}": there is none`, {
        hint: "to end a membership: ctx team revoke NAME",
      });
    }
    const members = readMembers(store.files, store.layout)?.members;
    const member = members?.find((known) => known.name === name);
    if (member?.revoked_at !== undefined) {
      throw new CtxError(
        "DENIED",
        `Cannot create a token for "${name}": they left ${remote.space}`,
      );
    }
    if (members !== undefined && member === undefined) {
      context.warn(`${name} is not a known member of ${remote.space}`);
    }
    const token = await hashToken(`${context.random()}${context.random()}`);
    return { ...said, path: await giveToken(context, whose, token), revoked: false };
  },
  render: ({ name, path, revoked }) =>
    revoked ? `Revoked the token of ${name}.\n` : `The token of ${name} is in ${path}\n` +
      "Treat it like a password; ctx serve --remote accepts it as Authorization: Bearer TOKEN\n",
});
