// Errors of the system that mean that nothing is at a path.

/** Whether the file, a directory above it, or the target of a link is missing. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory ||
    error instanceof Deno.errors.FilesystemLoop;
}
