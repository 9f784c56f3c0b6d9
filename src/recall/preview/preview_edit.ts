// What an edit of a file, or of some of its lines, would be given: as if they were taken out.

import { findSmallText } from "../../disk/outside_files.ts";
import { CtxError } from "../../core/errors.ts";
import type { Store } from "../../store/store.ts";
import { answerPreEdit, defaultHookTokens } from "../edit/pre_edit.ts";
import type { SuggestSettings } from "../edit/suggest_settings.ts";
import { toWorkspacePath } from "../edit/graph/workspace_path.ts";
import { countOf } from "../../command/view.ts";
import { citeLines } from "../../code/why/cite_lines.ts";
import { type Block, emptyBlock, type LeftOutLine } from "../pack/block.ts";

export interface EditQuestion {
  /** `FILE`, `FILE:LINE` or `FILE:FROM-TO`. */
  place: string;
  /** Where relative paths start. */
  cwd: string;
  conversation: string;
  settings: SuggestSettings;
  now: () => number;
  random: () => string;
}

export async function previewEdit(store: Store, question: EditQuestion): Promise<Block> {
  const { conversation, settings, now, random } = question;
  const { path, edit, notes } = readEdit(store, question);
  if (!settings.enabled) {
    return emptyBlock(
      "suggestions before edits are turned off; to turn them on: ctx config set suggest.enabled true",
    );
  }
  const { workspace } = store.layout;
  const payload = { session_id: conversation, tool_input: { file_path: path, ...edit } };
  const answer = await answerPreEdit(payload, {
    store,
    now,
    random,
    cwd: workspace,
    settings,
    maxTokens: defaultHookTokens,
    cite: (edited) => citeLines(store, { ...edited, nowMs: now() }),
    isPreview: true,
  });
  const said = new Set(answer.lines.map(({ id }) => id));
  const { below_score, repeated, over_limit } = answer.withheld;
  const counted = (count: number, why: string): LeftOutLine[] => count > 0 ? [{ why, count }] : [];
  return {
    text: answer.text,
    budget: defaultHookTokens,
    lines: answer.lines.map(toLine),
    left_out: [
      ...answer.items.filter(({ entity_id }) => !said.has(entity_id)).map((item) => ({
        ...(isEntry(item.entity_id) ? { id: item.entity_id } : {}),
        kind: item.type,
        text: item.title,
        why: "no room",
        count: 1,
      })),
      ...counted(below_score, "below suggest.min_relevance_score"),
      ...counted(repeated, "already sent in this conversation"),
      ...counted(over_limit, "over suggest.max_suggestions"),
    ],
    notes: [
      ...notes,
      ...(answer.cooling_ms > 0
        ? [
          `nothing more about this file for another ${
            Math.ceil(answer.cooling_ms / 1000)
          } s in this conversation`,
        ]
        : []),
      ...(answer.text === "" ? ["nothing relevant before this edit"] : []),
    ],
  };
}

function toLine({ id, kind, text }: { id: string; kind: string; text: string }) {
  return { ...(isEntry(id) ? { id } : { subject: id }), kind, text };
}

function isEntry(id: string): boolean {
  return id.startsWith("H-");
}

interface ReadEdit {
  path: string;
  edit: { content?: string };
  notes: string[];
}

/** The place as a tool's input: with lines, the file's text without them. */
function readEdit({ layout }: Store, { place, cwd }: EditQuestion): ReadEdit {
  const { workspace } = layout;
  const toPath = (file: string): string => toWorkspacePath(file, { workspace, cwd });
  const match = /^(.+):(\d{1,9})(?:-(\d{1,9}))?$/s.exec(place);
  if (match === null || findSmallText(`${workspace}/${toPath(place)}`) !== undefined) {
    return { path: toPath(place), edit: {}, notes: [] };
  }
  const [, file, from, to = from] = match;
  const path = toPath(file);
  const text = findSmallText(`${workspace}/${path}`);
  if (text === undefined) {
    throw new CtxError("NOT_FOUND", `Cannot preview the edit of "${path}": no such text file`, {
      hint: `without lines: ctx context now edit ${path}`,
    });
  }
  const lines = text.split(/(?<=\n)/);
  const [first, last] = [Number(from), Number(to)];
  if (first < 1 || last < first || last > lines.length) {
    const state = `it has ${countOf(lines.length, "line")}`;
    throw new CtxError("USAGE", `Cannot edit lines ${from} to ${to} of "${path}": ${state}`, {
      hint: `ctx context now edit ${path}:1-${lines.length}`,
    });
  }
  const content = [...lines.slice(0, first - 1), ...lines.slice(last)].join("");
  const alone = "decisions are cited for edits of two or more lines: use FILE:FROM-TO";
  return { path, edit: { content }, notes: first === last ? [alone] : [] };
}
