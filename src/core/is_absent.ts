// What the system says of a path at which there is nothing.

/** Whether an error means that: the file, a directory above it, or what a link of it leads to. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory ||
    error instanceof Deno.errors.FilesystemLoop;
}
