// A space as files that anything may carry: a folder for each store, which it alone writes. Nobody
// decides there who may do what; each reader does, by what the files say and who signed them.

import { CtxError } from "../../core/errors.ts";
import { toBase64Url } from "../trust/base64url.ts";
import type { SignKey } from "../trust/keys.ts";
import type { WireRow } from "../trust/wire_row.ts";
import type { FileCarrier } from "../carrier/file_carrier.ts";
import type {
  Access,
  Admission,
  Erasure,
  NewWriter,
  PushResult,
  RemoteSpace,
  TakenId,
} from "../remote/remote_space.ts";
import type { ErasureStatus, RemoteState, WrappedKey } from "../remote/remote_state.ts";
import { unknownSpaceError } from "../remote/remote_errors.ts";
import {
  type ErasureWord,
  type FoldedSpace,
  type FoldedWriter,
  foldSpace,
  isTrustedWriter,
  listErasures,
  mayErase,
  pendingFor,
} from "./fold_space.ts";
import {
  type Followed,
  followWriter,
  listFrom,
  pathOf,
  readFile,
  type WriterPlace,
} from "./follow_writer.ts";
import type { SpaceEvent } from "./space_event.ts";
import { encodeSpace, filesVersion, parseSpace, type SpaceClaim } from "./space_file.ts";
import {
  addFile,
  findJoin,
  formatViews,
  newView,
  parseViews,
  type WriterView,
} from "./writer_view.ts";
import {
  encodeAgain,
  encodeFile,
  fileName,
  type FileRow,
  parseFile,
  type WriterFile,
} from "./writer_file.ts";

/** Who opens a space, and what is kept of it between two syncs. */
export interface FileWorld {
  /** Signs what this store writes. */
  key?: SignKey;
  /** The root key of the space; its owner alone has it. */
  root?: SignKey;
  /** The invitation that this member joined with. */
  invite?: { name: string; key: Uint8Array; cert: Uint8Array };
  /** The address, as it is told to others. */
  url: string;
  /** What was known of the files; it can be lost. */
  memory: { read(): string; write(text: string): void };
  /** Which of some ids others have pushed, by the rows that are here. */
  findTaken: (ids: ReadonlySet<string>) => TakenId[];
  now: () => number;
  /** How often a watch looks. */
  pollMs: number;
}

/** How much of what a sync has just read is kept, so that its rows are not read twice. */
const keptBytes = 32 << 20;

/** How many files that are missing or wrong are named; more are counted. */
const maxNotices = 10;

/** How many folders are read at a time: each file may be large. */
const atOnce = 8;

/** A member's view of the files. */
export class FileSpace implements RemoteSpace {
  readonly ended: Promise<void>;
  readonly #carrier: FileCarrier;
  readonly #space: string;
  readonly #world: FileWorld;
  readonly #end: () => void;
  readonly #closing = new AbortController();
  readonly #awaited = new Map<string, string>();
  #views: Map<string, WriterView>;
  #followed = new Map<string, Followed>();
  #about?: SpaceClaim;
  #folded?: FoldedSpace;
  #kept = new Map<string, WriterFile>();
  #keptSize = 0;

