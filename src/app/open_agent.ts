// An agent of the library: `openAgent()` of mod.ts, loaded when it is called.

import { openContext } from "./app.ts";
import { type AgentOptions, MemoryAgent } from "../ask/memory_agent.ts";
import type { OpenOptions } from "./library.ts";
import { realDirectory } from "../disk/layout.ts";

/** What a program may say of an agent, and of the memory that it opens. */
export type OpenAgentOptions = AgentOptions & Omit<OpenOptions, "session">;

/** Makes an agent that opens the memory anew for each question. */
export function openAgent(workspace: string, options: OpenAgentOptions = {}): MemoryAgent {
  const { env, now, warn, progress, signal: whole } = options;
  const cwd = realDirectory(workspace);
  const world = { env, now, warn, progress, workspace: cwd, cwd, surface: "library" as const };
  return new MemoryAgent((own) => {
    const signal = whole && own ? AbortSignal.any([whole, own]) : whole ?? own;
    return openContext({ ...world, signal });
  }, options);
}
