// Has the configured model write the records of sessions. Only on request: what it would cost is
// known before anything is sent, a daily cap of its own holds, and every call is in the ledger.

import { CtxError } from "../../core/errors.ts";
import { redactValue } from "../../core/redact/redact.ts";
import { isSecondHand } from "../../core/rows/second_hand.ts";
import { countTokens } from "../../core/tokens.ts";
import { findLlmSettings, isBarred, openLedger, openLedgerStore } from "../../ask/llm_settings.ts";
import { fence, makeMark } from "../../ask/model_fence.ts";
import { readSessionCatalog } from "../../read/session_catalog.ts";
import { readMessages } from "../../read/session_messages.ts";
import { openClient } from "../../ask/llm/client.ts";
import { readUsage } from "../../store/logs/usage.ts";
import type { Store } from "../../store/store.ts";
import type { Context } from "../../command/command.ts";
import type { RecordDraft } from "./distil_session.ts";
import { keyWords, shareOf } from "./key_words.ts";
import { checkClaims, modelTask, type ModelView, toModelView } from "./model_records.ts";
import { readRecords, type RecordTable } from "./read_records.ts";

/** What is to be sent, and about what it costs. */
export interface ModelPlan {
  model: string;
  provider: string;
  sessions: { id: string; view: ModelView }[];
  estimated_tokens: number;
}

/** What came back. */
export interface ModelRecords {
  written: RecordDraft[];
  /** Claims that their rows did not bear out. */
  dropped: number;
  tokens: number;
}

const answerTokens = 1200;

/** What a model would be sent for some sessions; throws where there is none, or it may not be used. */
export async function planModel(
  store: Store,
  sessions: readonly string[],
  context: Context,
): Promise<ModelPlan> {
  const config = await context.readConfig();
  const settings = findLlmSettings(config);
  if (settings === undefined) {
    const lacks = config.get("llm.model") === "" ? "none is configured" : "its key is missing";
    const needs = config.get("llm.model") === "" ? "llm.model MODEL" : "llm.api_key -";
    throw new CtxError("PROVIDER_MISSING", `Cannot distil with a model: ${lacks}`, {
      hint: `ctx config set --user ${needs}; without --model nothing is sent anywhere`,
    });
  }
  if (isBarred(settings.provider)) {
    throw new CtxError("DENIED", "Cannot distil with a model: this process has no network", {
      hint: "ctx distil without --model needs none",
    });
  }
  const catalog = readSessionCatalog(store);
  const hidden = store.readHidden();
  const views = sessions.flatMap((id) => {
    const session = catalog.get(id);
    if (session === undefined || session.author !== undefined) return [];
    if (isSecondHand(session.source)) return [];
    const entries = readMessages(store, session, hidden).map(({ entry }) => entry);
    const view = toModelView(entries, { isSide: session.parent !== undefined });
    return view.rows.length > 0 ? [{ id, view }] : [];
  });
  const tokens = views.reduce(
    (sum, { view }) => sum + countTokens(modelTask) + countTokens(view.text) + answerTokens,
    0,
  );
  return {
    model: settings.model,
    provider: URL.parse(settings.provider)?.host ?? settings.provider,
    sessions: views,
    estimated_tokens: tokens,
  };
}

/** Sends what was planned and writes what holds; stops where the day's cap is reached. */
export async function runModel(
  store: Store,
  plan: ModelPlan,
  context: Context,
): Promise<ModelRecords> {
  const config = await context.readConfig();
  const settings = findLlmSettings(config);
  const done: ModelRecords = { written: [], dropped: 0, tokens: 0 };
  if (settings === undefined) return done;
  const ledger = await openLedger(context);
  const client = openClient(settings, context);
  const caps = { all: config.get("llm.daily_token_cap"), own: config.get("distil.daily_tokens") };
  for (const { id, view } of plan.sessions) {
    const spent = await distilTokensToday(context);
    if (spent >= caps.own || (caps.all > 0 && ledger.spentToday() >= caps.all)) {
      context.warn("the daily cap of tokens is used up; the other sessions were not sent");
      break;
    }
    const { text, usage } = await client.complete({
      messages: [
        { role: "system", content: modelTask },
        { role: "user", content: fence(view.text, makeMark(context.random()), "session") },
      ],
      tools: [],
      toolChoice: "none",
    });
    await ledger.add({
      ts: new Date(context.now()).toISOString(),
      command: "distil",
      workspace: store.layout.workspace,
      provider: plan.provider,
      model: settings.model,
      ...usage,
    });
    done.tokens += usage.input_tokens + usage.output_tokens;
    const { drafts, dropped } = checkClaims(text, { rows: view.rows, session: id });
    done.dropped += dropped;
    const clean = drafts.map((draft) => redactValue(draft).value);
    done.written.push(...await write(store, clean));
  }
  return done;
}

async function distilTokensToday(context: Context): Promise<number> {
  const { files, layout } = await openLedgerStore(context);
  const day = new Date(context.now()).toISOString().slice(0, 10);
  return readUsage(files, layout)
    .filter((row) => row.command === "distil" && row.ts.startsWith(day))
    .reduce((sum, row) => sum + row.input_tokens + row.output_tokens, 0);
}

/** Appends what is new; each takes the place of what was noted before on its subject. */
async function write(store: Store, drafts: readonly RecordDraft[]): Promise<RecordDraft[]> {
  return await store.write("distil", (writer) => {
    const table = readRecords(store);
    const known = new Set(table.records.map(({ id }) => id));
    const forgotten = store.readForgotten();
    const taken = new Set<string>();
    const written = drafts.filter(({ id, refs }) =>
      !known.has(id) && !forgotten.has(id) && !refs.some((ref) => forgotten.has(ref))
    ).map((draft) => {
      const older = findReplaced(draft, table, taken);
      if (older === undefined) return draft;
      taken.add(older);
      return { ...draft, supersedes: older };
    });
    writer.append(written);
    return written;
  });
}

const minShared = 0.5;

function findReplaced(
  draft: RecordDraft,
  { records, superseded }: RecordTable,
  taken: ReadonlySet<string>,
): string | undefined {
  const words = keyWords(draft.text);
  return records.find((row) =>
    row.session_id === draft.session_id && row.type === draft.type && !superseded.has(row.id) &&
    !taken.has(row.id) &&
    (row.refs?.[0] === draft.refs[0] || shareOf(words, keyWords(row.text)) >= minShared)
  )?.id;
}
