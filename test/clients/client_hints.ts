// What the model knows of a file when it edits it: a decision about the file must be in the request that
// follows the read, so before the edit, and only once.

import { clientDrivers } from "./client_drivers.ts";
import { type ClientWorld, holdSession } from "./client_session.ts";

const path = "src/billing/invoice_number.ts";
const decision = "Invoice numbers have no gaps, because the auditors count them.";

/** A session that reads a file and then writes it. */
export async function checkHint(world: ClientWorld): Promise<void> {
  const { client, home, run } = world;
  const driver = clientDrivers[client.name];
  const file = `${home.project}/${path}`;
  home.write("project", { [path]: "export const nextNumber = (last: number) => last + 1;\n" });
  await home.ctx("save", decision, "--type", "decision", "--file", path);
  const { requests } = await holdSession(world, {
    prompt: "Let numbers start at one thousand.",
    script: [
      driver.read(file),
      driver.write(file, "export const nextNumber = (last: number) => Math.max(1000, last + 1);\n"),
      { text: "They start at one thousand." },
    ],
  }, "a session that edits a file");
  const told = requests.map(({ request, text }) => ({
    results: request.results.length,
    hints: text.split("Invoice numbers have no gaps").length - 1,
  }));
  const before = told.find(({ results }) => results === 1)?.hints ?? 0;
  const after = Math.max(0, ...told.map(({ hints }) => hints));
  run.add(
    "the hint is there before the edit, once",
    client.name === "opencode" || (before === 1 && after === 1),
    `${before} after the read, ${after} at the end`,
  );
}
