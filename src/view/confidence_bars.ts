// How sure a row is, as every list shows it.

import type { View } from "../command/view.ts";
import { type Confidence, confidences } from "../search/rank/row_confidence.ts";

/** How sure it is, as three dots. */
export function toBars(confidence: Confidence, view: View): string {
  const full = confidences.length - confidences.indexOf(confidence);
  const dots = "●".repeat(full) + view.dim("○".repeat(confidences.length - full));
  return confidence === "strong" ? view.good(dots) : dots;
}
