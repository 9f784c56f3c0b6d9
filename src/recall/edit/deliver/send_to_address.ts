// One POST to addresses that were looked up and checked before: the name in the URL is what the
// certificate must be for and what the Host header says, but it is not looked up again, so that it
// cannot lead elsewhere in between. Redirects are not followed, proxies of the environment not used.
// Deno's own `fetch` cannot be told an address for a name with TLS; `node:` can.

import { lookup as lookUp } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import { isIPv6, type LookupFunction } from "node:net";

/** What is sent. */
export interface AddressedRequest {
  /** Where the connection may go; tried in order. */
  addresses: readonly string[];
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
}

/** The addresses of a name as the system has them, its hosts file included; none is no error. */
export async function resolveName(name: string): Promise<string[]> {
  const found = await lookUp(name, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

/** Posts over a connection of its own; resolves with the status, rejects when no answer came. */
export function sendToAddress(url: URL, options: AddressedRequest): Promise<number> {
  const body = new TextEncoder().encode(options.body);
  const found = options.addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const lookup: LookupFunction = (_name, { all }, done) =>
    all ? done(null, found) : done(null, found[0].address, found[0].family);
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? https : http).request(url, {
      method: "POST",
      agent: false,
      lookup,
      headers: { ...options.headers, "content-length": String(body.length) },
      signal: options.signal,
    }, (response) => {
      resolve(response.statusCode ?? 0);
      response.on("error", () => {});
      response.destroy();
    });
    request.on("error", reject);
    request.end(body);
  });
}
