// `ctx stats --cost`: what agents' sessions cost, by agent, model, project, branch, time or session, or for the
// commits of a pull request; and the ledger of the models that ctx itself called.

import { configFiles } from "../../config/load_config.ts";
import { parseJsonc } from "../../config/parse_jsonc.ts";
import { CtxError } from "../../core/errors.ts";
import { homeOf } from "../../core/platform_path.ts";
import { parseRange, parseWhen } from "../../core/time/parse_when.ts";
import { findSmallText } from "../../disk/outside_files.ts";
import { ModelPrices, pricesDate } from "../../read/cost/model_prices.ts";
import { type Charge, readCharges } from "../../read/cost/read_charges.ts";
import { costKeys, sumBy, sumCharges } from "../../read/cost/sum_charges.ts";
import { readUsage, type UsageRow } from "../../store/logs/usage.ts";
import { type Context, define } from "../../command/command.ts";
import { sinceTime } from "../../command/inputs.ts";
import { openLedgerStores } from "../../ask/llm_settings.ts";
import * as s from "../../command/shape.ts";
import { costShape, type OwnCalls, type spent, toCostScreen } from "../../view/cost_screen.ts";

export const cost = define({
  name: "cost",
  summary:
    "Show what agents' sessions cost, by agent, model, project, branch, day, week or session.",
  description:
    `Adds up the tokens that agents recorded in the imported sessions, each request once, and prices them in US dollars. The built-in prices are of ${pricesDate}. Change or add prices in prices.jsonc next to your config.jsonc, in dollars per million tokens: { "models": { "NAME": { "input": 3, "output": 15, "cache_read": 0.3, "cache_write": 3.75, "cache_write_1h": 6 } } }. Models without a price are listed as unpriced and are not in the sum. --pr shows what the commits of a branch cost: it counts the requests of the exchanges in which their lines were written, and says how many commits have no known session. Subscriptions are not considered: the sum is what the tokens cost at list prices. In a terminal, the calls that ctx itself made to models (ask, chat and eval) are listed below, across all workspaces; only those count towards llm.daily_token_cap.`,
  input: {
    by: s.choice("Group by this.", costKeys, "model"),
    pr: s.optionalText("Only what the commits of a pull request cost: BASE or BASE..HEAD."),
    session: s.optionalText("Only this session and its sub-agents."),
    branch: s.optionalText("Only this branch."),
    project: s.optionalText("Only projects whose path contains this."),
    week: s.flag("Only this week, from Monday."),
    since: sinceTime,
    until: s.optionalText("Only up to this time; a date includes the whole day."),
    limit: s.integer("Rows to show.", { min: 1, max: 1000, default: 20 }),
  },
  output: costShape,
  effect: "read",
  unscoped: true,
  examples: [
    { argv: ["stats", "--cost"], about: "Show what each model cost." },
    { argv: ["stats", "--cost", "--by", "branch", "--week"], about: "Show this week by branch." },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const prices = new ModelPrices(await readOwnPrices(context));
    const since = input.week ? "this week" : input.since;
    const range = parseRange({ since, until: input.until }, context.now());
    const [session] = input.session === undefined
      ? []
      : await context.wholeIds("S", [input.session]);
    const wanted = readCharges(store).filter((charge) =>
      (session === undefined || charge.session === session || charge.parent === session) &&
      (input.branch === undefined || charge.branch === input.branch) &&
      (input.project === undefined || charge.project.includes(input.project)) &&
      (range.since === undefined || charge.ts >= range.since) &&
      (range.until === undefined || charge.ts <= range.until)
    );
    const pr = input.pr === undefined ? undefined : await findPr(input.pr, wanted, context);
    const charges = pr?.charges ?? wanted;
    const rows = sumBy(charges, input.by, prices);
    const beside = pr && sumCharges(pr.beside, prices);
    const titles = input.by === "session"
      ? (await import("../../read/session_titles.ts")).readSessionTitles(store)
      : undefined;
    const own = await readOwnCalls(since && parseWhen(since, context.now()), context);
    return {
      ...sumCharges(charges, prices),
      by: input.by,
      groups: rows.length,
      costs: rows.slice(0, input.limit).map((row) => {
        const title = titles?.get(row.name);
        return title === undefined ? row : { ...row, title };
      }),
      prices: { date: pricesDate, own: prices.ownCount },
      unpriced_models: [
        ...new Set(charges.map(({ model }) => model).filter((model) => !prices.find(model))),
      ].map((model) => model || "unknown").sort(),
      ...(pr && beside
        ? {
          pr: {
            ...(pr.base === undefined ? {} : { base: pr.base }),
            ...(pr.because === undefined ? {} : { because: pr.because }),
            commits: pr.commits,
            unattributed: pr.unattributed,
            other_usd: beside.usd,
            other_tokens: beside.total_tokens,
          },
        }
        : {}),
      ...(own === undefined ? {} : { own_calls: own }),
    };
  },
  render: toCostScreen,
});

