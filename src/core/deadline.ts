// A time limit that holds while the event loop is busy: timers do not fire during synchronous work, so
// what reads long logs, compares their lines or redacts them asks here at every one. One for the
// process: a hook has one answer.

import { CtxError } from "./errors.ts";

let deadline = Infinity;

/** Work that asks fails from so many milliseconds on; Infinity ends the limit. */
export function setDeadline(ms: number): void {
  deadline = performance.now() + ms;
}

/** Throws INTERRUPTED when the time is over. */
export function checkDeadline(): void {
  if (deadline !== Infinity && performance.now() > deadline) {
    throw new CtxError("INTERRUPTED", "Out of time");
  }
}
