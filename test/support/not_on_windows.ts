// What cannot be tried on Windows is left out there, and it is said why.

/** Whether a case is left out: `ignore: notOnWindows("files have no modes")`. */
export function notOnWindows(why: string): boolean {
  if (Deno.build.os !== "windows") return false;
  console.log(`skipped on Windows: ${why}`);
  return true;
}