async function findPr(
  range: string,
  charges: readonly Charge[],
  context: Context,
): ReturnType<typeof import("../../recall/pr/branch_cost.ts").findBranchCost> {
  const { findBranchCost } = await import("../../recall/pr/branch_cost.ts");
  const { cwd, signal } = context;
  const store = await context.openStore();
  return await findBranchCost(store, charges, { range, cwd, signal, home: homeOf(context.env) });
}

/** The user's own prices; a file that is no list of prices is an error, not a guess. */
async function readOwnPrices(context: Context): Promise<unknown> {
  const [{ path } = { path: "" }] = configFiles(undefined, context.env);
  const file = path.replace(/[^/\\]*$/, "prices.jsonc");
  const text = path === "" ? undefined : findSmallText(file);
  if (text === undefined) return undefined;
  const value = await parseJsonc(text);
  if (typeof value === "object" && value !== null && "models" in value) return value;
  throw new CtxError("CONFIG_INVALID", `Cannot read "${file}": it has no "models"`, {
    hint: 'write { "models": { "NAME": { "input": 3, "output": 15 } } }',
  });
}

/** The models that ctx called, across all workspaces: not for servers, which see only theirs. */
async function readOwnCalls(
  since: string | undefined,
  context: Context,
): Promise<OwnCalls | undefined> {
  if (context.surface === "mcp" || context.surface === "http") return undefined;
  const stores = await openLedgerStores(context, {});
  const today = new Date(context.now()).toISOString().slice(0, 10);
  const all = stores.flatMap(({ files, layout }) => [...readUsage(files, layout)]);
  const calls = all.filter((call) => !since || call.ts >= since);
  const byDay = Map.groupBy(
    calls,
    ({ ts, model, provider }) => `${ts.slice(0, 10)}\0${model}\0${provider}`,
  );
  const days = byDay.values().toArray().map((some) => {
    const { ts, model, provider } = some[0];
    return { day: ts.slice(0, 10), model, provider, ...sumUp(some) };
  });
  return {
    ...sumUp(calls),
    today_tokens: sumUp(all.filter(({ ts }) => ts.startsWith(today))).total_tokens,
    daily_token_cap: (await context.readConfig()).get("llm.daily_token_cap"),
    days: days.sort((a, b) => a.day < b.day ? 1 : a.day > b.day ? -1 : 0),
  };
}

function sumUp(calls: readonly UsageRow[]): s.ObjectOf<typeof spent> {
  const sum = (count: (call: UsageRow) => number): number =>
    calls.reduce((total, call) => total + count(call), 0);
  return {
    calls: calls.length,
    input_tokens: sum((call) => call.input_tokens),
    output_tokens: sum((call) => call.output_tokens),
    total_tokens: sum((call) => call.input_tokens + call.output_tokens),
  };
}
