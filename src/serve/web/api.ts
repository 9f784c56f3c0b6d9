// `/api/<command>`: every command over HTTP, with the bytes of `--json`. GET for commands that read
// (input in the query), POST for all (input as a JSON object).

import type { AnyCommand, Context, Proposal } from "../../command/command.ts";
import { splitConfirm } from "../../command/confirm.ts";
import { encode, execute } from "../../command/execute.ts";
import type { FieldSchema } from "../../command/shape.ts";
import { inputSchemaOf, parseWord } from "../../command/parse_input.ts";
import { concat, decodePercent } from "../../core/utf8.ts";
import { CtxError, type ErrorCode, toCtxError, toErrorBody } from "../../core/errors.ts";

/** What the endpoint serves. */
export interface ApiOptions {
  findCommand(name: string): Promise<AnyCommand | undefined>;
  context: Context;
  readOnly?: boolean;
  /** The user's own page; whoever else has the token is an agent. */
  page?: object;
}

/** What only the user may run, and the home of their page shows; it changes nothing. */
const pageCommands: ReadonlySet<string> = new Set(["resume"]);

const maxBodyBytes = 16 * 1024 * 1024;

const statuses: Partial<Record<ErrorCode, number>> = {
  USAGE: 400,
  CONFIG_INVALID: 400,
  DENIED: 403,
  NOT_FOUND: 404,
  STORE_MISSING: 404,
  STORE_LOCKED: 423,
  DISK_FULL: 507,
  PROVIDER_FAILED: 502,
  PROVIDER_TIMEOUT: 504,
  UNCONFIRMED: 409,
  INTERRUPTED: 499,
};

/** Answers one request for a path under `/api/`. */
export async function serveApi(
  request: Request,
  path: string,
  options: ApiOptions,
): Promise<Response> {
  let proposal: Proposal | undefined;
  try {
    const { command, toInput, said } = await getCommand(
      request,
      path.slice("/api/".length),
      options,
    );
    const { input, confirm } = splitConfirm(
      command,
      request.method === "GET"
        ? readQuery(new URL(request.url).searchParams, command)
        : await readBody(request),
    );
    const consent = confirm || ((made: Proposal) => {
      proposal = made;
      return made.planned === undefined;
    });
    const agent = options.page === undefined ? "http" : undefined;
    const context = { ...options.context, agent, consent, signal: request.signal };
    const data = await execute(command, toInput?.(input) ?? input, context);
    const failure = command.failure?.(data);
    return json(encode(await toTold(data, { said, input })), failure === undefined ? 200 : 500);
  } catch (thrown) {
    const error = proposal?.planned === undefined ? toCtxError(thrown) : unconfirmed(proposal);
    const body = { error: toErrorBody(error), planned: proposal?.planned };
    return json(encode(body), statuses[error.code] ?? 500);
  }
}

function unconfirmed({ command, question }: Proposal): CtxError {
  const message = `Cannot run ${command.name}: "${question}" was not confirmed; nothing was done`;
  return new CtxError("UNCONFIRMED", message, { hint: 'send "confirm": true beside the input' });
}

interface Called {
  command: AnyCommand;
  /** What another name of it says beside the input. */
  toInput?(given: unknown): unknown;
  /** The name of the tool that it is, or is called by. */
  said?: string;
}

/** Whoever asks in the words of a document that ctx grew from is answered in them. */
async function toTold(
  data: object,
  { said = "", input }: { said: string | undefined; input: unknown },
): Promise<object> {
  const { findAnswer, toOtherAnswer } = await import("../../core/rows/other_answers.ts");
  const fields = findAnswer(said, input);
  return fields === undefined ? data : toOtherAnswer(fields, data);
}

async function getCommand(request: Request, path: string, options: ApiOptions): Promise<Called> {
  // A path that is not percent-encoded properly names no command.
  const name = decodePercent(path).replaceAll("/", " ");
  const called = await findCalled(name, options);
  if (called === undefined || called.command.local && !isForPage(called.command, options)) {
    throw new CtxError("NOT_FOUND", `Unknown command "${name.slice(0, 80)}"`, {
      hint: "GET /api lists them",
    });
  }
  if (request.method !== "GET" && request.method !== "POST") {
    throw new CtxError("USAGE", `Cannot ${request.method} a command: use GET or POST`);
  }
  if (called.command.effect === "read") return called;
  if (options.readOnly) throw new CtxError("DENIED", `Cannot run ${name}: the server is read-only`);
  if (request.method === "GET") {
    throw new CtxError("USAGE", `Cannot run ${name} with GET: it writes, use POST`);
  }
  return called;
}

/** Whether the user's own page may run a command that others than the user may not. */
function isForPage({ name }: AnyCommand, { page, context }: ApiOptions): boolean {
  return pageCommands.has(name) && page !== undefined && context.scopedSession === undefined;
}

/** The command of a name; other names are loaded when it is not one of ours. */
async function findCalled(name: string, options: ApiOptions): Promise<Called | undefined> {
  const own = await options.findCommand(name);
  if (own !== undefined) return { command: own, said: own.tool };
  const { findMeant, toMeantInput } = await import("../../command/aliases.ts");
  const meant = findMeant(name);
  const command = meant && await options.findCommand(meant.name);
  if (meant === undefined || command === undefined) return undefined;
  return { command, toInput: (given) => toMeantInput(meant, { command, given }), said: name };
}

async function readBody(request: Request): Promise<unknown> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return {};
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new CtxError("USAGE", "Cannot read the body: it is not JSON", { cause: error });
  }
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body ?? []) {
    size += part.length;
    if (size > maxBodyBytes) {
      throw new CtxError("USAGE", `Cannot read the body: it is longer than ${maxBodyBytes} bytes`);
    }
    parts.push(part);
  }
  return concat(parts);
}

/** Words in a query become what the field takes; the schema says no to the rest. */
function readQuery(query: URLSearchParams, command: AnyCommand): Record<string, unknown> {
  const { properties } = inputSchemaOf(command);
  const input: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const field: FieldSchema | undefined = Object.hasOwn(properties, name)
      ? properties[name]
      : undefined;
    const values = query.getAll(name).map((word) => toValue(word, field?.items ?? field));
    Object.defineProperty(input, name, {
      // A name that is not ours may stand for a list.
      value: field?.type === "array" || field === undefined && values.length > 1
        ? values
        : values.at(-1),
      enumerable: true,
    });
  }
  return input;
}

function toValue(word: string, field: FieldSchema | undefined): unknown {
  if (field?.type === "boolean") return word === "true" ? true : word === "false" ? false : word;
  return parseWord(word, field);
}

function json(text: string, status: number): Response {
  return new Response(text + "\n", { status, headers: { "content-type": "application/json" } });
}
