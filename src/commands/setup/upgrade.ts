// `ctx upgrade --check`: asks the release page for the newest version. Runs only when somebody
// types it: no other code may import it, and nothing else in ctx ever asks.

import { CtxError } from "../../core/errors.ts";
import { versionInfo } from "../../version.ts";
import { define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";

const releases = "https://github.com/ctx-memory/ctx/releases";

export const upgrade = define({
  name: "upgrade",
  summary: "Check for a newer version (goes online only with --check).",
  description:
    "ctx never looks for updates on its own. --check sends one request to the release page (or to CTX_RELEASES_URL), with nothing about you or your store. Without it, only the current version and the upgrade command are shown. To upgrade, run install.sh again; it replaces the file atomically.",
  input: { check: s.flag("Ask the release page for the newest version.") },
  output: {
    ...s.each(s.text(), "version", "form", "how"),
    latest: s.nullable(s.text()),
    newer: s.boolean(),
  },
  local: true,
  effect: "read",
  paged: false,
  access: "network",
  examples: [{ argv: ["upgrade"], about: "Show the current version and how to upgrade." }],
  async run({ check }, context) {
    const { version, form } = versionInfo();
    const url = (context.env("CTX_RELEASES_URL") || releases).replace(/\/+$/, "");
    const latest = check ? await fetchLatest(url, context.signal) : null;
    return {
      version,
      form,
      latest,
      newer: latest !== null && compareVersions(latest, version) > 0,
      how: `curl --proto '=https' --tlsv1.2 -fsSL ${url}/latest/download/install.sh | sh`,
    };
  },
  render(data) {
    const state = data.latest === null
      ? "not checked (ctx upgrade --check looks for a newer one)"
      : data.newer
      ? `${data.latest} is newer`
      : "up to date";
    return `ctx ${data.version} (${data.form}): ${state}\nUpgrade with: ${data.how}\n`;
  },
});

/** The newest version: a release carries a file `VERSION`. */
async function fetchLatest(url: string, signal: AbortSignal): Promise<string> {
  const file = `${url}/latest/download/VERSION`;
  const fail = (why: string, cause?: unknown): CtxError =>
    new CtxError("PROVIDER_FAILED", `Cannot read "${file}": ${why}`, {
      hint: "check the network, or set CTX_RELEASES_URL",
      cause,
    });
  const response = await fetch(file, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
  }).catch((error) => {
    throw fail(error instanceof Error ? error.message : String(error), error);
  });
  const text = (await response.text()).trim();
  if (!response.ok) throw fail(`the server answered ${response.status}`);
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(text)) throw fail("that is not a version");
  return text;
}

/** Compares two versions by number; a pre-release comes before its release. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [a, b].map((version) => version.split("-", 2));
  const numbers = (version: string): number[] => version.split(".").map(Number);
  const [x, y] = [numbers(first[0]), numbers(second[0])];
  for (let i = 0; i < 3; i++) if (x[i] !== y[i]) return Math.sign(x[i] - y[i]);
  if (first[1] === second[1]) return 0;
  if (first[1] === undefined) return 1;
  if (second[1] === undefined) return -1;
  return first[1] < second[1] ? -1 : 1;
}
