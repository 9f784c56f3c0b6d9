// One row of the reader: a message with its text, a call that opens to its input and output,
// an edit as a diff, a sub-agent that opens to its messages.

import type { ComponentChildren, JSX } from "preact";
import { hrefOf } from "../data/route.ts";
import { kindWord } from "../parts/kind_word.ts";
import { Markdown } from "../parts/markdown.tsx";
import { ChapterHead } from "./chapter_head.tsx";
import type { ChapterFacts } from "./chapters.ts";
import { EditDiff } from "./edit_diff.tsx";
import type { ReaderRow } from "./reader_rows.ts";
import type { Message, Texts } from "./use_texts.ts";

/** Longer texts show only their beginning at first. */
const fewChars = 4000;
/** More is not put on a page at once; the entry beside the list has it all. */
const mostChars = 200_000;

// Made once: a browser takes longer to make one than to draw a row.
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const names: Record<string, string> = {
  prompt: "You",
  answer: "Agent",
  notice: "Program",
  thought: "Thought",
  output: "Output",
};

/** What a row needs to draw itself. */
export interface RowProps {
  row: ReaderRow;
  texts: Texts;
  isOpen: boolean;
  /** What a chapter led to, where the row is the prompt of one. */
  facts?: ChapterFacts;
  /** Whether long texts are shown in full. */
  isWhole: boolean;
  /** The address of an entry beside the list. */
  toEntry(id: string): string;
  onOpen(): void;
  onWhole(): void;
}

export function MessageRow(props: RowProps): JSX.Element {
  const { row, isOpen, onOpen, facts } = props;
  if (facts) {
    const { id, line } = row.outline.messages;
    return (
      <ChapterHead
        line={line[row.at]}
        text={props.texts.find(id[row.at])?.text}
        facts={facts}
        isOpen={isOpen}
        onOpen={onOpen}
        cut={(text, draw) => <Cut {...props} text={text}>{draw}</Cut>}
      >
        <RowFacts {...props} />
      </ChapterHead>
    );
  }
  if (row.kind === "agent") return <AgentHead {...props} />;
  if (row.kind === "prompt" || row.kind === "answer") {
    return (
      <>
        <p class="facts">
          <strong>{nameOf(row)}</strong> <RowFacts {...props} />
        </p>
        <Words {...props} at={row.at} />
      </>
    );
  }
  const { name, line } = labelOf(row);
  return (
    <>
      <div class="fold">
        <button type="button" class="quiet" aria-expanded={isOpen} onClick={onOpen}>
          <strong>{name}</strong> {line}
        </button>
        <RowFacts {...props} />
      </div>
      {isOpen && (row.kind === "edit" ? <Edits {...props} /> : <Opened {...props} />)}
    </>
  );
}

/** The label of a row, for screen readers. */
export function labelOf(row: ReaderRow): { name: string; line: string } {
  const { outline: { messages, tools }, at } = row;
  const line = messages.line[at];
  const tool = tools[messages.tool[at]];
  if (tool === undefined || row.kind === "output") return { name: nameOf(row), line };
  return { name: tool, line: line.startsWith(`${tool}: `) ? line.slice(tool.length + 2) : line };
}

function nameOf({ kind, outline: { kinds, messages }, at }: ReaderRow): string {
  const { type } = kinds[messages.kind[at]];
  const isSaid = kind === "prompt" || kind === "answer";
  return isSaid && type !== "turn" ? kindWord(type) : names[kind] ?? kindWord(type);
}

/** When it was said, and a link to its entry. */
function RowFacts({ row: { outline, at }, toEntry }: RowProps): JSX.Element {
  const { messages, started } = outline;
  const ms = Date.parse(started ?? "") + messages.after_ms[at];
  const number = messages.number[at];
  return (
    <span class="row-facts">
      {Number.isFinite(ms) && (
        <time dateTime={new Date(ms).toISOString()} title={moment.format(ms)}>
          {clock.format(ms)}
        </time>
      )}{" "}
      <a href={toEntry(messages.id[at])} aria-label={`Open message ${number}`}>
        {/* What was saved beside a message has its number, and shows none. */}
        {number === messages.number[at - 1] ? "↳" : `#${number}`}
      </a>
    </span>
  );
}

