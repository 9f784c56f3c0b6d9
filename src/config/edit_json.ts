// Changes parts of a JSON or JSONC text and leaves the rest as it is, comments and layout included.

import { CtxError } from "../core/errors.ts";
import { isObject } from "../core/json.ts";
import { redactText } from "../core/redact/redact.ts";

/** Where something is: names and positions from the top. */
export type JsonPath = (string | number)[];

/** A JSON text that can be changed piece by piece. */
export class JsonEditor {
  readonly #parser: typeof import("jsonc-parser");
  readonly #file: string;
  /** A byte order mark, or nothing: no part of the JSON, but of the file. */
  readonly #mark: string;
  #text: string;

  private constructor(parser: typeof import("jsonc-parser"), file: string, text: string) {
    this.#parser = parser;
    this.#file = file;
    this.#mark = markOf(text);
    this.#text = text.slice(this.#mark.length);
  }

  get text(): string {
    return this.#mark + this.#text;
  }

  /** Opens a text; throws CONFIG_INVALID when it is not an object that can be edited safely. */
  static async open(text: string | undefined, path: string): Promise<JsonEditor> {
    const parser = await import("jsonc-parser");
    const mark = markOf(text ?? "");
    const source = text === undefined || text.trim() === "" ? "{}\n" : text.slice(mark.length);
    const errors: import("jsonc-parser").ParseError[] = [];
    const value = parser.parse(source, errors, { allowTrailingComma: true });
    if (errors.length > 0 || !isObject(value)) {
      const [first] = errors;
      const at = first && `, line ${source.slice(0, first.offset).split("\n").length}`;
      throw new CtxError(
        "CONFIG_INVALID",
        `Cannot edit "${path}"${at ?? ""}: it is not a JSON object`,
        {
          hint: "correct the file first; it was not changed",
        },
      );
    }
    const tree = parser.parseTree(source, [], { allowTrailingComma: true });
    const twice = tree && findRepeatedName(tree);
    if (twice !== undefined) {
      const line = source.slice(0, twice.offset).split("\n").length;
      const name = JSON.stringify(twice.value);
      throw new CtxError(
        "CONFIG_INVALID",
        `Cannot edit "${path}", line ${line}: ${name} occurs twice`,
        { hint: "remove one of them first; the file was not changed" },
      );
    }
    return new JsonEditor(parser, path, mark + source);
  }

