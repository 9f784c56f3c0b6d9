// The rows of history: entries, and the kinds of them that have fields of their own.

import * as z from "zod/mini";
import {
  confirmType,
  docType,
  type Entry,
  roles,
  tombstoneType,
  typePattern,
  verdictType,
} from "../core/entry.ts";
import { recordTypes } from "../core/rows/record.ts";
import { count, maybe, needed, rowOf, texts, time } from "./row_schema.ts";

const tool = z.looseObject({
  name: needed(z.string(), "the agent's name for it"),
  input: maybe(z.unknown(), "its arguments; long strings are truncated"),
  output_bytes: maybe(count, "size of its output before truncation"),
  error: maybe(z.union([z.boolean(), z.string()]), "whether it failed, or how"),
  exit: maybe(z.nullable(z.int()), "the exit code, if the agent records it separately"),
  lines: maybe(count, "number of lines in the output, if it was truncated"),
});

/** What a request used. */
export const usage = z.looseObject({
  id: needed(z.string(), "the request; several rows of one request count once"),
  input_tokens: maybe(z.number(), "tokens sent, as the agent counts them"),
  output_tokens: maybe(z.number(), "tokens received"),
  cache_read_tokens: maybe(z.number(), "tokens read from the provider's cache"),
  cache_write_tokens: maybe(z.number(), "tokens written to it"),
  cache_write_1h_tokens: maybe(
    z.number(),
    "the part of `cache_write_tokens` that is kept for an hour",
  ),
  reasoning_tokens: maybe(z.number(), "tokens of thinking, if the agent counts them"),
  model: maybe(z.string(), "the model, if it is not the row's"),
});

const source = z.looseObject({
  agent: needed(z.string(), "the agent it was imported from, or that saved it"),
  conversation: maybe(z.string(), "the agent's id of the conversation"),
  message: maybe(z.string(), "the agent's id of the message"),
  path: maybe(z.string(), "the file it was read from"),
  revision: maybe(z.string(), "a fingerprint, if the agent changes messages in place"),
});

const entryShape = {
  id: needed(
    z.string().check(z.minLength(1)),
    "unique in the store. Made by ctx: `H-` + 9 base-32 digits of time + 8 of a hash. Others' ids are kept",
  ),
  ts: needed(time, "when it was written"),
  role: needed(z.enum(roles), "who wrote it"),
  type: needed(
    z.string().check(z.regex(typePattern)),
    "`turn`, `note`, `decision`, `tool_output`, `recall`, `doc`, `summary`, … `[a-z0-9_.:-]{1,64}`",
  ),
  text: needed(z.string(), "the exact text, after redaction; at most 8 MiB in UTF-8"),
  session_id: maybe(z.string(), "the session it belongs to"),
  title: maybe(z.string(), "for lists"),
  summary: maybe(z.string(), "for lists"),
  refs: maybe(texts, "the entries it was made from, or is about"),
  tags: maybe(texts, "words to find it by"),
  files: maybe(texts, "the files it is about"),
  index: maybe(z.int(), "its position in its session, or in its document"),
  source: maybe(source, "where it was imported from"),
  project: maybe(z.string(), "the directory or the name of its project"),
  branch: maybe(z.string(), "the git branch that was checked out"),
  model: maybe(z.string(), "the model that wrote it"),
  tool: maybe(tool, "a tool call, or its result"),
  usage: maybe(
    usage,
    "what its request to the model used; on the last row of the request",
  ),
  more_usage: maybe(
    z.array(usage),
    "the same for earlier requests that left no row of their own",
  ),
  supersedes: maybe(z.string(), "the id of the entry it corrects"),
  redacted: maybe(
    z.record(z.string(), count),
    "how many secrets each redaction rule replaced when the row was written; present if the row contains redaction marks, empty if it only quotes them",
  ),
  author: maybe(z.string(), "in other members' rows: the member's name; ignored in your own log"),
  saved_by: maybe(
    z.string(),
    "the agent that saved it through a server: its MCP client name, otherwise `mcp` or `http`",
  ),
  v: maybe(z.int(), "row version, for producers"),
  patch: maybe(
    z.string(),
    "what an edit changed, as a unified diff with the file's path above it",
  ),
  record: maybe(
    z.looseObject({
      by: needed(z.enum(["rules", "agent", "model"]), "who derived it"),
      grade: maybe(
        z.enum(["derived", "candidate"]),
        "`derived`: may be sent to agents; otherwise only searches find it, unless an agent wrote it",
      ),
      outside: maybe(
        z.string(),
        "the entry whose words the agent repeats, if they are not the agent's or the user's: never sent",
      ),
      narrow: maybe(
        z.union([z.literal(true), z.enum(["silent", "once"])]),
        "sent when a prompt or an edit is about it, and before that: `true` at the next session start within a day, `once` at one session start, `silent` at none",
      ),
      subject: maybe(z.string(), "what it is about, as a key"),
      symbols: maybe(texts, "identifiers in its text"),
    }),
    "present when the row was derived from its session (see [Records](#records))",
  ),
  verdict: maybe(
    z.looseObject({
      said: needed(z.enum(["accept", "reject", "later"]), "the user's answer"),
      until: maybe(time, "for `later`: when the line is offered again"),
      line: maybe(z.string(), "the line as it was offered, if the user changed its wording"),
    }),
    "present when the row comes from `ctx review`",
  ),
};

