// `ctx batch`: splits sessions into batches of a size, for an agent that hands them to helpers.

import { countTokens } from "../../core/tokens.ts";
import type { SessionRow } from "../../read/session_list.ts";
import { getMessages } from "../../read/session_messages.ts";
import type { Store } from "../../store/store.ts";
import { define } from "../../command/command.ts";
import { type ReadingFormat, readingFormats } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { findSessions, sessionFilters } from "./sessions.ts";
import { countOf } from "../../command/view.ts";

const part = s.object({
  ...s.each(s.text(), "id", "title"),
  /** Set when only a part of the session is in this batch. */
  ranges: s.optional(s.text()),
  ...s.each(s.number(), "message_count", "estimated_tokens"),
});
type Part = s.ValueOf<typeof part>;

const batchShape = s.object({
  ...s.each(s.number(), "batch", "estimated_tokens"),
  sessions: s.listOf(part),
});
type Batch = s.ValueOf<typeof batchShape>;

export const batch = define({
  name: "batch",
  summary: "Split sessions into batches of about N tokens, for helper agents.",
  description:
    "Whole sessions are grouped, oldest first; a session larger than the target is split into ranges for `ctx show SESSION --range`. With --format, tokens are counted as `ctx show` prints that format.",
  input: {
    target_tokens: s.integer("Tokens per batch.", { min: 100, default: 80_000 }),
    format: s.optional(s.oneOf(readingFormats, "Count tokens in this format.")),
    ...sessionFilters,
  },
  output: {
    ...s.each(s.number(), "target_tokens", "sessions", "estimated_tokens"),
    batches: s.listOf(batchShape),
  },
  effect: "read",
  tool: "batch",
  examples: [{
    argv: ["show", "--batch", "--target-tokens", "200"],
    about: "Split the whole history into batches.",
  }],
  async run(input, context) {
    const store = await context.openStore();
    const found = await findSessions([store], input, context.now());
    const rows = found.filter((row) => row.message_count > 0).reverse();
    const parts: Part[] = [];
    for (const row of rows) {
      const session = await measure(store, row, input.format);
      parts.push(...await split(session, input.target_tokens));
    }
    const batches = pack(parts, input.target_tokens);
    return {
      target_tokens: input.target_tokens,
      sessions: rows.length,
      estimated_tokens: batches.reduce((sum, item) => sum + item.estimated_tokens, 0),
      batches,
    };
  },
  render(data, view) {
    const parts = data.batches.map((item) => {
      const head = `${view.bold(`batch ${item.batch}`)}  ${
        countOf(item.estimated_tokens, "token")
      }`;
      const rows = item.sessions.map((row) =>
        `  ${row.id}${row.ranges ? ` ${row.ranges}` : ""}  ${
          view.count(row.estimated_tokens)
        }  ${row.title}`
      );
      return [head, ...rows].join("\n");
    });
    const total = `${countOf(data.sessions, "session")}, ${
      countOf(data.estimated_tokens, "token")
    } in ${countOf(data.batches.length, "batch", "batches")}`;
    return `${[...parts, total].join("\n")}\n`;
  },
});

/** A session with what it costs, and what each of its messages does. */
interface MeasuredSession extends Part {
  readMessages(): Promise<{ number: number; tokens: number }[]>;
}

/** What a session costs: its texts, or what a format makes of it. */
async function measure(
  store: Store,
  { id, title, message_count, estimated_tokens }: SessionRow,
  format: ReadingFormat | undefined,
): Promise<MeasuredSession> {
  if (format === undefined) {
    const readMessages = async () =>
      (await getMessages(store, id)).map(({ number, entry }) => ({
        number,
        tokens: countTokens(entry.text),
      }));
    return { id, title, message_count, estimated_tokens, readMessages };
  }
  const { showSessions } = await import("../../read/show_sessions.ts");
  const { sessions: [shown] } = await showSessions(store, [id], { format, before: 0, after: 0 });
  const messages = shown.messages.map(({ index, tokens }) => ({ number: index, tokens }));
  return {
    id,
    title,
    message_count: messages.length,
    estimated_tokens: shown.total_tokens,
    readMessages: () => Promise.resolve(messages),
  };
}

/** A session as one part, or as several when it is larger than a batch. */
async function split(
  { readMessages, ...whole }: MeasuredSession,
  target: number,
): Promise<Part[]> {
  if (whole.estimated_tokens <= target) return [whole];
  const parts: Part[] = [];
  let open: { from: number; to: number; count: number; tokens: number } | undefined;
  const close = (): void => {
    if (open === undefined) return;
    parts.push({
      ...whole,
      ranges: `${open.from}-${open.to}`,
      message_count: open.count,
      estimated_tokens: open.tokens,
    });
    open = undefined;
  };
  for (const { number, tokens } of await readMessages()) {
    if (open && open.tokens + tokens > target) close();
    open ??= { from: number, to: number, count: 0, tokens: 0 };
    open.to = number;
    open.count++;
    open.tokens += tokens;
  }
  close();
  return parts;
}

/** Puts each part into the first batch with room; none goes over the target unless one message does. */
function pack(parts: Part[], target: number): Batch[] {
  const batches: Batch[] = [];
  for (const item of parts) {
    const { estimated_tokens } = item;
    const roomy = batches.find((open) => open.estimated_tokens + estimated_tokens <= target);
    if (roomy) {
      roomy.estimated_tokens += estimated_tokens;
      roomy.sessions.push(item);
    } else batches.push({ batch: batches.length + 1, estimated_tokens, sessions: [item] });
  }
  return batches;
}
