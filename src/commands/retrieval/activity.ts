// `ctx activity`: when the store was used, by which agents, how fast it answered and what it takes.

import { activityDays, readActivity, storeParts } from "../../read/overview/read_activity.ts";
import { define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";

/** Shows the activity of a year. */
export const activity = define({
  name: "activity",
  summary: "Show a year of activity, plus agents, latency and disk use.",
  description:
    `\`days\` are those of the last ${activityDays} with entries, in the local time zone. \`latency\` is of the commands that leave traces (\`ctx traces\`), \`given\` what hooks gave agents (\`ctx worth\` says what it was worth), \`bytes\` what the store takes on disk. It reads the index, not every entry; \`ctx stats\` counts everything.`,
  input: {},
  output: {
    ...s.each(s.text(), "from", "to"),
    days: s.listOf(s.object({ day: s.text(), ...s.each(s.number(), "entries", "sessions") })),
    agents: s.listOf(s.object({
      source: s.text(),
      ...s.each(s.number(), "sessions", "messages", "estimated_tokens"),
    })),
    latency: s.listOf(s.object({
      command: s.text(),
      ...s.each(s.number(), "count", "p50_ms", "p95_ms"),
    })),
    given: s.object(s.each(s.number(), "times", "lines", "tokens")),
    bytes: s.object(s.each(s.number(), ...storeParts)),
  },
  list: { of: "days", columns: ["day", "entries", "sessions"] },
  effect: "read",
  examples: [{ argv: ["stats", "--activity"], about: "When was this memory at work?" }],
  async run(_input, context) {
    return await readActivity(await context.openStore(), context);
  },
  async render(data, view) {
    const { toActivityScreen } = await import("../../view/activity_screen.ts");
    return toActivityScreen(data, view);
  },
});
