// Who saves over a server: an agent, not the user. What it saves says so, wherever it is shown. Pure.

/** What a row says of who saved it: nothing where the user did. */
export function savedBy({ agent }: { agent?: string }): { saved_by?: string } {
  return agent === undefined ? {} : { saved_by: agent };
}

/**
 * The name of an agent for its rows: that of its client. A name that is too long for one may be
 * anything, such as a key, and one that means the user is not an agent's.
 */
export function agentName(client: string | undefined, otherwise: string): string {
  const name = client?.replace(/[^\w.-]+/g, "-") ?? "";
  const isName = name.length <= 32 && !/^\W*(?:the-)?(?:user|human|me|you)\W*$/i.test(name);
  return isName && name !== "" ? name : otherwise;
}
