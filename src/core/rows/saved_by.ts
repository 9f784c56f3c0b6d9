// Who saves over a server: an agent, not the user. What it saves says so, wherever it is shown. Pure.

/** What a row says of who saved it: nothing where the user did. */
export function savedBy({ agent }: { agent?: string }): { saved_by?: string } {
  return agent === undefined ? {} : { saved_by: agent };
}

/** The name of an agent for its rows: that of its client, as far as it is a plain one. */
export function agentName(client: string | undefined, otherwise: string): string {
  return client?.replace(/[^\w.-]+/g, "-").slice(0, 32) || otherwise;
}
