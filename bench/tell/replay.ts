// Replays a set over time: at every labelled moment the transcripts contain only the messages before it
// and are imported into a growing store, and ctx is asked what it would send. Records, lines to review
// and titles are those of the labelled sessions, imported once.

import type { CtxAt, GivenLine } from "./ctx_at.ts";
import type { Labels, PromptLabel } from "./labels.ts";
import type { Told } from "./score.ts";
import type { GrowingRoot, Transcripts } from "./transcripts.ts";

/** What can be measured on its own. */
export const parts = ["records", "titles", "review", "packs", "prompts"] as const;
/** One of `parts`. */
export type Part = typeof parts[number];

/** What a replay works with. */
export interface Stage {
  ctx: CtxAt;
  root: GrowingRoot;
  transcripts: Transcripts;
  /** Brings the workspace to the state of a moment. */
  moveTo: (time: string) => Promise<void>;
}

/** The types of records that are lines to tell; goals, outcomes, commands and digests are not. */
const toldTypes = "preference,decision,open,fix";

/** What ctx would have told at the labelled moments. */
export async function replay(
  labels: Labels,
  { ctx, root, transcripts, moveTo }: Stage,
  wanted: ReadonlySet<Part>,
): Promise<Told[]> {
  const moments = [
    ...(wanted.has("packs") ? labels.packs.map(({ time }) => ({ time, prompt: undefined })) : []),
    ...(wanted.has("prompts")
      ? labels.prompts.map((prompt) => ({ time: prompt.time, prompt }))
      : []),
  ].sort((a, b) => a.time < b.time ? -1 : a.time > b.time ? 1 : 0);
  const told: Told[] = [];
  for (const { time, prompt } of moments) {
    if (root.growTo(time, transcripts)) {
      await moveTo(time);
      await importRoot(ctx, root, time);
    }
    // What a conversation said itself is not told to it.
    const about = prompt === undefined
      ? ["start"]
      : ["prompt", prompt.prompt.slice(0, 2000), ...sessionOf(ctx, prompt)];
    const { lines } = await ctx.ask<{ lines: GivenLine[] }>(time, ["preview", ...about]);
    const given = lines.length === 0 ? [] : ctx.withMessages(lines);
    told.push(
      prompt === undefined
        ? { kind: "pack", time, lines: given }
        : { kind: "prompt", uuid: prompt.uuid, lines: given },
    );
  }
  return told;
}

function sessionOf(ctx: CtxAt, { session }: PromptLabel): string[] {
  return ctx.hasConversation(session) ? ["--session", session] : [];
}

/** The records, the lines to review and the titles of the labelled sessions. */
export async function listTold(
  labels: Labels,
  { ctx, root, transcripts, moveTo }: Stage,
): Promise<Told[]> {
  const read = new Map([...transcripts].filter(([session]) => labels.sessions.has(session)));
  const last = [...read.values()].flatMap(({ times }) => times.at(-1) ?? []).sort().at(-1) ?? "";
  const end = new Date(Date.parse(last) + 1000).toISOString();
  root.growTo(end, read);
  await moveTo(end);
  await importRoot(ctx, root, end);
  const records = await listAll<GivenLine & { grade?: string }>("records", {
    ask: (args) => ctx.ask(end, ["records", "--type", toldTypes, ...args]),
  });
  const titles = await listAll<{ id: string; title: string }>("sessions", {
    ask: (args) => ctx.ask(end, ["sessions", ...args]),
  });
  const offered = await listAll<GivenLine & { evidence: string[] }>("lines", {
    ask: (args) => ctx.ask(end, ["review", "list", "--all", ...args]),
  });
  const review = offered.map(({ evidence: refs, ...line }) => ({ ...line, refs }));
  const given = records.flatMap((record): Told[] =>
    ctx.withMessages([record]).map((line) => ({
      kind: record.grade === "candidate" ? "candidate" : "record",
      ...line,
    }))
  );
  return [
    ...given,
    { kind: "review", lines: ctx.withMessages(review) },
    ...titles.map(({ id, title }): Told => ({
      kind: "title",
      session: ctx.conversations.get(id) ?? id,
      title,
    })),
  ];
}

async function importRoot(ctx: CtxAt, root: GrowingRoot, time: string): Promise<void> {
  await ctx.ask(time, ["import", "claude-code", "--root", root.path, "--all-projects"]);
}

/** Every row of a list, page by page. */
async function listAll<T>(
  name: string,
  { ask }: { ask: (args: string[]) => Promise<{ total: number } & Record<string, T[] | number>> },
): Promise<T[]> {
  const rows: T[] = [];
  for (;;) {
    const page = await ask(["--limit", "500", "--offset", String(rows.length)]);
    const found = page[name];
    if (!Array.isArray(found) || found.length === 0) return rows;
    rows.push(...found);
    if (rows.length >= page.total) return rows;
  }
}
