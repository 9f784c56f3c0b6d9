// omp, a fork of Pi: the same lines under `~/.omp/agent/sessions`, sub-agents in a directory beside.

import { makePiSource } from "./pi.ts";

export const omp = makePiSource({
  name: "omp",
  title: "omp",
  roots: ({ env, home }) => [`${env("OMP_CODING_AGENT_DIR") || `${home}/.omp/agent`}/sessions`],
});