function AgentHead({ row: { agent }, isOpen, onOpen }: RowProps): JSX.Element {
  const { title = "", session_id: session = "", message_count = 0 } = agent ?? {};
  return (
    <div class="fold">
      <button type="button" class="quiet" aria-expanded={isOpen} onClick={onOpen}>
        <strong>Sub-agent</strong> {title} <small>{message_count} messages</small>
      </button>
      <a href={hrefOf("sessions", { session })}>open</a>
    </div>
  );
}

/** The input and output of a call, or a thought. */
function Opened(props: RowProps): JSX.Element {
  const { row, texts } = props;
  const message = texts.find(row.outline.messages.id[row.at]);
  if (row.kind !== "call") return <Words {...props} at={row.at} />;
  return (
    <>
      {message ? <Given {...props} message={message} /> : <Waiting />}
      {row.outputs.map((at) => <Words key={at} {...props} at={at} />)}
      {row.outputs.length === 0 && <p class="facts">No output.</p>}
    </>
  );
}

/** The arguments of a call. */
function Given({ message, ...props }: RowProps & { message: Message }): JSX.Element {
  const input = message.tool?.input;
  if (typeof input !== "object" || input === null) {
    const said = typeof input === "string" && input.length > message.text.length
      ? input
      : undefined;
    return <Plain {...props} text={said ?? message.text} label="Input" />;
  }
  const fields = Object.entries(input).filter(([, value]) => value !== "" && value !== null);
  return (
    <dl class="arguments">
      {fields.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>
            <Plain
              {...props}
              label={name}
              text={typeof value === "string" ? value : JSON.stringify(value, null, 2)}
            />
          </dd>
        </>
      ))}
    </dl>
  );
}

/** The diffs of an edit: from its result, otherwise from its input. */
function Edits(props: RowProps): JSX.Element {
  const { row, texts, isWhole, onWhole } = props;
  const { id } = row.outline.messages;
  const found = [...row.outputs, row.at].map((at) => texts.find(id[at]));
  const edits = found.find((message) => message?.edits !== undefined)?.edits;
  if (edits === undefined) return found.includes(undefined) ? <Waiting /> : <Opened {...props} />;
  return (
    <>
      {edits.map((edit, i) => <EditDiff key={i} edit={edit} isWhole={isWhole} onWhole={onWhole} />)}
    </>
  );
}

/** The text of a message; until it is here, its first line. */
function Words({ at, ...props }: RowProps & { at: number }): JSX.Element {
  const { id, line } = props.row.outline.messages;
  const message = props.texts.find(id[at]);
  if (message === undefined) return <p class="waiting">{line[at]}</p>;
  if (message.type.startsWith("tool_")) {
    return <Plain {...props} text={message.text} label="Output" />;
  }
  return (
    <Cut {...props} text={message.text}>
      {(text) => <Markdown text={text} />}
    </Cut>
  );
}

function Plain({ label, ...props }: RowProps & { text: string; label: string }): JSX.Element {
  return (
    <Cut {...props}>
      {(text) => <pre class="output" tabIndex={0} aria-label={label}>{text}</pre>}
    </Cut>
  );
}

/** The beginning of a long text, and a button for the rest. */
function Cut(
  { text, isWhole, onWhole, children }: RowProps & {
    text: string;
    children(text: string): ComponentChildren;
  },
): JSX.Element {
  const limit = isWhole ? mostChars : fewChars;
  return (
    <>
      {children(text.length <= limit ? text : text.slice(0, limit))}
      {text.length > limit && (
        <button type="button" onClick={onWhole} disabled={isWhole}>
          {isWhole
            ? "Open the entry to read the rest"
            : `Show all ${text.length.toLocaleString("en")} characters`}
        </button>
      )}
    </>
  );
}

function Waiting(): JSX.Element {
  return <p class="waiting">…</p>;
}
