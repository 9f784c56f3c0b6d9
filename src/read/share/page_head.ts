// The head of a page that is handed on: its style, and a policy under which nothing is loaded and no
// script runs but, where there is one, the page's own.

import { escapeHtml } from "./escape_html.ts";
import { pageStyle } from "./page_style.ts";

/** The page up to its body. */
export async function pageHead(
  title: string,
  { script }: { script?: string } = {},
): Promise<string> {
  const policy = [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src '${await hashOf(script)}'`]),
    `style-src '${await hashOf(pageStyle)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${pageStyle}</style>
</head>
`;
}

/** How a policy names a script or a style. */
async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256-${new Uint8Array(digest).toBase64()}`;
}
