// `ctx activity`: when the store was used, by which agents, how fast it answered and what it takes.

import { activityDays, activityShape, readActivity } from "../../read/overview/read_activity.ts";
import { define } from "../../command/command.ts";
import { toActivityScreen } from "../../view/activity_screen.ts";

export const activity = define({
  name: "activity",
  summary: "Show a year of activity, plus agents, latency and disk use.",
  description:
    `\`days\` are those of the last ${activityDays} with entries, in the local time zone. \`latency\` is of the commands that leave traces (\`ctx traces\`), \`given\` what hooks gave agents (\`ctx worth\` says what it was worth), \`bytes\` what the store takes on disk. It reads the index, not every entry; \`ctx stats\` counts everything.`,
  input: {},
  output: activityShape,
  list: { of: "days", columns: ["day", "entries", "sessions"] },
  effect: "read",
  examples: [{ argv: ["stats", "--activity"], about: "When was this memory at work?" }],
  async run(_input, context) {
    return await readActivity(await context.openStore(), context);
  },
  render: toActivityScreen,
});
