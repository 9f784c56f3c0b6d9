// What the environment says about output.

/** Where output goes. */
export type Stream = "stdout" | "stderr";

/** A variable of the environment, if it may be read: a confined server may not look at all of them. */
export function findVariable(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch {
    return undefined;
  }
}
