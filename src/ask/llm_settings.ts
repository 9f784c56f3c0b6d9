// The model that the configuration names, and the ledger that counts its tokens.

import type { Config } from "../config/merged_config.ts";
import { configKeys } from "../config/config_keys.ts";
import type { LlmSettings } from "../llm/client.ts";
import type { Store } from "../store/store.ts";
import { tokensOfDay, type UsageRow } from "../store/logs/usage.ts";
import type { Context } from "../table/command.ts";

/** How to get a model, for notes. */
export const llmHint =
  "for a written answer: ctx config set --user llm.model MODEL, ctx config set --user llm.api_key - (or CTX_LLM_MODEL, CTX_LLM_API_KEY)";

/** Said when a sandbox keeps the provider out of reach. */
export const barredNote =
  "this server has no network: the answer is extracted (ctx mcp agent may reach the model)";

/** Whether the sandbox does not let us reach a provider. */
export function isBarred(provider: string): boolean {
  const host = hostOf(provider);
  return host === undefined ||
    Deno.permissions.querySync({ name: "net", host }).state !== "granted";
}

/** The host and port that an address leads to. */
export function hostOf(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null) return undefined;
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? 443 : 80)}`;
}

/** The settings of the model, or undefined when none is configured. */
export function findLlmSettings(
  config: Config,
  override: { model?: string; temperature?: number } = {},
): LlmSettings | undefined {
  const provider = config.get("llm.provider");
  const apiKey = config.get("llm.api_key");
  const model = override.model ?? config.get("llm.model");
  const needsKey = provider === configKeys["llm.provider"].default;
  if (model === "" || (needsKey && apiKey === "")) return undefined;
  return {
    provider,
    apiKey,
    model,
    temperature: override.temperature ?? config.get("llm.temperature"),
    maxTokens: config.get("llm.max_tokens"),
    timeoutMs: config.get("llm.timeout_ms"),
  };
}

/** Counts tokens across all workspaces. */
export interface Ledger {
  /** Tokens used today (UTC). */
  spentToday(): number;
  add(row: UsageRow): Promise<void>;
}

/** Opens the ledger in the user's own store, or in the workspace's where there is none to write. */
export async function openLedger(context: Context): Promise<Ledger> {
  const store = await openLedgerStore(context);
  return {
    spentToday() {
      const day = new Date(context.now()).toISOString().slice(0, 10);
      return tokensOfDay(store.files, store.layout, day);
    },
    async add(row) {
      await store.write("usage", (writer) => writer.appendRows(store.layout.usage, [row]));
    },
  };
}

/** The store that holds the ledger. */
export async function openLedgerStore(
  context: Context,
  options: { create?: boolean } = { create: true },
): Promise<Store> {
  try {
    const user = await context.openUserStore(options);
    if (user) return user;
  } catch (error) {
    context.warn(
      `the ledger is kept in the workspace: ${error instanceof Error ? error.message : error}`,
    );
  }
  return await context.openStore();
}
