// `ctx watch`: runs the watcher and delivers, until it is told to stop. One watcher per workspace.

import { openContext } from "../../app/app.ts";
import { readConsent } from "../../command/consent.ts";
import { findTopicCheck } from "../../command/open_embedder.ts";
import type { Context } from "../../command/command.ts";
import { flag, optionalInteger } from "../../command/shape.ts";
import { countOf } from "../../command/view.ts";
import { readSuggestSettings } from "../../recall/edit/suggest_settings.ts";
import type { Store } from "../../store/store.ts";
import type { Config } from "../../config/merged_config.ts";
import { takeLock } from "../../disk/lock.ts";
import { serveEventStream } from "../../recall/edit/deliver/event_stream.ts";
import { listWebhooks, readSubscriptions } from "../../recall/edit/deliver/subscription.ts";
import { runWatchLoop } from "../../recall/edit/deliver/watch_loop.ts";
import { Watcher, type WatchRound } from "../../recall/edit/deliver/watcher.ts";
import {
  deliverDue,
  runWebhookLoop,
  type WebhookLoopOptions,
} from "../../recall/edit/deliver/webhook_loop.ts";
import { findRefusal } from "../../serve/web/guard.ts";
import type { Listening } from "../../serve/web/listen.ts";
import { defineProcess } from "../line/process.ts";
import { chooseToken } from "./http_server.ts";
import { tokenFlag } from "./serve.ts";
import { stopSignal } from "./stop_signal.ts";
import { tellLine, writeOut } from "../line/terminal.ts";

const pollMs = 300;
const webhookTimeoutMs = 10_000;

export const watch = defineProcess({
  name: "watch",
  lasting: true,
  access: "network",
  summary: "Watch the workspace and deliver suggestions to subscriptions.",
  description:
    "When a changed file or a new entry matches a subscription, suggestions are written to one log; `ctx suggest poll`, server-sent events (--port) and webhooks read it by cursor. Changes made while no watcher ran are found at the next start; nothing is reported twice. Reading events needs the token as `Authorization: Bearer TOKEN`; without --token or CTX_TOKEN, a new one is created and printed. A webhook gets nothing until you approve it (`ctx trust`).",
  input: {
    port: optionalInteger("Serve GET /events?subscription=ID on this port; 0 chooses one.", {
      min: 0,
      max: 65535,
    }),
    token: tokenFlag,
    once: flag("Process changes since last time, deliver, then exit."),
  },
  examples: [
    { argv: ["suggest", "watch"], about: "Watch until you press Ctrl-C." },
    { argv: ["suggest", "watch", "--once"], about: "Run once, for example from a timer." },
  ],
  async run(input, world) {
    const stop = stopSignal(world.signal);
    const context = openContext({ surface: "cli", workspace: world.workspace, signal: stop });
    const store = await context.openStore();
    const config = await context.readConfig();
    const since = new Date().toISOString();
    using _lock = await takeLock(store.layout.watchLock, {
      holder: { pid: Deno.pid, command: "watch", since },
      timeoutMs: 0,
    });
    const { workspace } = store.layout;
    const watcher = new Watcher({
      store,
      now: context.now,
      random: context.random,
      async readSettings() {
        // A context keeps the configuration it read: this one must see what is set meanwhile.
        const current = await openContext({ surface: "cli", workspace }).readConfig();
        const { enabled, rank, recentChangeDays } = readSuggestSettings(current);
        const { minPrecision } = rank;
        return { enabled: enabled ? rank.enabled : new Set(), minPrecision, recentChangeDays };
      },
      isAbout: await findTopicCheck(context),
      openScope: (session) =>
        openContext({ surface: "cli", workspace, scopedSession: session }).openStore(),
      warn: say,
    });
    const webhooks = await webhookOptions(context, config);
    await tellUnapproved(webhooks);
    if (input.once) {
      const round = await watcher.round();
      const accepted = await deliverDue(webhooks);
      const { paths: { length: changes }, suggested } = round;
      if (world.json) {
        writeOut("stdout", JSON.stringify({ changes, suggested, delivered: accepted }) + "\n");
      } else say(`${changes} changes, ${suggested} suggestions, ${accepted} delivered`);
      return 0;
    }
    const server = input.port === undefined
      ? undefined
      : await serve(store, { port: input.port, token: chooseToken(input.token), signal: stop });
    say(`watching ${store.layout.workspace}; press Ctrl-C to stop`);
    tellSubscriptions(store);
    await Promise.all([watchFiles(watcher, context), runWebhookLoop(webhooks)]);
    await server?.finished;
    return 0;
  },
});

