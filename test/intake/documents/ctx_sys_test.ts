// F8.4 "Proactive Context" of ctx-sys, phrase by phrase: its data model, tools, examples, settings,
// tests and metrics, called as it writes them on the command line and over MCP. One small project with a
// real history serves all cases; times are true, so that "2 days ago" is.

import { suggestionTypes } from "../../../src/core/row_kinds.ts";
import assert from "node:assert/strict";
import { openContext } from "../../../src/app/app.ts";
import { loadCommands } from "../../../src/commands/mod.ts";
import { type Catalog, makeCatalog } from "../../../src/serve/mcp/catalog.ts";
import { Watcher } from "../../../src/recall/edit/deliver/watcher.ts";
import { findTopicCheck } from "../../../src/command/open_embedder.ts";
import { connectMcp } from "../../support/processes/mcp_client.ts";
import { checkPhrases, different, phrase } from "../../support/phrases.ts";
import { git, writeSources } from "../../support/suggest_project.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const auth = "src/auth/AuthService.ts";
const middleware = "src/auth/AuthMiddleware.ts";
const refresher = "src/auth/TokenRefresher.ts";
const day = 86_400_000;

const sources: Record<string, string> = {
  [auth]: `import { validateToken } from "./validateToken.ts";
export class AuthService {
  login(token: string): boolean {
    return validateToken(token);
  }
}
`,
  [refresher]: `import { AuthService } from "./AuthService.ts";
export class TokenRefresher {
  refresh(auth: AuthService): boolean {
    return auth.login("again");
  }
}
`,
  "src/auth/validateToken.ts": `import * as jwt from "../lib/jwt.ts";
export function validateToken(token: string): boolean {
  return jwt.verify(token);
}
`,
  [middleware]: `import { validateToken } from "./validateToken.ts";
export class AuthMiddleware {
  handle(token: string): boolean {
    return validateToken(token);
  }
}
`,
  "src/lib/jwt.ts": `/** @deprecated use verifyAsync */
export function verify(token: string): boolean {
  return token !== "";
}
`,
  "docs/auth.md":
    "# Authentication Flow\n\nDocuments the authentication flow including token refresh: `AuthService` checks a token, `TokenRefresher` renews it.\n",
  "src/paint/brush.ts": "export function dipBrush(): void {}\n",
};

interface Item {
  type: string;
  title: string;
  summary: string;
  relevanceScore: number;
  entityId: string;
  actionUrl?: string;
  reason: string;
}
interface Suggestion {
  id: string;
  sessionId?: string;
  createdAt: string;
  status: string;
  trigger: { type: string; source: string };
  suggestions: Item[];
}
// deno-lint-ignore no-explicit-any
type Data = any;

/** A project of its own for cases that do not get in each other's way. */
class Scene {
  #made: Promise<TempStore> | undefined;
  #server: Catalog | undefined;
  #watcher: Watcher | undefined;
  #skewMs = 0;
  #changes = 0;

  /** The project, made when the first case asks for it. */
  project(): Promise<TempStore> {
    return this.#made ??= makeProject();
  }

