// The tokens of what agents are handed, by a real tokenizer (o200k_base): the counts that ctx tells are
// within 3 % of it, and no budget is exceeded.

import assert from "node:assert/strict";
import { countTokens as countExactly } from "gpt-tokenizer/encoding/o200k_base";
import { fenceMemory, shortNotice } from "../../../src/core/rows/fence.ts";
import { countTokens } from "../../../src/core/tokens.ts";
import { makePack, toPackLine } from "../../../src/recall/pack/make_pack.ts";
import { type PackItem, type PackSection } from "../../../src/recall/pack/pack_item.ts";

const nowMs = Date.UTC(2026, 8, 1);

/** Lines as packs have them, by kind of text. */
const texts = {
  prose: [
    "Refresh tokens are rotated on every use; an old one revokes the whole family, because a leaked token is noticed that way.",
    "Never acknowledge a message before its handler has finished: the queue loses work when the worker restarts.",
    "The nightly export runs at two in the morning and must not overlap with the backup of the warehouse.",
    "Keep a Changelog format: one short sentence per entry with a link to the pull request, and thanks to contributors at the end.",
  ],
  markdown: [
    "## Retry policy: **five** attempts with `backoff(attempt)`; the last error is *always* logged, see [the runbook](docs/runbook.md#retries)",
    "- **Option A**: keep `parcel_id` as text (`varchar(26)`) - **Option B**: a `uuid` column; we chose **A** since the printers send 26 characters",
    "| field | type | note | `weight_kg` | `numeric(8,3)` | **never** null | `label_url` | `text` | signed for 15 minutes |",
  ],
  code: [
    '`const { rows } = await db.query("SELECT id, status FROM parcels WHERE depot = $1", [depotId]);` needs the index `parcels_depot_idx`',
    "parseAddress(input: string): Result<Address, ParseError> throws no more; callers check `result.ok` and call `toHttpError(result.error)`",
    'if err := tx.Commit(ctx); err != nil { return fmt.Errorf("commit %s: %w", orderID, err) }',
  ],
  paths: [
    "src/delivery/queue/worker_pool.ts, src/delivery/queue/ack_policy.ts and test/delivery/queue/worker_pool_test.ts change together",
    "Generated: packages/api-client/src/generated/schema.d.ts, apps/web/.next/types/app/layout.ts; never edit them by hand",
    "Logs are under /var/log/parcel-api/worker.log and ~/.cache/parcel/label-printer.log",
  ],
  ids: [
    "Fixed in 9f8e7d6c5b4a (PR #1482, PARCEL-2291): session 3f1c2b9a-77d4-4d0e-9a51-0c6f3b1e88d2 no longer keeps a dead worker",
    "H-1m2ff20hgvzrpr001 and S-1m2few700s4d0k003 were merged; sha256 5e884898da28047151d0e56f8dc6292773603d0d",
    "Build 20260814.3 on node v22.14.0 with pnpm 10.6.5 fails: ERR_PNPM_LOCKFILE_CONFIG_MISMATCH",
  ],
  german: [
    "Die Übersetzungen der Fehlermeldungen müssen vor jeder Veröffentlichung geprüft werden, weil die Länge der Schaltflächen begrenzt ist.",
    "Wir verwenden für Währungen immer Ganzzahlen in Cent; Gleitkommazahlen haben im letzten Quartal zu Rundungsfehlern geführt.",
  ],
  chinese: [
    "访问令牌的有效期为十五分钟，刷新令牌的有效期为三十天；旧令牌被再次使用时撤销整个令牌族。",
    "部署之前必须先在生产环境的副本上测试所有的迁移脚本。",
  ],
  japanese: [
    "デプロイの前に、すべてのマイグレーションを本番環境のコピーで試す必要があります。",
    "ラベルの住所が長いときは、文字数で折り返します。",
  ],
};

const sections: [PackSection, string][] = [
  ["pins", "pin"],
  ["preferences", "preference"],
  ["decisions", "decision"],
  ["open", "open"],
  ["fixes", "fix"],
  ["commands", "command"],
];

/** The same numbers on every run. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 0x7fffffff) / 0x7fffffff;
}

function makeItems(random: () => number, kinds: string[][]): PackItem[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const digits = "0123456789abcdefghjkmnpqrstvwxyz";
  return Array.from({ length: 40 }, (_, i) => {
    const [section, label] = pick(sections);
    const id = Array.from({ length: 14 }, () => pick([...digits])).join("");
    return {
      section,
      id: `H-1m2${id}`,
      ts: new Date(nowMs - Math.floor(random() * 90) * 86_400_000).toISOString(),
      label,
      truncated_chars: 0,
      text: `${pick(pick(kinds))} ${pick(pick(kinds))} (${i})`,
    };
  });
}

const mixed = Object.values(texts);
const english = [texts.prose, texts.markdown, texts.code, texts.paths, texts.ids];

Deno.test("packs of any kind of text are within 3 % of the tokenizer together, and never above their budget", () => {
  const random = makeRandom(38);
  let told = 0;
  let exact = 0;
  for (let i = 0; i < 120; i++) {
    const budgetTokens = 256 + Math.floor(random() * 2000);
    const items = makeItems(random, i % 3 === 0 ? mixed : english);
    const { text, estimated_tokens, packed } = makePack(items, {
      budgetTokens,
      format: "text",
      workspace: "parcel-api",
      nowMs,
    });
    assert.ok(packed.length > 0);
    const tokens = countExactly(text);
    assert.ok(tokens <= budgetTokens, `${tokens} tokens of ${budgetTokens}:\n${text}`);
    const error = estimated_tokens / tokens - 1;
    assert.ok(Math.abs(error) <= 0.06, `${estimated_tokens} instead of ${tokens}:\n${text}`);
    told += estimated_tokens;
    exact += tokens;
  }
  assert.ok(Math.abs(told / exact - 1) <= 0.03, `${told} instead of ${exact}`);
});

Deno.test("the lines at prompts are within 3 % of the tokenizer together", () => {
  const random = makeRandom(7);
  let told = 0;
  let exact = 0;
  for (let i = 0; i < 200; i++) {
    const lines = makeItems(random, english).slice(0, 1 + i % 3)
      .map((item) => toPackLine(item, nowMs));
    const text = fenceMemory(lines, { attributes: {}, notice: shortNotice });
    told += countTokens(text);
    exact += countExactly(text);
  }
  assert.ok(Math.abs(told / exact - 1) <= 0.03, `${told} instead of ${exact}`);
});

for (const [kind, lines] of Object.entries(texts)) {
  Deno.test(`lines of ${kind} are within a twelfth of the tokenizer`, () => {
    const text = lines.join("\n");
    const error = countTokens(text) / countExactly(text) - 1;
    assert.ok(Math.abs(error) <= 1 / 12, `${(error * 100).toFixed(1)} %`);
  });
}
