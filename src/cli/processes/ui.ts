// `ctx ui`: the memory in a browser. The page lives as long as the command: a server on loopback,
// confined to the workspace, behind a link that opens once.

import { findCommand, loadCommands } from "../../commands/mod.ts";
import { isConfined } from "../../serve/mcp/sandbox.ts";
import { flag, integer } from "../../command/shape.ts";
import { makeToken } from "../../serve/web/guard.ts";
import type { PageLink } from "../../serve/web/web_page.ts";
import { defineProcess } from "../line/process.ts";
import { tellLine } from "../line/terminal.ts";
import { announce, findFreePort, hostname, listenHere } from "./http_server.ts";
import { servedFlags } from "./mcp.ts";
import { openInBrowser } from "./open_in_browser.ts";
import {
  confineServer,
  findServedWorkspace,
  openScopedContext,
  type ServedOptions,
  withoutFlag,
} from "./served.ts";

/**
 * Where the confined half finds what the link consists of: not among the words, which others can read.
 * Not CTX_TOKEN: that one lasts, and links are kept in the histories of browsers.
 */
const linkVariable = "CTX_LINK";

export const ui = defineProcess({
  name: "ui",
  lasting: true,
  access: "page",
  summary: "Open your memory in the browser.",
  description:
    "Serves a page on 127.0.0.1 while the command runs, and opens it. The link works once; after that the browser has a cookie that expires with the command. The page loads nothing from the network. --session ID shows only that session; --read-only turns off changes.",
  input: {
    port: integer("The port; 0 chooses a free one.", { min: 0, max: 65535, default: 0 }),
    no_open: flag("Print the link; do not open it."),
    session: servedFlags.session,
    read_only: flag("Turn off changes."),
  },
  examples: [
    { argv: ["ui"], about: "Open the page for this workspace." },
    { argv: ["ui", "--no-open", "--read-only"], about: "Print the link to a read-only page." },
  ],
  async run(input, world) {
    const workspace = findServedWorkspace(world.workspace);
    const port = input.port === 0 ? findFreePort(world.signal) : input.port;
    const { place, token } = chooseLink();
    const link = `http://${hostname}:${port}/${place}/?token=${token}`;
    if (isConfined()) {
      return await servePage({ ...input, ...world, workspace, port, place, token, link });
    }
    await assertShown(workspace, input.session);
    Deno.env.set(linkVariable, `${place}/${token}`);
    const words = ["--port", String(port), ...withoutFlag(world.words, "--port")];
    const isSeen = !input.no_open && !world.json && Deno.stderr.isTerminal();
    if (isSeen) openInBrowser(link);
    const net = [`${hostname}:${port}`];
    const server = { name: "ui", workspace, words, net, readsInput: false };
    return await confineServer(server) ?? 1;
  },
});

/** What the link consists of: fresh at each start. */
function chooseLink(): PageLink {
  const [place, token] = isConfined() ? Deno.env.get(linkVariable)?.split("/") ?? [] : [];
  return { place: place || makeToken(), token: token || makeToken() };
}

/** A page of nothing helps nobody: fails where there is no store, or not the session asked for. */
async function assertShown(workspace: string, session: string): Promise<void> {
  const { openContext } = await import("../../app/app.ts");
  using store = await openContext({ workspace }).openStore();
  if (session === "all" || session === "current") return;
  const { loadSessions } = await import("../../read/session_messages.ts");
  await loadSessions(store, [session]);
}

interface PageOptions extends Pick<ServedOptions, "workspace" | "session" | "read_only">, PageLink {
  port: number;
  link: string;
  json: boolean;
  signal?: AbortSignal;
}

/** Serves the page until it is told to stop. */
async function servePage(options: PageOptions): Promise<number> {
  const { makeWebHandler } = await import("../../serve/web/web_handler.ts");
  const { WebPage } = await import("../../serve/web/web_page.ts");
  const { workspace, read_only, port, link, signal } = options;
  const context = openScopedContext({ ...options, surface: "http" });
  const page = new WebPage({ workspace, read_only, session: context.scopedSession }, options);
  const handler = makeWebHandler({ context, readOnly: read_only, findCommand, loadCommands, page });
  const server = await listenHere({ name: "ui", port, signal }, handler);
  tellLine(`your memory of ${workspace} is at`);
  tellLine(`  ${link}`);
  tellLine("the link works once; press Ctrl-C to stop");
  announce({ url: link }, options.json);
  await server.finished;
  return 0;
}