  /** The server that calls go to, as an agent's lives. */
  async server(): Promise<Catalog> {
    const { workspace } = await this.project();
    return this.#server ??= makeCatalog({
      commands: (await loadCommands()).filter((command) => !command.local),
      context: openContext({ surface: "mcp", workspace, env: () => undefined }),
    });
  }

  /** A tool call as an agent makes it. */
  async mcp(name: string, input: object = {}): Promise<Data> {
    const tool = await (await this.server()).findTool?.(name);
    assert.ok(tool, `no tool ${name}`);
    const { signal } = new AbortController();
    const { structuredContent, isError, content } = await tool.call(input, { signal });
    assert.ok(!isError, JSON.stringify(content));
    return structuredContent;
  }

  /** A command line, and its result as JSON. */
  async cli(...words: string[]): Promise<Data> {
    const { code, stdout, stderr } = await (await this.project()).ctx([...words, "--json"]);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  }

  /** A command in process, as the library runs it. */
  async run(name: string, input: object = {}): Promise<Data> {
    return await (await this.project()).run(name, input, { now: Date.now });
  }

  /** `suggest` of the document, in a session that has seen nothing yet. */
  async suggest(query: object): Promise<Suggestion> {
    const own = { sessionId: fresh(), projectId: "project-1" };
    return await this.mcp("context_suggest", { ...own, ...query });
  }

  /** The record that is kept. */
  async findListed(id: string): Promise<Data> {
    const { suggestions } = await this.run("suggestions", { limit: 1000 });
    return suggestions.find((row: Suggestion) => row.id === id);
  }

  /** A round of `ctx watch`, some milliseconds later. */
  async round(laterMs = 0): Promise<void> {
    const { workspace } = await this.project();
    this.#skewMs += laterMs;
    const now = (): number => Date.now() + this.#skewMs;
    this.#watcher ??= new Watcher({
      store: (await this.project()).open({ now }),
      now,
      random: () => crypto.randomUUID(),
      readSettings: () => ({
        enabled: new Set(suggestionTypes),
        minPrecision: 0,
        recentChangeDays: 7,
      }),
      isAbout: await findTopicCheck(openContext({ workspace, env: () => undefined })),
    });
    await this.#watcher.round();
  }

  /** Files change while `ctx watch` runs; by default no cooldown is left. */
  async change(paths: string[], laterMs = 61_000): Promise<void> {
    if (this.#watcher === undefined) await this.round();
    const { workspace } = await this.project();
    for (const path of paths) {
      const text = `// ${++this.#changes}\n`;
      Deno.writeTextFileSync(`${workspace}/${path}`, text, { append: true });
    }
    await this.round(laterMs);
  }

  /** A decision is saved while `ctx watch` runs. */
  async saveDecision(text: string): Promise<void> {
    if (this.#watcher === undefined) await this.round();
    await this.run("save", { text, type: "decision" });
    await this.round();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#made)?.[Symbol.asyncDispose]();
  }
}

/** Nothing is changed in it. */
const quiet = new Scene();
/** Files change and decisions are saved. */
const watched = new Scene();
/** Suggestions are judged. */
const judged = new Scene();

Deno.test.afterAll(async () => {
  for (const scene of [quiet, watched, judged]) await scene[Symbol.asyncDispose]();
});

let sessions = 0;
const fresh = (): string => `session-${++sessions + 100}`;

async function makeProject(): Promise<TempStore> {
  const t = await tempStore();
  writeSources(t, sources);
  const at = (days: number): string => new Date(Date.now() - days * day - 3_600_000).toISOString();
  await git(t.workspace, ["init", "-q", "-b", "main"]);
  await git(t.workspace, ["add", "src", "docs"]);
  await git(t.workspace, ["commit", "-qm", "Authentication"], at(60));
  writeSources(t, { [refresher]: sources[refresher].replace("again", "once more") });
  await git(t.workspace, ["commit", "-qam", "Refresh a token before it expires"], at(2));
  await t.run("save", {
    type: "decision",
    title: "JWT token strategy",
    text: "We decided to use short-lived access tokens with refresh; AuthService issues them",
  });
  await t.run("docs add", { name: "docs", paths: ["docs"] });
  return t;
}

const typesOf = ({ suggestions }: Suggestion): string[] => suggestions.map(({ type }) => type);

function said(said: string, check: () => Promise<void>): void {
  phrase("ctx-sys", said, check);
}

// Overview.

said("push-based: watch, detect and push before it is asked for", async () => {
  const { id } = await watched.run("subscribe", {
    watchPatterns: [{ type: "file", pattern: "src/**" }],
  });
  await watched.change([middleware]);
  const [{ trigger, suggestions }] = (await watched.run("poll", { subscription: id })).deliveries;
  assert.equal(trigger.source, middleware);
  assert.ok(suggestions.length > 0);
});

// Data model: ContextSubscription.

const example3 = {
  sessionId: "session-1",
  projectId: "project-1",
  watchPatterns: [
    { type: "file", pattern: "src/auth/**", priority: 1 },
    { type: "topic", pattern: "authentication", priority: 2 },
  ],
  minRelevanceScore: 0.7,
  maxSuggestionsPerTrigger: 3,
  cooldownMs: 10_000,
};

let subscribed: Data;

/** The subscription of the third example, polled, as it was answered. */
async function subscription(): Promise<Data> {
  return subscribed ??= await watched.mcp("context_subscribe", example3);
}

/** The same as it is kept. */
async function keptSubscription(): Promise<Data> {
  const { id } = await subscription();
  const { subscriptions } = await watched.run("subscriptions", { all: true });
  return subscriptions.find((one: { id: string }) => one.id === id);
}

said("ContextSubscription.id", async () => assert.match((await subscription()).id, /^B-/));
said("ContextSubscription.sessionId", async () => {
  assert.equal((await subscription()).sessionId, "session-1");
});
said("ContextSubscription.watchPatterns", async () => {
  assert.deepEqual((await subscription()).watchPatterns, example3.watchPatterns);
});
said("callbackType: 'poll'", async () => {
  assert.equal((await subscription()).callbackType, "poll");
  const { callbackType } = await watched.cli("subscribe", "file:a", "--callbackType", "poll");
  assert.equal(callbackType, "poll");
});
said("callbackType: 'webhook', callbackUrl", async () => {
  const asked = { callbackType: "webhook", callbackUrl: "http://localhost:3000/suggestions" };
  const { callbackType, callbackUrl } = await watched.mcp("context_subscribe", {
    ...example3,
    ...asked,
  });
  assert.deepEqual({ callbackType, callbackUrl }, asked);
});
said("callbackType: 'sse'", async () => {
  const { callbackType } = await watched.mcp("context_subscribe", {
    ...example3,
    callbackType: "sse",
  });
  assert.equal(callbackType, "sse");
});
said("minRelevanceScore of a subscription", async () => {
  assert.equal((await subscription()).minRelevanceScore, 0.7);
});
said("maxSuggestionsPerTrigger", async () => {
  assert.equal((await subscription()).maxSuggestionsPerTrigger, 3);
});
said("cooldownMs: avoid spamming", async () => {
  assert.equal((await subscription()).cooldownMs, 10_000);
  const sessionId = fresh();
  assert.ok((await watched.suggest({ sessionId, currentFile: auth })).suggestions.length > 0);
  const again = await watched.suggest({ sessionId, currentFile: auth });
  assert.deepEqual(again.suggestions, []);
  const rested = await watched.run("suggest", { file: auth, session: sessionId });
  assert.ok(rested.cooling_ms > 0);
  const other = await watched.run("suggest", { file: auth, session: sessionId, min_score: 0 });
  assert.equal(other.cooling_ms, 0, "another score is another question");
});
said("lastTriggeredAt", async () => {
  const { id } = await subscription();
  const find = async (): Promise<Data> => {
    const { subscriptions } = await watched.mcp("context_subscriptions", { subscriptionId: id });
    return subscriptions[0];
  };
  assert.equal((await find()).lastTriggeredAt, undefined);
  await watched.change([auth]);
  assert.match((await find()).lastTriggeredAt, /^20\d\d-/);
});
said("enabled, and not while it is paused", async () => {
  const { id, enabled } = await subscription();
  assert.equal(enabled, true);
  assert.equal((await watched.cli("subscriptions", "pause", id)).enabled, false);
  assert.equal((await keptSubscription()).enabled, false);
  assert.equal((await watched.mcp("context_resume", { subscriptionId: id })).enabled, true);
  assert.equal((await keptSubscription()).enabled, true);
});

said("enabled: false of a new subscription", async () => {
  const made = await watched.mcp("context_subscribe", { ...example3, enabled: false });
  assert.equal(made.enabled, false);
  await watched.change([auth]);
  const { deliveries } = await watched.run("poll", { subscription: made.id });
  assert.deepEqual(deliveries, []);
  await watched.mcp("context_resume", { subscriptionId: made.id });
  await watched.change([auth]);
  const later = await watched.run("poll", { subscription: made.id });
  assert.equal(later.deliveries.length, 1);
  assert.equal((await watched.cli("subscribe", "file:a", "--enabled", "true")).enabled, true);
  assert.equal((await watched.cli("subscribe", "file:a", "--enabled=false")).enabled, false);
});

// WatchPattern.

/** Whether a subscription to one pattern is told of a change of the file, or of a saved decision. */
async function isTold(pattern: object, act: () => Promise<void>): Promise<boolean> {
  const { id } = await watched.mcp("context_subscribe", {
    sessionId: fresh(),
    projectId: "project-1",
    watchPatterns: [pattern],
  });
  await act();
  const { deliveries } = await watched.run("poll", { subscription: id });
  await watched.mcp("context_unsubscribe", { subscriptionId: id });
  return deliveries.length > 0;
}

said("WatchPattern type 'file' with a glob", async () => {
  assert.ok(await isTold({ type: "file", pattern: "src/auth/**" }, () => watched.change([auth])));
  assert.ok(!await isTold({ type: "file", pattern: "src/paint/**" }, () => watched.change([auth])));
});
said("WatchPattern type 'symbol'", async () => {
  assert.ok(await isTold({ type: "symbol", pattern: "AuthServ*" }, () => watched.change([auth])));
});
said("WatchPattern type 'entity'", async () => {
  const isToldOf = (pattern: string, act: () => Promise<void>) =>
    isTold({ type: "entity", pattern }, act);
  const change = () => watched.change([auth]);
  // By the ids of suggestions, by the names of what they are, and by a glob or a regex.
  for (const pattern of [`code:${auth}`, `code:${auth}#AuthService`, auth, "Auth*ce", "/^AuthS/"]) {
    assert.ok(await isToldOf(pattern, change), pattern);
  }
  assert.ok(!await isToldOf("TokenRefresher", change));
  const { id } = await watched.run("save", {
    type: "decision",
    text: "Logins are counted",
    files: [auth],
  });
  assert.ok(await isToldOf(id, change), "its file changed");
  const follow = async () => {
    await watched.run("save", { type: "decision", text: "Logins are not counted", supersedes: id });
    await watched.round();
  };
  assert.ok(await isToldOf(id, follow), "it was corrected");
  const mention = () => watched.saveDecision("AuthService may be asked twice a second");
  assert.ok(await isToldOf("AuthService", mention), "somebody wrote of it");
  assert.ok(
    await isToldOf(
      `code:${auth}#AuthService`,
      () => watched.saveDecision("AuthService never logs a token"),
    ),
  );
  const other = () => watched.saveDecision("MyAuthServices are gone");
  assert.ok(!await isToldOf("AuthService", other), "another name");
});
said("WatchPattern type 'topic'", async () => {
  const save = () => watched.saveDecision("Authentication takes two steps");
  assert.ok(await isTold({ type: "topic", pattern: "authentication" }, save));
});
said("pattern: a regex", async () => {
  assert.ok(
    await isTold({ type: "file", pattern: "/Service\\.ts$/" }, () => watched.change([auth])),
  );
  assert.ok(!await isTold({ type: "file", pattern: "/^Service/" }, () => watched.change([auth])));
});
said("pattern: a semantic query", async () => {
  const save = () => watched.saveDecision("Users log in with a passkey instead of a password");
  assert.ok(await isTold({ type: "topic", pattern: "authentication" }, save));
  const other = () => watched.saveDecision("Lunch is at noon on Fridays");
  assert.ok(!await isTold({ type: "topic", pattern: "authentication" }, other));
});
said("priority of a pattern", async () => {
  const { id } = await watched.run("subscribe", {
    watchPatterns: [
      { type: "file", pattern: "src/auth/**", priority: 2 },
      { type: "file", pattern: "src/auth/AuthS*", priority: 1 },
    ],
  });
  await watched.change([middleware, auth]);
  const { deliveries } = await watched.run("poll", { subscription: id });
  const order = deliveries.map(({ trigger }: Data) => [trigger.source, trigger.priority]);
  assert.deepEqual(order, [[auth, 1], [middleware, 2]]);
});

// ContextSuggestion.

said("ContextSuggestion.id and sessionId", async () => {
  const sessionId = fresh();
  const { id, sessionId: told } = await quiet.suggest({ sessionId, currentFile: auth });
  assert.match(id, /^G-/);
  assert.equal(told, sessionId);
  assert.equal((await quiet.findListed(id)).session_id, sessionId);
  const { suggestions } = await quiet.mcp("context_suggestions", { sessionId });
  assert.deepEqual(suggestions.map((row: Suggestion) => row.id), [id]);
});
said("createdAt", async () => {
  const { id, createdAt } = await quiet.suggest({ currentFile: auth });
  assert.match(createdAt, /^20\d\d-.*Z$/);
  assert.equal((await quiet.findListed(id)).created_at, createdAt);
});
said("trigger.type 'file_change', and its source", async () => {
  const { trigger } = await quiet.suggest({ currentFile: auth });
  assert.deepEqual(trigger, { type: "file_change", source: auth });
  assert.ok((await quiet.mcp("context_suggestions", { trigger: "file_change" })).total > 0);
});
said("trigger.type 'symbol_focus'", async () => {
  const { trigger } = await quiet.suggest({ currentSymbol: "validateToken" });
  assert.deepEqual(trigger, { type: "symbol_focus", source: "validateToken" });
  assert.ok((await quiet.cli("suggestions", "--trigger", "symbol_focus")).total > 0);
});
said("trigger.type 'activity'", async () => {
  const { trigger, suggestions } = await quiet.suggest({ recentFiles: [auth] });
  assert.deepEqual(trigger, { type: "activity", source: auth });
  assert.ok(suggestions.length > 0);
});
said("trigger.type 'time'", async () => {
  const { id } = await watched.run("subscribe", { patterns: [`file:${auth}`], cooldownMs: 60_000 });
  await watched.change([auth]);
  await watched.saveDecision(`Tokens of ${auth} last an hour`);
  await watched.change([auth], 0);
  await watched.round(61_000);
  const { deliveries } = await watched.run("poll", { subscription: id });
  assert.deepEqual(deliveries.map(({ trigger }: Data) => trigger.type), ["file", "time"]);
  assert.ok((await watched.run("suggestions", { trigger: "time" })).total > 0);
});
said("trigger.source: 'session' when nothing is at hand", async () => {
  const sessionId = fresh();
  await quiet.run("save", { text: "Looked at logins", files: [auth], session: sessionId });
  const { trigger, suggestions } = await quiet.suggest({ sessionId });
  assert.deepEqual(trigger, { type: "activity", source: "session" });
  assert.ok(suggestions.length > 0);
});
said("status 'pending'", async () => {
  const { id } = await watched.run("subscribe", {
    watchPatterns: [{ type: "file", pattern: "src/auth/**" }],
  });
  await watched.change([refresher]);
  const { suggestions } = await watched.cli("suggestions", "--status", "pending");
  assert.ok(suggestions.some((row: Data) => row.subscription_id === id));
});
said("status 'shown'", async () => {
  const { id, status } = await quiet.suggest({ currentFile: auth });
  assert.deepEqual([status, (await quiet.findListed(id)).status], ["shown", "shown"]);
});
said("status 'used'", async () => {
  const { id } = await judged.suggest({ currentFile: auth });
  await judged.mcp("suggestion_feedback", { suggestionId: id, action: "used", itemIndex: 0 });
  assert.equal((await judged.findListed(id)).status, "used");
});
said("status 'dismissed'", async () => {
  const { id } = await judged.suggest({ currentFile: auth });
  await judged.mcp("suggestion_feedback", { suggestionId: id, action: "dismissed" });
  const { suggestions } = await judged.mcp("context_suggestions", { status: "dismissed" });
  assert.ok(suggestions.some((row: Suggestion) => row.id === id));
});

// SuggestionItem.

/** The items of the first two examples. */
async function items(): Promise<Item[]> {
  const [file, symbol] = await Promise.all([
    quiet.suggest({ currentFile: auth, maxSuggestions: 50 }),
    quiet.suggest({ currentSymbol: "validateToken", maxSuggestions: 50 }),
  ]);
  return [...file.suggestions, ...symbol.suggestions];
}

for (const type of ["decision", "change", "doc", "related_code", "warning"]) {
  said(`SuggestionItem.type '${type}'`, async () => {
    assert.ok((await items()).some((item) => item.type === type));
  });
}
said("SuggestionItem.title and summary", async () => {
  for (const { title, summary } of await items()) assert.ok(title !== "" && summary !== "");
});
said("relevanceScore", async () => {
  for (const { relevanceScore: score } of await items()) assert.ok(score > 0 && score < 1);
});
said("entityId, removed when it is there twice", async () => {
  const { suggestions } = await quiet.suggest(many);
  const ids = suggestions.map(({ entityId }) => entityId);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.length > 3);
});
said("actionUrl", async () => {
  const found = (await items()).find(({ type }) => type === "decision");
  assert.equal(found?.actionUrl, `ctx://entry/${found?.entityId}`);
});
said("reason: why this is suggested", async () => {
  for (const { reason } of await items()) assert.notEqual(reason, "");
});
said("sorted by relevance", async () => {
  const { suggestions } = await quiet.suggest({ currentFile: auth });
  const scores = suggestions.map((item) => item.relevanceScore);
  assert.deepEqual(scores, scores.toSorted((a, b) => b - a));
});

