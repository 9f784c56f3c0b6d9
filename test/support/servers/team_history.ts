// Random histories of a team: eight stores, each with a home of its own, on a real server or with a folder
// each. People save, correct, forget, take back and sync in any order, while connections are cut, clients
// die in the middle of a write, the server crashes, and files come late, twice, forged or not at all. In
// the end everybody syncs until nothing moves, and all must agree.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { CtxError } from "../../../src/core/errors.ts";
import { tombstoneType } from "../../../src/core/entry.ts";
import { makeFiles } from "../../../src/disk/files.ts";
import { openStore, type Store } from "../../../src/store/store.ts";
import { listWriters, teamLogOf } from "../../../src/store/team/team_order.ts";
import { openGate } from "../../../src/team/sync/gate.ts";
import { connectSpace, getIdentity, openSpace } from "../../../src/team/sync/open_space.ts";
import { lockSync, type SyncReport, syncStore } from "../../../src/team/sync/sync_store.ts";
import type { RemoteSpace } from "../../../src/team/remote/remote_space.ts";
import { Crash, type Fault, FaultySystem } from "../stores/faulty_system.ts";
import { copyTree } from "../stores/tree.ts";
import type { HistoryStage, Player } from "./history_stage.ts";
import { Teammate } from "./teammates.ts";
import { TempStore } from "../stores/temp_store.ts";
import { realPath } from "../../../src/core/platform_path.ts";

/** How much is done. */
export interface HistoryOptions {
  seed: number;
  steps: number;
  /** Whether the server crashes once on the way. */
  serverCrash?: boolean;
}

/** What was done, by name. */
export type Tally = Map<string, number>;

const names = ["ada", "bob", "cyd", "dan", "eve", "fay", "gus", "hal"];
const memory = existsSync("/dev/shm") ? "/dev/shm" : undefined;
/** No real syncs: thousands of small files are written. */
const quickFiles = () => makeFiles(new FaultySystem({ failAt: 0, afterBytes: 0, fault: "kill" }));

/** Eight people in a space, as they are before a history: joined, with empty stores. */
export class HistoryTeam implements AsyncDisposable {
  readonly tally: Tally = new Map();
  readonly #stage: HistoryStage;
  /** Sessions last longer than a history: signing in costs more than a sync. */
  readonly #sessions = new Map<string, RemoteSpace>();

  private constructor(stage: HistoryStage) {
    this.#stage = stage;
  }

  static async make(
    open: (names: readonly string[]) => Promise<HistoryStage>,
  ): Promise<HistoryTeam> {
    return new HistoryTeam(await open(names));
  }

