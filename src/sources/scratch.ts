// The directory where a source may put copies of files it must not open in place.

/** Removes the scratch directory if it is there. */
export function removeScratch(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
