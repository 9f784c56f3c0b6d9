// Cline, Roo Code and Kilo Code: a directory per task with the conversation as it went to the model
// and as the panel showed it. Files are rewritten whole; `partial` rows are streaming leftovers.

import { emitApiHistory } from "./cline_history.ts";
import { emitPanel, type PanelFacts, panelFacts } from "./cline_panel.ts";
import { hashHex } from "../../../core/hash.ts";
import { findJson, type Json, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import { readDocument } from "../read_document.ts";
import type { Source, SourceSession } from "../source.ts";
import { sessionOf } from "../source_kinds.ts";
import { existing, findObject, findSmallText, walk } from "../walk.ts";
import { codeUserDirectories } from "../vscode.ts";

const maxFileBytes = 128 << 20;
const panelName = "ui_messages.json";
const extensions = [
  "saoudrizwan.claude-dev",
  "rooveterinaryinc.roo-cline",
  "kilocode.kilo-code",
];

export const cline: Source = {
  name: "cline",
  title: "Cline, Roo Code and Kilo Code",
  locate(place) {
    const { env, home } = place;
    const data = env("CLINE_DATA_DIR") || `${env("CLINE_DIR") || `${home}/.cline`}/data`;
    return existing([
      env("CLINE_SESSION_DATA_DIR") || `${data}/sessions`,
      ...codeUserDirectories(place).flatMap((user) =>
        extensions.map((extension) => `${user}/globalStorage/${extension}`)
      ),
    ]);
  },
  async *list(root, { tally }) {
    const accept = (name: string) =>
      name === panelName || name === "api_conversation_history.json" ||
      name.endsWith(".messages.json");
    const found = walk(root, { tally, accept, enter: (name) => name !== "checkpoints" });
    const tasks = Map.groupBy(found, ({ path }) => path.replace(/\/[^/]+$/, ""));
    const histories = new Map<string, Json[]>();
    for (const [directory, files] of tasks) {
      const file = files.find((file) => file.name !== panelName) ?? files[0];
      const id = directory.replace(/^.*\//, "");
      const item = findItem(directory, id, histories);
      const stem = file.name.endsWith(".messages.json")
        ? findObject(`${directory}/${id}.json`, maxFileBytes)
        : undefined;
      yield sessionOf(file, {
        id: `${forkOf(directory)}${id}`,
        signature: hashHex(
          files.map((file) => `${file.name}:${file.size}:${file.modified}`).join(),
        ),
        cwd: toText(item?.workspace) ?? toText(item?.cwdOnTaskInitialization) ?? toText(stem?.cwd),
        key: toText(item?.modelId) ?? toText(stem?.model),
        title: toText(item?.task),
        started: toTime(item?.ts) ?? toTime(id),
        parent: toText(item?.parentTaskId),
      });
    }
  },
  async read(session, sink) {
    const { tally } = sink;
    if (session.title) sink.describe({ title: session.title, title_from: "ai" });
    const history = toMessages(readDocument(session.path, { tally, maxBytes: maxFileBytes }));
    if (history === undefined) return;
    if (session.path.endsWith(panelName)) await emitPanel(session, history, sink);
    else await emitApiHistory(session, history, { sink, panel: findPanelFacts(session) });
  },
};

/** What the task list says of a task: Roo keeps it beside, Cline in one file for all. */
function findItem(directory: string, id: string, histories: Map<string, Json[]>): Json | undefined {
  const own = findObject(`${directory}/history_item.json`, maxFileBytes);
  if (own) return own;
  const storage = directory.replace(/\/tasks\/[^/]+$/, "");
  let items = histories.get(storage);
  if (items === undefined) {
    items = findMessages(`${storage}/state/taskHistory.json`) ?? [];
    histories.set(storage, items);
  }
  return items.find((item) => item.id === id);
}

/** What lies beside a conversation: the panel, and which models a task used. */
function findPanelFacts({ id, path, key }: SourceSession): PanelFacts {
  const directory = path.replace(/\/[^/]+$/, "");
  const facts = panelFacts(findMessages(`${directory}/${panelName}`) ?? [], id);
  const [used] = toObjects(findObject(`${directory}/task_metadata.json`)?.model_usage);
  return { ...facts, model: facts.model ?? toText(used?.model_id) ?? key };
}

function findMessages(path: string): Json[] | undefined {
  return toMessages(findJson(findSmallText(path, maxFileBytes) ?? ""));
}

function toMessages(value: unknown): Json[] | undefined {
  if (Array.isArray(value)) return toObjects(value);
  const messages = toObject(value)?.messages;
  return Array.isArray(messages) ? toObjects(messages) : undefined;
}

/** Task ids are times: the forks could share one. */
function forkOf(directory: string): string {
  const extension = directory.replace(/\/tasks\/.*$/, "").replace(/^.*\//, "");
  if (/roo/i.test(extension)) return "roo:";
  return /kilo/i.test(extension) ? "kilo:" : "";
}
