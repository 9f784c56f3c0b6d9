// A connection to a PostgreSQL server: statements that go out whole, COPY both ways, notices. It is one
// session for as long as it lasts. The client library would open a new one by itself, in the middle of
// a transaction too: here a connection that is lost stays lost.

import type { ConnectionSettings } from "./connection_settings.ts";
import { placeOf } from "./connection_settings.ts";
import { toRemoteError } from "./remote_errors.ts";

/** A row of an answer, by column. */
export type AnswerRow = Record<string, unknown>;

/** What we use of the client library. */
type Sql = Awaited<ReturnType<typeof openSql>>;

/** A session on a server. */
export class RemoteConnection {
  /** How often we waited for the server, without the handshake. */
  roundTrips = 0;
  /** Settled when the session has ended, whoever ended it. */
  readonly ended: Promise<void>;
  readonly #place: string;
  readonly #sql: Sql;
  #isOpen = true;
  #onNotice: (payload: string) => void = () => {};

  private constructor(place: string, open: (hooks: Hooks) => Sql) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#place = place;
    this.#sql = open({
      onclose: () => {
        this.#isOpen = false;
        resolve();
      },
      onnotify: (_channel, payload) => this.#onNotice(payload),
    });
  }

  /** Connects and signs in. */
  static async open(settings: ConnectionSettings): Promise<RemoteConnection> {
    const { default: postgres } = await import("postgres");
    const connection = new RemoteConnection(
      placeOf(settings),
      (hooks) => openSql(postgres, settings, hooks),
    );
    try {
      await connection.#sql.unsafe("");
    } catch (error) {
      await connection.close();
      throw toRemoteError(error, connection.#place);
    }
    return connection;
  }

  /** Whether the session still stands. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Runs one statement or several; gives the rows of the last that has any. */
  async run(statement: string): Promise<AnswerRow[]> {
    this.#refuseClosed();
    this.roundTrips += 1;
    try {
      return lastRows(await this.#sql.unsafe(statement));
    } catch (error) {
      throw toRemoteError(error, this.#place);
    }
  }

  /** Sends data to a `copy … from stdin`, then runs a statement without waiting in between. */
  async copyIn(copy: string, chunks: Iterable<Uint8Array>, next: string): Promise<AnswerRow[]> {
    this.#refuseClosed();
    this.roundTrips += 2;
    const failure = Promise.withResolvers<never>();
    failure.promise.catch(() => {});
    try {
      const query = this.#sql.unsafe(copy);
      const stream = await query as unknown as WritableLike;
      // The library has no place for an error that comes once the data is out: it would be lost.
      (query as unknown as Rejectable).reject = failure.reject;
      stream.on("error", failure.reject);
      for (const chunk of chunks) {
        const isRoomLeft = stream.write(chunk);
        if (isRoomLeft) continue;
        const drained = new Promise((resolve) => stream.once("drain", () => resolve(undefined)));
        await Promise.race([drained, failure.promise, this.#lost()]);
      }
      const done = new Promise((resolve) => stream.end(() => resolve(undefined)));
      await Promise.race([done, failure.promise, this.#lost()]);
      return lastRows(await this.#sql.unsafe(next));
    } catch (error) {
      throw toRemoteError(error, this.#place);
    }
  }

  /** Reads a `copy … to stdout`. Left before its end, the connection is closed. */
  async *copyOut(copy: string): AsyncGenerator<Uint8Array, void, void> {
    this.#refuseClosed();
    this.roundTrips += 1;
    let isWhole = false;
    try {
      const stream = await this.#sql.unsafe(copy) as unknown as AsyncIterable<Uint8Array>;
      for await (const chunk of stream) yield chunk;
      isWhole = true;
    } catch (error) {
      throw toRemoteError(error, this.#place);
    } finally {
      if (!isWhole) await this.close();
    }
  }

  /** Hears what is told on a channel, beside everything else. */
  async listen(channel: string, onNotice: (payload: string) => void): Promise<void> {
    this.#onNotice = onNotice;
    await this.run(`listen ${channel}`);
  }

  /** Ends the session at once, whatever is under way. */
  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#sql.end({ timeout: 0 });
  }

  #refuseClosed(): void {
    if (this.#isOpen) return;
    throw toRemoteError({ code: "CONNECTION_CLOSED" }, this.#place);
  }

  async #lost(): Promise<never> {
    await this.ended;
    throw { code: "CONNECTION_CLOSED" };
  }
}

interface Hooks {
  onclose: () => void;
  onnotify: (channel: string, payload: string) => void;
}

interface WritableLike {
  write(chunk: Uint8Array): boolean;
  end(done: () => void): void;
  once(event: string, listener: () => void): void;
  on(event: string, listener: (error: unknown) => void): void;
}

interface Rejectable {
  reject: (error: unknown) => void;
}

/** Every option is given: the library would look for those that are missing in the environment. */
function openSql(
  postgres: typeof import("postgres"),
  settings: ConnectionSettings,
  hooks: Hooks,
) {
  const { host, port, user, password, database, tls, timeoutSeconds } = settings;
  return postgres({
    host,
    port,
    user,
    pass: password ?? "",
    database,
    ssl: tls === undefined ? false : { ca: tls.authorities, servername: tls.host },
    sslnegotiation: null,
    max: 1,
    idle_timeout: 0,
    connect_timeout: timeoutSeconds,
    max_lifetime: 0,
    max_pipeline: 100,
    backoff: 0,
    keep_alive: 30,
    prepare: false,
    debug: false,
    fetch_types: false,
    publications: "",
    target_session_attrs: undefined,
    connection: { application_name: "ctx" },
    onnotice: () => {},
    ...hooks,
  } as Record<string, unknown>);
}

/** Several statements answer with a list of lists. */
function lastRows(answer: unknown): AnswerRow[] {
  const list = answer as unknown[];
  const last = list.length > 0 && Array.isArray(list[0]) ? list[list.length - 1] : list;
  return [...last as AnswerRow[]];
}