  /** Runs one history from the beginning; throws with its seed when something does not hold. */
  async run(options: HistoryOptions): Promise<void> {
    await this.#stage.reset();
    const { tally } = this;
    const history = new History(options, { stage: this.#stage, tally, sessions: this.#sessions });
    try {
      await history.run();
    } catch (error) {
      const told = history.told.join("\n  ");
      throw new Error(`history of seed ${options.seed}:\n  ${told}`, { cause: error });
    } finally {
      await history.end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const session of this.#sessions.values()) await session.close();
    await this.#stage[Symbol.asyncDispose]();
  }
}

class History {
  readonly told: string[] = [];
  readonly #stage: HistoryStage;
  readonly #options: HistoryOptions;
  readonly #tally: Tally;
  readonly #sessions: Map<string, RemoteSpace>;
  readonly #players: Player[];
  #random: number;
  #serial = 0;
  /** The one word of each saved text, by id. */
  readonly #words = new Map<string, string>();
  /** What must be nowhere in the end. */
  readonly #gone = new Set<string>();
  /** What was taken back, by whom: it must be nowhere else, and neither may its corrections by them. */
  readonly #takenBack = new Map<string, Player>();
  readonly #corrects = new Map<string, string>();
  readonly #savedBy = new Map<string, Player>();

  constructor(
    options: HistoryOptions,
    shared: { stage: HistoryStage; tally: Tally; sessions: Map<string, RemoteSpace> },
  ) {
    this.#stage = shared.stage;
    this.#options = options;
    this.#tally = shared.tally;
    this.#sessions = shared.sessions;
    this.#random = options.seed * 2654435761 >>> 0;
    this.#players = shared.stage.mates.map(({ name, t, home }) => {
      const directory = realPath(Deno.makeTempDirSync({ prefix: "ctx-history-", dir: memory }));
      Deno.mkdirSync(`${directory}/store`);
      copyTree(t.root, `${directory}/store/.contextfs`);
      copyTree(home, `${directory}/home`);
      const copy = new TempStore(`${directory}/store`);
      // The same store in another place: moved, as its keys see it.
      const secrets = `${directory}/home/.config/ctx/remotes.json`;
      const text = Deno.readTextFileSync(secrets).replaceAll(t.workspace, copy.workspace);
      Deno.writeTextFileSync(secrets, text);
      return { mate: new Teammate(name, copy, `${directory}/home`), directory, cutOff: 0 };
    });
    shared.stage.enter(this.#players, (below) => this.#draw(below), (what) => this.#tell(what));
  }

  async run(): Promise<void> {
    const { steps, serverCrash } = this.#options;
    const crashAt = serverCrash ? this.#draw(steps) : -1;
    for (let step = 0; step < steps; step++) {
      if (step === crashAt) await this.#crashServer();
      for (const player of this.#players) player.cutOff = Math.max(0, player.cutOff - 1);
      await this.#act(this.#players[this.#draw(this.#players.length)]);
    }
    for (const player of this.#players) player.cutOff = 0;
    // In every second history what was only hidden is to be gone in the end, too.
    const collects = this.#options.seed % 2 === 0;
    if (collects) { for (const player of this.#players) await this.#command(player, "gc"); }
    await this.#settle();
    this.#compare();
    await this.#lookEverywhere();
  }

  async end(): Promise<void> {
    for (const { directory } of this.#players) await Deno.remove(directory, { recursive: true });
  }

  async #act(player: Player): Promise<void> {
    let pick = this.#draw(actions.reduce((sum, [weight]) => sum + weight, 0));
    const [, name] = actions.find(([weight]) => (pick -= weight) < 0)!;
    this.#tell(`${player.mate.name}: ${name}`);
    switch (name) {
      case "save":
        return await this.#save(player);
      case "correct":
        return await this.#correct(player);
      case "forget":
        return await this.#forget(player, false);
      case "erase":
        return await this.#forget(player, true);
      case "take back":
        return await this.#takeBack(player);
      case "sync":
        return void await this.#sync(player);
      case "sync and die":
        return await this.#syncAndDie(player);
      case "disk full":
        return await this.#syncAndDie(player, "full");
      case "cut off":
        player.cutOff = 4;
        return;
      case "lose connection":
        return await this.#loseConnection(player);
      case "lose log":
        return this.#loseLog(player);
    }
  }

  async #save(player: Player, supersedes?: string): Promise<void> {
    const word = this.#word();
    const { id } = await this.#command<{ id: string }>(player, "save", {
      text: `The ${word} rotates.`,
      type: "decision",
      ...(supersedes === undefined ? {} : { supersedes }),
    });
    this.#words.set(id, word);
    this.#savedBy.set(id, player);
    if (supersedes !== undefined) this.#corrects.set(id, supersedes);
  }

  /** One's own or another's, but no correction. */
  async #correct(player: Player): Promise<void> {
    const seen = [...player.mate.texts().keys()].filter((id) => !this.#corrects.has(id));
    const target = this.#choose(seen);
    if (target !== undefined) await this.#save(player, target);
  }

  async #forget(player: Player, now: boolean): Promise<void> {
    const id = this.#choose(this.#ownIds(player));
    if (id === undefined) return;
    await this.#command(player, "forget", { ids: [id], now });
    if (now || this.#options.seed % 2 === 0) this.#gone.add(this.#words.get(id) ?? "");
  }

  async #takeBack(player: Player): Promise<void> {
    const id = this.#choose(this.#ownIds(player));
    if (id === undefined) return;
    await this.#command(player, "unshare", { targets: [id] });
    this.#takenBack.set(id, player);
  }

  #isPrivate(id: string): boolean {
    return this.#takenBack.has(id) ||
      this.#takenBack.get(this.#corrects.get(id) ?? "") === this.#savedBy.get(id);
  }

  /** Syncs as the command does, over a connection that is kept. */
  async #sync(player: Player, system?: FaultySystem): Promise<SyncReport | undefined> {
    const { mate } = player;
    const before = mate.t.bytes("history.ndjson");
    try {
      return await this.#tryVia(player, system);
    } catch (error) {
      await this.#hangUp(player);
      const isMeant = error instanceof Crash || system?.failed ||
        error instanceof CtxError && error.code === "REMOTE_UNREACHABLE";
      if (!isMeant) throw error;
    } finally {
      assert.deepEqual(mate.t.bytes("history.ndjson"), before, "own history is untouched");
    }
  }

