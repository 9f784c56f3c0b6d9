// The model that the configuration names, and the ledger that counts its tokens.

import type { Config } from "../config/merged_config.ts";
import { configKeys } from "../config/config_keys.ts";
import type { LlmSettings } from "./llm/client.ts";
import type { TokenUsage } from "./llm/message.ts";
import type { Store } from "../store/store.ts";
import { tokensOfDay, type UsageRow } from "../store/logs/usage.ts";
import type { Context } from "../command/command.ts";

/** How to get a model, for notes. */
export const llmHint =
  "for an answer in full sentences: ctx config set --user llm.model MODEL, ctx config set --user llm.api_key - (or CTX_LLM_MODEL, CTX_LLM_API_KEY)";

/** Said when a sandbox keeps the provider out of reach. */
export const barredNote =
  "no model was configured when this server started, so the answer is quoted from memory; restart the server to use the model";

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
  if (model === "" || (isDefaultProvider(config) && apiKey === "")) return undefined;
  return {
    provider,
    apiKey,
    model,
    temperature: override.temperature ?? config.get("llm.temperature"),
    maxTokens: config.get("llm.max_tokens"),
    timeoutMs: config.get("llm.timeout_ms"),
  };
}

/** What a model that was begun to be configured lacks, and how it is set; undefined when none was. */
export function findLack(config: Config, override: { model?: string } = {}): string | undefined {
  const model = override.model ?? config.get("llm.model");
  const isBegun = config.get("llm.api_key") !== "" || !isDefaultProvider(config);
  if (model === "" && !isBegun) return undefined;
  const [lack, how] = model === ""
    ? ["llm.model is missing", "llm.model MODEL (or CTX_LLM_MODEL)"]
    : [`the key for "${model}" is missing`, "llm.api_key - (or CTX_LLM_API_KEY)"];
  return `${lack}, so no model was used; set it with: ctx config set --user ${how}`;
}

function isDefaultProvider(config: Config): boolean {
  return config.get("llm.provider") === configKeys["llm.provider"].default;
}

/** Counts tokens across all workspaces. */
export interface Ledger {
  /** Tokens used today (UTC). */
  spentToday(): number;
  /** Notes what a call of the model took. */
  add(
    command: UsageRow["command"],
    settings: Pick<LlmSettings, "provider" | "model">,
    usage: TokenUsage,
  ): Promise<void>;
}

/** Opens the ledger in the user's own store, or in the workspace's where there is none to write. */
export async function openLedger(context: Context): Promise<Ledger> {
  const stores = await openLedgerStores(context);
  const [store] = stores;
  return {
    spentToday() {
      const day = new Date(context.now()).toISOString().slice(0, 10);
      return stores.reduce((sum, { files, layout }) => sum + tokensOfDay(files, layout, day), 0);
    },
    async add(command, { provider, model }, usage) {
      const row: UsageRow = {
        ts: new Date(context.now()).toISOString(),
        command,
        workspace: (await context.openStore()).layout.workspace,
        provider: URL.parse(provider)?.host ?? "",
        model,
        ...usage,
      };
      await store.write("usage", (writer) => writer.appendRows(store.layout.usage, [row]));
    },
  };
}

/** The ledger's store, and the workspace's: a server that sees nothing else counts there. */
export async function openLedgerStores(
  context: Context,
  options?: { create?: boolean },
): Promise<Store[]> {
  const own = await openLedgerStore(context, options);
  const here = await context.openStore().catch(() => undefined);
  return here === undefined || here.layout.root === own.layout.root ? [own] : [own, here];
}

export async function openLedgerStore(
  context: Context,
  options: { create?: boolean } = { create: true },
): Promise<Store> {
  try {
    const user = await context.openUserStore(options);
    if (user) return user;
  } catch (error) {
    context.warn(
      `token usage is kept in the workspace instead: ${
        error instanceof Error ? error.message : error
      }`,
    );
  }
  return await context.openStore();
}
