// Who may talk to a local server: loopback hosts only (a page elsewhere cannot rebind its name to
// us), loopback origins only, and whoever has the token. Pure; the first two come before the third.

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/** Whom a server lets in, beside the checks of Host and Origin; nobody is asked where both are missing. */
export interface Admission {
  token?: string;
  /** Whether requests for other hosts than this machine are answered too. */
  anyHost?: boolean;
  /** A browser that came by the page's link. */
  page?: { admits(request: Request): boolean };
}

export function findRefusal(
  request: Request,
  { token, page, anyHost }: Admission,
): Response | undefined {
  const host = request.headers.get("host") ?? new URL(request.url).host;
  if (!anyHost && !loopback.test(host)) {
    return refuse(403, "DENIED", `Requests for host "${clip(host)}" are not allowed`);
  }
  const origin = request.headers.get("origin");
  if (origin !== null && !isLoopbackOrigin(origin)) {
    return refuse(403, "DENIED", `Requests from origin "${clip(origin)}" are not allowed`);
  }
  if (page?.admits(request)) return undefined;
  if (page !== undefined) {
    return refuse(
      401,
      "DENIED",
      "Cannot open this page without its link",
      "open the link that ctx ui printed",
    );
  }
  if (token === undefined || hasToken(request, token)) return undefined;
  const hint =
    "send the header Authorization: Bearer TOKEN with the token that was printed at startup";
  return refuse(401, "DENIED", "Cannot answer: the access token is missing or wrong", hint, {
    "www-authenticate": "Bearer",
  });
}

/** A token that nobody can guess. */
export function makeToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

function isLoopbackOrigin(origin: string): boolean {
  const match = /^https?:\/\/([^/]+)$/i.exec(origin);
  return match !== null && loopback.test(match[1]);
}

function hasToken(request: Request, token: string): boolean {
  const given = bearerOf(request);
  return given !== undefined && isEqual(given, token);
}

/** The token that a request brings along. */
export function bearerOf(request: Request): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}

/** Compares in constant time, so that timing tells nothing of the token. */
export function isEqual(given: string, wanted: string): boolean {
  const a = new TextEncoder().encode(given);
  const b = new TextEncoder().encode(wanted);
  let difference = a.length ^ b.length;
  for (let i = 0; i < b.length; i++) difference |= (a[i % Math.max(1, a.length)] ?? 0) ^ b[i];
  return difference === 0;
}

/** The answer where there is nothing. */
export function notFound(): Response {
  const error = { code: "NOT_FOUND", message: "Not found" };
  return Response.json({ error }, { status: 404 });
}

function refuse(
  status: number,
  code: string,
  message: string,
  hint?: string,
  headers: Record<string, string> = {},
): Response {
  const error = { code, message, ...(hint === undefined ? {} : { hint }), retryable: false };
  return Response.json({ error }, { status, headers });
}

function clip(text: string): string {
  return text.slice(0, 80);
}
