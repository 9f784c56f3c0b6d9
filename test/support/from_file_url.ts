// A file URL as a path, without node:url.

/** The path of a `file://` URL. */
export function fromFileUrl(url: URL | string): string {
  return decodeURIComponent(new URL(url).pathname);
}
