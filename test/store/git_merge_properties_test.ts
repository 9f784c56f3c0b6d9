// Random histories on three clones of a store, merged by real git in random ways and orders: in the end
// every clone has the live entries that one store would have that had all of it. Forgetting wins.

import assert from "node:assert/strict";
import { type ClonedStore, clonedStores } from "../support/stores/cloned_stores.ts";
import { runsOf } from "../support/full_length.ts";

const histories = Number(Deno.env.get("CTX_MERGE_HISTORIES") ?? runsOf(8));
const firstSeed = Number(Deno.env.get("CTX_MERGE_SEED") ?? 1);

for (let seed = firstSeed; seed < firstSeed + histories; seed++) {
  Deno.test(`three clones end with the same entries, whatever is merged when (seed ${seed})`, async () => {
    await using clones = await clonedStores(3);
    const all = [0, 1, 2].map((i) => clones.at(i));
    const random = makeRandom(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
    const said = new Map<string, string>();
    const forgotten = new Set<string>();
    for (let step = 0; step < 40; step++) {
      const store = pick(all);
      await act(store, { step, random, pick, said, forgotten });
      if (random() < 0.3) await bring(store, pick(all.filter((other) => other !== store)), pick);
    }
    const expected = [...said].filter(([id]) => !forgotten.has(id)).sort();
    await settle(all);
    for (const store of all) assert.deepEqual(liveIn(store), expected);
    for (const store of all) {
      await store.do("doctor", { fix: true });
      assert.deepEqual(liveIn(store), expected);
      assert.deepEqual(await store.ailments(), []);
    }
    await settle(all);
    for (const store of all) assert.deepEqual(liveIn(store), expected);
  });
}

interface Acting {
  step: number;
  random: () => number;
  pick: <T>(list: readonly T[]) => T;
  said: Map<string, string>;
  forgotten: Set<string>;
}

async function act(
  store: ClonedStore,
  { step, random, pick, said, forgotten }: Acting,
): Promise<void> {
  const live = liveIn(store).map(([id]) => id);
  const chance = random();
  if (chance < 0.4 || live.length < 2) {
    const text = `Word ${step}: ${pick(["tokens", "queues", "caches"])} are kept for ${step} hours`;
    said.set(
      await store.save(text, chance < 0.1 ? { session: `S-${pick("abc".split(""))}` } : {}),
      text,
    );
  } else if (chance < 0.46) {
    const text = `Corrected ${step}`;
    said.set(await store.save(text, { supersedes: pick(live) }), text);
  } else if (chance < 0.6) {
    const input = { ids: [pick(live)], now: chance < 0.52 };
    const { forgotten: ids } = await store.do<{ forgotten: string[] }>("forget", input);
    for (const id of ids) forgotten.add(id);
  } else if (chance < 0.66) await store.do("gc");
  else if (chance < 0.76) {
    await store.do("compact", { keep: Math.floor(random() * 3), older_than: 0 });
  } else if (chance < 0.8) await store.do("doctor", { fix: true });
  else if (chance < 0.85) await store.do("pin", { target: pick(live) });
  else if (chance < 0.9) await store.do("reindex");
  else await store.commit();
}

/** Takes over what another clone has, in one of the ways that git has. */
async function bring(
  store: ClonedStore,
  other: ClonedStore,
  pick: <T>(list: readonly T[]) => T,
): Promise<void> {
  await other.commit();
  const way = pick(["merge", "merge", "rebase", "cherry-pick"]);
  if (way === "merge") return await store.merge(other);
  await store.commit();
  await store.git("fetch", "-q", other.workspace, "main");
  if (way === "rebase") return void await store.git("rebase", "-q", "--empty=keep", "FETCH_HEAD");
  const parents = await store.git("rev-list", "--parents", "-n", "1", "FETCH_HEAD");
  const mainline = parents.split(" ").length > 2 ? ["-m", "1"] : [];
  await store.git(
    "cherry-pick",
    "--allow-empty",
    "--keep-redundant-commits",
    ...mainline,
    "FETCH_HEAD",
  );
}

/** Everybody has everything. */
async function settle([first, ...others]: ClonedStore[]): Promise<void> {
  for (const other of others) {
    await other.commit();
    await first.merge(other);
  }
  for (const other of others) await other.merge(first);
}

function liveIn(store: ClonedStore): [string, string][] {
  return [...store.open().entries()]
    .map(({ entry }): [string, string] => [entry.id, entry.text]).sort();
}

/** Numbers from 0 to 1 that a seed decides. */
function makeRandom(seed: number): () => number {
  let state = seed * 2654435761 >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
