// `ctx pin`, `unpin`, `pins`: what an agent must always be given. What an agent asks to pin waits until
// the user pins it too.

import { CtxError } from "../../core/errors.ts";
import { idPattern } from "../../core/id.ts";
import { toPinText } from "../../store/lifecycle/take_back.ts";
import {
  addPin,
  findPinPlaces,
  parsePins,
  parseWaiting,
  type Pin,
  readPinsText,
  removePin,
  toPlace,
  withoutWaiting,
} from "../../store/logs/pins.ts";
import { define } from "../../command/command.ts";
import { recordAct } from "../../command/record_act.ts";
import { savedBy } from "../../core/rows/saved_by.ts";
import * as s from "../../command/shape.ts";
import { refuseUsersPins } from "../../store/logs/users_pins.ts";
import { findJoinedSession } from "../../read/joined_session.ts";

const maxIdChars = 512;

export const pin = define({
  name: "pin",
  summary: "Pin an entry or new text to every session start.",
  description:
    "What an agent pins (over MCP or `ctx serve`) waits for your approval: `ctx pin --list` shows it, `ctx pin ID` accepts it, `ctx pin --remove ID` declines it. Until then, no session gets it.",
  input: { target: s.naming("H or text", s.text("An entry's id, or a text to save and pin.", 1)) },
  output: {
    ...s.each(s.text(), "id", "text"),
    ...s.each(s.boolean(), "saved", "pinned"),
    redactions: s.number(),
    waiting: s.optional(s.text()),
  },
  positional: ["target"],
  effect: "write",
  tool: "pin",
  examples: [{ argv: ["pin", "Never push to main without review"], about: "Save and pin a rule." }],
  async run({ target }, context) {
    const store = await context.openStore();
    // Ids of other products have any shape.
    const isOneLine = target.length <= maxIdChars && !/[\r\n]/.test(target);
    const found = isOneLine ? store.find([target]).get(target) : undefined;
    const hit = found?.forgotten ? undefined : found;
    // A word that is no entry's id is a text, unless it can only be meant as an id.
    const isMeantAsId = idPattern.test(target) && /^H-/.test(target);
    if (isMeantAsId && !hit?.row) {
      throw new CtxError("NOT_FOUND", `Cannot pin "${target}": there is no such entry`, {
        hint: "ctx search QUERY finds ids",
      });
    }
    const session = hit?.row ? undefined : await findJoinedSession(store, context);
    const { isAdded, ...done } = await store.write("pin", (writer) => {
      const before = writer.redactions;
      const entry = hit?.row?.entry ?? writer.append([{
        role: "note",
        type: "note",
        text: target,
        ...(session === undefined ? {} : { session_id: session }),
        ...savedBy(context),
      }]).entries[0];
      const { id } = entry;
      const line = toPinText(entry);
      const current = readPinsText(store);
      const waiting = context.agent === undefined ? undefined : true;
      const isPinned = parsePins(current).some((known) => known.id === id);
      const isKnown = isPinned || waiting && parseWaiting(current).some((known) => known.id === id);
      if (!isKnown) {
        const text = addPin(withoutWaiting(current, id), { id, text: line, waiting });
        writer.files.replace(store.layout.pins, new TextEncoder().encode(text), { sync: true });
      }
      return {
        isAdded: !isKnown,
        id,
        text: line,
        saved: hit?.row === undefined,
        pinned: !isKnown && !waiting,
        redactions: writer.redactions - before,
        ...(waiting && !isPinned ? { waiting: `the user can accept it with: ctx pin ${id}` } : {}),
      };
    });
    const { id, saved, waiting } = done;
    if (isAdded) {
      recordAct(store, context, {
        act: "pin",
        ...(saved ? { ids: [id] } : {}),
        pins: [{ at: 0, id, ...(waiting && { waiting: true }) }],
      });
    }
    return done;
  },
  render: (data) => `${data.id}\n`,
});

export const unpin = define({
  name: "unpin",
  summary: "Unpin an entry, or decline an agent's pin; the entry is kept.",
  input: { target: s.naming("H or text", s.text("A pinned entry's id, or the text of a pin.", 1)) },
  output: { target: s.text(), removed: s.number() },
  positional: ["target"],
  effect: "write",
  examples: [{ argv: ["pin", "--remove", "H-1m6jnq0c03gsbcp29"], about: "Unpin an entry." }],
  async run({ target: said }, context) {
    const store = await context.openStore();
    const { pins, ...done } = await store.write("unpin", (writer) => {
      const before = readPinsText(store);
      const known = [...parsePins(before), ...parseWaiting(before)];
      const target = findPinned(known, said);
      const isMeant = ({ id, text }: Pin): boolean => id === target || text === target;
      refuseUsersPins(store, context, { action: "unpin", isMeant });
      const after = removePin(before, target);
      const removed = known.filter(isMeant).length;
      if (removed === 0) {
        throw new CtxError("NOT_FOUND", `Cannot unpin "${target}": it is not pinned`, {
          hint: "ctx pin --list",
        });
      }
      writer.files.replace(store.layout.pins, new TextEncoder().encode(after), { sync: true });
      return { target, removed, pins: findPinPlaces(before, isMeant).map(toPlace) };
    });
    recordAct(store, context, { act: "unpin", pins });
    return done;
  },
  render: (data) => `Unpinned ${data.target}\n`,
});

/** The id that a beginning without its letter means, of one pin only; else what was said. */
function findPinned(pins: readonly Pin[], said: string): string {
  if (pins.some(({ id, text }) => id === said || text === said)) return said;
  const begun = `H-${said.toLowerCase()}`;
  const [only, other] = pins.flatMap(({ id }) => id?.startsWith(begun) ? id : []);
  return only !== undefined && other === undefined ? only : said;
}

export const pins = define({
  name: "pins",
  summary: "List pins.",
  input: {},
  output: {
    pins: s.listOf(s.object({ id: s.optional(s.text()), text: s.text() })),
    waiting: s.optional(s.listOf(s.object({ id: s.text(), text: s.text() }))),
  },
  list: { of: "pins", columns: ["id", "text"] },
  effect: "read",
  examples: [{ argv: ["pin", "--list"], about: "Show what every session starts with." }],
  async run(_input, context) {
    const text = readPinsText(await context.openStore());
    const waiting = parseWaiting(text).map(({ id = "", text }) => ({ id, text }));
    return { pins: parsePins(text), ...(waiting.length > 0 ? { waiting } : {}) };
  },
  render({ pins, waiting = [] }, view) {
    const show = (item: Pin): string => `${item.id ? view.bold(item.id) + "  " : ""}${item.text}\n`;
    const pinned = pins.length === 0 ? "Nothing is pinned.\n" : pins.map(show).join("");
    if (waiting.length === 0) return pinned;
    return `${pinned}\nWaiting for your approval (saved by an agent):\n${
      waiting.map(show).join("")
    }`;
  },
  note({ waiting = [] }) {
    if (waiting.length === 0) return undefined;
    const [{ id }] = waiting;
    const what = waiting.length === 1
      ? "1 pin from an agent needs"
      : `${waiting.length} pins from agents need`;
    return `${what} your decision: ctx pin ${id} accepts, ctx pin --remove ${id} declines`;
  },
});
