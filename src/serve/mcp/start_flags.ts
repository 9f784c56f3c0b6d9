// How the built program starts Deno, the first time and when it starts itself again confined: with
// the same flags both find the same compiled code.

/**
 * Compiled code is kept between starts, but only what V8 compiles at once: without the first flag a
 * quarter of it. The next two keep it from collecting garbage in commands of some milliseconds (a
 * search over 100,000 rows would twice, for 3 ms); the fourth keeps long ones small: reindex of a
 * million entries takes 269 MB instead of 402. The next three have JavaScript compiled well only once it has
 * run for long: that search spent 15 of its 115 ms on compiling what then ran for less; reindex takes
 * 3 % more. The next does the same for WebAssembly, later than V8 would: a search for one word then takes
 * 4 of 80 ms less, and one that compares vectors as long as before. The last does the same for expressions, which V8 would compile when they are used for the
 * second time (2 ms); on long texts they are compiled at once all the same, and reindex takes no longer.
 */
export const v8Flags: string = "--v8-flags=" + [
  "--no-lazy",
  "--min-semi-space-size=4",
  "--max-semi-space-size=4",
  "--heap-growing-percent=20",
  "--no-sparkplug",
  "--invocation-count-for-maglev=2000",
  "--invocation-count-for-maglev-osr=500",
  "--wasm-tiering-budget=100000000",
  "--regexp-tier-up-ticks=100",
].join(",");

/**
 * Flags for every start: nothing is asked, looked up or downloaded. The first flag costs 2.5 ms, which
 * a bare `deno run FILE` saves (it builds no parser), the others nothing; permissions can be given in
 * no other way.
 */
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
