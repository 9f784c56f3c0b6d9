// Where the facts of a set come from, to know what records can be derived from: how many facts have all
// their words in one text of a kind, or in one sentence, and how right and how complete it would be to
// send every sentence as it is.

import type { BenchTable } from "../support/table.ts";
import { evidenceKinds, type EvidenceText, readEvidence } from "./evidence_texts.ts";
import type { Fact, Labels } from "./labels.ts";
import { countedLength, tellsFacts } from "./score.ts";
import { listTranscripts } from "./transcripts.ts";

/** The table of a set. */
export function tabulateEvidence(labels: Labels, directory: string): BenchTable {
  const texts = listTranscripts(directory)
    .filter((path) => labels.sessions.has(path.slice(path.lastIndexOf("/") + 1, -".jsonl".length)))
    .flatMap((path) => readEvidence(Deno.readTextFileSync(path)));
  const rows = evidenceKinds.map((kind) =>
    toRow(kind, texts.filter((text) => text.kind === kind), labels)
  );
  return {
    title: `Where the ${labels.facts.length} facts of ${labels.name} stand`,
    head: [
      "text",
      "texts",
      "facts: all words in one",
      "sentences",
      "facts: all words in one",
      "right if all were told",
      "facts they would tell",
      "of strength 3",
      "of the packs'",
    ],
    rows: [...rows, toRow("all of them", texts, labels)],
  };
}

function toRow(
  name: string,
  texts: readonly EvidenceText[],
  { facts, packs }: Labels,
): (string | number)[] {
  const sentences = texts.flatMap(({ text, message }) =>
    toSentences(text).map((sentence) => ({ text: sentence, messages: [message] }))
  );
  const told = sentences.map((sentence) => tellsFacts(sentence, facts));
  const known = new Set(told.flat());
  const inPacks = new Set(packs.flatMap(({ tell }) => tell));
  const share = (chosen: readonly Fact[]): string =>
    `${chosen.filter(({ id }) => known.has(id)).length} of ${chosen.length}`;
  return [
    name,
    texts.length,
    countFacts(texts, facts),
    sentences.length,
    countFacts(sentences, facts),
    (told.filter((ids) => ids.length > 0).length / Math.max(1, told.length)).toFixed(2),
    known.size,
    share(facts.filter(({ strength }) => strength === 3)),
    share(facts.filter(({ id }) => inPacks.has(id))),
  ];
}

/** How many facts have all of their words in one of some texts. */
function countFacts(texts: readonly { text: string }[], facts: readonly Fact[]): number {
  const lowered = texts.map(({ text }) => text.toLowerCase());
  return facts.filter(({ must }) => {
    const words = must.map((word) => word.toLowerCase());
    return lowered.some((text) => words.every((word) => text.includes(word)));
  }).length;
}

/** Sentences and lines of a list, as far as they count when they are told. */
function toSentences(text: string): string[] {
  return text.split(/\n+|(?<=[.!?])\s+/).filter((part) => /\w/.test(part))
    .map((part) => part.trim().slice(0, countedLength));
}
