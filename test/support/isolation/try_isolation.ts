// The proof that a scoped server shows one session: everything is tried on a store with other
// sessions in it and on one without, and both must answer alike, byte for byte. What differs, or
// holds one of the planted secrets, is a leak. Works on stores that its caller made for it.

import type { AnyCommand, Context } from "../../../src/command/command.ts";
import { takesConfirm } from "../../../src/command/confirm.ts";
import { encode, execute } from "../../../src/command/execute.ts";
import { inputSchemaOf } from "../../../src/command/parse_input.ts";
import type { FieldSchema } from "../../../src/command/shape.ts";
import { toCtxError, toErrorBody } from "../../../src/core/errors.ts";
import { type Catalog, makeCatalog } from "../../../src/serve/mcp/catalog.ts";

/** One of the two stores, seen through the scope. */
export interface IsolatedStore {
  /** A fresh scoped context; everything it says goes to `say`. */
  openContext(say: (text: string) => void): Context;
  /** Replaces what differs by nature, such as the directory's name. */
  normalise(text: string): string;
}

/** What is tried, and what must never be seen. */
export interface IsolationPlan {
  commands: AnyCommand[];
  /** The store with other sessions, and the one without. */
  crowded: IsolatedStore;
  alone: IsolatedStore;
  /** Planted where only a leak could bring them from. */
  secrets: string[];
  /** Words an attacker might try: ids of other sessions, paths, patterns. */
  bait: string[];
  /** Inputs to try as they are, by command name. */
  inputs: { command: string; input: object }[];
  /** Tries only one of so many; all by default. */
  every?: number;
}

/** What was tried and what came through. */
export interface IsolationReport {
  attempts: number;
  leaks: { attempt: string; kind: "secret" | "difference"; detail: string }[];
}

/** Tries everything. */
export async function testIsolation(plan: IsolationPlan): Promise<IsolationReport> {
  const report: IsolationReport = { attempts: 0, leaks: [] };
  const { every = 1 } = plan;
  for (const { name, run } of [...listAttempts(plan)].filter((_, i) => i % every === 0)) {
    report.attempts++;
    const crowded = plan.crowded.normalise(await run(plan.crowded));
    const alone = plan.alone.normalise(await run(plan.alone));
    const secret = plan.secrets.find((word) => crowded.includes(word));
    if (secret !== undefined) report.leaks.push({ attempt: name, kind: "secret", detail: secret });
    else if (crowded !== alone) {
      const detail = firstDifference(crowded, alone);
      report.leaks.push({ attempt: name, kind: "difference", detail });
    }
  }
  return report;
}

interface Attempt {
  name: string;
  run(store: IsolatedStore): Promise<string>;
}

/** What reads comes first: an attempt that forgets would leave nothing to leak. */
function* listAttempts(plan: IsolationPlan): Generator<Attempt> {
  yield* listCatalogAttempts(plan);
  const order = ["read", "write", "destroy"];
  const commands = plan.commands.toSorted((a, b) =>
    order.indexOf(a.effect) - order.indexOf(b.effect)
  );
  for (const command of commands) {
    const inputs = [
      ...plan.inputs.filter((item) => item.command === command.name).map(({ input }) => input),
      ...baitInputs(command, plan.bait),
    ];
    for (const input of inputs) {
      yield {
        name: `${command.name} ${JSON.stringify(input)}`,
        run: (store) =>
          listen(store, (context) => execute(command, input, { ...context, consent: true })),
      };
      if (command.tool === undefined) continue;
      for (const given of takesConfirm(command) ? [input, { ...input, confirm: true }] : [input]) {
        yield {
          name: `tool ${command.tool} ${JSON.stringify(given)}`,
          run: (store) => listen(store, (context) => callTool(context, command, given)),
        };
      }
    }
  }
}

function* listCatalogAttempts(plan: IsolationPlan): Generator<Attempt> {
  const open = (context: Context): Catalog =>
    makeCatalog({ commands: plan.commands, context, tools: "all" });
  const withCatalog = (name: string, use: (catalog: Catalog) => unknown): Attempt => ({
    name,
    run: (store) => listen(store, (context) => use(open(context))),
  });
  const { signal } = new AbortController();
  const { resources, prompts } = open(plan.alone.openContext(() => {}));
  yield withCatalog("instructions", (catalog) => catalog.readInstructions());
  yield withCatalog("tools/list", (catalog) => catalog.listTools(undefined));
  for (const [i, { name }] of resources.entries()) {
    yield withCatalog(`resources/list ${name}`, ({ resources }) => resources[i].list?.());
    for (const word of ["", ...plan.bait]) {
      yield withCatalog(`read ${name} ${word}`, ({ resources }) => resources[i].read(word, signal));
      yield withCatalog(
        `complete ${name} ${word}`,
        ({ resources }) => resources[i].complete?.(word),
      );
    }
  }
  for (const [i, { name }] of prompts.entries()) {
    const values = { question: "q", topic: "t" };
    yield withCatalog(`prompt ${name}`, (catalog) => catalog.prompts[i].render(values));
  }
}

/**
 * Every text field of a command with every bait, alone and together with what is required; and
 * every switch and choice with the first one.
 */
function* baitInputs(command: AnyCommand, bait: string[]): Generator<object> {
  const { properties, required = [] } = inputSchemaOf(command);
  const fields = Object.entries(properties);
  const texts = fields.filter(([, field]) => takesText(field));
  const baseOf = (word: string): object =>
    Object.fromEntries(required.map((name) => [name, toBait(properties[name], word)]));
  for (const [name, field] of fields) {
    const values = field.type === "boolean" ? [true, false] : field.enum ?? [];
    for (const value of values) yield { ...baseOf(bait[0]), [name]: value };
  }
  for (const word of bait) {
    const base = baseOf(word);
    yield base;
    for (const [name, field] of texts) {
      if (!required.includes(name)) yield { ...base, [name]: toBait(field, word) };
    }
  }
}

function takesText(field: FieldSchema): boolean {
  return (field.type === "string" && field.enum === undefined) ||
    (field.type === "array" && field.items?.type === "string");
}

function toBait(field: FieldSchema, word: string): unknown {
  if (field.type === "array") return [word];
  if (field.enum) return field.enum[0];
  return field.type === "string" ? word : field.type === "boolean" ? true : field.minimum ?? 1;
}

/** Everything that is said when a context is used, also of a failure. */
async function listen(
  store: IsolatedStore,
  use: (context: Context) => unknown,
): Promise<string> {
  const said: string[] = [];
  try {
    said.push(encode(await use(store.openContext((text) => said.push(text))) ?? null));
  } catch (thrown) {
    said.push(encode(toErrorBody(toCtxError(thrown))));
  }
  return said.join("\n");
}

async function callTool(context: Context, command: AnyCommand, input: object): Promise<unknown> {
  const { tools } = makeCatalog({ commands: [command], context, tools: "all" });
  const found = tools.find(({ definition }) => definition.name === command.tool);
  return await found?.call(input, { signal: new AbortController().signal });
}

function firstDifference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const from = Math.max(0, at - 40);
  return `${a.slice(from, at + 80)} instead of ${b.slice(from, at + 80)}`;
}
