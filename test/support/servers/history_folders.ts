// A folder for each of the eight, as on eight machines: what one writes comes to another at random, late,
// twice, out of order, as an older version, under the name of a conflict copy, cut short, changed, or in
// the place of another file. What is forged is known, so that refusals can be told from mistakes.

import { copyTree } from "../stores/tree.ts";
import type { HistoryStage, Player } from "./history_stage.ts";
import { madeFilesTeam } from "./teammates.ts";

/** A file of a writer, with every version that it had. */
interface Version {
  owner: Player;
  path: string;
  versions: Uint8Array[];
}

/** Eight folders, and nothing between them but what carries files. */
export async function foldersStage(names: readonly string[]): Promise<HistoryStage> {
  const team = await madeFilesTeam(names);
  const { folder, space, mates } = team;
  const known = new Map<string, Version>();
  /** By player and path: what lies there that nobody wrote. */
  const forged = new Map<string, string>();
  let players: readonly Player[] = [];
  let draw: (below: number) => number = () => 0;
  let tell: (what: string) => void = () => {};
  let isHealed = false;

  const folderOf = (player: Player): string => `${player.directory}/folder`;
  const writerOf = ({ mate }: Player): string => JSON.parse(mate.t.read("remote.json")).writer;

  /** What everybody's own folder has of their own. */
  function look(): void {
    for (const owner of players) {
      const own = `${space}/writers/${writerOf(owner)}`;
      for (const { name } of Deno.readDirSync(`${folderOf(owner)}/${own}`)) {
        if (!/^\d{8}\.ndjson$/.test(name)) continue;
        const path = `${own}/${name}`;
        if (forged.has(`${owner.mate.name} ${path}`)) continue;
        const bytes = Deno.readFileSync(`${folderOf(owner)}/${path}`);
        const version = known.get(path) ?? { owner, path, versions: [] };
        known.set(path, version);
        const last = version.versions.at(-1);
        if (last === undefined || !isSame(last, bytes)) version.versions.push(bytes);
      }
    }
  }

  function put(player: Player, path: string, bytes: Uint8Array): void {
    const target = `${folderOf(player)}/${path}`;
    Deno.mkdirSync(target.replace(/\/[^/]*$/, ""), { recursive: true });
    Deno.writeFileSync(target, bytes);
  }

  /** One file comes, in one of many ways. */
  function bring(player: Player, { path, versions }: Version): void {
    const newest = versions[versions.length - 1];
    const place = `${player.mate.name} ${path}`;
    const pick = draw(100);
    if (pick < 30) return;
    if (pick < 84) {
      forged.delete(place);
      return put(player, path, newest);
    }
    const forge = (what: string, bytes: Uint8Array): void => {
      tell(`${player.mate.name}: ${what}`);
      forged.set(place, what);
      put(player, path, bytes);
    };
    if (pick < 88) {
      tell(`${player.mate.name}: replayed`);
      forged.delete(place);
      return put(player, path, versions[draw(versions.length)]);
    }
    if (pick < 92) {
      tell(`${player.mate.name}: conflict copy`);
      const copy = path.replace(".ndjson", ".sync-conflict-20261118-201500-ABCDEF7.ndjson");
      return put(player, copy, versions[draw(versions.length)]);
    }
    if (pick < 94) return forge("cut short", newest.subarray(0, draw(newest.length)));
    if (pick < 96) {
      const bytes = newest.slice();
      bytes[draw(bytes.length)] ^= 1;
      return forge("changed", bytes);
    }
    if (pick < 98) {
      const all = [...known.values()];
      const other = all[draw(all.length)];
      return forge("swapped", other.versions[0]);
    }
    tell(`${player.mate.name}: withheld`);
    forged.set(place, "withheld");
    try {
      Deno.removeSync(`${folderOf(player)}/${path}`);
    } catch {
      // It had not come yet.
    }
  }

  return {
    mates,
    keepsSessions: false,
    async reset() {},
    enter(all, drawn, told) {
      players = all;
      draw = drawn;
      tell = told;
      isHealed = false;
      known.clear();
      forged.clear();
      for (const player of players) {
        copyTree(folder, folderOf(player));
        const secrets = `${player.mate.home}/.config/ctx/remotes.json`;
        const text = Deno.readTextFileSync(secrets).replaceAll(folder, folderOf(player));
        Deno.writeTextFileSync(secrets, text);
      }
      look();
    },
    async deliver(player) {
      await Promise.resolve();
      look();
      if (isHealed) return;
      const others = [...known.values()].filter(({ owner }) => owner !== player);
      for (const version of others.sort(() => draw(3) - 1)) bring(player, version);
    },
    isForged(player, { writer }) {
      const places = [...forged.keys()].filter((place) =>
        place.startsWith(`${player.mate.name} `) && place.includes(writer)
      );
      return places.length > 0;
    },
    async endSessions() {},
    async crash() {},
    async start() {},
    heal() {
      isHealed = true;
      look();
      forged.clear();
      for (const player of players) {
        const own = writerOf(player);
        const others = `${folderOf(player)}/${space}/writers`;
        for (const { name } of Deno.readDirSync(others)) {
          if (name !== own) Deno.removeSync(`${others}/${name}`, { recursive: true });
        }
        for (const { owner, path, versions } of known.values()) {
          if (owner !== player) put(player, path, versions[versions.length - 1]);
        }
      }
    },
    async read() {
      await Promise.resolve();
      return players.map((player) => ({
        where: `the folder of ${player.mate.name}`,
        text: readBodies(folderOf(player)),
      }));
    },
    async [Symbol.asyncDispose]() {
      await team[Symbol.asyncDispose]();
    },
  };
}

/** What the files below a directory say, with the bodies of rows as text. */
export function readBodies(directory: string): string {
  return [...Deno.readDirSync(directory)].map(({ name, isDirectory }) => {
    const path = `${directory}/${name}`;
    if (isDirectory) return readBodies(path);
    return Deno.readTextFileSync(path).split("\n").map((line) => {
      const body = /"body":"([^"]*)"/.exec(line)?.[1];
      return body === undefined
        ? line
        : line + new TextDecoder("latin1").decode(Uint8Array.fromBase64(body));
    }).join("\n");
  }).join("\n");
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
