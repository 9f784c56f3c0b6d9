// The environment, as far as the sandbox shows it.

/** The value of a variable; undefined when it is not set or we may not see it. */
export function findEnvironment(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
}