async function watchFiles(watcher: Watcher, context: Context): Promise<void> {
  const { layout } = await context.openStore();
  const { signal } = context;
  const events = Deno.watchFs(layout.workspace, { recursive: true });
  signal.addEventListener("abort", () => events.close());
  await runWatchLoop({
    layout,
    events,
    async round() {
      const done = await watcher.round();
      tellRound(done);
      return done;
    },
    ready: () => say("ready"),
    pause: pauseOf(context),
    signal,
  });
}

/** What it follows, for whoever watches the terminal. */
function tellSubscriptions({ files, layout }: Store): void {
  const active = [...readSubscriptions(files, layout).values()].filter(({ enabled }) => enabled);
  for (const { id, patterns, via, url } of active) {
    const what = patterns.map(({ type, pattern }) => `${type}:${pattern}`).join(", ");
    tellLine(`following ${what} for ${id}, ${via}${url ? ` to ${new URL(url).host}` : ""}`);
  }
  if (active.length === 0) {
    tellLine('no subscriptions yet; add one with: ctx suggest subscribe "file:src/**"');
  }
}

function tellRound(
  { paths, suggested }: Pick<WatchRound, "paths" | "suggested">,
): void {
  const { length: changes } = paths;
  if (changes === 0 && suggested === 0) return;
  const named = paths.length > 0 && paths.length <= 3 ? ` (${paths.join(", ")})` : "";
  tellLine(`${countOf(changes, "change")}${named}, ${countOf(suggested, "suggestion")}`);
}

async function webhookOptions(context: Context, config: Config): Promise<WebhookLoopOptions> {
  const store = await context.openStore();
  return {
    store,
    secret: context.env("CTX_WEBHOOK_SECRET") || config.get("suggest.webhook_secret"),
    allowPrivate: config.get("suggest.webhook_private"),
    readConsent: () => readConsent(context, store.layout.workspace),
    timeoutMs: webhookTimeoutMs,
    now: Date.now,
    resolve: async (name) => await (await network()).resolveName(name),
    send: async (url, request) => await (await network()).sendToAddress(url, request),
    signal: context.signal,
    sleep: pauseOf(context),
    pollMs,
    report: say,
    tell: tellLine,
  };
}

/** Loaded when there is something to send. */
function network(): Promise<typeof import("../../recall/edit/deliver/send_to_address.ts")> {
  return import("../../recall/edit/deliver/send_to_address.ts");
}

async function tellUnapproved({ store, readConsent }: WebhookLoopOptions): Promise<void> {
  const isApproved = await readConsent();
  for (const { id, url } of listWebhooks(store.files, store.layout)) {
    if (!isApproved(url)) {
      say(`nothing is sent to ${id} until you approve its URL: ctx trust ${url}`);
    }
  }
}

async function serve(
  store: Store,
  { port, token, signal }: { port: number; token: string; signal: AbortSignal },
): Promise<Listening> {
  const { listenHttp } = await import("../../serve/web/listen.ts");
  const server = await listenHttp(
    { hostname: "127.0.0.1", port, signal },
    (request) =>
      findRefusal(request, { token }) ?? serveEventStream(request, { store, signal, pollMs }),
  );
  const events = `http://127.0.0.1:${server.port}/events`;
  say(`events at ${events}`);
  writeOut("stdout", JSON.stringify({ events, token }) + "\n");
  return server;
}

/** Waits; over at once when it is told to stop. */
function pauseOf(context: Context): (ms: number) => Promise<void> {
  return (ms) => context.wait(ms).catch(() => {});
}

function say(text: string): void {
  writeOut("stderr", `ctx: ${text}\n`);
}