  /** The first thing that plain JSON does not have, or JSON with comments; undefined without one. */
  findExtra({ comments }: { comments: boolean }): { line: number; what: string } | undefined {
    const errors: import("jsonc-parser").ParseError[] = [];
    this.#parser.parse(this.#text, errors, {
      allowTrailingComma: false,
      disallowComments: !comments,
    });
    const [first] = errors;
    if (first === undefined) return undefined;
    const isComment = first.error === commentError;
    const at = isComment ? first.offset : this.#text.lastIndexOf(",", first.offset);
    const line = this.#text.slice(0, at).split("\n").length;
    return { line, what: isComment ? "a comment" : "a comma after the last item" };
  }

  /** The value at a path, or undefined. */
  find(path: JsonPath): unknown {
    let value: unknown = this.#parser.parse(this.#text, [], { allowTrailingComma: true });
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
    this.#requireObjects(path.slice(0, -1));
    this.#put(path, value);
  }

  /** Adds to the end of a list, which is made when it is not there. */
  add(path: JsonPath, value: unknown): void {
    this.#requireObjects(path.slice(0, -1));
    const list = this.find(path);
    if (Array.isArray(list)) this.#insert(path, { value });
    else if (list === undefined) this.#put(path, [value]);
    else throw this.#wrongShape(path, "a list");
  }

  /** Removes a value and the containers it leaves empty; comments stay, with what holds them. */
  remove(path: JsonPath): void {
    if (this.find(path) === undefined) return;
    this.#cut(path);
    const parent = path.slice(0, -1);
    const rest = this.#findNode(parent);
    if (parent.length === 0 || rest === undefined) return;
    const text = this.#text.slice(rest.offset, rest.offset + rest.length);
    if (/^(?:\[\s*\]|\{\s*\})$/.test(text)) this.remove(parent);
  }

  /** Objects, or lists where a position follows, must be on the way: anything else is not ours to replace. */
  #requireObjects(path: JsonPath): void {
    for (let depth = 1; depth <= path.length; depth++) {
      const at = path.slice(0, depth);
      const value = this.find(at);
      if (typeof path[depth] === "number" && Array.isArray(value)) continue;
      if (value !== undefined && !isObject(value)) throw this.#wrongShape(at, "an object");
    }
  }

  #wrongShape(path: JsonPath, wanted: string): CtxError {
    const value = redactText(JSON.stringify(this.find(path))).value;
    const shown = value.length > 80 ? `${value.slice(0, 80)}…` : value;
    return new CtxError(
      "CONFIG_INVALID",
      `Cannot edit "${this.#file}": "${path.join(".")}" is ${shown}, not ${wanted}`,
      { hint: "correct the value first; the file was not changed" },
    );
  }

  #findNode(path: JsonPath): import("jsonc-parser").Node | undefined {
    const tree = this.#parser.parseTree(this.#text, [], { allowTrailingComma: true });
    return tree === undefined ? undefined : this.#parser.findNodeAtLocation(tree, path);
  }

  /** Takes a value (a member with its name) and one comma out, and the line when it was alone there. */
  #cut(path: JsonPath): void {
    const value = this.#findNode(path);
    const node = value?.parent?.type === "property" ? value.parent : value;
    if (node === undefined) return;
    const siblings = node.parent?.children ?? [];
    const before = siblings[siblings.indexOf(node) - 1];
    const end = node.offset + node.length;
    const commaAfter = this.#findComma(end);
    const commaBefore = commaAfter === undefined && before !== undefined
      ? this.#findComma(before.offset + before.length)
      : undefined;
    const cuts = [{ from: node.offset, to: end }];
    if (commaAfter === end) cuts[0].to++;
    else if (commaAfter !== undefined) cuts.push({ from: commaAfter, to: commaAfter + 1 });
    if (commaBefore !== undefined) cuts.unshift({ from: commaBefore, to: commaBefore + 1 });
    for (const { from, to } of cuts.reverse()) {
      const head = this.#text.slice(0, from);
      const tail = this.#text.slice(to);
      const isAlone = /(?:^|\n)[ \t]*$/.test(head) && /^[ \t]*\r?\n/.test(tail);
      this.#text = isAlone
        ? head.replace(/[ \t]*$/, "") + tail.replace(/^[ \t]*\r?\n/, "")
        : head + tail;
    }
  }

  /** The comma that comes next, past spaces and comments. */
  #findComma(from: number): number | undefined {
    const scanner = this.#parser.createScanner(this.#text, true);
    scanner.setPosition(from);
    return scanner.scan() === commaToken ? scanner.getTokenOffset() : undefined;
  }

  /** Replaces a value, or puts it in with what is missing on the way to it. */
  #put(path: JsonPath, value: unknown): void {
    const known = this.#findNode(path);
    if (known !== undefined) {
      const indent = this.#indentAt(known.offset);
      const text = this.#toText(value, this.#isInLine(known) ? undefined : indent);
      this.#replace(known.offset, known.offset + known.length, text);
      return;
    }
    let depth = path.length - 1;
    while (this.#findNode(path.slice(0, depth)) === undefined) depth--;
    const rest = path.slice(depth + 1).reverse();
    const inner = rest.reduce((held, step) => ({ [step]: held }), value);
    this.#insert(path.slice(0, depth), { name: path[depth], value: inner });
  }

  /** Puts a member or an item at the end of what holds it; every byte that is there stays. */
  #insert(at: JsonPath, member: { name?: string | number; value: unknown }): void {
    const holder = this.#findNode(at);
    if (holder === undefined) return;
    const last = holder.children?.at(-1);
    const toMember = (indent: string | undefined): string => {
      const text = this.#toText(member.value, indent);
      if (typeof member.name !== "string") return text;
      return `${JSON.stringify(member.name)}:${indent === undefined ? "" : " "}${text}`;
    };
    if (last === undefined) return this.#fill(holder, toMember);
    const end = last.offset + last.length;
    const comma = this.#findComma(end);
    const indent = this.#isInLine(last) ? undefined : this.#indentAt(last.offset);
    const piece = indent === undefined
      ? toMember(undefined)
      : `${this.#eol}${indent}${toMember(indent)}`;
    if (comma === undefined) {
      this.#replace(indent === undefined ? end : this.#endOfRemark(end), undefined, piece);
      this.#replace(end, undefined, ",");
    } else {
      const after = indent === undefined ? comma + 1 : this.#endOfRemark(comma + 1);
      this.#replace(after, undefined, `${piece},`);
    }
  }

  /** The first thing in an empty object or list. */
  #fill(
    holder: import("jsonc-parser").Node,
    toMember: (indent: string | undefined) => string,
  ): void {
    const from = holder.offset + 1;
    const to = holder.offset + holder.length - 1;
    const inner = this.#text.slice(from, to);
    const outer = this.#indentAt(holder.offset);
    const isInLine = holder.parent !== undefined && !this.#text.trim().includes("\n");
    if (isInLine) return this.#replace(from, undefined, toMember(undefined));
    const indent = outer + this.#unit;
    const piece = `${this.#eol}${indent}${toMember(indent)}`;
    if (inner.trim() !== "") this.#replace(from + inner.trimEnd().length, undefined, piece);
    else if (inner.includes("\n")) this.#replace(from, undefined, piece);
    else this.#replace(from, to, `${piece}${this.#eol}${outer}`);
  }

  #replace(from: number, to: number | undefined, text: string): void {
    this.#text = this.#text.slice(0, from) + text + this.#text.slice(to ?? from);
  }

  /** A value as it is written at that depth; without an indent, in one line. */
  #toText(value: unknown, indent: string | undefined): string {
    if (indent === undefined) return JSON.stringify(value);
    return JSON.stringify(value, null, this.#unit).replaceAll("\n", this.#eol + indent);
  }

  /** Whether something stands before it in its line. */
  #isInLine({ offset, parent }: import("jsonc-parser").Node): boolean {
    const start = parent?.type === "property" ? parent.offset : offset;
    return !/(?:^|\n)[ \t]*$/.test(this.#text.slice(0, start));
  }

  #indentAt(offset: number): string {
    return /[^\n]*$/.exec(this.#text.slice(0, offset))?.[0].match(/^[ \t]*/)?.[0] ?? "";
  }

  /** Past a comment that stands behind something in the same line. */
  #endOfRemark(from: number): number {
    const remark = /^[ \t]*(?:\/\/[^\r\n]*|(?:\/\*(?:(?!\*\/)[^\n])*\*\/[ \t]*)+(?=\r?\n))/;
    return from + (remark.exec(this.#text.slice(from))?.[0].length ?? 0);
  }

  get #unit(): string {
    return /^([ \t]+)\S/m.exec(this.#text)?.[1] ?? "  ";
  }

  get #eol(): string {
    return this.#text.includes("\r\n") ? "\r\n" : "\n";
  }
}

/** jsonc-parser's SyntaxKind.CommaToken, whose enum is known to the type checker only. */
const commaToken = 5;
/** Its ParseErrorCode.InvalidCommentToken. */
const commentError = 10;

function markOf(text: string): string {
  return text.startsWith("\ufeff") ? "\ufeff" : "";
}

/** The first name that its object already has: readers do not agree on which of the two counts. */
function findRepeatedName(
  node: import("jsonc-parser").Node,
): import("jsonc-parser").Node | undefined {
  const seen = new Set<unknown>();
  for (const child of node.children ?? []) {
    const name = node.type === "object" ? child.children?.[0] : undefined;
    if (name !== undefined && seen.has(name.value)) return name;
    if (name !== undefined) seen.add(name.value);
    const found = findRepeatedName(child);
    if (found !== undefined) return found;
  }
  return undefined;
}
