// Checks a lock without taking it. Separate from lock.ts, which every command loads.

/** Whether a process holds a lock. Nothing is written; whoever tries at that moment finds it taken. */
export function isLocked(path: string): boolean {
  try {
    using file = Deno.openSync(path, { read: true });
    return !file.tryLockSync(false);
  } catch {
    return false;
  }
}
