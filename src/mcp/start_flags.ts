// How the built program starts Deno, the first time and when it starts itself again confined: with
// the same flags both find the same compiled code.

/**
 * Compiled code is kept between starts, but only what V8 compiles at once: without the first flag a
 * quarter of it. The next two keep it from collecting garbage in commands of some milliseconds; the
 * fourth keeps long ones small: reindex of a million entries takes 269 MB instead of 402. The last
 * has WebAssembly that runs for more than a moment compiled well at once, beside it: 3 ms of a search
 * with vectors.
 */
export const v8Flags: string = "--v8-flags=" + [
  "--no-lazy",
  "--min-semi-space-size=2",
  "--max-semi-space-size=2",
  "--heap-growing-percent=20",
  "--wasm-tiering-budget=500000",
  "--no-sparkplug",
  "--invocation-count-for-maglev=2000",
  "--invocation-count-for-maglev-osr=500",
].join(",");

/** Flags for every start: nothing is asked, looked up or downloaded. */
export const startFlags: readonly string[] = [
  v8Flags,
  "--quiet",
  "--no-prompt",
  "--no-config",
  "--no-lock",
  "--no-npm",
  "--no-remote",
  "--no-check",
];
