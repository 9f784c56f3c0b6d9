// ctx in VS Code: the story of a line in the gutter and on hover, and a search. Everything is asked of
// the `ctx` on this machine (`ctx why FILE --json`, once per saved file); nothing of ctx is in here.

const { execFile } = require("node:child_process");
const { dirname } = require("node:path");
const vscode = require("vscode");

/** What is known of each file, by its path: until it is saved again. */
const known = new Map();
let gutter;

exports.activate = (context) => {
  gutter = vscode.window.createTextEditorDecorationType({
    gutterIconPath: vscode.Uri.file(`${context.extensionPath}/why.svg`),
    gutterIconSize: "contain",
    overviewRulerLane: 1,
  });
  const forget = ({ fileName }) => known.delete(fileName);
  context.subscriptions.push(
    gutter,
    vscode.languages.registerHoverProvider({ scheme: "file" }, { provideHover }),
    vscode.commands.registerCommand("ctx.search", search),
    vscode.commands.registerCommand("ctx.why", showLine),
    vscode.window.onDidChangeActiveTextEditor(mark),
    vscode.workspace.onDidSaveTextDocument((document) => {
      forget(document);
      return mark(vscode.window.activeTextEditor);
    }),
    vscode.workspace.onDidCloseTextDocument(forget),
  );
  return mark(vscode.window.activeTextEditor);
};

exports.deactivate = () => known.clear();

/** Marks the lines that a session wrote. */
async function mark(editor) {
  if (editor === undefined || !isOn() || editor.document.uri.scheme !== "file") return;
  const rows = await whyOf(editor.document.fileName);
  const ranges = rows.filter(({ session_id }) => session_id).flatMap(({ lines }) =>
    rangesOf(lines).map(([first, last]) => new vscode.Range(first - 1, 0, last - 1, 0))
  );
  editor.setDecorations(gutter, ranges);
}

async function provideHover({ fileName, isDirty }, { line }) {
  // In a changed file the numbers of lines are no longer those that ctx knows.
  if (!isOn() || isDirty) return undefined;
  const row = findRow(await whyOf(fileName), line + 1);
  return row?.session_id ? new vscode.Hover(storyOf(row)) : undefined;
}

async function showLine() {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return;
  const row = findRow(await whyOf(editor.document.fileName), editor.selection.active.line + 1);
  vscode.window.showInformationMessage(
    row === undefined
      ? "Nothing is known about this line."
      : row.session_id
      ? `${row.title ?? row.session_id}: ${row.prompt?.text ?? ""}`
      : `Unknown: ${row.because}`,
  );
}

async function search() {
  const query = await vscode.window.showInputBox({ prompt: "Search past sessions" });
  if (!query) return;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const found = await ask(["search", "--json", "--", query], folder);
  if (found.error) return vscode.window.showErrorMessage(found.error);
  const items = found.results.map((row) => ({
    label: row.snippet,
    description: `${row.type} · ${row.ts}`,
    id: row.id,
  }));
  const chosen = await vscode.window.showQuickPick(items, { matchOnDescription: true });
  if (chosen === undefined) return;
  const { text, error } = await ask(["get", "--json", "--", chosen.id], folder);
  const content = text ?? error ?? "";
  await vscode.window.showTextDocument(
    await vscode.workspace.openTextDocument({ content, language: "markdown" }),
  );
}

/** The answers about a file; none where ctx knows nothing of it. */
function whyOf(path) {
  if (!known.has(path)) {
    known.set(
      path,
      ask(["why", "--json", "--", path], dirname(path)).then(({ results }) => results ?? []),
    );
  }
  return known.get(path);
}

function findRow(rows, line) {
  return rows.find(({ lines }) =>
    rangesOf(lines).some(([first, last]) => first <= line && line <= last)
  );
}

/** "4, 7-9" as pairs of numbers. */
function rangesOf(lines = "") {
  return [...lines.matchAll(/(\d+)(?:[-–](\d+))?/g)]
    .map(([, first, last]) => [Number(first), Number(last ?? first)]);
}

/** What was said is data: it is shown as text, without links or commands. */
function storyOf(row) {
  const text = new vscode.MarkdownString();
  const add = (label, words) => words && text.appendText(`${label}: ${words}\n\n`);
  add("session", `${row.title ?? row.session_id} (${Math.round(row.confidence * 100)} % sure)`);
  add("asked", row.prompt?.text);
  for (const decision of row.decisions) add("decided", decision.text);
  add("commit", row.subject && `${row.commit.slice(0, 10)} ${row.subject}`);
  return text;
}

function isOn() {
  return vscode.workspace.getConfiguration("ctx").get("why", true);
}

/** Runs ctx; what it cannot do is an error in words. */
function ask(words, cwd) {
  const program = vscode.workspace.getConfiguration("ctx").get("path", "ctx");
  return new Promise((resolve) => {
    const options = { cwd, timeout: 20_000, maxBuffer: 1 << 26, windowsHide: true };
    execFile(program, words, options, (error, stdout) => {
      try {
        const answer = JSON.parse(stdout);
        resolve(answer.error ? { error: answer.error.message } : answer);
      } catch {
        resolve({
          error: error?.code === "ENOENT" ? `"${program}" is not on the PATH` : String(error),
        });
      }
    });
  });
}