// ProactiveQuery.

said("ProactiveQuery.currentFile", async () => {
  const { suggestions } = await quiet.cli("suggest", "--currentFile", auth, "--sessionId", fresh());
  assert.ok(suggestions.length > 0);
});
said("ProactiveQuery.cursorPosition: { line, column }", async () => {
  const file = "src/auth/validateToken.ts";
  const { trigger, suggestions } = await quiet.suggest({
    currentFile: file,
    cursorPosition: { line: 3, column: 10 },
  });
  assert.equal(trigger.source, `${file}:3`);
  assert.ok(suggestions.some(({ title }) => title.startsWith("Caller: AuthMiddleware.handle")));
});
said("ProactiveQuery.recentFiles", async () => {
  const { suggestions } = await quiet.suggest({ currentFile: auth, recentFiles: [refresher] });
  assert.ok(!suggestions.some(({ title }) => title.includes(refresher)), "it is at hand already");
});
said("ProactiveQuery.currentSymbol", async () => {
  const { trigger } = await quiet.cli("suggest", "--currentSymbol", "validateToken", "--repeat");
  assert.equal(trigger.type, "symbol_focus");
});
said("ProactiveQuery.sessionId and projectId alone", async () => {
  const { id, createdAt, status, trigger, suggestions } = await quiet.suggest({});
  assert.deepEqual([status, trigger, suggestions], [
    "shown",
    { type: "activity", source: "session" },
    [],
  ]);
  assert.match(id, /^G-/);
  assert.match(createdAt, /^20\d\d-.*Z$/);
});
said("an empty ContextSuggestion has id, createdAt, trigger and status too", async () => {
  const sessionId = fresh();
  const asked = await quiet.suggest({ sessionId, currentFile: "src/paint/none.ts" });
  const { id, createdAt, notes: _, notice: __, ...rest } = asked as Data;
  assert.deepEqual(rest, {
    sessionId,
    trigger: { type: "file_change", source: "src/paint/none.ts" },
    suggestions: [],
    status: "shown",
  });
  assert.match(id, /^G-/);
  assert.match(createdAt, /^20\d\d-.*Z$/);
  const listed = await quiet.mcp("context_suggestions", { sessionId });
  assert.deepEqual([listed.total, listed.suggestions], [0, []]);
});

