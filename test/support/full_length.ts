// How long the long properties run: in full in `.ci/run`, which sets CTX_TEST_FULL=1, and at a tenth in
// `deno task test`, so that it ends while one still waits for it. Nothing is left out entirely.

/** Whether the long properties run at full length. */
export const isFullLength: boolean = Deno.env.get("CTX_TEST_FULL") === "1";

/** How many runs a long property gets: all of them, or a tenth. */
export function runsOf(full: number): number {
  return isFullLength ? full : Math.ceil(full / 10);
}

/** The cases of a long property: all of them, or every tenth. */
export function casesOf<T>(all: Iterable<T>): T[] {
  return [...all].filter((_, i) => isFullLength || i % 10 === 0);
}
