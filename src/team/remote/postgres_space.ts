// A space on a PostgreSQL server. What it may do is decided there, by the
// schema's policies and functions; here are the statements.

import * as z from "zod/mini";
import { CtxError } from "../../core/errors.ts";
import { toBase64Url } from "../trust/base64url.ts";
import type { WireRow } from "../trust/wire_row.ts";
import { RemoteConnection } from "./connect.ts";
import { type ConnectionSettings, placeOf, toLoginUrl } from "./connection_settings.ts";
import { tooNewError, tooOldError } from "./remote_errors.ts";
import {
  type ErasureStatus,
  readStateVersion,
  type RemoteState,
  toErasureStatus,
  toRemoteState,
  type WrappedKey,
} from "./remote_state.ts";
import { toScramVerifier } from "./scram.ts";
import type {
  Access,
  Admission,
  Erasure,
  NewWriter,
  PushResult,
  RemoteSpace,
  TakenId,
} from "./remote_space.ts";
import { count, readAnswer, uuid } from "./server_answer.ts";
import { migrate, type MigrateResult } from "./migrate.ts";
import { schemaVersion } from "../schema/migrations.ts";
import {
  arrayLiteral,
  bytesLiteral,
  identifier,
  integerLiteral,
  textLiteral,
  uuidLiteral,
} from "./sql_literal.ts";
import { batchRows, pageOf, readPage, toPushed, wireColumns } from "./wire_page.ts";

/** A login that was made for a member. */
export interface NewLogin {
  role: string;
  password: string;
}

const pushedRows = z.tuple([z.object({ inserted: count })]);

const takenRows = z.array(z.discriminatedUnion("is_filled", [
  z.object({ is_filled: z.literal(true), seq: count }),
  z.object({ is_filled: z.literal(false), id: z.string(), writer: uuid, own_seq: count }),
]));

/** A member's session in a space. */
export class PostgresSpace implements RemoteSpace {
  readonly #connection: RemoteConnection;
  readonly #settings: ConnectionSettings;
  readonly #space: string;

  private constructor(connection: RemoteConnection, settings: ConnectionSettings, space: string) {
    this.#connection = connection;
    this.#settings = settings;
    this.#space = space;
  }

  /** Connects; whether the space is there shows with the first call. */
  static async connect(settings: ConnectionSettings, space: string): Promise<PostgresSpace> {
    return new PostgresSpace(await RemoteConnection.open(settings), settings, space);
  }

