// Where a webhook may go: public addresses and loopback. Private ranges only when the user's own
// configuration allows it: a subscription in a cloned workspace must not reach into a network.

import ipaddr from "ipaddr.js";
import { CtxError } from "../../../core/errors.ts";

/** Looks up the addresses of a name. */
export type ResolveName = (name: string) => Promise<string[]>;

export type AddressKind = "public" | "loopback" | "private";

/** Reads a webhook's URL; throws USAGE when it is none. */
export function parseWebhookUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new CtxError("USAGE", `Cannot use the webhook "${text}": not an http or https URL`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new CtxError("USAGE", "Cannot use the webhook: its URL contains a password", {
      hint: "deliveries are signed; check the x-ctx-signature header instead",
    });
  }
  return url;
}

/**
 * The addresses of the host, every one of them checked: a delivery goes to one of these and looks
 * nothing up again. Throws DENIED when one is private and that is not allowed.
 */
export async function resolveWebhookHost(
  url: URL,
  options: { allowPrivate: boolean; resolve: ResolveName },
): Promise<string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = host === "localhost"
    ? ["127.0.0.1", "::1"]
    : addressKind(host) === undefined
    ? await options.resolve(host)
    : [host];
  const refused = addresses.find((address) => (addressKind(address) ?? "private") === "private");
  if (refused === undefined || options.allowPrivate) return addresses;
  throw new CtxError("DENIED", `Cannot deliver to "${url.host}": ${refused} is a private address`, {
    hint: "ctx config set --user suggest.webhook_private true",
  });
}

/** Whatever leaves the machine is signed: throws USAGE when there is nothing to sign it with. */
export function needSecret(
  url: URL,
  { secret, addresses }: { secret: string; addresses: readonly string[] },
): void {
  const isHere = addresses.length > 0 &&
    addresses.every((address) => addressKind(address) === "loopback");
  if (secret !== "" || isHere) return;
  throw new CtxError("USAGE", `Cannot deliver to "${url.host}": no signing secret is set`, {
    hint: "ctx config set --user suggest.webhook_secret SECRET, or set CTX_WEBHOOK_SECRET",
  });
}

/** What an IP address is; undefined when the text is none. */
export function addressKind(text: string): AddressKind | undefined {
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  // ::/96 once held IPv4 addresses; the library takes those that are written in hexadecimal for others.
  const isOldFour = address instanceof ipaddr.IPv6 &&
    address.parts.slice(0, 6).every((part) => part === 0);
  const range = address.range();
  if (range === "loopback") return "loopback";
  return range === "unicast" && !isOldFour ? "public" : "private";
}
