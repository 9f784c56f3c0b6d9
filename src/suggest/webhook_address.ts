// Where a webhook may go: public addresses and loopback. Private ranges only when the user's own
// configuration allows it: a subscription in a cloned workspace must not reach into a network.

import { CtxError } from "../core/errors.ts";

/** Looks up the addresses of a name. */
export type ResolveName = (name: string) => Promise<string[]>;

/** The kinds of address that matter here. */
export type AddressKind = "public" | "loopback" | "private";

/** Reads a webhook's URL; throws USAGE when it is none. */
export function parseWebhookUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new CtxError("USAGE", `Cannot use the webhook "${text}": it is no http or https URL`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new CtxError("USAGE", "Cannot use the webhook: its URL holds a password", {
      hint: "deliveries are signed; check the x-ctx-signature header instead",
    });
  }
  return url;
}

/** Throws DENIED when any address of the host is private and that is not allowed. */
export async function checkWebhookHost(
  url: URL,
  options: { allowPrivate: boolean; resolve: ResolveName },
): Promise<void> {
  if (options.allowPrivate) return;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isName = addressKind(host) === undefined && host !== "localhost";
  const addresses = isName
    ? await options.resolve(host)
    : [host === "localhost" ? "127.0.0.1" : host];
  const refused = addresses.find((address) => addressKind(address) === "private");
  if (refused === undefined) return;
  throw new CtxError("DENIED", `Cannot deliver to "${url.host}": ${refused} is a private address`, {
    hint: "ctx config set --user suggest.webhook_private true",
  });
}

/** What an IP address is; undefined when the text is none. */
export function addressKind(text: string): AddressKind | undefined {
  const four = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (four) return kindOfFour(four.slice(1).map(Number));
  if (!text.includes(":")) return undefined;
  const six = text.toLowerCase().replace(/%.*$/, "");
  if (six === "::1") return "loopback";
  const mapped = /^::(?:ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(six);
  if (mapped) return addressKind(mapped[1]);
  const hexMapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(six);
  if (hexMapped) {
    const [high, low] = hexMapped.slice(1).map((part) => parseInt(part, 16));
    return kindOfFour([high >> 8, high & 255, low >> 8, low & 255]);
  }
  const isPrivate = six === "::" || /^f[cd]/.test(six) || /^fe[89ab]/.test(six) ||
    six.startsWith("ff") || six.startsWith("64:ff9b:");
  return isPrivate ? "private" : "public";
}

function kindOfFour([a, b, c]: number[]): AddressKind {
  if (a === 127) return "loopback";
  const isPrivate = a === 0 || a === 10 || (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168) || (a === 169 && b === 254) || (a === 100 && b >= 64 && b <= 127) ||
    (a === 192 && b === 0 && c === 0) || (a === 198 && (b === 18 || b === 19)) || a >= 224;
  return isPrivate ? "private" : "public";
}