/** A question with several answers, whatever was dismissed before. */
const many = { currentFile: auth, minRelevanceScore: 0, maxSuggestions: 50 };

// What the implementation does that a user can see.

said("warning: failing tests related to this file", async () => {
  const t = await quiet.project();
  writeSources(t, {
    "junit.xml":
      `<testsuite><testcase name="logs in" file="${auth}"><failure message="no"/></testcase></testsuite>`,
  });
  const { suggestions } = await quiet.suggest({ currentFile: auth });
  await Deno.remove(`${t.workspace}/junit.xml`);
  assert.ok(
    suggestions.some(({ type, title }) => type === "warning" && /Failing test/.test(title)),
  );
});
said("subscribe returns it with its id and enabled: true", async () => {
  const { id, enabled } = await watched.mcp("context_subscribe", example3);
  assert.deepEqual([/^B-/.test(id), enabled], [true, true]);
});
said("unsubscribe(subscriptionId)", async () => {
  const { id } = await watched.run("subscribe", { patterns: ["file:a"] });
  assert.deepEqual(await watched.cli("unsubscribe", "--subscriptionId", id), { id, ended: true });
});
said("markUsed(suggestionId, itemIndex)", async () => {
  const { id } = await judged.suggest(many);
  const given = await judged.cli("feedback", id, "--action", "used", "--itemIndex", "1");
  assert.deepEqual([given.status, given.usedItemIndex], ["used", 1]);
});
said("dismiss(suggestionId)", async () => {
  const { id } = await judged.suggest({ currentFile: auth });
  assert.equal((await judged.cli("suggestion_feedback", id, "dismissed")).status, "dismissed");
});

