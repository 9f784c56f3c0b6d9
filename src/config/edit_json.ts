// Changes parts of a JSON or JSONC text and leaves the rest as it is, comments and layout included.

import { CtxError } from "../core/errors.ts";

/** Where something is: names and positions from the top. */
export type JsonPath = (string | number)[];

/** A JSON text that can be changed piece by piece. */
export class JsonEditor {
  readonly #parser: typeof import("jsonc-parser");
  text: string;

  private constructor(parser: typeof import("jsonc-parser"), text: string) {
    this.#parser = parser;
    this.text = text;
  }

  /** Opens a text; throws CONFIG_INVALID when it is not an object that can be edited safely. */
  static async open(text: string | undefined, path: string): Promise<JsonEditor> {
    const parser = await import("jsonc-parser");
    const source = text === undefined || text.trim() === "" ? "{}\n" : text;
    const errors: import("jsonc-parser").ParseError[] = [];
    const value = parser.parse(source, errors, { allowTrailingComma: true });
    if (errors.length > 0 || typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new CtxError("CONFIG_INVALID", `Cannot edit "${path}": it is not a JSON object`, {
        hint: "correct the file first; it was not changed",
      });
    }
    return new JsonEditor(parser, source);
  }

  /** The value at a path, or undefined. */
  find(path: JsonPath): unknown {
    let value: unknown = this.#parser.parse(this.text, [], { allowTrailingComma: true });
    for (const step of path) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) {
        return undefined;
      }
      value = Reflect.get(value, step);
    }
    return value;
  }

  /** Sets a value; equal values are left as they are written. */
  set(path: JsonPath, value: unknown): void {
    if (JSON.stringify(this.find(path)) === JSON.stringify(value)) return;
    this.#apply(path, value, false);
  }

  /** Adds to the end of a list, which is made when it is not there. */
  add(path: JsonPath, value: unknown): void {
    const list = this.find(path);
    if (Array.isArray(list)) this.#apply([...path, list.length], value, true);
    else this.#apply(path, [value], false);
  }

  /** Removes a value, and the containers that are empty after it. */
  remove(path: JsonPath): void {
    if (this.find(path) === undefined) return;
    this.#apply(path, undefined, false);
    const parent = path.slice(0, -1);
    const rest = this.find(parent);
    const empty = Array.isArray(rest)
      ? rest.length === 0
      : typeof rest === "object" && rest !== null && Object.keys(rest).length === 0;
    if (parent.length > 0 && empty) this.remove(parent);
  }

  #apply(path: JsonPath, value: unknown, insert: boolean): void {
    const indent = /^([ \t]+)\S/m.exec(this.text)?.[1] ?? "  ";
    const edits = this.#parser.modify(this.text, path, value, {
      isArrayInsertion: insert,
      formattingOptions: {
        insertSpaces: !indent.startsWith("\t"),
        tabSize: indent.startsWith("\t") ? 1 : indent.length,
        eol: this.text.includes("\r\n") ? "\r\n" : "\n",
      },
    });
    this.text = this.#parser.applyEdits(this.text, edits);
  }
}
