// What `serve` and `ui` have in common: a port of this machine, and HTTP on it until it is told to stop.

import { findEnvironment } from "../../core/environment.ts";
import { CtxError, hasCode } from "../../core/errors.ts";
import { heldVariable } from "../../serve/mcp/sandbox.ts";
import { makeToken } from "../../serve/web/guard.ts";
import type { Listening } from "../../serve/web/listen.ts";
import { tellLine, writeOut } from "../line/terminal.ts";
import { stopSignal } from "./stop_signal.ts";

/** The address that everything listens on, unless another is asked for. */
export const hostname = "127.0.0.1";

export type Handler = (request: Request) => Promise<Response>;

export function chooseToken(given: string | undefined): string {
  return given ?? (Deno.env.get("CTX_TOKEN") || makeToken());
}

/** Listens on a port of this machine until it is told to stop, or whoever started it is gone. */
export async function listenHere(
  { name, port, signal, address = hostname }: {
    name: string;
    port: number;
    signal?: AbortSignal;
    address?: string;
  },
  handler: Handler,
): Promise<Listening> {
  const stop = AbortSignal.any([stopSignal(signal), inputEnd()]);
  const { listenHttp } = await import("../../serve/web/listen.ts");
  try {
    return await listenHttp({ hostname: address, port, signal: stop }, telling(handler));
  } catch (error) {
    if (!hasCode(error, "EADDRINUSE")) throw error;
    throw new CtxError("USAGE", `Cannot listen on port ${port}: it is in use`, {
      hint: `ctx ${name} --port 0 chooses a free port`,
      cause: error,
    });
  }
}

/** Says where it listens to programs; people at a terminal have been told. */
export function announce(place: object, json: boolean): void {
  if (!json && Deno.stdout.isTerminal() && Deno.stderr.isTerminal()) return;
  writeOut("stdout", JSON.stringify(place) + "\n");
}

/** The directory of a page: as secret as its link. */
const place = /^\/[\w-]{32}(?=\/)/;

/** Says on a terminal what is asked and how that goes; never with what, which may be secret. */
function telling(handler: Handler): Handler {
  if (!Deno.stderr.isTerminal()) return handler;
  return async (request) => {
    const begun = performance.now();
    const response = await handler(request);
    const took = Math.round(performance.now() - begun);
    const pathname = new URL(request.url).pathname.replace(place, "");
    tellLine(`${request.method} ${pathname.slice(0, 80)} ${response.status}, ${took} ms`);
    return response;
  };
}

/** Fires when the process that started this one and holds its input is gone. */
function inputEnd(): AbortSignal {
  const end = new AbortController();
  if (findEnvironment(heldVariable)) {
    Deno.stdin.readable.pipeTo(new WritableStream()).finally(() => end.abort());
  }
  return end.signal;
}

/** A free port, found before the sandbox is set up, because the sandbox names the port. */
export function findFreePort(signal: AbortSignal | undefined): number {
  signal?.throwIfAborted();
  using listener = Deno.listen({ hostname, port: 0 });
  return listener.addr.port;
}