// Defaults of the schema.

said("defaults: score 0.5, 5 suggestions, a cooldown of 5000 ms, enabled", async () => {
  const made = await watched.run("subscribe", { patterns: ["file:a"] });
  const { min_score, max, cooldown_ms, enabled } = made;
  assert.deepEqual([min_score, max, cooldown_ms, enabled], [0.5, 5, 5000, true]);
});
said("used_item_index is stored", async () => {
  const { id } = await judged.suggest(many);
  await judged.mcp("suggestion_feedback", { suggestionId: id, action: "used", itemIndex: 2 });
  assert.equal((await judged.findListed(id)).used_item_index, 2);
});

// MCP tools.

said(
  "context_suggest { sessionId, projectId, currentFile, currentSymbol, cursorPosition }",
  async () => {
    const { suggestions } = await quiet.mcp("context_suggest", {
      sessionId: fresh(),
      projectId: "project-1",
      currentFile: "src/auth/validateToken.ts",
      currentSymbol: "validateToken",
      cursorPosition: { line: 2, column: 1 },
    });
    assert.ok(suggestions.length > 0);
  },
);
said("context_subscribe { sessionId, projectId, watchPatterns, callbackUrl }", async () => {
  const { callbackUrl, watchPatterns } = await watched.mcp("context_subscribe", {
    sessionId: "session-1",
    projectId: "project-1",
    watchPatterns: [{ type: "symbol", pattern: "validate*" }],
    callbackUrl: "http://localhost:3000/suggestions",
  });
  assert.equal(callbackUrl, "http://localhost:3000/suggestions");
  assert.deepEqual(watchPatterns, [{ type: "symbol", pattern: "validate*", priority: 1 }]);
});
said("suggestion_feedback { suggestionId, action, itemIndex }", async () => {
  const { id } = await judged.suggest({ currentFile: auth });
  const { changed } = await judged.mcp("suggestion_feedback", {
    suggestionId: id,
    action: "used",
    itemIndex: 0,
  });
  assert.equal(changed, 1);
});
said("suggestion_feedback is listed where context_suggest is", async () => {
  const names = (await judged.server()).listTools(undefined).map(({ name }) => name);
  assert.ok(names.includes("context_suggest") && names.includes("suggestion_feedback"), `${names}`);
});

