// `ctx pin`, `unpin`, `pins`: what an agent must always be given.

import { CtxError } from "../../core/errors.ts";
import { idPattern } from "../../core/id.ts";
import { toPinText } from "../../store/lifecycle/take_back.ts";
import {
  addPin,
  findPinPlaces,
  parsePins,
  type Pin,
  type PinPlace,
  readPinsText,
  removePin,
} from "../../store/logs/pins.ts";
import { define } from "../../table/command.ts";
import { recordAct } from "../../table/record_act.ts";
import * as s from "../../table/shape.ts";
import { findCurrentSession } from "../../table/session_scope.ts";

const maxIdChars = 512;

/** Pins an entry, or saves a text and pins it. */
export const pin = define({
  name: "pin",
  group: "Memory",
  summary: "Pin an entry, or a new text, so that it is always in the pack.",
  input: { target: s.naming("H or text", s.text("An entry's id, or a text to save and pin.", 1)) },
  output: {
    ...s.each(s.text(), "id", "text"),
    ...s.each(s.boolean(), "saved", "pinned"),
    redactions: s.number(),
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
    const session = findCurrentSession(store, context);
    const done = await store.write("pin", (writer) => {
      const before = writer.redactions;
      const entry = hit?.row?.entry ?? writer.append([{
        role: "note",
        type: "note",
        text: target,
        ...(session === undefined ? {} : { session_id: session }),
      }]).entries[0];
      const line = toPinText(entry);
      const current = readPinsText(store);
      const pinned = !parsePins(current).some((known) => known.id === entry.id);
      if (pinned) {
        const text = addPin(current, { id: entry.id, text: line });
        writer.files.replace(store.layout.pins, new TextEncoder().encode(text), { sync: true });
      }
      return {
        id: entry.id,
        text: line,
        saved: hit?.row === undefined,
        pinned,
        redactions: writer.redactions - before,
      };
    });
    const { id, saved, pinned } = done;
    if (pinned) {
      recordAct(store, context, {
        act: "pin",
        ...(saved ? { ids: [id] } : {}),
        pins: [{ at: 0, id }],
      });
    }
    return done;
  },
  render: (data) => `${data.id}\n`,
});

/** Takes a pin away; the entry stays. */
export const unpin = define({
  name: "unpin",
  group: "Memory",
  summary: "Take a pin away; the entry stays.",
  input: { target: s.naming("H or text", s.text("A pinned entry's id, or the text of a pin.", 1)) },
  output: { target: s.text(), removed: s.number() },
  positional: ["target"],
  effect: "write",
  examples: [{ argv: ["unpin", "H-1m6jnq0c03gsbcp29"], about: "Unpin an entry." }],
  async run({ target: said }, context) {
    const store = await context.openStore();
    const { pins, ...done } = await store.write("unpin", (writer) => {
      const before = readPinsText(store);
      const target = findPinned(parsePins(before), said);
      const after = removePin(before, target);
      const removed = parsePins(before).length - parsePins(after).length;
      if (removed === 0) {
        throw new CtxError("NOT_FOUND", `Cannot unpin "${target}": it is not pinned`, {
          hint: "ctx pins",
        });
      }
      writer.files.replace(store.layout.pins, new TextEncoder().encode(after), { sync: true });
      const isMeant = ({ id, text }: Pin): boolean => id === target || text === target;
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

/** An entry says itself what its pin said. */
function toPlace({ at, id, text }: PinPlace): PinPlace {
  return id === undefined ? { at, text } : { at, id };
}

/** Lists the pins. */
export const pins = define({
  name: "pins",
  group: "Memory",
  summary: "List what is pinned.",
  input: {},
  output: {
    pins: s.listOf(s.object({ id: s.optional(s.text()), text: s.text() })),
  },
  list: { of: "pins", columns: ["id", "text"] },
  effect: "read",
  examples: [{ argv: ["pins"], about: "What is always in the pack." }],
  async run(_input, context) {
    return { pins: parsePins(readPinsText(await context.openStore())) };
  },
  render(data, view) {
    if (data.pins.length === 0) return "Nothing is pinned.\n";
    return data.pins.map((item) => `${item.id ? view.bold(item.id) + "  " : ""}${item.text}\n`)
      .join("");
  },
});
