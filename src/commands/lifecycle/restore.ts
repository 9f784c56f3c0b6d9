// `ctx restore`: writes a session back as a transcript that its agent can resume.

import { CtxError } from "../../core/errors.ts";
import { encodeExact } from "../../core/utf8.ts";
import { claudeTranscriptPath, toClaudeTranscript } from "../../read/claude_transcript.ts";
import { type Context, define } from "../../command/command.ts";
import { oneSession } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { resolveSession } from "../../command/session_scope.ts";
import { countOf } from "../../command/view.ts";

export const restore = define({
  name: "restore",
  summary: "Write a session as a transcript its agent can resume.",
  description:
    "Writes an imported session as a Claude Code transcript, for example after the agent deleted it. The file goes where Claude Code looks for it, or to --out. Existing files are never overwritten. Tool calls and results become text; thinking is left out. Importing the transcript again adds only what the agent added.",
  input: {
    session: oneSession,
    to: s.choice("The agent to write for.", ["claude-code"], "claude-code"),
    out: s.optionalText("Write to this file instead."),
    dry_run: s.flag("Show where it would go; write nothing."),
  },
  output: {
    ...s.each(s.text(), "session_id", "agent_session_id", "path"),
    ...s.each(s.number(), "messages", "bytes"),
    dry_run: s.boolean(),
  },
  positional: ["session"],
  local: true,
  effect: "write",
  examples: [{
    argv: ["restore", "S-1m2few700s4d0k3nc", "--to", "claude-code", "--dry-run"],
    about: "Show where the transcript would go.",
  }],
  async run(input, context) {
    using store = (await context.openStore()).openView();
    const session = resolveSession(input.session, store, context);
    const places = session === undefined ? [] : store.readSession(session);
    const entries = places.flatMap((place) => store.findRowAt(place) ?? []);
    if (session === undefined || entries.length === 0) {
      await context.wholeIds("S", [input.session]);
      throw new CtxError("NOT_FOUND", `Cannot restore "${input.session}": it has no entries`, {
        hint: "ctx sessions",
      });
    }
    const { workspace } = store.layout;
    const transcript = toClaudeTranscript(entries, { sessionId: session, cwd: workspace });
    const path = input.out === undefined
      ? claudeTranscriptPath(claudeRoot(context), transcript)
      : input.out.startsWith("/")
      ? input.out
      : `${context.cwd}/${input.out}`;
    const bytes = encodeExact(transcript.text);
    if (!input.dry_run) writeNew(context, path, bytes);
    return {
      session_id: session,
      agent_session_id: transcript.sessionId,
      path,
      messages: transcript.messages,
      bytes: bytes.length,
      dry_run: input.dry_run,
    };
  },
  render(data, view) {
    const what = `${countOf(data.messages, "message")}, ${view.size(data.bytes)}`;
    if (data.dry_run) return `Would write ${what} to ${data.path}\n`;
    return `Wrote ${what} to ${data.path}\nResume: claude --resume ${data.agent_session_id}\n`;
  },
});

function claudeRoot(context: Context): string {
  const root = context.env("CLAUDE_CONFIG_DIR") ??
    (context.env("HOME") ? `${context.env("HOME")}/.claude` : undefined);
  if (root !== undefined) return root;
  throw new CtxError("DENIED", "Cannot find Claude Code's directory: HOME is not set", {
    hint: "ctx restore SESSION --out FILE",
  });
}

function writeNew({ files }: Context, path: string, bytes: Uint8Array): void {
  if (files.findSize(path) !== undefined) {
    throw new CtxError("DENIED", `Cannot restore to "${path}": the file already exists`, {
      hint: "move the file, or choose another with --out FILE",
    });
  }
  files.makeDirectory(path.replace(/\/[^/]*$/, ""));
  files.replace(path, bytes, { sync: true });
}
