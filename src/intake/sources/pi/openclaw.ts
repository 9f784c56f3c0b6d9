// OpenClaw, which runs Pi: the same lines under `~/.openclaw/agents/<agent>/sessions`. Its older names
// are Clawdbot and Moltbot. Sessions that newer versions keep in a database alone are not read.

import { typedInOpenclaw } from "./openclaw_words.ts";
import { makePiSource } from "./pi.ts";

/** OpenClaw's sessions. */
export const openclaw = makePiSource({
  name: "openclaw",
  title: "OpenClaw",
  roots: ({ env, home }) =>
    env("OPENCLAW_STATE_DIR")
      ? [`${env("OPENCLAW_STATE_DIR")}/agents`]
      : ["openclaw", "clawdbot", "moltbot"].map((name) => `${home}/.${name}/agents`),
  typedIn: typedInOpenclaw,
});