  /** How the server is named in messages. */
  get place(): string {
    return placeOf(this.#settings);
  }

  /** How often we waited for the server, without the handshake. */
  get roundTrips(): number {
    return this.#connection.roundTrips;
  }

  /** Settled when the session has ended, whoever ended it. */
  get ended(): Promise<void> {
    return this.#connection.ended;
  }

  /** Makes the schema or brings it to this version; gives the version. */
  async prepare(): Promise<number> {
    return (await this.migrate()).to;
  }

  /** The same, with the version before; needs an owner's rights. */
  async migrate(): Promise<MigrateResult> {
    return await migrate(this.#connection);
  }

  /** Makes the space; this role becomes its owner, under this name. */
  async createSpace(
    { owner, rootKey, encrypted }: { owner: string; rootKey: Uint8Array; encrypted: boolean },
  ): Promise<void> {
    await this.#call("create_space", textLiteral(owner), bytesLiteral(rootKey), String(encrypted));
  }

  /** All that a sync needs to know; `writer` is this store's, once it has joined. */
  async state(writer?: string): Promise<RemoteState> {
    const by = writer === undefined ? "null::uuid" : uuidLiteral(writer);
    const answer = await this.#call("state", by);
    const version = readStateVersion(answer);
    if (version > schemaVersion) throw tooNewError(version, schemaVersion);
    if (version < schemaVersion) throw tooOldError(version, schemaVersion);
    return toRemoteState(answer);
  }

  /**
   * Pushes a batch of one writer, in the order of seq, with the erasures that its rows ask for: all of
   * it or nothing. A batch that came in before, with its answer lost, counts as pushed.
   */
  async push(rows: readonly WireRow[], erasures: readonly Erasure[] = []): Promise<PushResult> {
    const connection = this.#connection;
    const space = textLiteral(this.#space);
    const columns = wireColumns.join(", ");
    const batch = toPushed(rows);
    const { writer } = rows[0];
    try {
      await connection.run("begin isolation level read committed");
      const answer = await connection.run(
        `with pushed as (
           insert into ctx.log (space, ${columns}) select ${space}, ${columns} from ${batchRows}
           on conflict do nothing returning 1
         ) select count(*)::int as inserted from pushed`,
        batch,
      );
      const [{ inserted }] = readAnswer(pushedRows, answer);
      const taken = inserted === rows.length ? [] : await this.#findTaken(batch);
      const erase = erasures.length === 0 ? "" : `select ${this.#eraseCall(writer, erasures)};`;
      await connection.run(
        taken.length > 0
          ? "rollback"
          : `${erase} select ctx.tell_members(${space}, ${uuidLiteral(writer)}); commit`,
      );
      return { inserted: taken.length > 0 ? 0 : inserted, taken };
    } catch (error) {
      if (connection.isOpen) await connection.run("rollback");
      throw error;
    }
  }

  /** Ids of the batch that lie elsewhere; a place of the batch that another row holds is an error. */
  async #findTaken(batch: string): Promise<TakenId[]> {
    const space = textLiteral(this.#space);
    const answer = await this.#connection.run(
      `select p.seq::float8 as seq, p.id, at.id is not null as is_filled,
         own.writer::text as writer, own.seq::float8 as own_seq
       from ${batchRows}
       left join ctx.log at on at.space = ${space} and at.writer = p.writer and at.seq = p.seq
       left join ctx.log own on own.space = ${space} and own.id = p.id
       where (at.id, at.sig) is distinct from (p.id, p.sig) order by p.seq`,
      batch,
    );
    return readAnswer(takenRows, answer).map((row) => {
      if (!row.is_filled) return { id: row.id, writer: row.writer, seq: row.own_seq };
      throw new CtxError(
        "REMOTE_FORKED",
        `Cannot push row ${row.seq}: the space already has a different row there`,
        {
          hint:
            "two stores use the same identity, for example after copying a directory; give one a new identity: ctx team add --again",
        },
      );
    });
  }

  /**
   * The rows beyond a seq of each writer named, in the order of the map and then of seq, page by page.
   * All pages show one moment: rows that come meanwhile are for the next time. Of a writer that
   * `isOver` names nothing more is asked for.
   */
  async *pull(
    cursors: ReadonlyMap<string, number>,
    isOver: (writer: string) => boolean = () => false,
  ): AsyncGenerator<WireRow[], void, void> {
    if (cursors.size === 0) return;
    const connection = this.#connection;
    // Each writer is one range of the key, read in its order: nothing is sorted, and no row is read
    // by workers that would mix them.
    let begin = `begin isolation level repeatable read read only;
      set local max_parallel_workers_per_gather = 0;`;
    try {
      for (let left = [...cursors]; left.length > 0;) {
        const after = left.map(([writer, seq]) =>
          `(${uuidLiteral(writer)}, ${integerLiteral(seq)}::bigint)`
        );
        const page = pageOf(
          `(values ${after.join(",")}) c (writer, seq) cross join lateral (
             select * from ctx.log o where o.space = ${textLiteral(this.#space)}
               and o.writer = c.writer and o.seq > c.seq order by o.seq
           ) l`,
        );
        const { rows, isLast } = readPage(await connection.run(begin + page));
        begin = "";
        if (rows.length > 0) yield rows;
        if (isLast) return;
        // A server that does not go forward is not asked for ever.
        const { writer, seq } = rows[rows.length - 1];
        const at = left.findIndex((cursor) => cursor[0] === writer && cursor[1] < seq);
        left = at < 0 ? [] : left.slice(at).with(0, [writer, seq]);
        left = left.filter((cursor) => !isOver(cursor[0]));
      }
    } finally {
      if (connection.isOpen) await connection.run("commit");
    }
  }

  /** Some rows of a writer, by seq. */
  async pullAt(writer: string, seqs: readonly number[]): Promise<WireRow[]> {
    const found: WireRow[] = [];
    for (let left = seqs; left.length > 0;) {
      const page = pageOf(
        `(select * from ctx.log where space = ${textLiteral(this.#space)}
           and writer = ${uuidLiteral(writer)}
           and seq = any (${arrayLiteral(left.map(integerLiteral), "bigint")}) order by seq) l`,
      );
      const { rows, isLast } = readPage(await this.#connection.run(page));
      found.push(...rows);
      const last = isLast ? Infinity : rows[rows.length - 1].seq;
      const rest = left.filter((seq) => seq > last);
      left = rest.length < left.length ? rest : [];
    }
    return found;
  }

  /** A server has all that it tells of. */
  findAwaited(): undefined {
    return undefined;
  }

  /** Says that the bytes are gone from this writer's disk. */
  async confirmErased(
    writer: string,
    erasures: readonly { eraser: string; seq: number }[],
  ): Promise<void> {
    if (erasures.length === 0) return;
    await this.#call(
      "confirm_erased",
      uuidLiteral(writer),
      arrayLiteral(erasures.map(({ eraser }) => uuidLiteral(eraser)), "uuid"),
      arrayLiteral(erasures.map(({ seq }) => integerLiteral(seq)), "bigint"),
    );
  }

  /** Every erasure, and who has confirmed it. */
  async erasures(): Promise<ErasureStatus[]> {
    return toErasureStatus(await this.#call("erasures"));
  }

  /** Lets somebody in: with a login of their own, or with one that exists. */
  async invite(as: Admission, role?: string): Promise<Access> {
    if (role !== undefined) await this.admit({ ...as, role });
    const login = role === undefined ? await this.createLogin(as) : { role };
    return { role: login.role, url: toLoginUrl(this.#settings, login) };
  }

  /**
   * Makes a login for a member and, where it is told as whom, lets it in: both or none of it. Its name is
   * drawn: names of roles are seen by all who may connect.
   */
  async createLogin(as?: Admission): Promise<NewLogin> {
    const role = `ctx_${crypto.getRandomValues(new Uint8Array(8)).toHex()}`;
    const password = toBase64Url(crypto.getRandomValues(new Uint8Array(24)));
    const verifier = toScramVerifier(password);
    const admit = as === undefined ? "" : `; ${this.#admitCall({ ...as, role })}`;
    const [row] = await this.#connection.run(
      `create role ${identifier(role)} login password ${textLiteral(verifier)}${admit}`,
    );
    await this.#dropLogin(row?.answer);
    return { role, password };
  }

  /** Lets a role in under a name; the owner's alone. */
  async admit(as: Admission & { role: string }): Promise<void> {
    const [row] = await this.#connection.run(this.#admitCall(as));
    await this.#dropLogin(row?.answer);
  }

  /** Makes this store a writer of the member that signed in. */
  async join({ writer, signKey, ageRecipient, cert }: NewWriter): Promise<void> {
    await this.#call(
      "join_space",
      uuidLiteral(writer),
      bytesLiteral(signKey),
      textLiteral(ageRecipient ?? null),
      bytesLiteral(cert),
    );
  }

  /** Keeps wrapped keys: for one's own writers; the owner also for others. */
  async putKeys(keys: readonly WrappedKey[]): Promise<void> {
    if (keys.length === 0) return;
    await this.#call(
      "put_keys",
      arrayLiteral(keys.map(({ holder }) => textLiteral(holder)), "text"),
      arrayLiteral(keys.map(({ epoch }) => integerLiteral(epoch)), "integer"),
      arrayLiteral(keys.map(({ wrapped }) => bytesLiteral(wrapped)), "bytea"),
    );
  }

  /** Ends a membership; the owner's alone. True when a login made for it could be removed as well. */
  async revoke(name: string): Promise<boolean> {
    return await this.#dropLogin(await this.#call("revoke_member", textLiteral(name)));
  }

  /** Removes a login that was made for a member and is in no space any more, where that can be. */
  async #dropLogin(role: unknown): Promise<boolean> {
    if (typeof role !== "string" || !/^ctx_[0-9a-f]{16}$/.test(role)) return false;
    try {
      await this.#connection.run(`drop role ${identifier(role)}`);
      return true;
    } catch (error) {
      // Whoever may not make roles may not remove them; without rights it opens nothing.
      if (this.#connection.isOpen) return false;
      throw error;
    }
  }

  /** Ends this writer; its rows stay. */
  async leave(writer: string): Promise<void> {
    await this.#call("leave_space", uuidLiteral(writer));
  }

  /** Hears of pushes, on the channel that state() names; the notice is the writer that pushed. */
  async listen(channel: string, onNotice: (writer: string) => void): Promise<void> {
    await this.#connection.listen(channel, onNotice);
  }

  /** Ends the session. */
  async close(): Promise<void> {
    await this.#connection.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Calls a function of the schema with the space and SQL values; gives its answer. */
  async #call(name: string, ...values: string[]): Promise<unknown> {
    const words = [textLiteral(this.#space), ...values].join(", ");
    const [row] = await this.#connection.run(`select ctx.${name}(${words}) as answer`);
    return row?.answer;
  }

  #admitCall({ name, role, inviteKey, inviteCert }: Admission & { role: string }): string {
    const words = [this.#space, name, role].map(textLiteral);
    words.push(bytesLiteral(inviteKey), bytesLiteral(inviteCert));
    return `select ctx.admit(${words.join(", ")}) as answer`;
  }

  #eraseCall(writer: string, erasures: readonly Erasure[]): string {
    const seqs = arrayLiteral(erasures.map(({ seq }) => integerLiteral(seq)), "bigint");
    const ids = arrayLiteral(erasures.map(({ id }) => textLiteral(id)), "text");
    return `ctx.erase(${textLiteral(this.#space)}, ${uuidLiteral(writer)}, ${seqs}, ${ids})`;
  }
}