/** A row of `history.ndjson`, of the archive, of another member and of a chat. */
export const historyRow = rowOf<Entry>()(entryShape);

/** A row that forgets others. */
export const tombstoneRow = rowOf<Entry>()({
  ...entryShape,
  type: needed(z.literal(tombstoneType), "marks a row that forgets entries"),
  text: needed(z.literal(""), "always empty"),
  refs: needed(texts.check(z.maxLength(500)), "the entries it hides, at most 500"),
  imported: maybe(
    z.literal(true),
    "kept permanently, so that importing again does not bring them back",
  ),
  erased: maybe(z.literal(true), "kept permanently; the next sync erases them for the team"),
  documents: maybe(
    z.array(z.looseObject({
      collection: needed(z.string(), "its collection"),
      document: needed(z.string(), "its path"),
      content_hash: needed(z.string(), "the hash of the section's text"),
    })),
    "forgotten sections of documents, which must not be imported again",
  ),
});

/** A row that says that an entry still holds. */
export const confirmRow = rowOf<Entry>()({
  ...entryShape,
  type: needed(z.literal(confirmType), "marks a confirmation"),
  refs: needed(texts.check(z.length(1)), "the entry that is still valid"),
  ground: needed(
    z.array(z.looseObject({
      path: needed(z.string(), "a file of its code"),
      lines: needed(
        texts,
        "hashes of its normalized lines there; empty if it only names the file",
      ),
    })),
    "the code it was based on at that time",
  ),
});

/** A row that keeps a line from being offered in a review. */
export const verdictRow = rowOf<Entry>()({
  ...entryShape,
  type: needed(z.literal(verdictType), "marks a line that was rejected or put off"),
  text: needed(z.string(), "the line; others that say the same are not offered or derived either"),
  refs: needed(texts, "the record that says it, and the entries it was derived from"),
  supersedes: maybe(z.string(), "for a rejected line: the record"),
  verdict: needed(z.nonoptional(entryShape.verdict), "the user's answer"),
});

/** A row that was derived from a session. */
export const recordRow = rowOf<Entry>()({
  ...entryShape,
  role: needed(z.literal("note"), "always `note`"),
  type: needed(z.enum(recordTypes), "what it says about the session"),
  refs: needed(texts, "the entries it was made from"),
  record: needed(z.nonoptional(entryShape.record), "who derived it, and what it is about"),
});

/** A row that is a section of a document. */
export const documentRow = rowOf<Entry>()({
  ...entryShape,
  type: needed(z.literal(docType), "marks a section of a document"),
  collection: needed(z.string(), "the collection"),
  document: needed(z.string(), "its path in the workspace, or the absolute path"),
  section: needed(
    z.string(),
    "the path of headings, joined with `›`; empty before the first heading",
  ),
  level: needed(count, "the level of its heading"),
  line: needed(count, "the line of the document where it starts"),
  index: needed(z.int(), "its position in the document, from 1"),
  part: maybe(z.int(), "its part number, if the section is split into several entries"),
  document_title: maybe(z.string(), "the document's title"),
  document_hash: needed(
    z.string(),
    "the hash of the document; the newest entry has the current one",
  ),
  content_hash: needed(z.string(), "the hash of the section's text"),
});

/** A turn of a `ctx chat`. */
export const chatRow = rowOf<Entry>()({
  ...entryShape,
  type: needed(z.literal("chat"), "marks a turn of a chat"),
  evidence: needed(texts, "the entries shown in the chat so far"),
  use_case: maybe(z.string(), "what the answers are for, if given"),
});

/** A row of the original ContextFS: other names for the same, all of them read. */
export const originalRow = z.looseObject({
  id: needed(z.string().check(z.minLength(1)), "read as `id`"),
  author: maybe(z.string(), "read as `role`; `human` is `user`, `ai` is `assistant`"),
  messageRole: maybe(z.string(), "read as `role`"),
  content: maybe(z.string(), "read as `text`"),
  message: maybe(z.string(), "read as `text`"),
  timestamp: maybe(z.union([z.string(), z.number()]), "read as `ts`"),
  sessionId: maybe(z.string(), "read as `session_id`"),
  session: maybe(z.string(), "read as `session_id`"),
}).check(z.refine(
  (row) => [row.text, row.content, row.message].some((text) => typeof text === "string"),
  "it has no text",
));
