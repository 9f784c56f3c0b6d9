// The Worker that lets the index follow a log while it is written: on a second core, so that writing
// goes on meanwhile. Says when it has come to the end, or why it has not.

import { drawSeed } from "../core/id.ts";
import { diskFiles } from "../disk/files.ts";
import { openStore } from "../store/store.ts";
import { catchUp } from "./catch_up.ts";
import { findLocalEmbedder } from "./vectors/embedder_local.ts";

/** What a follower is told: first where the store is, then whether it grew, is whole, or to stop. */
export type FollowMessage =
  | { workspace: string; embeds: boolean; mergesLater: boolean; lockTimeoutMs: number }
  | "grown"
  | "whole"
  | "stop";

/** What it says: something the user should know, or that it has ended. */
export type FollowReport = { warning: string } | { ended: true; failure?: string };

const scope = globalThis as unknown as Worker;
const stop = new AbortController();
let [hasGrown, isWhole] = [false, false];
let wake = (): void => {};

scope.onmessage = ({ data }: MessageEvent<FollowMessage>) => {
  if (typeof data === "object") return void follow(data);
  if (data === "grown") hasGrown = true;
  if (data === "whole") isWhole = true;
  if (data === "stop") stop.abort();
  wake();
};

async function follow(
  { workspace, embeds, ...options }: Exclude<FollowMessage, string>,
): Promise<void> {
  const say = (report: FollowReport): void => scope.postMessage(report);
  const warn = (warning: string): void => say({ warning });
  try {
    const store = openStore({ workspace, files: diskFiles, now: Date.now, random: drawSeed, warn });
    const embedder = embeds ? findLocalEmbedder({ whole: true }) : undefined;
    await catchUp(store, { ...options, embedder, warn, more, signal: stop.signal });
    say({ ended: true });
  } catch (error) {
    say({ ended: true, failure: error instanceof Error ? error.message : String(error) });
  }
}

/** Whether the log has grown since it was last read to its end; of one that is whole, once more. */
async function more(): Promise<boolean> {
  while (!hasGrown && !isWhole && !stop.signal.aborted) {
    await new Promise<void>((resolve) => wake = resolve);
  }
  stop.signal.throwIfAborted();
  const goesOn = hasGrown;
  hasGrown = false;
  return goesOn;
}
