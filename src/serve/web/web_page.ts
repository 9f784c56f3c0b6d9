// The page of `ctx ui` as the server sees it: its link opens once and leaves a cookie, every answer
// carries headers under which nothing runs or is fetched but the page's own files. All of it is below a
// path that nobody can guess: browsers send a cookie to every port of a host, but only for its path.

import { versionInfo } from "../../version.ts";
import { findRefusal, isEqual, makeToken } from "./guard.ts";

/** What the page is told of the server it came from. */
export interface PageFacts {
  /** The directory whose memory is shown. */
  workspace: string;
  /** The one session that is shown, where the server is scoped to it. */
  session?: string;
  read_only: boolean;
}

export interface PageLink {
  /** The directory that everything of the page is below. */
  place: string;
  /** It is taken once. */
  token: string;
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types dompurify",
].join("; ");

const headers = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

const files: Record<string, { url: URL; type: string }> = {
  "/": {
    url: new URL("../../viewer/viewer.html", import.meta.url),
    type: "text/html; charset=utf-8",
  },
  "/viewer.css": {
    url: new URL("../../viewer/viewer.css", import.meta.url),
    type: "text/css; charset=utf-8",
  },
  "/tokens.css": {
    url: new URL("../../viewer/tokens.css", import.meta.url),
    type: "text/css; charset=utf-8",
  },
  "/viewer.js": {
    url: new URL("../../../assets/viewer_script.txt", import.meta.url),
    type: "text/javascript; charset=utf-8",
  },
  "/highlighter.js": {
    url: new URL("../../../assets/highlighter_script.txt", import.meta.url),
    type: "text/javascript; charset=utf-8",
  },
};

/** The page of one server: its files, its link, its cookie. */
export class WebPage {
  readonly #facts: PageFacts;
  readonly #cookie = makeToken();
  readonly #root: string;
  #token: string | undefined;

  constructor(facts: PageFacts, { place, token }: PageLink) {
    this.#facts = facts;
    this.#root = `/${place}/`;
    this.#token = token;
  }

  /** The path of a request as seen from the page; undefined for what is not below it. */
  findPath(request: Request): string | undefined {
    const { pathname } = new URL(request.url);
    return pathname.startsWith(this.#root) ? pathname.slice(this.#root.length - 1) : undefined;
  }

  /** The answer to the link's request: a cookie, and on to the page; undefined for every other. */
  findEntry(request: Request): Response | undefined {
    const given = new URL(request.url).searchParams.get("token");
    const isAsked = request.method === "GET" && this.findPath(request) === "/";
    if (!isAsked || given === null) return undefined;
    const refusal = findRefusal(request, {});
    if (refusal) return refusal;
    if (this.admits(request)) return toPage();
    if (this.#token === undefined || !isEqual(given, this.#token)) {
      const why = this.#token === undefined
        ? "This link has already been used. Stop ctx ui with Ctrl-C and start it again."
        : "This is not the link that ctx ui printed.";
      return new Response(why + "\n", { status: 401 });
    }
    this.#token = undefined;
    const cookie = `${
      nameOf(request)
    }=${this.#cookie}; Path=${this.#root}; HttpOnly; SameSite=Strict`;
    return toPage({ "set-cookie": cookie });
  }

  /** Whether a request comes from the page itself, or is the browser's own for it. */
  admits(request: Request): boolean {
    if (!isFromPage(request)) return false;
    const name = nameOf(request);
    return (request.headers.get("cookie") ?? "").split(/;\s*/).some((pair) =>
      pair.startsWith(`${name}=`) && isEqual(pair.slice(name.length + 1), this.#cookie)
    );
  }

  /** A file of the page, or what it is told at its start. */
  async findFile(pathname: string): Promise<Response | undefined> {
    if (pathname === "/page.json") {
      return Response.json({ ...this.#facts, version: versionInfo().version });
    }
    const file = Object.hasOwn(files, pathname) ? files[pathname] : undefined;
    if (file === undefined) return undefined;
    try {
      return new Response(await Deno.readFile(file.url), {
        headers: { "content-type": file.type },
      });
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      return new Response("The page has not been built. Run: deno task viewer\n", { status: 404 });
    }
  }

  /** The same answer under the page's headers. */
  guard(response: Response): Response {
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  }
}

/**
 * By a document and not by a redirect: a browser that came from elsewhere would not send a strict
 * cookie along with that.
 */
function toPage(more: Record<string, string> = {}): Response {
  return new Response('<!doctype html><title>ctx</title><a href=".//">ctx</a>\n', {
    headers: { "content-type": "text/html; charset=utf-8", refresh: "0; url=./", ...more },
  });
}

/** Cookies know no ports: each server has a name of its own. */
function nameOf(request: Request): string {
  return `ctx-${new URL(request.url).port}`;
}

/** Pages of other servers on this machine are of the same site, but not of this origin. */
function isFromPage(request: Request): boolean {
  const { headers, url } = request;
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return false;
  const origin = headers.get("origin");
  const host = headers.get("host") ?? new URL(url).host;
  return origin === null || origin === `http://${host}`;
}