  async #tryVia(player: Player, system?: FaultySystem): Promise<SyncReport> {
    const { mate, cutOff } = player;
    await this.#stage.deliver(player);
    if (cutOff > 0) throw new CtxError("REMOTE_UNREACHABLE", "cut off");
    const files = system === undefined ? quickFiles() : makeFiles(system);
    using store = this.#open(player, files);
    const signal = new AbortController().signal;
    const world = { store, files, env: mate.world().env!, warn: () => {}, now: Date.now, signal };
    const identity = await getIdentity(world);
    const rules = { policy: "decisions", toolOutput: false, thinking: false } as const;
    const gate = openGate(store, { rules, name: mate.name, home: mate.home });
    using _lock = await lockSync(store, { now: Date.now, timeoutMs: 1000, command: "sync" });
    const remote = this.#sessions.get(mate.name) ?? await connectSpace(world, identity.secrets);
    this.#sessions.set(mate.name, remote);
    const session = await openSpace(world, identity, remote);
    const report = await syncStore(session, gate);
    const refused = report.pulled.refused.filter((row) => !this.#stage.isForged(player, row));
    assert.deepEqual(refused, [], "nothing is refused among friends");
    if (!this.#stage.keepsSessions) await this.#hangUp(player);
    return report;
  }

  async #syncAndDie(player: Player, fault?: Fault): Promise<void> {
    const system = new FaultySystem({
      failAt: 1 + this.#draw(30),
      afterBytes: this.#draw(200),
      fault: fault ?? (this.#draw(2) === 0 ? "kill" : "power"),
    });
    await this.#sync(player, system);
    // Whoever died has no connection any more.
    await this.#hangUp(player);
  }

  async #hangUp({ mate }: Player): Promise<void> {
    await this.#sessions.get(mate.name)?.close();
    this.#sessions.delete(mate.name);
  }

  /** The session ends, now or in the middle of the next sync. */
  async #loseConnection(player: Player): Promise<void> {
    const end = this.#stage.endSessions();
    if (this.#draw(2) === 0) await end;
    await this.#sync(player);
    await end;
  }

  /** Somebody removes a log of others, or cuts it short. */
  #loseLog({ mate: { t } }: Player): void {
    using store = t.open();
    const writer = this.#choose(listWriters(store.files, store.layout));
    if (writer === undefined) return;
    const path = teamLogOf(store.layout, writer);
    if (this.#draw(2) === 0) Deno.removeSync(path);
    else Deno.truncateSync(path, Math.floor(Deno.statSync(path).size / 2));
  }