// Examples.

said("example 1: opening src/auth/AuthService.ts", async () => {
  const { suggestions } = await quiet.suggest({ currentFile: "src/auth/AuthService.ts" });
  const of = (type: string): Item => suggestions.find((item) => item.type === type)!;
  assert.equal(of("decision").title, "Decision: JWT token strategy");
  assert.match(of("decision").summary, /^We decided to use short-lived access tokens with refresh/);
  assert.match(of("change").title, /^Recent change: .*TokenRefresher\.ts$/);
  assert.match(of("change").summary, /^Modified 2 days ago/);
  assert.match(of("doc").title, /^Doc: .*Authentication Flow$/);
  assert.match(of("doc").summary, /Documents the authentication flow including token refresh/);
});
said("example 1, on the command line", async () => {
  const { suggestions } = await quiet.cli("suggest", auth, "--session", fresh());
  for (const type of ["decision", "change", "doc"]) {
    assert.ok(suggestions.some((item: Item) => item.type === type), type);
  }
});
said("example 2: hovering on validateToken", async () => {
  const { suggestions } = await quiet.suggest({ currentSymbol: "validateToken" });
  const caller = suggestions.find(({ title }) =>
    title.startsWith("Caller: AuthMiddleware.handle")
  )!;
  assert.deepEqual([caller.type, caller.summary], ["related_code", "Calls validateToken"]);
  const warning = suggestions.find(({ type }) => type === "warning")!;
  assert.match(warning.title, /^Deprecated dependency/);
  assert.match(warning.summary, /^Uses deprecated verify\(\)/);
});
different(
  "ctx-sys",
  "reason: 'CALLS relationship with AuthService', 'Changes here may affect this caller'",
  "a reason says who does what and where, as in `TokenRefresher.ts uses AuthService`; a title names the whole path, and what is deprecated by its own name.",
  async () => {
    const opened = await quiet.suggest({ currentFile: auth });
    const change = opened.suggestions.find(({ type }) => type === "change");
    assert.match(change?.reason ?? "", /TokenRefresher\.ts uses AuthService/);
    const { suggestions } = await quiet.suggest({ currentSymbol: "validateToken" });
    const caller = suggestions.find(({ type }) => type === "related_code");
    assert.match(
      caller?.reason ?? "",
      /uses validateToken \(line \d\): changes here may affect it/,
    );
  },
);
said("example 3: a subscription whose suggestions go to localhost", async () => {
  const t = await watched.project();
  const posted: Data[] = [];
  const receiver = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      posted.push(await request.json());
      return new Response();
    },
  );
  const url = `http://localhost:${receiver.addr.port}/suggestions`;
  const { id } = await watched.cli(
    "subscribe",
    "file@1:src/auth/**",
    "topic@2:authentication",
    ...["--sessionId", "session-1", "--projectId", "project-1"],
    ...["--callbackType", "webhook", "--callbackUrl", url, "--yes"],
    ...["--minRelevanceScore", "0.7", "--maxSuggestionsPerTrigger", "3", "--cooldownMs", "10000"],
  );
  await watched.round();
  Deno.writeTextFileSync(`${t.workspace}/${auth}`, "// opened\n", { append: true });
  const { delivered } = await watched.cli("watch", "--once");
  await receiver.shutdown();
  const [body] = posted.filter((one) => one.subscription_id === id);
  assert.equal(delivered, posted.length);
  assert.deepEqual([body.trigger.type, body.trigger.source], ["file", auth]);
  assert.ok(body.suggestions.length > 0 && body.suggestions.length <= 3);
  for (const item of body.suggestions) assert.ok(item.relevance_score >= 0.7, item.title);
  assert.deepEqual([(await watched.findListed(body.id)).status, body.session_id], [
    "shown",
    "session-1",
  ]);
});

