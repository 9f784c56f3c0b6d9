// Runs the picker on a terminal. The first screen is painted before anything is loaded that it can do
// without: the library that reads keys, and the search, which starts in a thread of its own.

import { openContext } from "../../app/app.ts";
import { makeTerminalView } from "../../view/terminal_view.ts";
import { wantsColor } from "../line/terminal.ts";
import { toTerminal } from "../line/to_terminal.ts";
import { drawFrame, layoutOf } from "./frame.ts";
import { Memory, type PickList } from "./memory.ts";
import { type Picked, Picker } from "./picker.ts";
import type { LineLook, QueryLine } from "./query_line.ts";
import { Screen } from "./screen.ts";

export interface RunPickerOptions {
  query: string;
  workspace?: string;
  /** Which stream is the terminal. */
  out: "stdout" | "stderr";
}

/** What was chosen, and the last id that was copied. */
export interface PickerEnd {
  picked?: Picked;
  copied?: string;
}

/** Shows the picker until something is chosen or it is left; STORE_MISSING when there is no store. */
export async function runPicker(options: RunPickerOptions): Promise<PickerEnd> {
  const { query, workspace, out } = options;
  // A program that takes the id wants an entry.
  const left = out === "stdout";
  const list = query === "" ? await readFirst(workspace, left) : await checkStore(workspace);
  using screen = new Screen(out);
  const { promise, resolve, reject } = Promise.withResolvers<Picked | undefined>();
  const color = wantsColor(out);
  const look: LineLook = {
    prompt: "❯ ",
    placeholder: "type to search",
  };
  let line: QueryLine | undefined;
  let entryFrom = 0;
  let isOver = false;
  const paint = (): void => {
    picker.fit();
    const { columns, rows } = screen;
    const now = Date.now();
    const view = makeTerminalView({ color, width: columns, now });
    const frame = drawFrame(picker.state, { view, now, columns, rows });
    entryFrom = frame.entryFrom;
    const first = line?.draw(screen.columns) ?? drawLine(query, look);
    screen.paint([first, ...frame.lines.map(toTerminal)]);
  };
  const picker: Picker = new Picker({
    query,
    list,
    left,
    onChange: () => paint(),
    onEnd: (picked) => {
      isOver = true;
      resolve(picked);
    },
    copy: (text) => screen.write(`\x1b]52;c;${btoa(text)}\x07`),
    listRows: () => layoutOf(screen, picker.state.showsEntry).listRows,
    entryFrom: () => entryFrom,
  });
  using _picker = picker;
  screen.onResize(paint);
  paint();
  const { openRemoteMemory } = await import("./remote_memory.ts");
  using memory = openRemoteMemory(workspace);
  picker.connect(memory);
  const refresh = (): void => {
    picker.setQuery(line?.value ?? query);
    paint();
  };
  const typing = async (): Promise<void> => {
    const { QueryLine } = await import("./query_line.ts");
    using typed = line = new QueryLine(query, {
      look,
      onKey(name, text) {
        // A lone escape is known to be one only after a moment, when nobody waits for it.
        queueMicrotask(refresh);
        picker.setQuery(typed.value);
        return picker.press(name, text);
      },
    });
    for await (const chunk of screen.readKeys()) {
      typed.take(chunk);
      if (isOver) return;
    }
    resolve(undefined);
  };
  typing().catch(reject);
  const picked = await promise;
  return { picked, copied: picker.copied };
}

async function readFirst(workspace: string | undefined, left: boolean): Promise<PickList> {
  using context = openContext({ surface: "cli", workspace });
  const memory = new Memory(context);
  await memory.open();
  return await memory.list("", { offset: 0, all: false, left });
}

async function checkStore(workspace: string | undefined): Promise<PickList> {
  using context = openContext({ surface: "cli", workspace });
  await context.openStore();
  return { rows: [], total: 0 };
}

/** The line before anything can be typed into it. */
function drawLine(query: string, { prompt, placeholder }: LineLook): string {
  if (query !== "") return `${prompt}${query}\x1b[7m \x1b[27m`;
  return `${prompt}\x1b[7m${placeholder[0]}\x1b[27m${placeholder.slice(1)}`;
}
