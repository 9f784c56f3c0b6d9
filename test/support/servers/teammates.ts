// People of a team, each with a store and a home of their own, on a real server.

import type { ContextOptions } from "../../../src/app/app.ts";
import { toOwnPath } from "../../../src/core/platform_path.ts";
import type { ErrorBody } from "../../../src/core/errors.ts";
import { type PostgresCluster, sharedCluster } from "./postgres.ts";
import { type TempStore, tempStore } from "../stores/temp_store.ts";

/** What `ctx sync` gives. */
export interface Synced {
  pulled: Record<string, number>;
  pushed: { entries: number; tombstones: number; erased: number; taken: number; bytes: number };
  erased: number;
  taken_out: string[];
  refused: { author: string; writer: string; seq: number; id?: string; reason: string }[];
  rows?: { id: string; kind: string; type: string; summary: string; bytes: number }[];
}

/** One person with one store. */
export class Teammate implements AsyncDisposable {
  readonly name: string;
  readonly t: TempStore;
  /** What says where the configuration is. */
  readonly home: string;

  constructor(name: string, t: TempStore, home: string) {
    this.name = name;
    this.t = t;
    this.home = home;
  }

  /** Runs a command in process, with this person's home. */
  async run<T = Record<string, unknown>>(
    name: string,
    input: object = {},
    options: ContextOptions = {},
  ): Promise<T> {
    return await this.t.run<T>(name, input, { ...this.world(), ...options });
  }

  /** Runs a command that must fail. */
  async fail(name: string, input: object = {}, options: ContextOptions = {}): Promise<ErrorBody> {
    return await this.t.fail(name, input, { ...this.world(), ...options });
  }

  /** Syncs. */
  async sync(options: ContextOptions = {}): Promise<Synced> {
    return await this.run<Synced>("sync", {}, options);
  }

  /** Saves an entry that the default policy lets through; returns its id. */
  async save(text: string, fields: object = {}): Promise<string> {
    const { id } = await this.run<{ id: string }>("save", { text, type: "decision", ...fields });
    return id;
  }

  /** What a search or a list would show: texts by id, of one's own and of others. */
  texts(): Map<string, string> {
    using store = this.t.open();
    return new Map([...store.entries()].map(({ entry }) => [entry.id, entry.text]));
  }

  /** Where an invitation lies that this person made. */
  invitation(name: string, space = "web"): string {
    return `${this.home}/.config/ctx/invites/${space}/${name}.txt`;
  }

  world(): ContextOptions {
    return { env: (name) => name === "HOME" ? this.home : undefined, now: Date.now };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.t[Symbol.asyncDispose]();
    await Deno.remove(this.home, { recursive: true });
  }
}

/** Somebody with an empty store. */
export async function teammate(name: string): Promise<Teammate> {
  const home = toOwnPath(await Deno.makeTempDir({ prefix: "ctx-mate-" }));
  return new Teammate(name, await tempStore(), home);
}

/** A space with its owner and members, who have all joined. */
export interface Team extends AsyncDisposable {
  cluster: PostgresCluster;
  database: string;
  space: string;
  mates: Teammate[];
}

/** Makes a space; the first of the names owns it. */
export async function madeTeam(
  names: readonly string[],
  { space = "web", encrypt = false, cluster, database }: {
    space?: string;
    encrypt?: boolean;
    cluster?: PostgresCluster;
    database?: string;
  } = {},
): Promise<Team> {
  const server = cluster ?? await sharedCluster();
  const base = database ?? await server.createDatabase();
  const mates = await joinAll(names, { url: server.url(base), space, encrypt });
  return {
    cluster: server,
    database: base,
    space,
    mates,
    async [Symbol.asyncDispose]() {
      for (const mate of mates) await mate[Symbol.asyncDispose]();
    },
  };
}

/** A space of files, with its owner and members. */
export interface FilesTeam extends AsyncDisposable {
  /** Where its files are. */
  folder: string;
  space: string;
  mates: Teammate[];
}

/** Makes a space in a folder, which all of them share. */
export async function madeFilesTeam(
  names: readonly string[],
  { space = "web", encrypt = false, url }: { space?: string; encrypt?: boolean; url?: string } = {},
): Promise<FilesTeam> {
  const folder = toOwnPath(await Deno.makeTempDir({ prefix: "ctx-space-" }));
  const mates = await joinAll(names, { url: url ?? folder, space, encrypt });
  return {
    folder,
    space,
    mates,
    async [Symbol.asyncDispose]() {
      for (const mate of mates) await mate[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** The first makes the space and invites the others. */
async function joinAll(
  names: readonly string[],
  { url, space, encrypt }: { url: string; space: string; encrypt: boolean },
): Promise<Teammate[]> {
  const [owner, ...others] = await Promise.all(names.map(teammate));
  await owner.run("remote init", { url, space, name: owner.name, encrypt });
  for (const mate of others) {
    await owner.run("remote invite", { name: mate.name });
    await mate.run("remote add", { invite: owner.invitation(mate.name, space) });
  }
  return [owner, ...others];
}