// Configuration.

/** What `suggest` gives while a setting of the document's has a value. */
async function withSetting(name: string, value: string): Promise<Data> {
  const key = `agent.proactive.${name}`;
  await quiet.run("config set", { key, value });
  try {
    return await quiet.run("suggest", { currentFile: auth, sessionId: fresh() });
  } finally {
    await quiet.run("config unset", { key });
  }
}

said("agent.proactive.enabled", async () => {
  assert.deepEqual((await withSetting("enabled", "false")).suggestions, []);
});
said("agent.proactive.maxSuggestions", async () => {
  assert.equal((await withSetting("maxSuggestions", "1")).suggestions.length, 1);
});
said("agent.proactive.minRelevanceScore", async () => {
  const { suggestions } = await withSetting("minRelevanceScore", "0.8");
  for (const { relevance_score: score } of suggestions) assert.ok(score >= 0.8);
});
said("agent.proactive.recentChangeDays", async () => {
  assert.ok(!typesOf(await withSetting("recentChangeDays", "1")).includes("change"));
  assert.ok(typesOf(await withSetting("recentChangeDays", "3")).includes("change"));
});
const switches = {
  enableDecisions: "decision",
  enableRecentChanges: "change",
  enableDocs: "doc",
  enableRelatedCode: "related_code",
};
for (const [name, type] of Object.entries(switches)) {
  said(`agent.proactive.${name}`, async () => {
    assert.ok(!typesOf(await withSetting(name, "false")).includes(type));
    assert.ok(typesOf(await withSetting(name, "true")).includes(type));
  });
}
said("agent.proactive.enableWarnings", async () => {
  const query = () => ({ currentSymbol: "validateToken", sessionId: fresh() });
  await quiet.run("config set", { key: "agent.proactive.enableWarnings", value: "false" });
  const without = await quiet.run("suggest", query());
  await quiet.run("config unset", { key: "agent.proactive.enableWarnings" });
  assert.ok(!typesOf(without).includes("warning"));
  assert.ok(typesOf(await quiet.run("suggest", query())).includes("warning"));
});
said("settings hold at once, also for a server that runs", async () => {
  const t = await quiet.project();
  await using client = await connectMcp(t.workspace);
  const ask = async (): Promise<number> =>
    (await client.call("context_suggest", { currentFile: auth, sessionId: fresh() }))
      .data.suggestions.length;
  assert.ok(await ask() > 1);
  await quiet.run("config set", { key: "agent.proactive.maxSuggestions", value: "1" });
  const one = await ask();
  await quiet.run("config unset", { key: "agent.proactive.maxSuggestions" });
  assert.equal(one, 1);
  assert.ok(await ask() > 1);
});

said("ctx-sys.yaml: agent.proactive", async () => {
  await using t = await tempStore();
  const yaml = `# ctx-sys.yaml
agent:
  proactive:
    enabled: true
    maxSuggestions: 1
    minRelevanceScore: 0.5
    recentChangeDays: 7
    # Suggestion types to enable
    enableDecisions: false
    enableRecentChanges: true
    enableDocs: true
    enableRelatedCode: true
    enableWarnings: "often"
`;
  Deno.writeTextFileSync(`${t.workspace}/ctx-sys.yaml`, yaml);
  await t.run("config set", { key: "suggest.recent_change_days", value: "3" });
  const { code, stdout, stderr } = await t.ctx(["init", "--json"]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout).wrote, [".contextfs/config.jsonc"]);
  assert.match(stderr, /ctx-sys\.yaml: "enableWarnings" is ignored: it must be true or false/);
  const list = JSON.parse((await t.ctx(["config", "list", "--json"])).stdout).settings;
  const set = list.filter(({ origin }: Data) => origin === "workspace")
    .map(({ key, value }: Data) => [key, value]);
  assert.deepEqual(Object.fromEntries(set), {
    "suggest.enabled": true,
    "suggest.max_suggestions": 1,
    "suggest.min_relevance_score": 0.5,
    "suggest.recent_change_days": 3,
    "suggest.decisions": false,
    "suggest.changes": true,
    "suggest.docs": true,
    "suggest.related_code": true,
  });
  const again = await t.ctx(["init", "--json"]);
  assert.deepEqual(JSON.parse(again.stdout).wrote, [], "once");
  Deno.writeTextFileSync(`${t.workspace}/ctx-sys.yaml`, "agent: [");
  const broken = await t.ctx(["init"]);
  assert.equal(broken.code, 0);
  assert.match(broken.stderr, /ctx-sys\.yaml is ignored, it cannot be read: /);
});