  async #crashServer(): Promise<void> {
    this.#tell("the server crashes");
    await this.#stage.crash();
    await this.#sync(this.#players[this.#draw(this.#players.length)]);
    await this.#stage.start();
  }

  /** Everybody syncs, in any order, until nothing moves any more. */
  async #settle(): Promise<void> {
    for (let round = 0; round < 12; round++) {
      let moved = 0;
      this.#stage.heal();
      const order = [...this.#players].sort(() => this.#draw(3) - 1);
      for (const player of order) {
        const report = await this.#sync(player) ?? await this.#sync(player);
        if (report === undefined) moved++;
        else moved += countMoved(report);
      }
      if (moved === 0) return;
    }
    throw new Error("it never comes to rest");
  }

  /** Everybody sees what they saved and did not forget, and what the others share. */
  #compare(): void {
    const own = this.#players.map((player) => this.#ownEntries(player));
    this.#players.forEach(({ mate }, i) => {
      const expected = own.flatMap((entries, j) =>
        entries.filter(([id]) => i === j || !this.#isPrivate(id))
      );
      assert.deepEqual([...mate.texts()].sort(), expected.sort(), `what ${mate.name} sees`);
      this.#checkLogs(mate);
    });
  }

  /** Each row once, in the order of its writer. */
  #checkLogs({ t, name }: Teammate): void {
    using store = t.open();
    for (const writer of listWriters(store.files, store.layout)) {
      const lines = Deno.readTextFileSync(teamLogOf(store.layout, writer)).trim().split("\n");
      const seqs = lines.filter((line) => line !== "").map((line) => JSON.parse(line).seq);
      const ordered = [...new Set(seqs)].sort((a, b) => a - b);
      assert.deepEqual(seqs, ordered, `the log of ${writer} at ${name}`);
    }
  }

  /** No byte is left of what was forgotten, on any disk and on the server. */
  async #lookEverywhere(): Promise<void> {
    const places = [
      ...(await this.#stage.read()).map((place) => ({ ...place, player: undefined })),
      ...this
        .#players.map((player) => ({
          where: player.mate.name,
          text: readTree(player.mate.t.root),
          player,
        })),
    ];
    for (const { where, text, player } of places) {
      const left = [...this.#gone].filter((word) => word !== "" && text.includes(word));
      assert.deepEqual(left, [], `forgotten, but at ${where}`);
      const shown = [...this.#words].filter(([id, word]) =>
        this.#isPrivate(id) && this.#savedBy.get(id) !== player && text.includes(word)
      );
      assert.deepEqual(shown, [], `taken back, but at ${where}`);
    }
  }

  #ownEntries(player: Player): [id: string, text: string][] {
    using store = player.mate.t.open();
    using snapshot = store.openSnapshot();
    const rows = [...snapshot.rows({ pools: ["archive", "hot"] })].map(({ entry }) => entry);
    const forgotten = new Set(
      rows.filter(({ type }) => type === tombstoneType).flatMap(({ refs = [] }) => refs),
    );
    return rows.filter(({ id, type }) => type !== tombstoneType && !forgotten.has(id))
      .map(({ id, text }) => [id, text]);
  }

  #ownIds(player: Player): string[] {
    return this.#ownEntries(player).map(([id]) => id);
  }

  async #command<T = Record<string, unknown>>(
    player: Player,
    name: string,
    input: object = {},
  ): Promise<T> {
    return await player.mate.run<T>(name, input, { files: quickFiles() });
  }

  #open({ mate }: Player, files: ReturnType<typeof quickFiles>): Store {
    return openStore({
      workspace: mate.t.workspace,
      files,
      now: Date.now,
      random: () => crypto.randomUUID(),
      warn: () => {},
      sync: true,
    });
  }

  #word(): string {
    return `w${this.#options.seed.toString(36)}x${(this.#serial++).toString(36)}q`;
  }

  #choose<T>(items: readonly T[]): T | undefined {
    return items.length === 0 ? undefined : items[this.#draw(items.length)];
  }

  #draw(below: number): number {
    this.#random = (Math.imul(this.#random, 1664525) + 1013904223) >>> 0;
    return Math.floor(this.#random / 2 ** 32 * below);
  }

  #tell(what: string): void {
    this.told.push(what);
    const kind = what.replace(/^.*: /, "");
    this.#tally.set(kind, (this.#tally.get(kind) ?? 0) + 1);
  }
}

const actions = [
  [30, "save"],
  [7, "correct"],
  [8, "forget"],
  [5, "erase"],
  [4, "take back"],
  [30, "sync"],
  [8, "sync and die"],
  [2, "disk full"],
  [3, "cut off"],
  [3, "lose connection"],
  [2, "lose log"],
] as const;

function countMoved({ pulled, pushed, erased }: SyncReport): number {
  const came = [...pulled.rows.values()].reduce((sum, count) => sum + count, 0);
  return came + pushed.rows + pushed.tombstones + pushed.erased + erased.rows + erased.confirmed;
}

function readTree(directory: string): string {
  return [...Deno.readDirSync(directory)].map(({ name, isDirectory }) =>
    isDirectory
      ? readTree(`${directory}/${name}`)
      : new TextDecoder("latin1").decode(Deno.readFileSync(`${directory}/${name}`))
  ).join("\n");
}
