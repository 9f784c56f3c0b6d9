// Pi: `~/.pi/agent/sessions/--<path>--/<time>_<id>.jsonl`.

import { makePiSource } from "./pi_source.ts";

/** Pi's sessions. */
export const pi = makePiSource({
  name: "pi",
  title: "Pi",
  roots: ({ env, home }) => [
    env("PI_CODING_AGENT_SESSION_DIR"),
    `${env("PI_CODING_AGENT_DIR") || `${home}/.pi/agent`}/sessions`,
  ],
});
