// The proof that a scoped server shows one session: everything is tried on a store with other
// sessions in it and on one without, and both must answer alike, byte for byte. What differs, or
// holds one of the planted secrets, is a leak. Works on stores that its caller made for it.

import type { AnyCommand, Context } from "../table/command.ts";
import { encode, execute } from "../table/execute.ts";
import { inputSchemaOf } from "../table/parse_input.ts";
import type { FieldSchema } from "../table/shape.ts";
import { toCtxError, toErrorBody } from "../core/errors.ts";
import { type Catalog, makeCatalog } from "./catalog.ts";

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
}

/** What was tried and what came through. */
export interface IsolationReport {
  attempts: number;
  leaks: { attempt: string; kind: "secret" | "difference"; detail: string }[];
}

/** Tries everything. */
export async function testIsolation(plan: IsolationPlan): Promise<IsolationReport> {
  const report: IsolationReport = { attempts: 0, leaks: [] };
  for (const attempt of listAttempts(plan)) {
    report.attempts++;
    const [crowded, alone] = [
      plan.crowded.normalise(await attempt.run(plan.crowded)),
      plan.alone.normalise(await attempt.run(plan.alone)),
    ];
    const secret = plan.secrets.find((word) => crowded.includes(word));
    if (secret !== undefined) {
      report.leaks.push({ attempt: attempt.name, kind: "secret", detail: secret });
    } else if (crowded !== alone) {
      report.leaks.push({
        attempt: attempt.name,
        kind: "difference",
        detail: firstDifference(crowded, alone),
      });
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
        run: (store) => runCommand(store, command, input),
      };
      if (command.tool === undefined) continue;
      yield {
        name: `tool ${command.tool} ${JSON.stringify(input)}`,
        run: (store) => callTool(store, plan, command.tool ?? "", input),
      };
    }
  }
}

function* listCatalogAttempts(plan: IsolationPlan): Generator<Attempt> {
  const withCatalog = (name: string, use: (catalog: Catalog) => unknown): Attempt => ({
    name,
    run: (store) => runCatalog(store, plan, use),
  });
  const { signal } = new AbortController();
  const { resources, prompts } = makeShape(plan);
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

async function runCommand(
  store: IsolatedStore,
  command: AnyCommand,
  input: object,
): Promise<string> {
  const said: string[] = [];
  try {
    const context = store.openContext((text) => said.push(text));
    said.push(encode(await execute(command, input, context)));
  } catch (thrown) {
    said.push(encode(toErrorBody(toCtxError(thrown))));
  }
  return said.join("\n");
}

async function callTool(
  store: IsolatedStore,
  plan: IsolationPlan,
  tool: string,
  input: object,
): Promise<string> {
  const commands = plan.commands.filter((command) => command.tool === tool);
  return await runCatalog(store, { ...plan, commands }, async (catalog) => {
    const found = catalog.tools.find(({ definition }) => definition.name === tool);
    return await found?.call(input, { signal: new AbortController().signal });
  });
}

async function runCatalog(
  store: IsolatedStore,
  plan: IsolationPlan,
  use: (catalog: Catalog) => unknown,
): Promise<string> {
  const said: string[] = [];
  try {
    const context = store.openContext((text) => said.push(text));
    const catalog = makeCatalog({ commands: plan.commands, context, tools: "all" });
    said.push(encode(await use(catalog) ?? null));
  } catch (thrown) {
    said.push(encode(toErrorBody(toCtxError(thrown))));
  }
  return said.join("\n");
}

/** The catalog for its names only. */
function makeShape(plan: IsolationPlan): Catalog {
  const context = plan.alone.openContext(() => {});
  return makeCatalog({ commands: plan.commands, context, tools: "all" });
}

function firstDifference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const from = Math.max(0, at - 40);
  return `${a.slice(from, at + 80)} instead of ${b.slice(from, at + 80)}`;
}
