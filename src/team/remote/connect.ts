// A connection to a PostgreSQL server: statements that go out whole, COPY both ways, notices. It is one
// session for as long as it lasts. The client library would open a new one by itself, in the middle of
// a transaction too: here a connection that is lost stays lost.

import type { ConnectionSettings } from "./connection_settings.ts";
import { placeOf } from "./connection_settings.ts";
import { broken } from "./copy_binary.ts";
import { CopySink } from "./copy_sink.ts";
import { noPasswordError, toRemoteError } from "./remote_errors.ts";

/** A row of an answer, by column. */
export type AnswerRow = Record<string, unknown>;

/** Many times what the state of a large team takes. */
const maxAnswerChars = 64 << 20;

/** What we use of the client library. */
interface Sql {
  unsafe(statement: string): Promise<unknown> & {
    forEach(onRow: (row: AnswerRow, result: unknown) => void): void;
    resolve: (answer: unknown) => void;
    reject: (error: unknown) => void;
  };
  end(options: { timeout: number }): Promise<void>;
}

/** A session on a server. */
export class RemoteConnection {
  /** How often we waited for the server, without the handshake. */
  roundTrips = 0;
  /** Settled when the session has ended, whoever ended it. */
  readonly ended: Promise<void>;
  readonly #settings: ConnectionSettings;
  readonly #place: string;
  readonly #sql: Sql;
  #isOpen = true;
  #onNotice: (payload: string) => void = () => {};
  #onGone: (code: string) => void = () => {};

  private constructor(settings: ConnectionSettings, open: (hooks: Hooks) => Sql) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#settings = settings;
    this.#place = placeOf(settings);
    this.#sql = open({
      onclose: () => {
        this.#isOpen = false;
        resolve();
        // The server's last word, such as why it ends, comes first.
        setTimeout(() => this.#onGone("CONNECTION_CLOSED"), 0);
      },
      onnotify: (_channel, payload) => this.#onNotice(payload),
    });
  }

  /** Connects and signs in. */
  static async open(settings: ConnectionSettings): Promise<RemoteConnection> {
    const { default: postgres } = await import("postgres");
    const connection = new RemoteConnection(
      settings,
      (hooks) => openSql(postgres, settings, hooks),
    );
    try {
      await connection.#sql.unsafe("");
    } catch (error) {
      await connection.close();
      const failed = toRemoteError(error, connection.#place);
      const isBare = failed.code === "REMOTE_DENIED" && settings.password === undefined;
      throw isBare ? noPasswordError(connection.#place, failed) : failed;
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
      return await this.#rowsOf(statement);
    } catch (error) {
      throw toRemoteError(error, this.#place);
    }
  }

  /** The rows of the last statement that has any, as far as a server of ours would answer so. */
  async #rowsOf(statement: string): Promise<AnswerRow[]> {
    let rows: AnswerRow[] = [];
    let last: unknown;
    let chars = 0;
    const query = this.#sql.unsafe(statement);
    query.forEach((row, result) => {
      if (result !== last) rows = [];
      last = result;
      rows.push(row);
      chars += JSON.stringify(row).length;
      if (chars <= maxAnswerChars) return;
      rows = [];
      void this.close();
    });
    const answer = await this.#answerOf(query).catch((error) => {
      throw chars > maxAnswerChars ? broken("its answer has no end") : error;
    });
    if (isStream(answer)) {
      answer.on("error", () => {});
      await this.close();
      throw broken("it answers with a COPY that nobody asked for");
    }
    return rows;
  }

  /** Sends data to a `copy … from stdin`, then runs a statement without waiting in between. */
  async copyIn(copy: string, chunks: Iterable<Uint8Array>, next: string): Promise<AnswerRow[]> {
    this.#refuseClosed();
    this.roundTrips += 2;
    const failure = Promise.withResolvers<never>();
    failure.promise.catch(() => {});
    try {
      const query = this.#sql.unsafe(copy);
      const stream = await this.#answerOf(query) as WritableLike;
      // The library has no place for an error that comes once the data is out: it would be lost.
      query.reject = failure.reject;
      stream.on("error", failure.reject);
      for (const chunk of chunks) {
        const isRoomLeft = stream.write(chunk);
        if (isRoomLeft) continue;
        const drained = new Promise((resolve) => stream.once("drain", () => resolve(undefined)));
        await this.#answerOf(Promise.race([drained, failure.promise]));
      }
      const done = new Promise((resolve) => stream.end(() => resolve(undefined)));
      await this.#answerOf(Promise.race([done, failure.promise]));
      return await this.#rowsOf(next);
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
      const query = this.#sql.unsafe(copy);
      const { resolve } = query;
      const sink = new CopySink();
      query.resolve = (answer) => {
        sink.attach(answer);
        resolve(answer);
      };
      await this.#answerOf(query);
      while (true) {
        const chunk = await this.#answerOf(sink.next());
        if (chunk === undefined) break;
        yield chunk;
      }
      if (this.#isOpen) sink.resume();
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

  /** Waits, but not for ever: not once the connection is lost, nor for a server that has gone silent. */
  async #answerOf<T>(answer: PromiseLike<T>): Promise<T> {
    const gone = Promise.withResolvers<never>();
    this.#onGone = (code) => gone.reject({ code });
    const timer = setTimeout(() => {
      gone.reject({ code: "ETIMEDOUT" });
      this.close();
    }, this.#settings.silenceSeconds * 1000);
    try {
      return await Promise.race([answer, gone.promise]);
    } finally {
      clearTimeout(timer);
      this.#onGone = () => {};
    }
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

/** Every option is given: the library would look for those that are missing in the environment. */
function openSql(
  postgres: typeof import("postgres"),
  settings: ConnectionSettings,
  hooks: Hooks,
): Sql {
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
    ...(host.startsWith("/") ? { socket: () => openSocket(`${host}/.s.PGSQL.${port}`) } : {}),
    ...hooks,
  } as Record<string, unknown>) as unknown as Sql;
}

async function openSocket(path: string): Promise<unknown> {
  const { UnixSocket } = await import("./unix_socket.ts");
  return await UnixSocket.connect(path);
}

function isStream(answer: unknown): answer is WritableLike {
  return typeof answer === "object" && answer !== null && !Array.isArray(answer) && "on" in answer;
}
