// A connection to a PostgreSQL server: statements and notices. It is one session for as long as it
// lasts. The client library would reconnect by itself, even in the middle of a transaction: here a
// connection that is lost stays lost.

import type { ConnectionSettings } from "./connection_settings.ts";
import { placeOf } from "./connection_settings.ts";
import { CtxError } from "../../core/errors.ts";
import { maxBodyBytes } from "../trust/wire_row.ts";
import { noPasswordError, toRemoteError } from "./remote_errors.ts";

export type AnswerRow = Record<string, unknown>;

/** Room for the largest row and more; many times what the state of a large team takes. */
const maxAnswerBytes = maxBodyBytes + (16 << 20);
/** A slow line gets a second more for this much that it has to send. */
const slowBytes = 10_000;

/** What we use of the client library. */
interface Sql {
  unsafe(statement: string, parameters?: string[]): Promise<unknown> & {
    forEach(onRow: (row: AnswerRow, result: unknown) => void): void;
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

  /**
   * Runs one statement or several; gives the rows of the last that has any. One with a parameter `$1`
   * goes alone. The server's log shows no parameters of statements that fail.
   */
  async run(statement: string, parameter?: string): Promise<AnswerRow[]> {
    if (!this.#isOpen) throw toRemoteError({ code: "CONNECTION_CLOSED" }, this.#place);
    // With a parameter the client library first asks the server for its type.
    this.roundTrips += parameter === undefined ? 1 : 2;
    try {
      return await this.#rowsOf(statement, parameter);
    } catch (error) {
      throw toRemoteError(error, this.#place);
    }
  }

  /** The rows of the last statement that has any, as far as a server of ours would answer so. */
  async #rowsOf(statement: string, parameter?: string): Promise<AnswerRow[]> {
    let rows: AnswerRow[] = [];
    let last: unknown;
    let bytes = 0;
    const query = this.#sql.unsafe(statement, parameter === undefined ? [] : [parameter]);
    query.forEach((row, result) => {
      if (result !== last) rows = [];
      last = result;
      rows.push(row);
      for (const value of Object.values(row)) bytes += sizeOf(value);
      if (bytes <= maxAnswerBytes) return;
      rows = [];
      void this.close();
    });
    const answer = await this.#answerOf(query, parameter?.length ?? 0).catch((error) => {
      if (bytes <= maxAnswerBytes) throw error;
    });
    if (bytes > maxAnswerBytes) throw broken("its response is endless");
    if (isStream(answer)) {
      answer.on("error", () => {});
      await this.close();
      throw broken("it sent a COPY that ctx did not ask for");
    }
    return rows;
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

  /** Waits, but not for ever: not once the connection is lost, nor for a server that has gone silent. */
  async #answerOf<T>(answer: PromiseLike<T>, sentBytes: number): Promise<T> {
    const gone = Promise.withResolvers<never>();
    this.#onGone = (code) => gone.reject({ code });
    const timer = setTimeout(() => {
      gone.reject({ code: "ETIMEDOUT" });
      this.close();
    }, (this.#settings.silenceSeconds + sentBytes / slowBytes) * 1000);
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

/** What a value of an answer takes. */
function sizeOf(value: unknown): number {
  return typeof value === "string" || value instanceof Uint8Array
    ? value.length
    : JSON.stringify(value).length;
}

function isStream(
  answer: unknown,
): answer is { on(event: string, listener: (error: unknown) => void): void } {
  return typeof answer === "object" && answer !== null && !Array.isArray(answer) && "on" in answer;
}

/** The refusal of data that cannot be what was asked for. */
function broken(fault: string): CtxError {
  return new CtxError("REMOTE_UNTRUSTED", `Cannot read the server's data: ${fault}`, {
    hint: "ask the administrator of the server; none of its data was accepted",
  });
}
