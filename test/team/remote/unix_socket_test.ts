// A connection over a socket file that breaks off.

import assert from "node:assert/strict";
import { UnixSocket } from "../../../src/team/remote/unix_socket.ts";
import { notOnWindows } from "../../support/not_on_windows.ts";

for (const isHeard of [true, false]) {
  const who = isHeard ? "tells whoever listens" : "needs nobody to listen";
  Deno.test(`a broken connection is closed, and ${who}`, {
    ignore: notOnWindows("there are no socket files"),
  }, async () => {
    const directory = Deno.makeTempDirSync();
    try {
      const path = `${directory}/s`;
      using listener = Deno.listen({ transport: "unix", path });
      const socket = await UnixSocket.connect(path);
      const errors: unknown[] = [];
      if (isHeard) socket.on("error", (error) => errors.push(error));
      const closed = new Promise((resolve) => socket.on("close", resolve));
      const server = await listener.accept();
      socket.write(new Uint8Array(100));
      await server.read(new Uint8Array(1));
      // What it did not read makes this a break, not an end.
      server.close();
      await closed;
      assert.equal(socket.readyState, "closed");
      assert.equal(errors.length, isHeard ? 1 : 0);
    } finally {
      Deno.removeSync(directory, { recursive: true });
    }
  });
}