  constructor(carrier: FileCarrier, space: string, world: FileWorld) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = resolve;
    this.#carrier = carrier;
    this.#space = space;
    this.#world = world;
    this.#views = parseViews(world.memory.read(), space);
  }

  get place(): string {
    return this.#carrier.place;
  }

  // deno-lint-ignore require-await -- a server has to be asked
  async prepare(): Promise<number> {
    return filesVersion;
  }

  async createSpace(
    { owner, rootKey, encrypted }: { owner: string; rootKey: Uint8Array; encrypted: boolean },
  ): Promise<void> {
    const { root } = this.#world;
    if (root === undefined) throw notOwner(this.#space);
    const bytes = encodeSpace({ space: this.#space, owner, rootKey, encrypted }, root);
    if (await this.#carrier.create(this.#aboutPath, bytes)) return;
    throw new CtxError(
      "USAGE",
      `Cannot create "${this.#space}" in ${this.place}: there is already a space of that name`,
      { hint: "choose another --space, or join it with an invitation from its owner" },
    );
  }

  async state(writer?: string): Promise<RemoteState> {
    const { about, folded } = await this.#read();
    const { members, writers, keys, cancelled } = folded;
    const { root, invite } = this.#world;
    if (invite !== undefined && cancelled.has(toBase64Url(invite.key))) throw revoked(this.#space);
    const isOwner = root !== undefined &&
      toBase64Url(root.publicKey) === toBase64Url(about.rootKey);
    const me = isOwner ? about.owner : invite?.name ?? "";
    if (writer !== undefined) this.#refuseLost(writer);
    return {
      version: filesVersion,
      space: this.#space,
      encrypted: about.encrypted,
      rootKey: about.rootKey,
      channel: "files",
      me,
      owner: about.owner,
      members,
      writers: [...writers.values()].map((item) => this.#present(item)),
      keys: keys.filter(({ holder }) => holder === writer || holder === `invite:${me}`),
      erasures: writer === undefined ? [] : pendingFor(folded, writer)
        .map(({ eraser, seq }) => ({ eraser, seq })),
      notices: this.#notices(folded),
      broken: [...this.#followed].flatMap(([of, { broken, view }]) =>
        broken === undefined ? [] : [{ writer: of, seq: view.seq + 1, bytes: broken.bytes }]
      ),
    };
  }

  async push(rows: readonly WireRow[], erasures: readonly Erasure[] = []): Promise<PushResult> {
    const { writer } = rows[0];
    const taken = await this.#findTaken(rows);
    if (taken.length > 0) return { inserted: 0, taken };
    const bySeq = Map.groupBy(erasures, ({ seq }) => seq);
    const events = [...bySeq].map(([seq, list]): SpaceEvent => ({
      type: "erase",
      seq,
      ids: list.map(({ id }) => id),
    }));
    await this.#write(writer, events, rows);
    if (events.length > 0) {
      const asked = new Set(bySeq.keys());
      await this.#scrubFor(writer, ({ eraser, seq }) => eraser === writer && asked.has(seq));
    }
    return { inserted: rows.length, taken };
  }

  async *pull(
    cursors: ReadonlyMap<string, number>,
    isOver: (writer: string) => boolean = () => false,
  ): AsyncGenerator<WireRow[], void, void> {
    const { folded } = await this.#ready();
    // What a killed sync left may since have been taken back: nothing else ever asks for it to go.
    await this.#dropCopies(this.#placeOf(this.#ownWriter()));
    for (const [writer, after] of cursors) {
      const item = folded.writers.get(writer);
      if (item === undefined) continue;
      const { reach = item.view.number } = this.#followed.get(writer) ?? {};
      for (const [number, last] of item.view.files) {
        if (last <= after || number > reach) continue;
        if (isOver(writer)) break;
        const file = await this.#readFile(writer, number);
        if (file === undefined) break;
        yield this.#toWire(item, file.rows.filter(({ seq }) => seq > after));
      }
    }
  }

  async pullAt(writer: string, seqs: readonly number[]): Promise<WireRow[]> {
    const { folded } = await this.#ready();
    const item = folded.writers.get(writer);
    if (item === undefined) return [];
    const wanted = new Set(seqs);
    const found: WireRow[] = [];
    let before = 0;
    for (const [number, last] of item.view.files) {
      const first = before + 1;
      before = last;
      if (!seqs.some((seq) => seq >= first && seq <= last)) continue;
      const file = await this.#readFile(writer, number);
      found.push(...this.#toWire(item, file?.rows.filter(({ seq }) => wanted.has(seq)) ?? []));
    }
    return found;
  }

  findAwaited(writer: string, seq: number): string | undefined {
    return this.#awaited.get(`${writer} ${seq}`);
  }

  async confirmErased(
    writer: string,
    erasures: readonly { eraser: string; seq: number }[],
  ): Promise<void> {
    if (erasures.length === 0) return;
    const { folded } = await this.#ready();
    const named = new Set(erasures.map(({ eraser, seq }) => `${eraser} ${seq}`));
    const open = pendingFor(folded, writer)
      .filter(({ eraser, seq }) => named.has(`${eraser} ${seq}`));
    if (open.length === 0) return;
    await this.#scrubFor(writer, (word) => open.includes(word));
    await this.#write(writer, [{
      type: "confirm",
      erasures: open.map(({ eraser, seq }) => ({ eraser, seq })),
    }]);
  }

  async erasures(): Promise<ErasureStatus[]> {
    return listErasures((await this.#ready()).folded);
  }

  async invite({ name, inviteKey, inviteCert }: Admission, role?: string): Promise<Access> {
    if (role !== undefined) {
      throw new CtxError("USAGE", `Cannot use the role "${role}": a space of files has no logins`, {
        hint: `leave out --role: ctx team invite ${name}`,
      });
    }
    const { folded } = await this.#read();
    const isTaken = [...folded.writers.values()].some((item) =>
      item.certified && item.name === name && !folded.cancelled.has(keyOf(item))
    );
    if (isTaken || folded.members.some((item) => item.name === name && item.owner)) {
      throw new CtxError("USAGE", `Cannot invite "${name}": the name is taken`, {
        hint: "ctx team members lists the members",
      });
    }
    const cancels = this.#invitesOf(folded, name).filter((key) => !folded.cancelled.has(key));
    await this.#write(this.#ownWriter(), [{
      type: "invite",
      name,
      invite_key: toBase64Url(inviteKey),
      invite_cert: toBase64Url(inviteCert),
      cancels,
    }]);
    return { url: this.#world.url, role: "" };
  }

  async join({ writer, signKey, ageRecipient, cert }: NewWriter): Promise<void> {
    const { about } = await this.#ready();
    const there = this.#views.get(writer);
    if (there !== undefined && findJoin(there)?.event.sign_key === toBase64Url(signKey)) return;
    const { root, invite } = this.#world;
    const seen = [...this.#views].map(([of, { number }]) => [of, number] as const);
    await this.#write(writer, [{
      type: "join",
      name: root === undefined ? invite?.name ?? "" : about.owner,
      sign_key: toBase64Url(signKey),
      ...(ageRecipient === undefined ? {} : { age_recipient: ageRecipient }),
      ...(root !== undefined || invite === undefined
        ? {}
        : { invite_key: toBase64Url(invite.key), invite_cert: toBase64Url(invite.cert) }),
      cert: toBase64Url(cert),
      seen: Object.fromEntries(seen),
    }]);
  }

  async putKeys(keys: readonly WrappedKey[]): Promise<void> {
    if (keys.length === 0) return;
    await this.#ready();
    const list = keys.map(({ holder, epoch, wrapped }) => ({
      ...{ holder, epoch },
      wrapped: toBase64Url(wrapped),
    }));
    await this.#write(this.#ownWriter(), [{ type: "keys", keys: list }]);
  }

  async revoke(name: string): Promise<boolean> {
    const { folded } = await this.#read();
    const writers = [...folded.writers.values()].filter((item) => item.name === name);
    await this.#write(this.#ownWriter(), [{
      type: "revoke",
      name,
      invite_keys: this.#invitesOf(folded, name),
      until: Object.fromEntries(writers.map(({ writer, view }) => [writer, view.number])),
    }]);
    return false;
  }

  async leave(writer: string): Promise<void> {
    const { folded } = await this.#ready();
    const gone = folded.writers.get(writer);
    if (gone === undefined) throw unknownSpaceError(this.place);
    await this.#scrub(gone, folded.erasures);
    await this.#write(this.#ownWriter(), [{ type: "leave", writer }]);
  }

  async listen(_channel: string, onNotice: (writer: string) => void): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    resolve();
    void this.#poll(onNotice).catch(() => this.#end());
    await promise;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#end();
    await this.#carrier[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #aboutPath(): string {
    return `${this.#space}/space.json`;
  }

  #placeOf(writer: string): WriterPlace {
    return { carrier: this.#carrier, space: this.#space, writer };
  }

  /** What there is to know, read unless it was. */
  async #ready(): Promise<{ about: SpaceClaim; folded: FoldedSpace }> {
    const [about, folded] = [this.#about, this.#folded];
    return about === undefined || folded === undefined ? await this.#read() : { about, folded };
  }

  /** Reads what is new in all folders. */
  async #read(): Promise<{ about: SpaceClaim; folded: FoldedSpace }> {
    const bytes = await this.#carrier.read(this.#aboutPath);
    if (bytes === undefined) throw unknownFolder(this.#space, this.place);
    const about = parseSpace(bytes, { space: this.#space, place: this.place });
    this.#kept = new Map();
    this.#keptSize = 0;
    const names = await this.#carrier.list(`${this.#space}/writers`);
    const writers = new Set([
      ...names.filter((name) => folderName.test(name)).map((name) => name.slice(0, -1)),
      ...this.#views.keys(),
    ]);
    const followed: (readonly [string, Followed])[] = [];
    const list = [...writers];
    for (let i = 0; i < list.length; i += atOnce) {
      followed.push(
        ...await Promise.all(
          list.slice(i, i + atOnce).map(async (writer) => {
            const found = await followWriter(
              this.#placeOf(writer),
              this.#views.get(writer),
              {
                onFile: (file) => this.#keep(file),
                isTrusted: (begun) => isTrustedWriter(about, writer, begun),
              },
            );
            return [writer, found] as const;
          }),
        ),
      );
    }
    this.#followed = new Map(followed);
    const views = followed.filter(([, { view }]) => view.number > 0)
      .map(([writer, { view }]) => [writer, view] as const);
    const folded = this.#folded = foldSpace(about, new Map(views));
    // Anybody who may write there can make up writers: they are told of, and not kept.
    this.#views = new Map(views.filter(([writer]) => folded.trusted.has(writer)));
    this.#remember();
    this.#about = about;
    return { about, folded };
  }

  #remember(): void {
    const text = formatViews(this.#views, this.#space);
    if (text !== this.#world.memory.read()) this.#world.memory.write(text);
  }

  #keep(file: WriterFile): void {
    const size = file.rows.reduce((sum, { body }) => sum + 200 + (body?.length ?? 0), 0);
    if (this.#keptSize + size > keptBytes) return;
    this.#keptSize += size;
    this.#kept.set(`${file.header.writer} ${file.header.number}`, file);
  }

  async #readFile(writer: string, number: number): Promise<WriterFile | undefined> {
    const view = this.#views.get(writer);
    const kept = this.#kept.get(`${writer} ${number}`);
    if (kept !== undefined || view === undefined) return kept;
    return await readFile(this.#placeOf(writer), view, number);
  }

  /** A store as it is told: of one whose files are gone, only what is still there. */
  #present({ view: _view, seen: _seen, certified: _, owner: _owner, ...item }: FoldedWriter) {
    const { reach = Infinity, view } = this.#followed.get(item.writer) ?? {};
    if (view === undefined || reach >= view.number) return item;
    const seq = view.files.findLast(([number]) => number <= reach)?.[1] ?? 0;
    return { ...item, seq: Math.min(item.seq, seq) };
  }

  #notices(folded: FoldedSpace): string[] {
    const nameOf = (writer: string): string =>
      folded.writers.get(writer)?.name ?? "an unknown store";
    const notices = [...this.#followed].flatMap(([writer, { waiting, broken, view }]) => {
      const path = pathOf({ space: this.#space, writer }, fileName(waiting ?? broken?.number ?? 0));
      if (waiting !== undefined) {
        return [
          `"${path}" of ${
            nameOf(writer)
          } has not arrived in ${this.place} yet; its rows come with a later sync`,
        ];
      }
      // With a name it is told by the sync, once, as a row that is refused.
      if (broken === undefined || view.number > 0) return [];
      return [
        `"${path}" in ${this.place} was ignored: it is not signed by the store that it names`,
      ];
    });
    const more = notices.length - maxNotices;
    if (more <= 0) return notices;
    const rest = `${more} more files in ${this.place} have not arrived yet or were ignored`;
    return [...notices.slice(0, maxNotices), rest];
  }

  /** Own files that are gone: written again they would be others, and nobody could follow. */
  #refuseLost(writer: string): void {
    const own = this.#followed.get(writer);
    if (own === undefined || own.reach >= own.view.number) return;
    throw new CtxError(
      "REMOTE_FORKED",
      `Cannot sync with "${this.#space}": the last ${
        own.view.number - own.reach
      } files that this store wrote are missing in ${this.place}; was it restored from a backup?`,
      { hint: "put them back, or push again under a new identity: ctx team add --again" },
    );
  }

  /** This store, by the key that signs for it. */
  #ownWriter(): string {
    const key = this.#world.key && toBase64Url(this.#world.key.publicKey);
    const own = [...this.#views].find(([, view]) => findJoin(view)?.event.sign_key === key);
    if (own !== undefined) return own[0];
    throw new CtxError(
      "REMOTE_DENIED",
      `Cannot write to "${this.#space}": this store has not joined it`,
      {
        hint: "ctx team add --again",
      },
    );
  }

  /** Writes this store's next file. */
  async #write(writer: string, events: SpaceEvent[], rows: readonly FileRow[] = []): Promise<void> {
    const { key, now } = this.#world;
    const view = this.#views.get(writer) ?? newView();
    if (key === undefined) throw notOwner(this.#space);
    const number = view.number + 1;
    const header = {
      ...{ format: 1 as const, space: this.#space, writer, number, previous: view.head },
      ts: new Date(now()).toISOString(),
      ...{ after: view.seq, rows: rows.length, events },
    };
    const { bytes, digest } = encodeFile(header, { rows, key });
    const path = pathOf({ space: this.#space, writer }, fileName(number));
    if (!await this.#carrier.create(path, bytes)) {
      // Only this store signs with its key: what another put there gives way.
      if (await this.#isOwnFile(path, header)) throw forked(this.#space);
      await this.#carrier.replace(path, bytes);
    }
    const next = structuredClone(view);
    addFile(next, { header, digest });
    this.#views.set(writer, next);
    this.#followed.set(writer, { view: next, reach: number });
    this.#remember();
    if (this.#about !== undefined) this.#folded = foldSpace(this.#about, this.#views);
  }

  async #isOwnFile(
    path: string,
    { writer, number }: { writer: string; number: number },
  ): Promise<boolean> {
    const file = parseFile(await this.#carrier.read(path) ?? new Uint8Array());
    const view = this.#views.get(writer);
    if (typeof file !== "object" || file.header.number !== number) return false;
    return await readFile(this.#placeOf(writer), view ?? newView(), number) !== undefined;
  }

  /** Ids that others have, or that were erased: neither is pushed again. */
  async #findTaken(rows: readonly WireRow[]): Promise<TakenId[]> {
    const { folded } = await this.#ready();
    const ids = new Set(rows.filter(({ kind }) => kind !== "void").map(({ id }) => id));
    const taken = new Map(this.#world.findTaken(ids).map((item) => [item.id, item]));
    const author = folded.writers.get(rows[0].writer)?.name;
    for (const word of folded.erasures) {
      if (!mayErase(word, author)) continue;
      for (const id of word.ids) {
        if (ids.has(id)) taken.set(id, { id, writer: word.eraser, seq: word.seq });
      }
    }
    return [...taken.values()];
  }

  #invitesOf(folded: FoldedSpace, name: string): string[] {
    const keys = folded.members.filter((item) => item.name === name && item.inviteKey !== null)
      .map(({ inviteKey }) => toBase64Url(inviteKey ?? new Uint8Array()));
    const used = [...folded.writers.values()].filter((item) => item.name === name && item.certified)
      .map(keyOf).filter((key) => key !== "");
    return [...new Set([...keys, ...used])];
  }

  /** Rows as they are told: what was erased has no body, also where its file still has one. */
  #toWire(item: FoldedWriter, rows: readonly FileRow[]): WireRow[] {
    const findWord = wordsFor(item, this.#folded?.erasures ?? []);
    return rows.map(({ gone, ...row }) => {
      if (row.body !== null) {
        return findWord(row) === undefined ? row : { ...row, body: null };
      }
      // Nobody signs the name of an eraser: that of one who may not erase it excuses nothing.
      const by = gone === undefined ? undefined : this.#folded?.writers.get(gone[0]);
      const isMeant = by?.certified && mayErase(by, item.name);
      const key = `${row.writer} ${row.seq}`;
      if (isMeant && gone !== undefined && by.view.number < gone[1]) {
        this.#awaited.set(key, pathOf({ space: this.#space, writer: gone[0] }, fileName(gone[1])));
      } else this.#awaited.delete(key);
      return row;
    });
  }

  /** Takes bodies out of this store's files, and out of those of stores that are gone. */
  async #scrubFor(writer: string, isMeant: (word: ErasureWord) => boolean): Promise<void> {
    const { folded } = await this.#ready();
    const words = folded.erasures.filter(isMeant);
    const ofOwn = words.some(({ eraser }) => eraser === writer);
    for (const item of folded.writers.values()) {
      if (item.writer === writer || ofOwn && item.leftAt !== null) await this.#scrub(item, words);
    }
  }

  async #scrub(item: FoldedWriter, words: readonly ErasureWord[]): Promise<void> {
    if (!words.some((word) => mayErase(word, item.name))) return;
    const findWord = wordsFor(item, words);
    const place = this.#placeOf(item.writer);
    for (const [number] of item.view.files) {
      const file = await readFile(place, item.view, number);
      let isHit = false;
      const rows = file?.rows.map((row): FileRow => {
        const word = row.body === null ? undefined : findWord(row);
        if (word === undefined) return row;
        isHit = true;
        return { ...row, body: null, gone: [word.eraser, word.number] };
      });
      if (file === undefined || rows === undefined || !isHit) continue;
      this.#kept.delete(`${item.writer} ${number}`);
      await this.#carrier.replace(pathOf(place, fileName(number)), encodeAgain(file, rows));
    }
    await this.#dropCopies(place);
  }

  /** Copies that a carrier made, and drafts of a killed sync, still have what was erased. */
  async #dropCopies(place: WriterPlace): Promise<void> {
    for (const name of await this.#carrier.list(`${place.space}/writers/${place.writer}`)) {
      if (/^\.?\d{8}\b/.test(name) && !/^\d{8}\.ndjson$/.test(name) && !name.endsWith("/")) {
        await this.#carrier.remove(pathOf(place, name));
      }
    }
  }

  /** Looks for files that are new, until the session is closed. */
  async #poll(onNotice: (writer: string) => void): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await pause(this.#world.pollMs, signal);
      if (signal.aborted) return;
      const names = await this.#carrier.list(`${this.#space}/writers`);
      for (const name of names.filter((item) => folderName.test(item))) {
        const writer = name.slice(0, -1);
        const view = this.#views.get(writer);
        if (view === undefined && (this.#followed.get(writer)?.reach ?? 0) > 0) continue;
        const number = view?.number ?? 0;
        if ((await listFrom(this.#placeOf(writer), number + 1)).size > 0) onNotice(writer);
      }
    }
  }
}

const folderName = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/$/;

/** Finds the word that takes the body of a writer's row: never of a row that says so itself. */
function wordsFor(
  { name }: FoldedWriter,
  words: readonly ErasureWord[],
): (row: WireRow) => ErasureWord | undefined {
  const byId = new Map<string, ErasureWord[]>();
  for (const word of words.filter((item) => mayErase(item, name))) {
    for (const id of word.ids) byId.set(id, [...byId.get(id) ?? [], word]);
  }
  return ({ id, kind, writer, seq }) =>
    kind === "erase"
      ? undefined
      : byId.get(id)?.find((word) => word.eraser !== writer || word.seq !== seq);
}

function keyOf({ inviteKey }: FoldedWriter): string {
  return inviteKey === null ? "" : toBase64Url(inviteKey);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}

function unknownFolder(space: string, place: string): CtxError {
  return new CtxError(
    "NOT_FOUND",
    `Cannot open the space "${space}" in ${place}: it is not there`,
    {
      hint:
        "check the name and the folder; if the folder is still being copied to this machine, wait until it has arrived",
    },
  );
}

function notOwner(space: string): CtxError {
  return new CtxError("DENIED", `Cannot change "${space}": you are not its owner`, {
    hint: "ctx team members shows who the owner is",
  });
}

function revoked(space: string): CtxError {
  return new CtxError("REMOTE_DENIED", `Cannot sync with "${space}": you were removed from it`, {
    hint: "ask its owner for a new invitation, then: ctx team add --again --invite FILE",
  });
}

function forked(space: string): CtxError {
  return new CtxError(
    "REMOTE_FORKED",
    `Cannot push to "${space}": a copy of this store has written there under the same identity`,
    { hint: "give one of them a new identity: ctx team add --again" },
  );
}
