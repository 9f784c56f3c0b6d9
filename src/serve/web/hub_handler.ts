// Who may ask a hub, and as whom: each request has a token of somebody's own, which is looked up anew
// every time, so that a revoked one is refused at once. Nothing is said of why one does not count.

import { type CtxError, toErrorBody } from "../../core/errors.ts";
import { bearerOf, findRefusal, isEqual, notFound } from "./guard.ts";

/** What answers one person's requests. */
export interface HubSide {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

export interface HubOptions {
  /** Whether other names than those of this machine may be in a request's Host. */
  anyHost: boolean;
  /** The SHA-256 of each token that counts now, in hexadecimal, by whose it is. */
  readTokens(): ReadonlyMap<string, string>;
  hashToken(token: string): Promise<string>;
  /** Why nothing may be served at the moment. */
  findFault(): Promise<CtxError | undefined>;
  /** Makes what answers somebody; asked once for each. */
  openSide(asker: string): Promise<HubSide>;
}

/** A handler for everybody, and a way to end it. */
export function makeHub(options: HubOptions): HubSide {
  const sides = new Map<string, Promise<HubSide>>();
  const sideOf = (asker: string): Promise<HubSide> => {
    const known = sides.get(asker);
    if (known !== undefined) return known;
    const side = options.openSide(asker);
    sides.set(asker, side);
    // The next request tries again.
    side.catch(() => sides.delete(asker));
    return side;
  };
  return {
    async fetch(request) {
      const refusal = findRefusal(request, { anyHost: options.anyHost });
      if (refusal) return refusal;
      const tokens = options.readTokens();
      await closeGone(sides, tokens);
      const asker = await findAsker(request, tokens, options);
      if (asker === undefined) return unknownToken();
      const fault = await options.findFault();
      if (fault) return Response.json({ error: toErrorBody(fault) }, { status: 503 });
      // What a stream would go on telling after its token was revoked is not offered.
      if (new URL(request.url).pathname === "/events") return notFound();
      return await (await sideOf(asker)).fetch(request);
    },
    async close() {
      await closeGone(sides, new Map());
    },
  };
}

/** Looks at every token, whichever fits: how long it takes tells nothing. */
async function findAsker(
  request: Request,
  tokens: ReadonlyMap<string, string>,
  { hashToken }: HubOptions,
): Promise<string | undefined> {
  const hash = await hashToken(bearerOf(request) ?? "");
  const fitting = [...tokens].map(([name, wanted]) => isEqual(hash, wanted) ? name : undefined);
  return fitting.find((name) => name !== undefined);
}

async function closeGone(
  sides: Map<string, Promise<HubSide>>,
  tokens: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [name, side] of sides) {
    if (tokens.has(name)) continue;
    sides.delete(name);
    await side.then(({ close }) => close(), () => {});
  }
}

function unknownToken(): Response {
  const error = {
    code: "DENIED",
    message: "Cannot answer: the access token is missing or wrong",
    retryable: false,
  };
  return Response.json({ error }, { status: 401, headers: { "www-authenticate": "Bearer" } });
}
