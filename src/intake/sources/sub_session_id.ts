// What a sub-agent's conversation is called: by its own name where that is one of its kind, else after
// its parent too, as every parent may have an `agent-1`. Pure.

const unique = /[0-9a-f]{8}-?[0-9a-f]{4}|[0-9a-zA-Z]{16}/;

/** The id of a conversation that another one started. */
export function subSessionId(parent: string, name: string): string {
  return unique.test(name) ? name : `${parent}/${name}`;
}
