// A process that appends to a store until it is killed. It acknowledges each entry on stdout, one
// JSON line, only after the store has said that it is on disk.
// Usage: deno run -A crash_writer.ts WORKSPACE NAME

import { openContext } from "../../../src/app/app.ts";

const [workspace, name] = Deno.args;
const store = await openContext({ workspace }).openStore();
const encoder = new TextEncoder();
for (let n = 0;; n++) {
  const size = n % 4 === 0 ? 150_000 : n % 3 * 4_000;
  const text = `${name}-${n}:${"x".repeat(size)}`;
  const { entries: [entry] } = await store.write(
    "save",
    (writer) => writer.append([{ role: "note", type: "note", text }]),
  );
  Deno.stdout.writeSync(encoder.encode(JSON.stringify([entry.id, text.length]) + "\n"));
}
