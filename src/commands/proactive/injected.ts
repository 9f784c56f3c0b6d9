// `ctx injected`: what agents were given without asking.

import { findEntries } from "../../read/find_entries.ts";
import { parseWhen } from "../../core/time/parse_when.ts";
import { firstLine } from "../../core/text.ts";
import { readGiven, readSessionsOf } from "../../store/logs/injection_log.ts";
import { define } from "../../command/command.ts";
import { sinceTime } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { countOf } from "../../command/view.ts";
import { noneGiven } from "./worth.ts";

const line = s.object({ id: s.text(), tokens: s.number(), title: s.optional(s.text()) });

export const injected = define({
  name: "injected",
  summary: "List the context agents received, with lines and tokens.",
  description:
    "Lists what hooks added to agents' context, newest first: the pack at session start, lines at a prompt, the decision behind edited lines, and requests to save notes. Searches over MCP are in `ctx context now last`. Lines of forgotten entries are not listed. `ctx context worth` has the totals.",
  input: {
    session: s.naming(
      "S or new",
      s.optionalText("Only this session or agent conversation."),
    ),
    agent: s.optionalText("Only this agent."),
    since: sinceTime,
    limit: s.integer("Show the newest N.", { min: 1, max: 1000, default: 20 }),
  },
  output: {
    total: s.number(),
    injections: s.listOf(s.object({
      ...s.each(s.text(), "ts", "agent", "event"),
      ...s.each(s.optional(s.text()), "reason", "conversation", "session_id"),
      tokens: s.number(),
      lines: s.listOf(line),
    })),
  },
  effect: "read",
  examples: [{
    argv: ["context", "last", "--since", "7d"],
    about: "Show the last week.",
  }],
  async run({ session, agent, since, limit }, context) {
    const store = await context.openStore();
    const from = since && parseWhen(since, context.now());
    const sessionsOf = new Map<string, Set<string>>();
    const sessionsIn = (conversation: string): Set<string> => {
      const known = sessionsOf.get(conversation) ?? readSessionsOf(store, conversation);
      sessionsOf.set(conversation, known);
      return known;
    };
    const isMeant = (conversation: string | undefined): boolean =>
      session === undefined || conversation === session ||
      (conversation !== undefined && sessionsIn(conversation).has(session));
    const found = readGiven(store).filter((row) =>
      (agent === undefined || row.agent === agent) && (!from || row.ts >= from) &&
      isMeant(row.conversation)
    ).reverse();
    const shown = found.slice(0, limit);
    const ids = new Set(shown.flatMap(({ lines }) => lines.map(({ id }) => id)));
    const entries = await findEntries(store, [...ids]);
    const titleOf = (id: string): { title?: string } => {
      const entry = entries.get(id)?.row?.entry;
      return entry === undefined ? {} : { title: entry.title ?? firstLine(entry.text, 80) };
    };
    return {
      total: found.length,
      injections: shown.map(({ ts, agent, event, reason, conversation, tokens, lines }) => {
        const [session_id] = conversation === undefined ? [] : sessionsIn(conversation);
        return {
          ts,
          agent,
          event,
          ...(reason === undefined ? {} : { reason }),
          ...(conversation === undefined ? {} : { conversation }),
          ...(session_id === undefined ? {} : { session_id }),
          tokens,
          lines: lines.map(({ id, tokens }) => ({ id, tokens, ...titleOf(id) })),
        };
      }),
    };
  },
  render(data, view) {
    if (data.injections.length === 0) return noneGiven;
    const rows = data.injections.flatMap((row) => {
      const event = row.reason === undefined ? row.event : `${row.event} (${row.reason})`;
      const head = `${row.ts.slice(0, 16).replace("T", " ")}  ${row.agent}  ${event}`;
      const cost = `${countOf(row.lines.length, "line")}, ${countOf(row.tokens, "token")}`;
      return [
        `${view.bold(head)}  ${cost}  ${view.dim(row.session_id ?? row.conversation ?? "")}`,
        ...row.lines.map(({ id, title }) => `  ${view.dim(id)}  ${title ?? ""}`.trimEnd()),
      ];
    });
    return rows.join("\n") + "\n";
  },
});
