// `ctx activity`: when the store was used, by which agents, how fast it answered and what it takes.

import { activityDays, activityShape, readActivity } from "../../read/overview/read_activity.ts";
import { define } from "../../command/command.ts";
import { toActivityScreen } from "../../view/activity_screen.ts";

export const activity = define({
  name: "activity",
  summary: "Show a year of activity, plus agents, latency and disk use.",
  description:
    `\`days\` lists the days with entries among the last ${activityDays}, in the local time zone. \`latency\` covers commands that leave traces (\`ctx traces\`), \`given\` is what hooks sent to agents (see \`ctx context worth\`), and \`bytes\` is disk use. Numbers come from the index; \`ctx stats\` counts every entry.`,
  input: {},
  output: activityShape,
  list: { of: "days", columns: ["day", "entries", "sessions"] },
  effect: "read",
  examples: [{ argv: ["stats", "--activity"], about: "Show the last year." }],
  async run(_input, context) {
    return await readActivity(await context.openStore(), context);
  },
  render: toActivityScreen,
});
