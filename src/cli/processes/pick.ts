// `ctx pick`, and `ctx` alone on a terminal: a full-screen search. The process: flags, streams and what
// becomes of the choice; the screen is in ../picker/.

import { CtxError, errorKinds } from "../../core/errors.ts";
import { optionalText } from "../../command/shape.ts";
import { defineProcess } from "../line/process.ts";
import { writeOut } from "../line/terminal.ts";

export const pick = defineProcess({
  name: "pick",
  lasting: true,
  access: "provider",
  summary: "Search as you type, full screen (same as running ctx alone).",
  description:
    "Starts with your last session and what it left open, then the newest entries; shows results as you type, next to the selected entry. Enter prints it as ctx get does; ctrl-t shows its timeline, ctrl-s its session, ctrl-y copies its id, ctrl-o pins it, ctrl-x forgets it (asks first), ctrl-r searches all your projects, f1 lists all keys, esc quits. When output is piped, the chosen entry's id is printed, as in ctx get $(ctx pick), and quitting without a choice exits with 130.",
  input: { query: optionalText("Words to start with.") },
  positional: ["query"],
  examples: [
    { argv: ["pick"], about: "Search as you type." },
    { argv: ["pick", "refresh token"], about: "Start with these words." },
  ],
  async run(input, world) {
    const out = Deno.stdout.isTerminal() ? "stdout" : "stderr";
    if (world.json || !Deno.stdin.isTerminal() || !Deno.stderr.isTerminal()) {
      throw new CtxError("USAGE", "Cannot pick: this needs a terminal", {
        hint: "ctx search QUERY --json",
      });
    }
    const { workspace } = world;
    const { runPicker } = await import("../picker/run_picker.ts");
    const query = (input.query ?? "").replace(/[\p{C}\s]+/gu, " ").trim();
    const { picked, copied } = await runPicker({ query, workspace, out });
    // Whether the terminal took it nobody can tell.
    if (copied !== undefined && copied !== picked?.id) {
      writeOut("stderr", `ctx: copied ${copied}\n`);
    }
    const where = picked?.workspace ?? workspace;
    if (out === "stdout" && picked && world.runWords) {
      const place = where === undefined ? [] : ["--workspace", where];
      return await world.runWords([picked.command, picked.id, ...place]);
    }
    if (picked) writeOut("stdout", `${picked.id}\n`);
    if (picked?.workspace) writeOut("stderr", `ctx: from ${picked.workspace} (use --workspace)\n`);
    return picked || out === "stdout" ? 0 : errorKinds.INTERRUPTED.exit;
  },
});
