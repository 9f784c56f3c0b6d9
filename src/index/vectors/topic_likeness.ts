// Whether a text is about a topic by what it means, told by the local embedder: for those who wait for
// news of a topic, where a wrong guess costs an interruption.

import type { LocalEmbedder } from "./embedder_local.ts";

/**
 * From here on a text is on the topic. Of 64 pairs of short topics with decisions and sources, those
 * that belong together were at 0.33 and above, the others at 0.23 and below.
 */
const leastLikeness = 0.32;
/** What of a text is embedded: the rest seldom changes the topic. */
const maxChars = 4000;

/** Makes the test; topics are embedded once. */
export function makeTopicCheck(embedder: LocalEmbedder): (topic: string, text: string) => boolean {
  const topics = new Map<string, Float32Array>();
  return (topic, text) => {
    const wanted = topics.get(topic) ?? embedder.embedText(topic);
    topics.set(topic, wanted);
    const vector = embedder.embedText(text.slice(0, maxChars));
    return wanted.reduce((sum, value, i) => sum + value * vector[i], 0) >= leastLikeness;
  };
}
