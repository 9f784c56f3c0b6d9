// One session of a client without a person: a prompt, the model's script, and what came of it.

import type { ClientChecks } from "./client_checks.ts";
import { clientDrivers, sessionWords } from "./client_drivers.ts";
import type { ClientHome, Ran } from "./client_home.ts";
import type { InstalledClient } from "./install_clients.ts";
import type { ModelStep } from "./model_step.ts";
import type { ScriptedModel, SeenRequest } from "./scripted_model.ts";

/** A client in its home, with its model and what was checked of it. */
export interface ClientWorld {
  client: InstalledClient;
  home: ClientHome;
  model: ScriptedModel;
  run: ClientChecks;
}

/** What is said in a session; the last step of its script are the client's last words. */
export interface Conversation {
  prompt: string;
  script: ModelStep[];
  /** Further words on the command line. */
  words?: string[];
  cwd?: string;
}

/** Holds a session to its end; checks that it ended well. */
export async function holdSession(
  { client, home, model, run }: ClientWorld,
  { prompt, script, words = [], cwd }: Conversation,
  name: string,
): Promise<{ requests: SeenRequest[]; ran: Ran }> {
  const driver = clientDrivers[client.name];
  model.script = script;
  const first = model.requests.length;
  const ran = await home.run([...sessionWords(client, prompt), ...words], {
    env: driver.env(model.url),
    stdin: driver.readsPrompt ? prompt : "",
    cwd,
  });
  const last = script.at(-1);
  const answer = last !== undefined && "text" in last ? last.text : "";
  run.add(
    `${name} ends`,
    ran.code === 0 && ran.stdout.includes(answer),
    `exit ${ran.code}`,
    `${ran.stdout}${ran.stderr}`,
  );
  return { requests: model.requests.slice(first), ran };
}

/** How often lines of memory are given; some clients escape what hooks say. */
export function fencesIn(text: string): number {
  return text.match(/(?:<|&lt;|\\u003c)ctx_memory/g)?.length ?? 0;
}