// Its own tests.

said("test: should suggest related decisions", async () => {
  await using t = await tempStore();
  await t.run("save", {
    type: "decision",
    title: "JWT strategy",
    text: "Use short-lived tokens with AuthService",
  });
  writeSources(t, { [auth]: "export class AuthService {}\n" });
  const found = await t.run<Suggestion>("suggest", { currentFile: auth });
  assert.ok(found.suggestions.some(({ type }) => type === "decision"));
});
said("test: should detect recent changes to related files", async () => {
  await using t = await tempStore();
  const files = {
    "src/file-a.ts": 'import { b } from "./file-b.ts";\nexport const a = b;\n',
    "src/file-b.ts": "export const b = 1;\n",
  };
  writeSources(t, files);
  await git(t.workspace, ["init", "-q"]);
  await git(t.workspace, ["add", "src"]);
  await git(t.workspace, ["commit", "-qm", "files"], "2025-10-01T00:00:00Z");
  writeSources(t, { "src/file-b.ts": "export const b = 2;\n" });
  await git(t.workspace, ["commit", "-qam", "b"], "2026-01-02T03:00:00Z");
  const found = await t.run<Suggestion>("suggest", { currentFile: "src/file-a.ts" });
  assert.ok(found.suggestions.some(({ type }) => type === "change"));
});
said("test: should track suggestion usage", async () => {
  const { id } = await judged.suggest({ currentFile: auth });
  await judged.mcp("suggestion_feedback", { suggestionId: id, action: "used", itemIndex: 0 });
  const stored = await judged.findListed(id);
  assert.deepEqual([stored.status, stored.used_item_index], ["used", 0]);
});

// Metrics.

/** Each as the record of suggestions says it. */
const metrics: Record<string, (kept: Data[]) => unknown> = {
  proactive_suggestion_count: (kept) => kept.length,
  proactive_used_rate: (kept) => rateOf("used", kept),
  proactive_dismissed_rate: (kept) => rateOf("dismissed", kept),
  proactive_latency_ms: (kept) =>
    kept.map(({ latency_ms }) => latency_ms).sort((a, b) => a - b)[Math.floor(kept.length / 2)],
  suggestion_type_distribution: (kept) =>
    Object.fromEntries(suggestionTypes.map((type) => [
      type,
      kept.flatMap(({ suggestions }) => suggestions).filter((item) => item.type === type).length,
    ])),
};
for (const [name, expect] of Object.entries(metrics)) {
  said(name, async () => {
    const { proactive } = await judged.run("stats", { proactive: true });
    const { suggestions } = await judged.run("suggestions", { limit: 1000 });
    assert.ok(suggestions.length > 3);
    assert.deepEqual(proactive.metrics[name], expect(suggestions));
  });
}
said("relevance_score_vs_usage", async () => {
  const { proactive } = await judged.run("stats", { proactive: true });
  const { relevance_score_vs_usage: correlation } = proactive.metrics;
  assert.ok(correlation >= -1 && correlation <= 1, correlation);
});

function rateOf(status: string, kept: Data[]): number {
  const rate = kept.filter((one) => one.status === status).length / kept.length;
  return Math.round(rate * 1000) / 1000;
}

// What differs.

different(
  "ctx-sys",
  "projectId of a stored record",
  "a store belongs to one project, so its records do not name it; `projectId` is accepted in calls.",
  async () => {
    assert.equal("project_id" in await keptSubscription(), false);
  },
);
different(
  "ctx-sys",
  "suggest() stores every answer as 'pending'",
  "whoever asks is shown the answer, so it is `shown`; what waits for a subscriber is `pending`. An answer without suggestions is not stored.",
  async () => {
    assert.equal((await watched.suggest({ currentFile: auth })).status, "shown");
  },
);
different(
  "ctx-sys",
  "callbackUrl given by an agent",
  "it is kept and waits for your `ctx trust URL`: no prompt and no clone may send memory elsewhere.",
  async () => {
    const url = "http://localhost:3000/suggestions";
    const { id, approved, notes } = await watched.mcp("context_subscribe", {
      ...example3,
      callbackUrl: url,
    });
    const told = [
      `Nothing is sent to ${url} until the user allows it: \`ctx trust ${url}\` (the user, in a terminal)`,
    ];
    assert.deepEqual([approved, notes], [false, told]);
    const { subscriptions } = await watched.run("subscriptions");
    assert.equal(subscriptions.find((one: Data) => one.id === id).approved, false);
    const plain = await watched.mcp("context_subscribe", { patterns: ["file:a"], url });
    assert.deepEqual(plain.notes, told, "in our own words too");
    const listed = await watched.mcp("context_subscriptions", { subscription: plain.id });
    assert.deepEqual(listed.notes, told);
  },
);

checkPhrases("ctx-sys");
