// Whether a line is relevant enough to send with a prompt unasked. The thresholds for a mention are
// chosen by `deno task bench inject` so that four of five lines are right, those for a change by `deno
// task bench tell`. Both are measured on questions that they were not chosen on. Pure.

/** How well a line fits a prompt: the line as it would be read, not the whole entry. */
export interface Fit {
  /**
   * The words that prompt and line share, counted by their rarity: a word that only one entry has
   * counts as 1, common ones hardly. Feedback makes it more or less.
   */
  worth: number;
  /** The share of what the prompt says (its words by rarity, unknown ones as the rarest) in the line. */
  share: number;
}

/** What a line must reach; both, or it is not said. */
export const gate: Fit = { worth: 2, share: 0.55 };

/**
 * The lower bars at a prompt that wants to change what was made, of the whole record and not of its line: a
 * plan has many words of which a few name its subject, a short prompt hardly any other.
 */
export const changeGates: readonly Fit[] = [{ worth: 2.9, share: 0.2 }, { worth: 2, share: 0.6 }];

/** The lower bar for what a person or an agent saved as a note: nothing there was guessed. */
export const savedGate: Fit = { worth: 1.5, share: 0.55 };

/** The most lines that one prompt is given. */
export const maxPromptLines = 3;

/** Whether a line may be said. */
export function passesGate(fit: Fit, least: Fit = gate): boolean {
  return fit.worth >= least.worth && fit.share >= least.share;
}
