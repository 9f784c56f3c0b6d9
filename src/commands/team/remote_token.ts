// `ctx remote token`: lets somebody ask the hub of this store (`ctx serve --remote`).

import { CtxError } from "../../core/errors.ts";
import { readMembers } from "../../store/team/team_log.ts";
import { giveToken, hashToken, revokeToken } from "../../team/sync/hub_tokens.ts";
import { define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";

export const remoteToken = define({
  name: "remote token",
  summary: "Make a token with which somebody asks the hub of this store, or revoke it.",
  description:
    "The hub is `ctx serve --remote`. The token is written to a file of your own configuration that only you can read; hand it on as you would a password. Of it only the SHA-256 is kept. A second token for a name takes the place of the first. What is revoked is refused at once, without a restart of the hub.",
  input: {
    name: s.text("Whom it is for: their name in the space.", 1),
    revoke: s.flag("Take the token back."),
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
  examples: [{ argv: ["team", "token", "ada"], about: "Let Ada ask the hub.", server: true }],
  async run({ name, revoke }, context) {
    const store = await context.openStore();
    const { getMembership } = await import("../../team/sync/open_space.ts");
    const remote = getMembership(store, "make a token");
    // It becomes the name of a file.
    if (!/^[\p{L}\p{N}][\p{L}\p{N}_.@+-]{0,63}$/u.test(name)) {
      throw new CtxError("USAGE", `Cannot make a token for "${name}": that is no name`, {
        hint: "letters, digits and _ . @ + -, at most 64",
      });
    }
    const whose = { writer: remote.writer, name };
    const said = { space: remote.space, name };
    if (revoke) {
      if (await revokeToken(context, whose)) return { ...said, revoked: true };
      throw new CtxError("NOT_FOUND", `Cannot revoke the token of "${name}": there is none`, {
        hint: "nothing to do; ctx remote revoke NAME ends a membership",
      });
    }
    const members = readMembers(store.files, store.layout)?.members;
    const member = members?.find((known) => known.name === name);
    if (member?.revoked_at !== undefined) {
      throw new CtxError("DENIED", `Cannot make a token for "${name}": they left ${remote.space}`);
    }
    if (members !== undefined && member === undefined) {
      context.warn(`${name} is no member of ${remote.space}, as far as is known here`);
    }
    const token = await hashToken(`${context.random()}${context.random()}`);
    return { ...said, path: await giveToken(context, whose, token), revoked: false };
  },
  render: ({ name, path, revoked }) =>
    revoked ? `The token of ${name} counts no more.\n` : `The token of ${name} is in ${path}\n` +
      "Hand it over as you would a password; ctx serve --remote takes it as Authorization: Bearer TOKEN\n",
});
